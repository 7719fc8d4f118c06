//! Counts of the values themselves: the number of places.

use crate::dtype::DType;
use crate::error::{Error, ErrorCode, FactValue, Result};
use crate::plan::arguments::Operand;
use crate::plan::histogram::{check_weights, value_error, wrong_dtype, wrong_value};
use crate::plan::op::Op;
use crate::shape::Shape;

/// A checked call of `bincount`. Only the values of x are still unchecked.
#[derive(Debug, Clone)]
pub(crate) struct BincountPlan {
    /// The dtype of x.
    dtype: DType,
    minlength: i64,
    out_dtype: DType,
}

impl BincountPlan {
    /// The operator.
    pub(crate) const OP: Op = Op::Bincount;

    /// The plan that counts the values of x, with one place for each value from 0 up, and at least `minlength` places.
    ///
    /// # Errors
    /// `TypeError` for x of bool or float; `ValueError` for its rank, for weights of another shape and for a negative minlength.
    pub(crate) fn new(x: Operand<'_>, weights: Option<Operand<'_>>, minlength: i64) -> Result<Self> {
        let op = Self::OP;
        if x.dtype.is_float() || x.dtype == DType::Bool {
            let text = format!("x has dtype {}; it must be one of the integers (x.astype('int32'))", x.dtype);
            return Err(wrong_dtype(op, "x", x.dtype, text));
        }
        if x.shape.rank() != 1 {
            let text = format!(
                "x has rank {} (shape {}); it needs rank 1 (x.reshape([-1]))",
                x.shape.rank(),
                x.shape
            );
            return Err(value_error(op, ErrorCode::RankMismatch, "x", text).shape("x", x.shape.dims()));
        }
        weights.map_or(Ok(()), |weights| check_weights(op, weights.shape, x.shape.dims(), ("x", x.shape)))?;
        if minlength < 0 {
            let found =
                wrong_value(op, "minlength", format!("minlength is {minlength}; it must not be negative"));
            return Err(found.value(FactValue::Int(minlength)));
        }
        let out_dtype = match weights.map(|weights| weights.dtype) {
            None => DType::Int64,
            Some(DType::Float32) => DType::Float32,
            Some(_) => DType::Float64,
        };
        Ok(Self { dtype: x.dtype, minlength, out_dtype })
    }

    /// The dtype of x.
    #[cfg(feature = "webgpu")]
    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    /// The dtype of the index that x becomes. It holds every value of x, except values of uint64 beyond int64. These become
    /// negative.
    pub(crate) fn index_dtype(&self) -> DType {
        if self.dtype == DType::Int32 || self.dtype.size() < 4 { DType::Int32 } else { DType::Int64 }
    }

    /// The dtype of the result: int64 for counts; float32 for sums of float32 weights, float64 for sums of all others.
    pub(crate) fn out_dtype(&self) -> DType {
        self.out_dtype
    }

    /// Ends for [`BincountPlan::out_shape`] from the dtype of x alone, if every value of the dtype has a place, or is negative. `None` if the
    /// length of the result depends on the values.
    pub(crate) fn ends_of_dtype(&self) -> Option<[(i64, usize); 2]> {
        let (_, most) = self.dtype.int_range()?;
        (most < i128::from(self.minlength)).then_some([(0, 0), (most as i64, 0)])
    }

    /// The error for a negative value of x.
    pub(crate) fn negative(&self, at: usize, value: i64) -> Error {
        let text =
            format!("x[{at}] is {value}; each value is the number of its place, and may not be negative");
        wrong_value(Self::OP, "x", text).value(FactValue::Int(value)).position(vec![at])
    }

    /// The shape of the result: one dimension, with a place for each value up to the largest, and at least `minlength` places.
    /// `ends` has two values of x in the dtype of the index, each with its position in x. The first is a negative value; if x has
    /// none, it is any other number. The second is the largest value, and its position is not used. `None` if x has no values.
    ///
    /// # Errors
    /// `ValueError` for a negative value, and if the result has more places than can be addressed.
    pub(crate) fn out_shape(&self, ends: Option<[(i64, usize); 2]>) -> Result<Shape> {
        let [(least, at), (most, _)] = ends.unwrap_or([(0, 0), (-1, 0)]); // an empty x has no place
        // For uint64 a negative index value is a value beyond int64. The size check below refuses it.
        if least < 0 && self.dtype != DType::Uint64 {
            return Err(self.negative(at, least));
        }
        let places = if least < 0 { i64::MAX } else { most.saturating_add(1).max(self.minlength) };
        // A number of places beyond 32 bits gets the same error as an impossible shape.
        let shape = u32::try_from(places)
            .ok()
            .and_then(|places| Shape::new(Self::OP.name(), &[places as usize]).ok());
        shape.ok_or_else(|| {
            if least >= 0 && most < self.minlength {
                let text =
                    format!("minlength is {}; so many places are more than a tensor can have", self.minlength);
                return wrong_value(Self::OP, "minlength", text).value(FactValue::Int(self.minlength));
            }
            // The error names the largest value; if the index has negative numbers, the value of x that became this one.
            let (name, value) = match u64::try_from(least) {
                Ok(_) => (most.to_string(), FactValue::Int(most)),
                Err(_) => ((least as u64).to_string(), FactValue::Text((least as u64).to_string())),
            };
            let text = format!(
                "x holds {name}; each value is the number of its place, and so many places are more than a tensor can have"
            );
            wrong_value(Self::OP, "x", text).value(value)
        })
    }
}
