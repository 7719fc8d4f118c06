//! What index values add to the position of their entry, one by one.

use std::mem::MaybeUninit;

use crate::engine::cpu::kernels::vector::IndexLanes;
use crate::plan::index::mode::{Component, IndexMode};

/// Stands for the position of a skipped entry.
pub(crate) const SKIPPED: u32 = u32::MAX;

/// Writes the position of each entry by a mode that may move values or skip entries: [`SKIPPED`] if a value of the entry is ignored, or if
/// the mode gives it no position. Returns false if the mode gives no position to a value that is not ignored.
#[inline(never)]
pub(crate) fn write_one_by_one<T: IndexLanes>(
    mut values: &[T],
    components: &[Component],
    mode: IndexMode,
    slots: &mut [MaybeUninit<u32>],
) -> bool {
    let mut all = true;
    for slot in slots {
        // `chunks_exact` would divide by the number of components, and panic if that were 0. Without a tuple nothing is in range.
        let (tuple, after) = values.split_at_checked(components.len()).unwrap_or_default();
        values = after;
        let mut position = if tuple.len() == components.len() { 0 } else { SKIPPED };
        for (&value, component) in tuple.iter().zip(components) {
            all &= add_offset(value, component, mode, &mut position);
        }
        slot.write(position);
    }
    all
}

/// Adds the offset of a value to the position of its entry. The entry is [`SKIPPED`] if the value is ignored, or if the mode gives it no
/// position. Returns false if the mode gives no position to a value that is not ignored.
#[inline(always)]
pub(crate) fn add_offset<T: Into<i64>>(
    value: T,
    component: &Component,
    mode: IndexMode,
    position: &mut u32,
) -> bool {
    let value = value.into();
    let (is_ignored, offset) = (mode.ignored == Some(value), mode.out_of_range.position(value, *component));
    let is_skipped = is_ignored | offset.is_none() | (*position == SKIPPED);
    *position = if is_skipped { SKIPPED } else { position.wrapping_add(offset.unwrap_or_default()) };
    is_ignored | offset.is_some()
}
