//! Edges of bins of equal width, with NumPy's roundings.

use crate::plan::getters::getters;
use crate::{DType, Scalar};

/// Edges of bins of equal width: `low + i · ((high − low) / bins)`; the last edge is `high`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UniformEdges {
    low: f64,
    high: f64,
    /// `high − low`.
    width: f64,
    /// `width / bins`.
    pub(crate) step: f64,
    bins: usize,
    /// Each operation is rounded to this dtype.
    rounding: DType,
    /// Each edge is rounded to this dtype at the end.
    dtype: DType,
}

impl UniformEdges {
    /// Edges between two ends. Equal ends are moved apart by 0.5 each. The caller must check whether the numbers are finite.
    pub(crate) fn new([low, high]: [f64; 2], bins: usize, rounding: DType, dtype: DType) -> Self {
        let round = |value| round(value, rounding);
        let (low, high) = if low == high { (round(low - 0.5), round(high + 0.5)) } else { (low, high) };
        let width = round(high - low);
        let step = round(width / round(bins as f64));
        Self { low, high, width, step, bins, rounding, dtype }
    }

    pub(crate) fn count(&self) -> usize {
        self.bins + 1
    }

    getters! { pub(crate) dtype: DType }

    /// The value of the edge with that number, 0 to [`UniformEdges::count`] − 1.
    pub(crate) fn at(&self, edge: usize) -> f64 {
        if edge == self.bins {
            return round(self.high, self.dtype);
        }
        let rounded = |value| round(value, self.rounding);
        let number = rounded(edge as f64);
        // A step of 0 was too small for the dtype. The width is then multiplied by number / bins, as NumPy does.
        let from_low = match self.step {
            0.0 => rounded(number / rounded(self.bins as f64)) * self.width,
            step => number * step,
        };
        round(rounded(self.low + rounded(from_low)), self.dtype)
    }
}

/// The nearest value of a float dtype. Two numbers of the dtype may be added, multiplied or divided in float64 and then rounded here: that is as
/// one operation in the dtype, because float64 has more than twice as many digits as the narrower dtypes.
pub(crate) fn round(value: f64, dtype: DType) -> f64 {
    match dtype {
        // A fast path: this is one instruction, and each edge takes several roundings.
        DType::Float64 => value,
        DType::Float32 => f64::from(value as f32),
        _ => round_by_scalar(value, dtype),
    }
}

/// [`round`] to any dtype. A function of its own: it reserves stack for the scalars on entry, and the fast path should not.
#[inline(never)]
fn round_by_scalar(value: f64, dtype: DType) -> f64 {
    Scalar::load(Scalar::Float(value).cast(dtype), dtype).as_f64()
}
