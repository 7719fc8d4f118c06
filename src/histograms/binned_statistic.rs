//! `binned_statistic`.

use crate::histograms::backend::in_bins;
use crate::histograms::bins::{Binned, Bins, divisions};
use crate::histograms::options::check_on_cpu;
use crate::histograms::plan::binned::{BinnedPlan, Statistic};
use crate::{Result, Tensor};

/// A statistic of the values in each bin, in up to eight dimensions. Returns it with the edges of each column.
///
/// `sample` is `[n, d]`, or `[n]` for one column; its bins are those of [`histogramdd`](crate::histogramdd). `values` is `[n]`, or `[k, n]` for k
/// statistics; a count needs none.
///
/// # Errors
/// As for `histogramdd`; `TypeError` for a mean, minimum or maximum of integers or bool; `ValueError` for values of another length, and if
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
    let (of_values, of_mask) = (values.map(Tensor::operand), mask.map(Tensor::operand));
    let plan = BinnedPlan::new(sample.operand(), of_values, statistic, &divisions(columns), of_mask)?;
    let values = values.filter(|_| statistic != Statistic::Count);
    check_on_cpu(op, sample, "values", values)?;
    check_on_cpu(op, sample, "mask", mask)?;
    let found = Binned::new(plan.bins(), sample, mask, columns)?;
    let made = in_bins(plan.bins(), Some(&plan), (&found.samples, mask), &found.numbers, values)?;
    let statistic = Tensor::from_storage(plan.out_shape().clone(), plan.bins().out_dtype(), made);
    Ok((statistic, found.edges))
}
