//! `bincount`.

use crate::engine::Value;
use crate::histograms::backend;
use crate::histograms::backend::count_values;
use crate::histograms::options::{CountOptions, update};
use crate::histograms::plan::bincount::{BincountPlan, Length};
use crate::histograms::plan::histogram::count_dtype;
use crate::index::Index;
use crate::plan::{Addressed, Addressing, Arguments};
use crate::scatter::backend::scatter_into;
use crate::{Device, Result, Scalar, Tensor};

/// `out[v] = how many of x are v`, or with weights `out[x[i]] += weights[i]` for every i, in order unless
/// [`Weights::sum`](crate::Weights::sum) says otherwise. The result has max(x) + 1 bins, or as many as [`Length`] says.
///
/// # Errors
/// `TypeError` if x has no integer dtype, for a mask that is not bool and for counts of bool; `ValueError` for a negative value, with its
/// position, for ranks and shapes, for a negative length, and for more bins than a tensor can have; `RuntimeError` when memory is
/// exhausted, for weights or a mask on a GPU with x on the CPU, and if the length depends on values that only a GPU knows: those of an x that
/// it computed, or those that a mask keeps. The length does not depend on values if it is exact, or has a bin for every value of the
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

pub(crate) fn count_integers(x: &Tensor, options: &CountOptions<'_>, length: Length) -> Result<Tensor> {
    let plan = BincountPlan::new(x.operand(), &options.counted(), length)?;
    let op = BincountPlan::OP;
    options.check_devices(op, x)?;
    let (update, mask) = (update(options.weights), options.mask);
    let weights = options.weights.map(|weights| weights.values);
    // If the number of bins is known, and no value can be negative, the values decide nothing. A scatter needs the index all the same.
    let known = plan.known_ends().filter(|_| !plan.is_plain() && !x.dtype().is_signed_integer());
    // A GPU counts values of every dtype. Weights are added by a scatter, whose index x becomes.
    let is_index = known.is_none() && (weights.is_some() || x.device() == Device::Cpu);
    let index = if is_index { x.convert(op.name(), plan.index_dtype())? } else { x.clone() };
    let ends = match known {
        None if x.size() > 0 => backend::ends(&plan, x, &index, mask)?,
        known => known,
    };
    let shape = plan.out_shape(ends)?;
    let out = plan.out_dtype();
    let weights = weights.map(|weights| weights.convert(op.name(), out)).transpose()?;
    if !plan.is_plain() {
        let flat_bins = shape.dims().last().copied().unwrap_or_default();
        let weights = weights.as_ref().map(|weights| (weights, update));
        let counts = backend::bincount(&plan, flat_bins, x, mask, weights)?;
        return Ok(Tensor::from_storage(shape, out, counts));
    }
    if let Some(counts) = count_values(&plan, shape.size(), x, weights.is_some())? {
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
    scatter_into(&adds, update, &mut counts, &Index::Given(index), value)?;
    counts.convert(op.name(), out)
}
