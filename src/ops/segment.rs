//! Reductions of neighbouring rows.

use crate::dispatch;
use crate::dtype::{DType, Scalar};
use crate::error::{Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::host::HostBuffer;
use crate::ops::{IndexPlan, Scatter, Target};
use crate::plan::{Factor, Op, OutOfRange, Reduce, Reduction, Update};
use crate::shape::Shape;
use crate::tensor::Tensor;

const OP: &str = Op::SegmentReduce.name();

/// How rows are divided into segments.
#[derive(Clone, Copy)]
pub enum Segments<'a> {
    /// Where each segment begins, and at last where the last one ends: one entry more than there are segments.
    Offsets(&'a Tensor),
    /// How many rows each has.
    Lengths(&'a Tensor),
}

impl<'a> Segments<'a> {
    const fn parts(self) -> (&'static str, &'a Tensor) {
        match self {
            Self::Offsets(tensor) => ("offsets", tensor),
            Self::Lengths(tensor) => ("lengths", tensor),
        }
    }

    /// The number of the segment of each of `rows` rows, and how many segments there are.
    fn numbers(self, rows: usize) -> Result<(Tensor, usize)> {
        let (name, tensor) = self.parts();
        let error = |class, code, text: String| Error::new(class, code, OP, text).argument(name);
        if !tensor.dtype.is_index() {
            let text = format!(
                "{name} has dtype {}; it must be int32 or int64 ({name}.astype('int32'))",
                tensor.dtype
            );
            return Err(error(ErrorClass::Type, ErrorCode::IndexDtype, text));
        }
        if tensor.shape.rank() != 1 {
            let text = format!("{name} has rank {}; it must have one dimension", tensor.shape.rank());
            return Err(error(ErrorClass::Value, ErrorCode::RankMismatch, text));
        }
        let Some(buffer) = tensor.storage.as_host() else {
            let text =
                format!("{name} lives on webgpu, and its values are needed here: await {name}.to('cpu')");
            return Err(error(ErrorClass::Runtime, ErrorCode::WrongDevice, text));
        };
        let values: Vec<i64> = match tensor.dtype {
            DType::Int64 => buffer.elements::<i64>().to_vec(),
            _ => buffer.elements::<i32>().iter().map(|&value| value.into()).collect(),
        };
        let bad = |at: usize, value: i64, rule: String| {
            let text = format!("{name}[{at}] is {value}: {rule}");
            error(ErrorClass::Value, ErrorCode::InvalidSegments, text)
                .position(vec![at])
                .value(FactValue::Int(value))
        };
        let mut ends = Vec::with_capacity(values.len());
        match self {
            Self::Offsets(_) => {
                let Some((&first, rest)) = values.split_first() else {
                    let text = "offsets is empty; it has one entry more than there are segments".to_owned();
                    return Err(error(ErrorClass::Value, ErrorCode::InvalidSegments, text));
                };
                if first != 0 {
                    return Err(bad(0, first, "the first segment begins at 0".to_owned()));
                }
                ends.extend_from_slice(rest);
            }
            Self::Lengths(_) => {
                let mut end = 0i64;
                for (at, &value) in values.iter().enumerate() {
                    if value < 0 {
                        return Err(bad(at, value, "a length is not negative".to_owned()));
                    }
                    end = end.saturating_add(value);
                    ends.push(end);
                }
            }
        }
        let mut numbers = HostBuffer::zeroed(OP, 4 * rows)?;
        let slots = numbers.elements_mut::<i32>();
        let mut begin = 0usize;
        for (number, &end) in ends.iter().enumerate() {
            let stop = usize::try_from(end).ok().filter(|&stop| stop <= rows && stop >= begin);
            let place = number + usize::from(matches!(self, Self::Offsets(_)));
            let Some(stop) = stop else {
                let rule = format!(
                    "segments end between {begin} and {rows}, the number of rows, and this one at {end}"
                );
                return Err(bad(place, values.get(place).copied().unwrap_or(end), rule));
            };
            if let Some(segment) = slots.get_mut(begin..stop) {
                segment.fill(number as i32);
            }
            begin = stop;
        }
        if begin != rows {
            let text =
                format!("{name} ends with row {begin}, and data has {rows}: every row belongs to a segment");
            return Err(error(ErrorClass::Value, ErrorCode::InvalidSegments, text));
        }
        Ok((Tensor::from_buffer(Shape::new(OP, &[rows])?, DType::Int32, numbers), ends.len()))
    }
}

/// `out[s] = reduction of data[begin of s], …, data[end of s − 1]`: neighbouring rows along dimension 0, in order.
///
/// - `out.shape` is the number of segments, then `data.shape[1:]`.
/// - Starts from `initial`, converted to data's dtype, or from the reduction's identity: 0, 1, −∞, +∞, for integers the ends of
///   the dtype. Elements follow in order, each rounded or wrapped. A mean is that sum divided once by the segment's length; that
///   of an empty segment is `initial`, else NaN, or 0 of integers.
/// - offsets begin with 0, do not decrease and end with the number of rows; lengths are not negative and sum to it. Both are
///   int32 or int64, of one dimension, on the CPU.
///
/// # Errors
/// `TypeError` for dtypes and for a mean of bool, `ValueError` for ranks, offsets and lengths, `RuntimeError` for an `initial` that
/// does not fit.
///
/// Source: PyTorch, `torch.segment_reduce`.
///
/// ```
/// use scatterwise::{Reduction, Segments, Tensor, segment_reduce};
/// let data = Tensor::from_elements(&[5], &[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
/// let lengths = Tensor::from_elements(&[3], &[2, 0, 3])?;
/// let sums = segment_reduce(&data, Reduction::Sum, Segments::Lengths(&lengths), None)?;
/// assert_eq!(sums.elements::<f32>(), Some(&[3.0, 0.0, 12.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn segment_reduce(
    data: &Tensor,
    reduction: Reduction,
    segments: Segments<'_>,
    initial: Option<Scalar>,
) -> Result<Tensor> {
    let Some((&rows, rest)) = data.shape.dims().split_first() else {
        let text = "data is a scalar; it needs at least one dimension (data.reshape([1]))".to_owned();
        return Err(Error::new(ErrorClass::Value, ErrorCode::RankMismatch, OP, text).argument("data"));
    };
    let update = reduction.update(false);
    update.check(Op::SegmentReduce, Factor::One, data.dtype)?;
    let (numbers, count) = segments.numbers(rows)?;
    let shape = Shape::new(OP, &[&[count], rest].concat())?;
    let identity = identity(reduction, data.dtype);
    let start = match (initial, reduction) {
        (Some(value), _) => value,
        (None, Reduction::Mean) if data.dtype.is_float() => Scalar::Float(f64::NAN),
        (None, _) => identity,
    };
    let start = Tensor::filled(OP, "initial", shape.clone(), start, data.dtype)?;
    let mut out = dispatch::beside(OP, data, start)?;
    let target = Target::Planned(IndexPlan::select(shape.dims(), 0, &numbers, OutOfRange::Raise)?);
    if initial.is_none() && reduction == Reduction::Mean {
        // Only segments without rows keep NaN.
        Scatter::new(Op::SegmentReduce, target.clone(), identity.into(), Reduce::Replace).run(&mut out)?;
    }
    // The start is no term of a mean.
    let update = Update { include_self: true, ..update };
    Scatter::new(Op::SegmentReduce, target, data.into(), update).run(&mut out)?;
    Ok(out)
}

/// What a segment without rows reduces to.
fn identity(reduction: Reduction, dtype: DType) -> Scalar {
    match reduction {
        Reduction::Sum | Reduction::Mean => Scalar::Int(0),
        Reduction::Prod => Scalar::Int(1),
        Reduction::Amax | Reduction::Amin => Scalar::load(reduction.reduce().neutral(dtype), dtype),
    }
}
