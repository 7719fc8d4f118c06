//! What stands for `flat_bins_simd.rs` in a build without vectors.

use crate::histograms::kernels::bins::SingleAxis;

/// Without vectors float32 would gain nothing, so bins are guessed in float64 only.
pub(crate) const FINDS_BINS: bool = false;

/// Never called: see [`FINDS_BINS`].
pub(crate) fn find_bins<T>(_: &[T], _: &[SingleAxis<'_>], _: &mut [u32]) {}
