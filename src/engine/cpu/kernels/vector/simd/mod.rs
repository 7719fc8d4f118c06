//! WebAssembly's vectors: 16 bytes of elements. Relaxed instructions are not used, because their results differ between machines.

mod index;
pub(crate) mod lanes;
mod runs;
mod widen;

pub(crate) use index::{
    IndexLanes, are_equal, ascends, extremes, extremes_wide, largest, replace_others, replace_skipped, wrap,
    wrap_pairs,
};
pub(crate) use lanes::{Double, Lane, Single, half_vectors, vectors_through_f32};
pub(crate) use runs::{add_to_slots, combine_all, combine_run, combine_value, unequal};
pub(crate) use widen::{
    Narrow, add_widened, bytes_to_floats, bytes_to_integers, to_bytes, to_doubles, to_floats, to_integers,
};
