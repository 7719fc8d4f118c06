//! Vectors of elements, with which the hot loops are written. The build with SIMD compiles `simd`; every other build compiles
//! its twin `scalar`, in which a vector is one element. Both give the same bits, because each lane is computed as an element
//! is.

#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128"), path = "simd/mod.rs")]
#[cfg_attr(not(all(target_arch = "wasm32", target_feature = "simd128")), path = "scalar.rs")]
mod chosen;
pub(super) mod lanes;

pub(crate) use chosen::{
    Double, GUESSES_PLACES, IndexLanes, Lane, Single, are_equal, combine_all, combine_run, combine_value,
    extremes, extremes_wide, guess_places, largest, wrap, wrap_pairs,
};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use chosen::{F32Operation, U32x4, float16_through_f32, vectors_through_f32};
pub(super) use lanes::{F64Lanes, FloatLanes, wrapped};
