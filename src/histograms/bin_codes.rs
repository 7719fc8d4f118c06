//! `bin_codes`.

use crate::histograms::backend::in_bins;
use crate::histograms::bins::{Binned, Bins, divisions};
use crate::histograms::plan::counting::Counted;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::plan::{Op, value_error};
use crate::{DType, ErrorCode, Result, Scalar, Shape, Tensor, dispatch};

/// The bin of each sample as one int32 code, in row-major order of the bins of all columns; −1 for a sample outside of all bins. Returns the codes,
/// for `group_by` with −1 as the ignored code, the edges of each column, and how many bins there are.
///
/// `sample` is `[n, d]`, or `[n]` for one column; its bins are those of [`histogramdd`](crate::histogramdd).
///
/// # Errors
/// As for `histogramdd`; `ValueError` for more than 2^31 − 1 bins.
///
/// Source: SciPy, the `binnumber` of `scipy.stats.binned_statistic_dd`, without its border bins.
///
/// ```
/// use scatterwise::{Tensor, bin_codes};
/// let sample = Tensor::from_elements(&[4], &[0.5f32, 2.5, 3.0, 9.0])?;
/// let (codes, _, size) = bin_codes(&sample, &[(3.into(), Some([0.0, 3.0]))])?;
/// assert_eq!((codes.elements::<i32>(), size), (Some(&[0, 2, 2, -1][..]), 3));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn bin_codes(
    sample: &Tensor,
    columns: &[(Bins, Option<[f64; 2]>)],
) -> Result<(Tensor, Vec<Tensor>, usize)> {
    let op = Op::BinCodes;
    let plan = HistogramPlan::new(op, sample.operand(), &Counted::default(), &divisions(columns))?;
    let size = plan.flat_bins();
    if i32::try_from(size).is_err() {
        let text = format!("{} are {size} bins; int32 codes number at most 2147483647", plan.out_shape());
        return Err(value_error(op, ErrorCode::InvalidShape, "bins", text));
    }
    let found = Binned::new(&plan, sample, None, columns)?;
    let shape = Shape::of_size(plan.samples());
    if size == 0 {
        let none = Tensor::filled(op.name(), "bins", shape, Scalar::Int(-1), DType::Int32)?;
        return Ok((dispatch::on_device_of(op.name(), sample, none)?, found.edges, size));
    }
    let codes = in_bins(&plan, None, (&found.samples, None), &found.numbers, None)?;
    Ok((Tensor::from_storage(shape, DType::Int32, codes), found.edges, size))
}
