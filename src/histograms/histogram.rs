//! `histogram` and `histogramdd`.

use crate::histograms::backend;
use crate::histograms::backend::in_bins;
use crate::histograms::bins::{Binned, Bins, divisions};
use crate::histograms::options::CountOptions;
use crate::histograms::plan::counting::Counted;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::plan::{Op, wrong_dtype};
use crate::{DType, Result, Tensor};

/// Counts the values of x into bins. Returns the counts, and the edges of the bins. A value v is in bin i if `e[i] ≤ v < e[i + 1]`;
/// the last bin also has `v = e[n]`. NaN and values outside all bins are not counted.
///
/// Bins of equal width cover `range`, or else the smallest to the largest value: edge i is `low + i · ((high − low) / n)`, and the last is
/// high. With `density` each count is divided by the width of its bin, then by the sum of all counts, in float64.
///
/// # Errors
/// `TypeError` for bool x or edges, for a mask that is not bool, for counts of bool and for a density of integers; `ValueError` for no bins
/// or too many, for edges that decrease, are NaN or are not one-dimensional, for a range that is not finite, decreases, is too wide or has
/// fewer numbers than edges, for NaN or infinities without a range, and for weights of another shape; `RuntimeError` when memory is
/// exhausted, for edges or weights on a GPU with x on the CPU. Errors of edges on a GPU, and of a range from the values of an x there, come
/// with the next read.
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
/// and the edges of each column. The rules of [`histogram`] hold for each column, but edges of a given range are float64, and edges of bins of
/// equal width may be equal.
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

/// [`histogram`] and [`histogramdd`]. Only `histogram` has a density.
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
        return Err(wrong_dtype(op, "dtype", of_density, text));
    }
    options.check_devices(op, x)?;
    let weights = options.weights.map(|weights| weights.values.convert(op.name(), plan.out_dtype()));
    let found = Binned::new(&plan, x, options.mask, columns)?;
    let samples = (&found.samples, options.mask);
    let hist = in_bins(&plan, None, samples, &found.numbers, weights.transpose()?.as_ref())?;
    let hist = Tensor::from_storage(plan.out_shape().clone(), plan.out_dtype(), hist);
    match found.edges.first() {
        Some(own) if density => {
            let numbers = own.convert(op.name(), DType::Float64)?;
            let density = backend::density(op, &hist, own.dtype, &numbers)?;
            let density = Tensor::from_storage(hist.shape, DType::Float64, density);
            Ok((density.convert(op.name(), of_density)?, found.edges))
        }
        _ => Ok((hist, found.edges)),
    }
}
