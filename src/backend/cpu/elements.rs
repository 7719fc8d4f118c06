//! The elements that a scatter writes or a gather reads, one by one: for what looks at a call and does not run it.

use crate::backend::cpu::checked::CheckedIndex;
use crate::backend::cpu::kernels::columns::{Odometer, Start};
use crate::backend::cpu::kernels::values::DROPPED;
use crate::plan::Addressing;

/// One element of the table that an entry addresses.
#[derive(Clone, Copy)]
pub(crate) struct Element {
    /// The number of the entry.
    pub(crate) entry: usize,
    /// The number of the element in the table.
    pub(crate) place: usize,
    /// The number of the element of the values.
    pub(crate) value: usize,
}

/// Every element that the entries of a plan address, in row-major order of the entries. Entries that are left out have none.
pub(crate) fn elements<'a>(
    plan: &'a Addressing,
    index: &'a CheckedIndex,
) -> impl Iterator<Item = Element> + 'a {
    let mut at = Odometer::new(plan.loops(), Start::default());
    let starts = (0..plan.entries()).map(move |entry| {
        let start = at.start;
        at.advance();
        (entry, start)
    });
    starts.flat_map(move |(entry, start)| {
        let position = index.values().get(start.index).copied().filter(|&position| position != DROPPED);
        position.into_iter().flat_map(move |position| {
            let place = start.table + position as usize * plan.place_stride();
            let value = start.value;
            let stride = plan.row().value_stride;
            (0..plan.row().len).map(move |l| Element { entry, place: place + l, value: value + l * stride })
        })
    })
}
