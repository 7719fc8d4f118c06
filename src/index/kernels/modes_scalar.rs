//! What stands for `modes_simd.rs` in builds without vectors, and where small code counts more.

use crate::index::kernels::values::{Rule, add_offset};

pub(crate) use crate::engine::cpu::kernels::vector::IndexLanes as ModeLanes;

/// [`add_offset`] for each slot. Entries are `step` values apart.
pub(crate) fn add_offsets<T: ModeLanes>(values: &[T], step: usize, rule: &Rule, slots: &mut [u32]) -> bool {
    // A step of 0 would panic.
    let values = values.iter().step_by(step.max(1));
    slots.iter_mut().zip(values).fold(true, |all, (slot, &value)| all & add_offset(value, rule, slot))
}
