//! `bincount`, `histogram` and `histogramdd`.

use crate::context::Device;
use crate::dispatch::{self, Index, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{
    Addressed, Addressing, Arguments, BincountPlan, Division, HistogramPlan, Op, Reduce, Sum, Update,
    count_dtype,
};
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// How a column of samples is divided into bins.
#[derive(Clone)]
pub enum Bins {
    /// This number of bins of equal width.
    Count(i64),
    /// Bins between these edges, which must not decrease. They may be on a GPU if the samples are.
    Edges(Tensor),
}

/// The weights of samples. Each sample adds its weight instead of 1.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    /// An element for each sample.
    pub values: &'a Tensor,
    /// How the weights are summed.
    pub sum: Sum,
}

impl<'a> From<&'a Tensor> for Weights<'a> {
    fn from(values: &'a Tensor) -> Self {
        Self { values, sum: Sum::Ordered }
    }
}

impl From<i64> for Bins {
    fn from(count: i64) -> Self {
        Self::Count(count)
    }
}
impl From<&Tensor> for Bins {
    fn from(edges: &Tensor) -> Self {
        Self::Edges(edges.clone())
    }
}

/// `out[v] = how many of x are v`, or with weights `out[x[i]] += weights[i]` for every i, in order unless [`Weights::sum`] says otherwise.
///
/// - x has rank 1 and any integer dtype; weights have its shape. The result has rank 1 and max(x) + 1 elements, at least
///   `minlength`.
/// - Counts are int64. With float32 weights the result is float32, with any other float64: each addition is rounded to it.
///
/// # Errors
/// `TypeError` if x has no integer dtype; `ValueError` for a negative value, with its position, for ranks and shapes, for a
/// negative `minlength`, and for more places than a tensor can have; `RuntimeError` when memory is exhausted, for weights on a GPU
/// with x on the CPU, and for an x that a GPU computed: the largest value of a tensor on a GPU is only known if the tensor was uploaded. It
/// is not needed if `minlength` has a place for every value of the dtype; then the error of a negative value comes with the next read.
///
/// Source: NumPy, `numpy.bincount`; the dtype of weighted sums is PyTorch's, `torch.bincount`.
///
/// ```
/// use scatterwise::{Tensor, bincount};
/// let x = Tensor::from_elements(&[5], &[3i32, 1, 3, 0, 3])?;
/// assert_eq!(bincount(&x, None, 5)?.elements::<i64>(), Some(&[1, 1, 0, 3, 0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn bincount(x: &Tensor, weights: Option<Weights<'_>>, minlength: i64) -> Result<Tensor> {
    let update = update(weights);
    let weights = weights.map(|weights| weights.values);
    let plan = BincountPlan::new(x.operand(), weights.map(Tensor::operand), minlength)?;
    let op = BincountPlan::OP;
    check_weights_device(op, x, weights)?;
    // A GPU counts values of every dtype. Weights are added by a scatter, whose index x becomes.
    let is_index = weights.is_some() || x.device() == Device::Cpu;
    let index = if is_index { x.convert(op.name(), plan.index_dtype())? } else { x.clone() };
    let ends = if x.size() == 0 { None } else { dispatch::ends(&plan, x, &index)? };
    let shape = plan.out_shape(ends)?;
    let out = plan.out_dtype();
    if let Some(counts) = dispatch::count_values(&plan, shape.size(), x, weights.is_some())? {
        return Ok(Tensor::from_storage(shape, out, counts));
    }
    // Weighted sums are rounded to the dtype of the result after each addition. Counts may have another one until the end.
    let dtype = if weights.is_some() { out } else { count_dtype(x.size(), shape.size(), out) };
    let mut counts = Tensor::filled(op.name(), "minlength", shape, Scalar::Bool(false), dtype)?;
    if x.device() != Device::Cpu {
        counts = counts.upload_for(op.name())?;
    }
    let weights = weights.map(|weights| weights.convert(op.name(), out)).transpose()?;
    let src = weights.as_ref().map(Tensor::operand);
    let value = match &weights {
        Some(weights) => Value::Buffer(weights),
        None => Value::Scalar(1), // the bit pattern of 1 in every integer dtype
    };
    let (form, table) = (Addressed::Along(0), counts.operand());
    let adds = Addressing::scatter(&Arguments { op, form, table, index: index.operand(), src })?;
    dispatch::scatter(&adds, update, &mut counts, &Index::Given(index), value)?;
    counts.convert(op.name(), out)
}

/// Counts the values of x into bins. Returns the counts, and the edges of the bins. A value v is in bin i if `e[i] ≤ v < e[i + 1]`;
/// the last bin also has `v = e[n]`. NaN and values outside all bins are not counted.
///
/// - x has any shape and any dtype but bool. weights have its shape; each sample adds its weight instead of 1, in row-major order
///   unless [`Weights::sum`] says otherwise.
/// - Bins of equal width cover `range`, or else the smallest to the largest value. Equal ends are moved apart by 0.5 each. Edge i
///   is `low + i · ((high − low) / n)`, and the last is high. Edges have the dtype of x if it is a float, else float64. Edges of a
///   `range` are computed in float64 and rounded once.
/// - Given edges may be equal; the last of equal edges counts. They are returned as they are.
/// - Values and edges are compared in float64.
/// - The counts are int64; weighted sums have the dtype of the weights. With `density` the result is float64: each count is divided
///   by the width of its bin, then by the sum of all counts.
///
/// # Errors
/// `TypeError` for bool x or edges; `ValueError` for no bins or too many, for edges that decrease, are NaN or are not
/// one-dimensional, for a range that is not finite, decreases, is too wide or has fewer numbers than edges, for NaN or infinities
/// without a range, and for weights of another shape; `RuntimeError` when memory is exhausted, for edges or weights on a
/// GPU with x on the CPU. Errors of edges on a GPU, and of a range from the values of an x there, come with the next read.
///
/// Source: NumPy, `numpy.histogram`.
///
/// ```
/// use scatterwise::{Tensor, histogram};
/// let x = Tensor::from_elements(&[5], &[0.0f32, 0.5, 1.0, 2.0, 9.0])?;
/// let (hist, edges) = histogram(&x, &2.into(), Some([0.0, 2.0]), None, false)?;
/// assert_eq!(hist.elements::<i64>(), Some(&[2, 2][..]));
/// assert_eq!(edges.elements::<f32>(), Some(&[0.0, 1.0, 2.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn histogram(
    x: &Tensor,
    bins: &Bins,
    range: Option<[f64; 2]>,
    weights: Option<Weights<'_>>,
    density: bool,
) -> Result<(Tensor, Tensor)> {
    let (hist, mut edges) = count(Op::Histogram, x, &[(bins.clone(), range)], weights, density)?;
    // The one column always has edges. The clone is never returned: it exists because the library must not panic.
    let edges = edges.pop().unwrap_or_else(|| hist.clone());
    Ok((hist, edges))
}

/// Counts samples, the rows of a tensor `[n, d]`, into bins of d dimensions. Returns the counts, of shape `[bins of column 0, …]`,
/// and the edges of each column. The rules of [`histogram`] hold for each column. A sample is counted if every column has a bin for
/// it. Further:
///
/// - `columns` has an entry for each of the 1 to 8 columns: its bins, and its range if given.
/// - The counts are float64; weighted sums have the dtype of the weights. Each row has one weight.
/// - Edges of a given range are float64, whatever the dtype of the samples. Edges of bins of equal width may be equal.
///
/// # Errors
/// As for [`histogram`], and `ValueError` if the sample's rank is not 2, or if the number of entries is not that of the columns.
///
/// Source: NumPy, `numpy.histogramdd`.
///
/// ```
/// use scatterwise::{Tensor, histogramdd};
/// let sample = Tensor::from_elements(&[3, 2], &[0.0f32, 0.0, 1.0, 1.0, 1.0, 0.9])?;
/// let (hist, edges) = histogramdd(&sample, &[(2.into(), Some([0.0, 1.0])), (1.into(), None)], None)?;
/// assert_eq!(hist.elements::<f64>(), Some(&[1.0, 2.0][..]));
/// assert_eq!(edges[0].elements::<f64>(), Some(&[0.0, 0.5, 1.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn histogramdd(
    sample: &Tensor,
    columns: &[(Bins, Option<[f64; 2]>)],
    weights: Option<Weights<'_>>,
) -> Result<(Tensor, Vec<Tensor>)> {
    count(Op::Histogramdd, sample, columns, weights, false)
}

impl Bins {
    /// The plan's form of these bins.
    fn division(&self) -> Division<'_> {
        match self {
            Self::Count(count) => Division::Uniform(*count),
            Self::Edges(edges) => Division::Edges(edges.operand()),
        }
    }
}

/// [`histogram`] and [`histogramdd`]: the counts, and the edges of each column. `columns` has an entry for each column of x;
/// `histogram` has one. With `density`, which only `histogram` has, the counts become a density.
///
/// # Errors
/// Those of the operator.
pub(crate) fn count(
    op: Op,
    x: &Tensor,
    columns: &[(Bins, Option<[f64; 2]>)],
    weights: Option<Weights<'_>>,
    density: bool,
) -> Result<(Tensor, Vec<Tensor>)> {
    let sum = update(weights).sum;
    let weights = weights.map(|weights| weights.values);
    let divisions: Vec<_> = columns.iter().map(|(bins, range)| (bins.division(), *range)).collect();
    let plan = HistogramPlan::new(op, x.operand(), weights.map(Tensor::operand), &divisions, sum)?;
    check_weights_device(op, x, weights)?;
    // The edges of each column, the columns whose edges come from the samples, and all edges as float64.
    let (mut edges, mut open, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for (column, bins) in columns.iter().enumerate() {
        match known_edges(&plan, x, column, bins)? {
            Some(known) => edges.push(known),
            None => open.push(column),
        }
    }
    // Integers of 64 bits are compared as float64. The CPU converts while it counts.
    let is_converted = x.device() != Device::Cpu && !x.dtype.is_float() && x.dtype.size() == 8;
    let samples = if is_converted { x.convert(op.name(), DType::Float64)? } else { x.clone() };
    dispatch::insert_edges_of_extent(&plan, &samples, &open, &mut edges)?;
    for edges in &edges {
        numbers.push(edges.convert(op.name(), DType::Float64)?);
    }
    let hist = dispatch::histogram(&plan, &samples, &numbers, weights)?;
    let hist = Tensor::from_storage(plan.out_shape().clone(), plan.out_dtype(), hist);
    match (edges.first(), numbers.first()) {
        (Some(own), Some(numbers)) if density => {
            let density = dispatch::density(op, &hist, own.dtype, numbers)?;
            Ok((Tensor::from_storage(hist.shape, DType::Float64, density), edges))
        }
        _ => Ok((hist, edges)),
    }
}

/// How weights are summed. Counts are integers, and their sums are always exact.
fn update(weights: Option<Weights<'_>>) -> Update {
    Update { sum: weights.map_or(Sum::Ordered, |weights| weights.sum), ..Reduce::Add.into() }
}

/// Checks that a call on the device of x can read the weights. They are uploaded to a GPU if x is there, but never read back from
/// one.
///
/// # Errors
/// `RuntimeError` for weights on a GPU with x on the CPU.
fn check_weights_device(op: Op, x: &Tensor, weights: Option<&Tensor>) -> Result<()> {
    let weights = weights.filter(|_| x.device() == Device::Cpu);
    weights.map_or(Ok(()), |weights| dispatch::require_on_cpu(op, "weights", weights))
}

/// The edges of a column: the given edges, or those of a given range. `None` if the edges come from the samples.
///
/// # Errors
/// `ValueError` as for [`HistogramPlan::check_edges`] and [`HistogramPlan::edges_of_range`]; `RuntimeError` for edges on a GPU with x
/// on the CPU, and when memory is exhausted.
fn known_edges(
    plan: &HistogramPlan,
    x: &Tensor,
    column: usize,
    (bins, range): &(Bins, Option<[f64; 2]>),
) -> Result<Option<Tensor>> {
    let op = plan.op();
    if let Bins::Edges(given) = bins {
        let numbers = given.convert(op.name(), DType::Float64)?;
        dispatch::check_edges(plan, column, (given, &numbers), x)?;
        return Ok(Some(given.clone()));
    }
    // As in NumPy, an empty set of samples has the range 0 to 1.
    let range_of_none = (plan.samples() == 0).then_some([0.0, 1.0]);
    let Some(range) = range.or(range_of_none) else { return Ok(None) };
    dispatch::edges(op, &plan.edges_of_range(column, range)?).map(Some)
}
