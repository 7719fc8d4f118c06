//! The jobs that find bins and count samples in them.

pub(crate) mod bins;
#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128"), path = "flat_bins_simd.rs")]
#[cfg_attr(not(all(target_arch = "wasm32", target_feature = "simd128")), path = "flat_bins_scalar.rs")]
pub(crate) mod flat_bins;
pub(crate) mod histogram;
