//! `bincount`, `histogram`, `histogramdd` and `binned_statistic`.

use crate::context::Device;
use crate::dispatch::{self, Index, Value};
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::{
    Addressed, Addressing, Arguments, BincountPlan, BinnedPlan, Counted, Division, HistogramPlan, Length, Op,
    Reduce, Statistic, Sum, Update, count_dtype,
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

/// Which samples count, where, and what for. The default counts each sample once.
#[derive(Clone, Copy, Default)]
pub struct CountOptions<'a> {
    /// What each sample adds instead of 1.
    pub weights: Option<Weights<'a>>,
    /// For each sample, whether it counts, as bool. The result is that of the samples that count: ranges, lengths and checks too. The range of
    /// no samples is 0 to 1.
    pub mask: Option<&'a Tensor>,
    /// The dimension of x along which samples are counted. The other dimensions stay, in front of the bins. All rows have the same bins.
    /// `histogramdd` has none: its error says so.
    pub dim: Option<i64>,
    /// The dtype of the result: any integer or float dtype. Counts are converted to it; weights are converted to it, and then summed in it.
    pub dtype: Option<DType>,
}

impl<'a> From<Option<Weights<'a>>> for CountOptions<'a> {
    fn from(weights: Option<Weights<'a>>) -> Self {
        Self { weights, ..Self::default() }
    }
}

impl CountOptions<'_> {
    /// The plan's form of these options.
    fn counted(&self) -> Counted<'_> {
        Counted {
            weights: self.weights.map(|weights| weights.values.operand()),
            sum: self.weights.map_or(Sum::Ordered, |weights| weights.sum),
            mask: self.mask.map(Tensor::operand),
            dim: self.dim,
            dtype: self.dtype,
        }
    }

    /// Checks that a call on the device of x can read weights and mask. They are uploaded to a GPU if x is there, but never read back
    /// from one.
    ///
    /// # Errors
    /// `RuntimeError` for weights or a mask on a GPU with x on the CPU.
    fn check_devices(&self, op: Op, x: &Tensor) -> Result<()> {
        check_on_cpu(op, x, "weights", self.weights.map(|weights| weights.values))?;
        check_on_cpu(op, x, "mask", self.mask)
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
/// - x has any integer dtype, and rank 1 unless [`CountOptions::dim`] says along which dimension to count; weights and mask have its
///   shape. The result has max(x) + 1 places, or as many as [`Length`] says.
/// - Counts are int64. With float32 weights the result is float32, with any other float64, if no dtype is given: each addition is rounded
///   to it.
///
/// # Errors
/// `TypeError` if x has no integer dtype, for a mask that is not bool and for counts of bool; `ValueError` for a negative value, with its
/// position, for ranks and shapes, for a negative length, and for more places than a tensor can have; `RuntimeError` when memory is
/// exhausted, for weights or a mask on a GPU with x on the CPU, and if the length depends on values that only a GPU knows: those of an x that
/// it computed, or those that a mask keeps. The length does not depend on values if it is exact, or has a place for every value of the
/// dtype; then the error of a negative value comes with the next read.
///
/// Source: NumPy, `numpy.bincount`; the dtype of weighted sums is PyTorch's, `torch.bincount`.
///
/// ```
/// use scatterwise::{Tensor, bincount};
/// let x = Tensor::from_elements(&[5], &[3i32, 1, 3, 0, 3])?;
/// assert_eq!(bincount(&x, None, 5)?.elements::<i64>(), Some(&[1, 1, 0, 3, 0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn bincount<'a>(
    x: &Tensor,
    options: impl Into<CountOptions<'a>>,
    length: impl Into<Length>,
) -> Result<Tensor> {
    count_integers(x, &options.into(), length.into())
}

/// [`bincount`].
///
/// # Errors
/// As there.
pub(crate) fn count_integers(x: &Tensor, options: &CountOptions<'_>, length: Length) -> Result<Tensor> {
    let plan = BincountPlan::new(x.operand(), &options.counted(), length)?;
    let op = BincountPlan::OP;
    options.check_devices(op, x)?;
    let (update, mask) = (update(options.weights), options.mask);
    let weights = options.weights.map(|weights| weights.values);
    // If the number of places is known, and no value can be negative, the values decide nothing. A scatter needs the index all the same.
    let known = plan.known_ends().filter(|_| !plan.is_plain() && !x.dtype().is_signed_integer());
    // A GPU counts values of every dtype. Weights are added by a scatter, whose index x becomes.
    let is_index = known.is_none() && (weights.is_some() || x.device() == Device::Cpu);
    let index = if is_index { x.convert(op.name(), plan.index_dtype())? } else { x.clone() };
    let ends = match known {
        None if x.size() > 0 => dispatch::ends(&plan, x, &index, mask)?,
        known => known,
    };
    let shape = plan.out_shape(ends)?;
    let out = plan.out_dtype();
    let weights = weights.map(|weights| weights.convert(op.name(), out)).transpose()?;
    if !plan.is_plain() {
        let places = shape.dims().last().copied().unwrap_or_default();
        let weights = weights.as_ref().map(|weights| (weights, update));
        let counts = dispatch::bincount(&plan, places, x, mask, weights)?;
        return Ok(Tensor::from_storage(shape, out, counts));
    }
    if let Some(counts) = dispatch::count_values(&plan, shape.size(), x, weights.is_some())? {
        return Ok(Tensor::from_storage(shape, out, counts));
    }
    // Weighted sums are rounded to the dtype of the result after each addition. Counts may have another one until the end.
    let dtype = if weights.is_some() { out } else { count_dtype(x.size(), shape.size(), out) };
    let mut counts = Tensor::filled(op.name(), "minlength", shape, Scalar::Bool(false), dtype)?;
    if x.device() != Device::Cpu {
        counts = counts.upload_for(op.name())?;
    }
    let src = weights.as_ref().map(Tensor::operand);
    let value = match &weights {
        Some(weights) => Value::Buffer(weights),
        None => Value::Scalar(Scalar::Int(1).cast(dtype)),
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
/// - The counts are int64; weighted sums have the dtype of the weights, if [`CountOptions::dtype`] gives no other. With `density` each count is
///   divided by the width of its bin, then by the sum of all counts, in float64; the result is float64, or rounded to the given dtype.
///
/// # Errors
/// `TypeError` for bool x or edges, for a mask that is not bool, for counts of bool and for a density of integers; `ValueError` for no bins or too many, for edges that decrease, are NaN or are not
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
pub fn histogram<'a>(
    x: &Tensor,
    bins: &Bins,
    range: Option<[f64; 2]>,
    options: impl Into<CountOptions<'a>>,
    density: bool,
) -> Result<(Tensor, Tensor)> {
    let (hist, mut edges) = count(Op::Histogram, x, &[(bins.clone(), range)], &options.into(), density)?;
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
pub fn histogramdd<'a>(
    sample: &Tensor,
    columns: &[(Bins, Option<[f64; 2]>)],
    options: impl Into<CountOptions<'a>>,
) -> Result<(Tensor, Vec<Tensor>)> {
    count(Op::Histogramdd, sample, columns, &options.into(), false)
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
    options: &CountOptions<'_>,
    density: bool,
) -> Result<(Tensor, Vec<Tensor>)> {
    let counted = options.counted();
    // The counts of a density are exact, and its dtype is that of the quotients.
    let dtype = counted.dtype.filter(|_| !density || counted.weights.is_some());
    let plan = HistogramPlan::new(op, x.operand(), &Counted { dtype, ..counted }, &divisions(columns))?;
    let of_density = options.dtype.unwrap_or(DType::Float64);
    if density && !of_density.is_float() {
        let text = format!(
            "dtype is {of_density}, and a density has fractions; it must be a float dtype ('float32')"
        );
        let refused = Error::new(ErrorClass::Type, ErrorCode::UnsupportedDtype, op.name(), text);
        return Err(refused.word("dtype", of_density.name()));
    }
    options.check_devices(op, x)?;
    let weights = options.weights.map(|weights| weights.values.convert(op.name(), plan.out_dtype()));
    let found = Binned::new(&plan, x, options.mask, columns)?;
    let hist = dispatch::histogram(
        &plan,
        &found.samples,
        options.mask,
        &found.numbers,
        weights.transpose()?.as_ref(),
    )?;
    let hist = Tensor::from_storage(plan.out_shape().clone(), plan.out_dtype(), hist);
    match (found.edges.first(), found.numbers.first()) {
        (Some(own), Some(numbers)) if density => {
            let density = dispatch::density(op, &hist, own.dtype, numbers)?;
            let density = Tensor::from_storage(hist.shape, DType::Float64, density);
            Ok((density.convert(op.name(), of_density)?, found.edges))
        }
        _ => Ok((hist, found.edges)),
    }
}

/// The plan's form of the bins and ranges of columns.
fn divisions(columns: &[(Bins, Option<[f64; 2]>)]) -> Vec<(Division<'_>, Option<[f64; 2]>)> {
    columns.iter().map(|(bins, range)| (bins.division(), *range)).collect()
}

/// Samples with the edges of their bins.
struct Binned {
    /// The samples as their device compares them.
    samples: Tensor,
    /// The edges of each column, as the caller gets them.
    edges: Vec<Tensor>,
    /// The same as float64.
    numbers: Vec<Tensor>,
}

impl Binned {
    /// The samples x of a plan.
    ///
    /// # Errors
    /// Those of [`known_edges`] and of [`dispatch::insert_edges_of_extent`].
    fn new(
        plan: &HistogramPlan,
        x: &Tensor,
        mask: Option<&Tensor>,
        columns: &[(Bins, Option<[f64; 2]>)],
    ) -> Result<Self> {
        let op = plan.op().name();
        // `open` are the columns whose edges come from the samples.
        let (mut edges, mut open, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for (column, bins) in columns.iter().enumerate() {
            match known_edges(plan, x, column, bins)? {
                Some(known) => edges.push(known),
                None => open.push(column),
            }
        }
        // Integers of 64 bits are compared as float64. The CPU converts while it counts.
        let is_converted = x.device() != Device::Cpu && !x.dtype.is_float() && x.dtype.size() == 8;
        let samples = if is_converted { x.convert(op, DType::Float64)? } else { x.clone() };
        dispatch::insert_edges_of_extent(plan, &samples, mask, &open, &mut edges)?;
        for edges in &edges {
            numbers.push(edges.convert(op, DType::Float64)?);
        }
        Ok(Self { samples, edges, numbers })
    }
}

/// A statistic of the values in each bin, in up to eight dimensions. Returns it with the edges of each column.
///
/// - `sample` is `[n, d]`, or `[n]` for one column; its bins are those of [`histogramdd`], one entry of `columns` for each column. `mask`, of n
///   bool, says which samples count, as [`CountOptions::mask`].
/// - `values` is `[n]`, and the result has the shape of the bins; or `[k, n]`, and the result has k such statistics. A count needs no
///   values.
/// - A count is float64; the others have the dtype of the values. Sums and means of floats are exact, rounded once. Sums of integers wrap.
/// - In a bin without values a count and a sum are 0, the others NaN.
///
/// # Errors
/// As for [`histogramdd`]; `TypeError` for a mean, minimum or maximum of integers or bool; `ValueError` for values of another length, and if
/// values are missing; `RuntimeError` for values or a mask on a GPU with the sample on the CPU.
///
/// Source: SciPy, `scipy.stats.binned_statistic_dd`.
///
/// ```
/// use scatterwise::{Statistic, Tensor, binned_statistic};
/// let sample = Tensor::from_elements(&[4], &[0.5f32, 0.5, 2.5, 9.0])?;
/// let values = Tensor::from_elements(&[4], &[1.0f32, 2.0, 5.0, 7.0])?;
/// let columns = [(3.into(), Some([0.0, 3.0]))];
/// let (mean, _) = binned_statistic(&sample, Some(&values), Statistic::Mean, &columns, None)?;
/// let mean = mean.elements::<f32>().unwrap_or_default();
/// assert!(mean[0] == 1.5 && mean[1].is_nan() && mean[2] == 5.0);
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn binned_statistic(
    sample: &Tensor,
    values: Option<&Tensor>,
    statistic: Statistic,
    columns: &[(Bins, Option<[f64; 2]>)],
    mask: Option<&Tensor>,
) -> Result<(Tensor, Vec<Tensor>)> {
    let op = BinnedPlan::OP;
    let of_mask = mask.map(Tensor::operand);
    let plan = BinnedPlan::new(
        sample.operand(),
        values.map(Tensor::operand),
        statistic,
        &divisions(columns),
        of_mask,
    )?;
    let values = values.filter(|_| statistic != Statistic::Count);
    check_on_cpu(op, sample, "values", values)?;
    check_on_cpu(op, sample, "mask", mask)?;
    let found = Binned::new(plan.bins(), sample, mask, columns)?;
    let made = dispatch::binned_statistic(&plan, &found.samples, mask, &found.numbers, values)?;
    let statistic = Tensor::from_storage(plan.out_shape().clone(), plan.bins().out_dtype(), made);
    Ok((statistic, found.edges))
}

/// How weights are summed. Counts are integers, and their sums are always exact.
fn update(weights: Option<Weights<'_>>) -> Update {
    Update { sum: weights.map_or(Sum::Ordered, |weights| weights.sum), ..Reduce::Add.into() }
}

/// Checks that an operand is on the CPU if x is.
///
/// # Errors
/// `RuntimeError` for an operand on a GPU with x on the CPU.
fn check_on_cpu(op: Op, x: &Tensor, argument: &'static str, operand: Option<&Tensor>) -> Result<()> {
    let operand = operand.filter(|_| x.device() == Device::Cpu);
    operand.map_or(Ok(()), |operand| dispatch::require_on_cpu(op, argument, operand))
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
