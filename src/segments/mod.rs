//! Reductions of neighbouring rows.

pub(crate) mod backend;
#[cfg(all(target_arch = "wasm32", feature = "segments"))]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;
pub(crate) mod plan;

use crate::plan::{Op, Reduce, Reduction, Sum, Update};
use crate::segments::backend::Rows;
use crate::segments::plan::{CheckedSegments, GivenSegments, SegmentForm};
use crate::{DType, Device, HostBuffer, Result, Scalar, Shape, Tensor, check_whole, dispatch, store};

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
    /// The segments of a reduction of `data`, and the tensor that has their values.
    fn given(self, data: &Tensor, update: &Update) -> Result<(GivenSegments, &'a Tensor)> {
        let (form, values) = match self {
            Self::Offsets(values) => (SegmentForm::Offsets, values),
            Self::Lengths(values) => (SegmentForm::Lengths, values),
        };
        Ok((GivenSegments::new(data.operand(), update, form, values.operand())?, values))
    }

    /// The number of rows of each segment of `data`, for a call that needs the values of lengths or offsets at once.
    pub(crate) fn check(self, data: &Tensor) -> Result<CheckedSegments> {
        let (given, values) = self.given(data, &Reduce::Add.into())?;
        check_values(&given, values)?.ok_or_else(|| given.on_gpu())
    }
}

/// The segments if their lengths or offsets are in host memory, where they are checked; else `None`.
fn check_values(given: &GivenSegments, values: &Tensor) -> Result<Option<CheckedSegments>> {
    let Some(buffer) = values.storage.as_host() else { return Ok(None) };
    let checked = match values.dtype {
        DType::Int64 => CheckedSegments::new(given.form, buffer.elements::<i64>(), given.sizes),
        _ => CheckedSegments::new(given.form, buffer.elements::<i32>(), given.sizes),
    };
    checked.map(Some)
}

/// `out[s] = reduction of data[begin of s], …, data[end of s − 1]`: neighbouring rows along dimension 0, in order.
/// `docs/operators/segment_reduce.md`.
///
/// # Errors
/// Those of the operator's page.
///
/// ```
/// use scatterwise::{Reduction, Segments, Sum, Tensor, segment_reduce};
/// let data = Tensor::from_elements(&[5], &[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
/// let lengths = Tensor::from_elements(&[3], &[2, 0, 3])?;
/// let sums = segment_reduce(&data, Reduction::Sum, Sum::Ordered, Segments::Lengths(&lengths), None)?;
/// assert_eq!(sums.elements::<f32>(), Some(&[3.0, 0.0, 12.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn segment_reduce(
    data: &Tensor,
    reduction: Reduction,
    sum: Sum,
    segments: Segments<'_>,
    initial: Option<Scalar>,
) -> Result<Tensor> {
    let CheckedReduction { rows, update, mut out } =
        CheckedReduction::new(data, reduction, sum, segments, initial)?;
    rows.combine(update, &mut out, data)?;
    Ok(out)
}

pub(crate) struct CheckedReduction<'a> {
    pub(crate) rows: Rows<'a>,
    pub(crate) update: Update,
    /// A row for each segment, with its start value.
    pub(crate) out: Tensor,
}

impl<'a> CheckedReduction<'a> {
    pub(crate) fn new(
        data: &Tensor,
        reduction: Reduction,
        sum: Sum,
        segments: Segments<'a>,
        initial: Option<Scalar>,
    ) -> Result<Self> {
        // The start value is combined with the rows, but a mean does not count it.
        let update = Update { include_self: true, sum, ..reduction.update(false) };
        let (given, values) = segments.given(data, &update)?;
        let segments = check_values(&given, values)?;
        // The GPU's sums of lengths have 32 bits. Only rows without elements can be so many.
        if segments.is_none() && (data.device() == Device::Cpu || given.sizes[0] >= 1 << 31) {
            return Err(given.on_gpu());
        }
        let row = data.shape.dims().get(1..).unwrap_or_default();
        let shape = Shape::of_result(OP, &[&[given.segments], row].concat())?;
        if let Some(value) = initial {
            check_whole(Op::SegmentReduce, "initial", || None, value, data.dtype)?;
        }
        let start = initial.unwrap_or_else(|| identity(reduction, data.dtype));
        // A GPU replaces the NaN of each segment that has rows.
        let has_nan = initial.is_none() && reduction == Reduction::Mean && data.dtype.is_float();
        let starts = match &segments {
            Some(segments) if has_nan => start_of_means(segments, shape, data.dtype, start),
            _ if has_nan => Tensor::filled(OP, "initial", shape, Scalar::Float(f64::NAN), data.dtype),
            _ => Tensor::filled(OP, "initial", shape, start, data.dtype),
        };
        let out = dispatch::on_device_of(OP, data, starts?)?;
        let rows = match segments {
            Some(segments) => Rows::Checked(segments),
            None => Rows::Given(given, values, has_nan.then(|| start.cast(data.dtype))),
        };
        Ok(Self { rows, update, out })
    }
}

/// A tensor of shape `shape` with `start` in the row of each segment that has rows, and NaN in those of the others.
fn start_of_means(segments: &CheckedSegments, shape: Shape, dtype: DType, start: Scalar) -> Result<Tensor> {
    // `max`, because a row may have no elements, and chunks must not be empty.
    let (start, of_empty) = (start.cast(dtype), Scalar::Float(f64::NAN).cast(dtype));
    let mut buffer = HostBuffer::zeroed(OP, shape.size() * dtype.size())?;
    let rows = buffer.bytes_mut().chunks_exact_mut((segments.row() * dtype.size()).max(1));
    for (row, length) in rows.zip(segments.lengths()) {
        for element in row.chunks_exact_mut(dtype.size()) {
            store(element, if length == 0 { of_empty } else { start });
        }
    }
    Ok(Tensor::from_buffer(shape, dtype, buffer))
}

/// What a segment begins with where there is no `initial`: the neutral element of the reduction, but +0 for a sum or mean of floats. There
/// the neutral element is −0, which would show in the result of a segment without rows.
fn identity(reduction: Reduction, dtype: DType) -> Scalar {
    match reduction.reduce() {
        Reduce::Add => Scalar::Int(0),
        reduce => Scalar::load(reduce.neutral(dtype), dtype),
    }
}
