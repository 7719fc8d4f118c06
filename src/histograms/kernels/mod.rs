//! The jobs that find bins and count samples in them.

pub(crate) mod bins;
pub(crate) mod histogram;
#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128"), path = "places_simd.rs")]
#[cfg_attr(not(all(target_arch = "wasm32", target_feature = "simd128")), path = "places_scalar.rs")]
pub(crate) mod places;
