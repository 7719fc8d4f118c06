//! The elements that a scatter writes or a gather reads, one by one: for code that examines a call without running it.

use crate::index::kernels::{Odometer, SKIPPED, Start};
use crate::plan::Addressing;

/// Visits the elements of all entries, in row-major order: the number of the entry, of the table's element and of that of the values. An entry
/// with the position [`SKIPPED`] has none. Tables may have more elements than the walker takes.
pub(crate) fn for_each_element(
    plan: &Addressing,
    positions: &[u32],
    visit: &mut dyn FnMut(usize, usize, usize),
) {
    let (row, mut at) = (plan.row(), Odometer::new(plan.loops(), Start::default()));
    for entry in 0..plan.entries() {
        let position = positions.get(at.start.index).copied().unwrap_or(SKIPPED);
        let slot = at.start.table.wrapping_add((position as usize).wrapping_mul(plan.slot_stride()));
        for l in 0..if position == SKIPPED { 0 } else { row.len } {
            visit(entry, slot + l, at.start.value + l * row.value_stride);
        }
        at.advance();
    }
}
