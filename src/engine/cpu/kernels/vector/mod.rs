//! Vectors of elements, for the hot loops. The build with SIMD compiles `simd`. Every other build compiles `scalar` instead, where a
//! vector is one element. Both give the same bits, because each lane computes like a single element.

#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128"), path = "simd/mod.rs")]
#[cfg_attr(not(all(target_arch = "wasm32", target_feature = "simd128")), path = "scalar.rs")]
pub(crate) mod chosen;
pub(crate) mod lanes;

pub(crate) use chosen::{
    Double, IndexLanes, Lane, Narrow, Single, add_to_slots, add_widened, are_equal, ascends, bytes_to_floats,
    bytes_to_integers, combine_all, combine_run, combine_value, extremes, extremes_wide, largest,
    replace_others, replace_skipped, to_bytes, to_doubles, to_floats, to_integers, unequal, wrap, wrap_pairs,
};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use chosen::{half_vectors, vectors_through_f32};
