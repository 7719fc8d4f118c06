//! The gradient of `segment_reduce`.

use crate::gradients::{OP, cotangent_for, filled, require_float};
use crate::plan::{Op, Reduction, Sum};
use crate::segments::{Segments, segment_reduce};
use crate::{Result, Scalar, Scatter, Target, Tensor, dispatch, reserved};

/// The gradient of `sum(segment_reduce(data, …) · cotangent)` with respect to data. A segment is what a scatter makes of its rows, and
/// `initial` is a factor or a candidate too. `docs/operators/vjp.md`.
///
/// # Errors
/// Those of the operator, and of the page.
///
/// ```
/// use scatterwise::{Reduction, Segments, Sum, Tensor, segment_reduce_vjp};
/// let data = Tensor::from_elements(&[3], &[1.0f32, 2.0, 5.0])?;
/// let lengths = Tensor::from_elements(&[2], &[2, 1])?;
/// let cotangent = Tensor::from_elements(&[2], &[10.0f32, 100.0])?;
/// let gradient = segment_reduce_vjp(&data, Reduction::Mean, Segments::Lengths(&lengths), None, &cotangent)?;
/// assert_eq!(gradient.elements::<f32>(), Some(&[5.0, 5.0, 100.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn segment_reduce_vjp(
    data: &Tensor,
    reduction: Reduction,
    segments: Segments<'_>,
    initial: Option<Scalar>,
    cotangent: &Tensor,
) -> Result<Tensor> {
    // The operator itself checks its arguments. Its result is the table of the scatter, where the table does not count.
    let result = segment_reduce(data, reduction, Sum::Ordered, segments, initial)?;
    require_float(Op::SegmentReduce, "data", data)?;
    let cotangent = cotangent_for(cotangent, data, &result.shape)?;
    let rows = data.shape.dims().first().copied().unwrap_or(0);
    let segments = segments.check(data)?;
    let mut numbers = reserved(OP.name(), rows)?;
    for (segment, length) in segments.lengths().enumerate() {
        numbers.extend(std::iter::repeat_n(segment as i32, length as usize));
    }
    let numbers =
        dispatch::on_device_of(OP.name(), data, Tensor::from_elements(&[numbers.len()], &numbers)?)?;
    // A start value changes the gradients of the others if they are factors or candidates.
    let starts = match reduction {
        Reduction::Sum | Reduction::Mean => None,
        Reduction::Prod | Reduction::Amax | Reduction::Amin => initial,
    };
    let table = match starts {
        Some(start) => filled(data, &result.shape, start, data.dtype)?,
        None => result,
    };
    let update = reduction.update(starts.is_some());
    let call = Scatter::new(OP, Target::slices(0, &numbers), data.into(), update);
    let gradients = call.vjp(&table, &cotangent)?;
    // A tensor is the source, so it has a gradient.
    gradients.src.map_or_else(|| filled(data, &data.shape, Scalar::Int(0), data.dtype), Ok)
}
