//! What stands for `places_simd.rs` in a build without vectors.

use crate::histograms::kernels::bins::SingleAxis;

/// Without vectors float32 would gain nothing, so places are guessed in float64 only.
pub(crate) const FINDS_PLACES: bool = false;

/// Never called: see [`FINDS_PLACES`].
pub(crate) fn find_places<T>(_: &[T], _: &[SingleAxis<'_>], _: &mut [u32]) {}
