//! The elements that a scatter writes or a gather reads, one by one: for code that examines a call without running it.

use crate::index::kernels::columns::{Odometer, Start};
use crate::index::kernels::values::DROPPED;
use crate::plan::index::addressing::Addressing;

/// An element of the table that an entry addresses.
#[derive(Clone, Copy)]
pub(crate) struct Element {
    /// The number of the entry.
    pub(crate) entry: usize,
    /// The number of the element in the table.
    pub(crate) place: usize,
    /// The number of the element of the values.
    pub(crate) value: usize,
}

/// Visits every element that the entries of a plan address, in row-major order of the entries. `positions` has one for each entry of the
/// index, or [`DROPPED`].
pub(crate) fn for_each_element(plan: &Addressing, positions: &[u32], visit: &mut dyn FnMut(Element)) {
    let (row, mut at) = (plan.row(), Odometer::new(plan.loops(), Start::default()));
    for entry in 0..plan.entries() {
        let position = positions.get(at.start.index).copied().unwrap_or(DROPPED);
        if position != DROPPED {
            let place = at.start.table + position as usize * plan.place_stride();
            for l in 0..row.len {
                visit(Element { entry, place: place + l, value: at.start.value + l * row.value_stride });
            }
        }
        at.advance();
    }
}
