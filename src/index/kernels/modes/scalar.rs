//! What stands for `simd.rs` in other builds.

pub(crate) use crate::engine::cpu::kernels::vector::IndexLanes as ModeLanes;
pub(crate) use crate::index::kernels::offsets::write_one_by_one as write_positions;
