//! Counts of the values themselves: the number of bins.

use crate::histograms::plan::counting::{Counted, Groups};
use crate::plan::getters::getters;
use crate::plan::{Op, Operand, fact, value_error, wrong_dtype, wrong_value};
use crate::{DType, Error, ErrorCode, FactValue, Result, Scalar, Shape, list};

/// A checked call of `bincount`. Only the values of x are still unchecked.
#[derive(Debug, Clone)]
pub(crate) struct BincountPlan {
    /// The dtype of x.
    dtype: DType,
    x: Shape,
    length: Length,
    groups: Groups,
    /// The dimensions of the result before the last one.
    dims: Vec<usize>,
    has_mask: bool,
    /// The one that the caller chose; else int64 for counts, float32 for sums of float32 weights, and float64 for sums of all others.
    out_dtype: DType,
}

/// How many bins the values have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// One for each value up to the largest, and at least so many.
    AtLeast(i64),
    /// Exactly so many. Larger values are skipped.
    Exactly(i64),
}

impl From<i64> for Length {
    fn from(minlength: i64) -> Self {
        Self::AtLeast(minlength)
    }
}

impl Length {
    /// With the name of the argument.
    fn named(self) -> (&'static str, i64) {
        match self {
            Self::AtLeast(count) => ("minlength", count),
            Self::Exactly(count) => ("length", count),
        }
    }
}

impl BincountPlan {
    pub(crate) const OP: Op = Op::Bincount;

    pub(crate) fn new(x: Operand<'_>, counted: &Counted<'_>, length: Length) -> Result<Self> {
        let op = Self::OP;
        if x.dtype.is_float() || x.dtype == DType::Bool {
            let text = format!("x has dtype {}; it must be one of the integers (x.astype('int32'))", x.dtype);
            return Err(wrong_dtype(op, "x", x.dtype, text));
        }
        if x.shape.rank() != 1 && (x.shape.rank() == 0 || counted.dim.is_none()) {
            let text = format!(
                "x has rank {} (shape {}); it needs rank 1 (x.reshape([-1])), or a dim along which to count",
                x.shape.rank(),
                x.shape
            );
            return Err(value_error(op, ErrorCode::RankMismatch, "x", text).shape("x", x.shape.dims()));
        }
        counted.check(op, x.shape.dims(), ("x", x.shape))?;
        let (groups, dims) = Groups::new(op, x.shape, counted.dim)?;
        let (name, count) = length.named();
        if count < 0 {
            let found = wrong_value(op, name, format!("{name} is {count}; it must not be negative"));
            return Err(found.value(FactValue::Int(count)));
        }
        let own_dtype = match counted.weights.map(|weights| weights.dtype) {
            None => DType::Int64,
            Some(DType::Float32) => DType::Float32,
            Some(_) => DType::Float64,
        };
        let out_dtype = counted.dtype.unwrap_or(own_dtype);
        let (dtype, has_mask, x) = (x.dtype, counted.mask.is_some(), x.shape.clone());
        Ok(Self { dtype, x, length, groups, dims, has_mask, out_dtype })
    }

    /// Whether every value counts, all in one group, and has a bin. A scatter makes such counts.
    pub(crate) fn is_plain(&self) -> bool {
        !self.has_mask && self.dims.is_empty() && matches!(self.length, Length::AtLeast(_))
    }

    getters! { pub(crate) groups: Groups, dtype: DType, out_dtype: DType }

    /// The dtype of the index that x becomes. It holds every value of x, except values of uint64 beyond int64. These become
    /// negative.
    pub(crate) fn index_dtype(&self) -> DType {
        if self.dtype == DType::Int32 || self.dtype.size() < 4 { DType::Int32 } else { DType::Int64 }
    }

    /// Ends for [`BincountPlan::out_shape`] without the values of x, if the length of the result does not depend on them: it is exact, or every
    /// value of the dtype has a bin, or is negative.
    pub(crate) fn known_ends(&self) -> Option<[(i64, usize); 2]> {
        let (_, most) = self.dtype.int_range()?;
        let is_known = match self.length {
            Length::Exactly(_) => true,
            Length::AtLeast(count) => most < i128::from(count),
        };
        is_known.then_some([(0, 0), (0, 0)])
    }

    /// The error for a negative value of x, number `at` in row-major order.
    pub(crate) fn negative(&self, at: usize, value: i64) -> Error {
        let position = self.x.unravel(at);
        let named = list(&position);
        let text =
            format!("x{named} is {value}; each value is the number of its place, and may not be negative");
        wrong_value(Self::OP, "x", text).value(FactValue::Int(value)).position(position)
    }

    /// The shape of the result: the dimensions of the groups, then one with a bin for each value up to the largest, as
    /// [`Length`] says. `ends` has two values of x in the dtype of the index, each with its position in x. The first is a negative value; if x has
    /// none, it is any other number. The second is the largest value, and its position is not used. `None` if x has no values.
    pub(crate) fn out_shape(&self, ends: Option<[(i64, usize); 2]>) -> Result<Shape> {
        let [(least, at), (most, _)] = ends.unwrap_or([(0, 0), (-1, 0)]); // an empty x has no bin
        // For uint64 a negative index value is a value beyond int64. The size check below refuses it.
        if least < 0 && self.dtype != DType::Uint64 {
            return Err(self.negative(at, least));
        }
        let (name, count) = self.length.named();
        let is_given = self.length == Length::Exactly(count) || least >= 0 && most < count;
        let flat_bins = if is_given {
            count
        } else if least < 0 {
            i64::MAX
        } else {
            most.saturating_add(1)
        };
        // A number of bins beyond 32 bits gets the same error as an impossible shape. One more bin takes values that are skipped.
        let shape = u32::try_from(flat_bins).ok().and_then(|flat_bins| {
            let shape =
                Shape::new(Self::OP.name(), &[&self.dims[..], &[flat_bins as usize]].concat()).ok()?;
            u32::try_from(shape.size() + 1).is_ok().then_some(shape)
        });
        shape.ok_or_else(|| {
            if is_given {
                let text = format!("{name} is {count}; so many places are more than a tensor can have");
                return wrong_value(Self::OP, name, text).value(FactValue::Int(count));
            }
            // The error names the largest value; if the index has negative numbers, the value of x that became this one.
            let value = Scalar::Int(if least < 0 { (least as u64).into() } else { most.into() });
            let text = format!(
                "x holds {value}; each value is the number of its place, and so many places are more than a tensor can have"
            );
            wrong_value(Self::OP, "x", text).value(fact(value))
        })
    }
}
