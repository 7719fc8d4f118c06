//! The positions of index values by a mode that may move values or skip entries: by vectors, or one by one in builds without vectors and where
//! small code counts more.

#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128", feature = "loops"), path = "simd.rs")]
#[cfg_attr(
    not(all(target_arch = "wasm32", target_feature = "simd128", feature = "loops")),
    path = "scalar.rs"
)]
pub(crate) mod chosen;

pub(crate) use chosen::{ModeLanes, write_positions};
