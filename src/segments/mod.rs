//! Reductions of neighbouring rows.

pub(crate) mod backend;
#[cfg(all(target_arch = "wasm32", feature = "segments"))]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;
pub(crate) mod plan;

use crate::context::Device;
use crate::dispatch;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::HostBuffer;
use crate::plan::checks::{self, value_error};
use crate::plan::op::Op;
use crate::plan::reduce::{Factor, Reduce, Reduction, Sum, Update};
use crate::scalar::{Scalar, store};
use crate::segments::backend::{Alone, Combination, combine_given_segments};
use crate::segments::plan::{CheckedSegments, GivenSegments, SegmentForm};
use crate::shape::{MAX_RANK, Shape};
use crate::storage::Storage;
use crate::tensor::{Tensor, check_whole};

const OP: &str = Op::SegmentReduce.name();

/// How rows are divided into segments.
#[derive(Clone, Copy)]
pub enum Segments<'a> {
    /// Where each segment begins, and at last where the last one ends: one entry more than there are segments.
    Offsets(&'a Tensor),
    /// How many rows each has.
    Lengths(&'a Tensor),
}

/// The segments of a call.
enum Division<'a> {
    Checked(CheckedSegments),
    /// Lengths or offsets on the GPU of the data.
    Given(GivenSegments, &'a Tensor),
}

impl Segments<'_> {
    /// The segments of a call that needs the values of lengths or offsets at once. `sizes` are the number of rows and the elements of each.
    ///
    /// # Errors
    /// As for [`Segments::divide`]; `RuntimeError` for a tensor on a GPU.
    pub(crate) fn check(&self, sizes: [usize; 2]) -> Result<CheckedSegments> {
        match self.divide(sizes, Device::Cpu)? {
            Division::Checked(segments) => Ok(segments),
            Division::Given(given, _) => Err(on_gpu(given.form.name())),
        }
    }

    /// The segments of a call. Lengths and offsets in host memory are checked now. `sizes` are the number of rows and the elements of each
    /// row; `device` is that of the data.
    ///
    /// # Errors
    /// `TypeError` for a dtype that is none of an index; `ValueError` for the rank, and for numbers that do not divide the rows into segments;
    /// `RuntimeError` for a tensor on a GPU with data on the CPU, and when memory is exhausted.
    fn divide(&self, sizes: [usize; 2], device: Device) -> Result<Division<'_>> {
        let (form, tensor) = match self {
            Self::Offsets(tensor) => (SegmentForm::Offsets, tensor),
            Self::Lengths(tensor) => (SegmentForm::Lengths, tensor),
        };
        let name = form.name();
        checks::index_dtype(Op::SegmentReduce, name, tensor.dtype)?;
        if tensor.shape.rank() != 1 {
            let text = format!("{name} has rank {}; it must have one dimension", tensor.shape.rank());
            return Err(value_error(Op::SegmentReduce, ErrorCode::RankMismatch, name, text));
        }
        let checked = match (tensor.storage.as_host(), tensor.dtype) {
            (Some(buffer), DType::Int64) => CheckedSegments::new(form, buffer.elements::<i64>(), sizes),
            (Some(buffer), _) => CheckedSegments::new(form, buffer.elements::<i32>(), sizes),
            // No offsets at all are wrong, wherever they are.
            (None, _) if form == SegmentForm::Offsets && tensor.size() == 0 => {
                CheckedSegments::new::<i32>(form, &[], sizes)
            }
            // The GPU's sums of lengths have 32 bits. Only rows without elements can be so many.
            (None, _) if device != Device::Cpu && sizes[0] < 1 << 31 => {
                let segments = tensor.size() - usize::from(form == SegmentForm::Offsets);
                let given = GivenSegments { form, segments, sizes, dtype: tensor.dtype };
                return Ok(Division::Given(given, tensor));
            }
            (None, _) => Err(on_gpu(name)),
        };
        checked.map(Division::Checked)
    }
}

/// The error for lengths or offsets on a GPU, in a call on the CPU.
fn on_gpu(name: &'static str) -> Error {
    let text = format!("{name} lives on webgpu, and its values are needed here: await {name}.to('cpu')");
    Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, OP, text).argument(name)
}

/// `out[s] = reduction of data[begin of s], …, data[end of s − 1]`: neighbouring rows along dimension 0, in order.
///
/// - `out.shape` is the number of segments, then `data.shape[1:]`.
/// - Starts from `initial`, converted to data's dtype. Without it: 0 for a sum (+0), 1 for a product, −∞ or +∞ for a maximum or
///   minimum, the dtype's end for integers. Elements follow in order, each rounded or wrapped; `sum` says whether sums of floats
///   are exact instead. A mean is that sum divided once by the segment's length; that of an empty segment is `initial`, else NaN,
///   or 0 of integers.
/// - offsets begin with 0, do not decrease and end with the number of rows; lengths are not negative and sum to it. Both are
///   int32 or int64, of one dimension. If data is on a GPU, they may be there too.
///
/// # Errors
/// `TypeError` for dtypes, for a fraction as `initial` of integers and for a mean of bool, `ValueError` for ranks, offsets and
/// lengths, `RuntimeError` for an `initial` that does not fit, and for offsets or lengths on a GPU with data on the CPU. What is
/// wrong with offsets and lengths on a GPU comes with the next read.
///
/// Source: PyTorch, `torch.segment_reduce`.
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
    reduce(data, reduction, sum, segments, initial, (&Alone, false)).map(|(out, _)| out)
}

/// The result, and what `how` returns beside it. `has_winners`: without `initial` the rows alone compete.
pub(crate) fn reduce(
    data: &Tensor,
    reduction: Reduction,
    sum: Sum,
    segments: Segments<'_>,
    initial: Option<Scalar>,
    (how, has_winners): (&dyn Combination, bool),
) -> Result<(Tensor, Option<Storage>)> {
    checks::rank(Op::SegmentReduce, "data", &data.shape, 1..=MAX_RANK)?;
    let (&rows, rest) = data.shape.dims().split_first().unwrap_or((&0, &[]));
    // The start value is combined with the rows, but a mean does not count it.
    let mut update = Update { include_self: true, sum, ..reduction.update(false) };
    update.check(Op::SegmentReduce, Factor::One, data.dtype)?;
    let segments = segments.divide([rows, rest.iter().product()], data.device())?;
    let count = match &segments {
        Division::Checked(segments) => segments.ends().len(),
        Division::Given(given, _) => given.segments,
    };
    let shape = Shape::of_result(OP, &[&[count], rest].concat())?;
    if let Some(value) = initial {
        check_whole(Op::SegmentReduce, "initial", || None, value, data.dtype)?;
    }
    // Without `initial` the rows alone compete.
    update.include_self = !has_winners || initial.is_some();
    let start = initial.unwrap_or_else(|| identity(reduction, data.dtype));
    let has_nan = initial.is_none() && reduction == Reduction::Mean && data.dtype.is_float();
    match segments {
        Division::Checked(segments) => {
            let start = if has_nan {
                start_of_means(&segments, shape, data.dtype, start)
            } else {
                Tensor::filled(OP, "initial", shape, start, data.dtype)
            };
            let mut out = dispatch::beside(OP, data, start?)?;
            let winners = how.checked(&segments, update, &mut out, data)?;
            Ok((out, winners))
        }
        Division::Given(given, values) => {
            // The GPU replaces the NaN of each segment that has rows.
            let (everywhere, begin) =
                if has_nan { (Scalar::Float(f64::NAN), Some(start.cast(data.dtype))) } else { (start, None) };
            let start = Tensor::filled(OP, "initial", shape, everywhere, data.dtype)?;
            let mut out = dispatch::beside(OP, data, start)?;
            let winners = combine_given_segments((&given, values), (update, how), begin, &mut out, data)?;
            Ok((out, winners))
        }
    }
}

/// A tensor of shape `shape` with `start` in the row of each segment that has rows, and NaN in those of the others.
///
/// # Errors
/// `RuntimeError` when memory is exhausted.
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
