//! `bincount`, on handles. `bins.rs` has `histogram`, `histogramdd` and `binned_statistic`.

#[cfg(feature = "histograms")]
pub(crate) mod bins;

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::{table, wire};
use crate::dtype::DType;
use crate::error::Result;
use crate::histograms::bincount::count_integers;
use crate::histograms::options::{CountOptions, Weights};
use crate::histograms::plan::bincount::Length;
use crate::tensor::Tensor;

/// The tensor of a handle; `None` for 0.
fn tensor(handle: u32) -> Result<Option<Tensor>> {
    if handle == 0 { Ok(None) } else { table::tensor(handle).map(Some) }
}

/// The operands and options that all counting calls share.
struct Counted {
    weights: Option<Tensor>,
    mask: Option<Tensor>,
    dim: Option<i64>,
    dtype: Option<DType>,
    exact: bool,
}

impl Counted {
    /// The tensors of handles, 0 for none. `dim` is NaN for none. `dtype` is any other number than that of a dtype for none.
    fn new(weights: u32, mask: u32, dim: f64, dtype: u32, exact: bool) -> Result<Self> {
        let dtype = DType::ALL.get(dtype as usize).copied();
        let dim = (!dim.is_nan()).then_some(dim as i64);
        Ok(Self { weights: tensor(weights)?, mask: tensor(mask)?, dim, dtype, exact })
    }

    /// The options.
    fn options(&self) -> CountOptions<'_> {
        let weights = self.weights.as_ref().map(|values| Weights { values, sum: wire::sum(self.exact) });
        CountOptions { weights, mask: self.mask.as_ref(), dim: self.dim, dtype: self.dtype }
    }
}

/// Counts how often each number occurs in the tensor `x`, or sums the weights of its occurrences. Returns the handle of at least `length`
/// counts, or of exactly so many. `exact` makes the sums of weights exact. The other options are those of [`Counted::new`].
#[wasm_bindgen]
#[allow(clippy::too_many_arguments, reason = "only numbers cross")]
pub fn bincount(
    x: u32,
    weights: u32,
    mask: u32,
    length: f64,
    is_exact_length: bool,
    dim: f64,
    dtype: u32,
    exact: bool,
) -> u32 {
    attempt(|| {
        let counted = Counted::new(weights, mask, dim, dtype, exact)?;
        let length = length as i64;
        let length = if is_exact_length { Length::Exactly(length) } else { Length::AtLeast(length) };
        table::keep(count_integers(&table::tensor(x)?, &counted.options(), length)?)
    })
}
