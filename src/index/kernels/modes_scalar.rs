//! What stands for `modes_simd.rs` in builds without vectors, and where small code counts more.

use crate::index::kernels::values::{Rule, add_offset};

pub(crate) use crate::engine::cpu::kernels::vector::IndexLanes as ModeLanes;

/// [`add_offset`] for each slot. Entries are `step` values apart.
pub(crate) fn add_offsets<T: ModeLanes>(values: &[T], step: usize, rule: &Rule, slots: &mut [u32]) -> bool {
    let mut all = true;
    for (number, slot) in slots.iter_mut().enumerate() {
        if let Some(&value) = values.get(number * step) {
            all &= add_offset(value, rule, slot);
        }
    }
    all
}
