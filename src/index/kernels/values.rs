//! Index values, and the positions that they become: one position for each entry, counted from 0.
//!
//! The values of an entry are a tuple: one value for each component of the plan. Most plans have one component. The position combines the
//! values of the tuple.

use std::mem::MaybeUninit;

use crate::engine::cpu::kernels::vector;
use crate::index::kernels::modes::{ModeLanes, write_positions};
use crate::plan::index::mode::{Component, IndexMode};

/// The values of an index: int32 or int64.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    Narrow(&'a [i32]),
    Wide(&'a [i64]),
}

impl<'a> Values<'a> {
    pub(crate) fn count(self) -> usize {
        match self {
            Self::Narrow(values) => values.len(),
            Self::Wide(values) => values.len(),
        }
    }

    pub(crate) fn get(self, at: usize) -> Option<i64> {
        match self {
            Self::Narrow(values) => values.get(at).map(|&value| value.into()),
            Self::Wide(values) => values.get(at).copied(),
        }
    }

    /// The values as unsigned numbers, if every value that is not negative is a position: int32 with one component.
    pub(crate) fn as_positions(self, components: &[Component]) -> Option<&'a [u32]> {
        match (self, components) {
            (Self::Narrow(values), [_]) => Some(bytemuck::cast_slice(values)),
            (Self::Narrow(_) | Self::Wide(_), _) => None,
        }
    }

    /// Writes positions into all slots, beginning with that of entry `from`. A position is the sum of the entry's values, negative ones
    /// wrapped, each times the stride of its component. Values out of range give meaningless positions.
    pub(crate) fn fill(self, components: &[Component], from: usize, slots: &mut [MaybeUninit<u32>]) {
        match self {
            Self::Narrow(values) => fold(values, components, from, slots),
            Self::Wide(values) => fold(values, components, from, slots),
        }
    }

    /// Writes the positions in any mode into all slots, beginning with that of entry `from`. A skipped entry gets `SKIPPED`, and so does one
    /// that the mode refuses. Returns false if the mode refuses a value of an entry, unless perhaps another one of its values is ignored.
    pub(crate) fn resolve(
        self,
        components: &[Component],
        mode: IndexMode,
        from: usize,
        slots: &mut [MaybeUninit<u32>],
    ) -> bool {
        let first = from * components.len();
        match self {
            Self::Narrow(values) => {
                write_positions(values.get(first..).unwrap_or_default(), components, mode, slots)
            }
            Self::Wide(values) => {
                write_positions(values.get(first..).unwrap_or_default(), components, mode, slots)
            }
        }
    }
}

fn fold<T: ModeLanes>(values: &[T], components: &[Component], from: usize, slots: &mut [MaybeUninit<u32>]) {
    let values = values.get(from * components.len()..).unwrap_or_default();
    let numbers = |component: &Component| (component.bound as u32, component.stride as u32);
    match components {
        // An empty tuple names the whole table, which is the only position.
        [] => slots.fill(MaybeUninit::new(0)),
        // The stride of a single component is 1.
        [only] => vector::wrap(values, only.bound as u32, slots),
        [first, second] => vector::wrap_pairs(values, [numbers(first), numbers(second)], slots),
        // The plain mode moves and skips no value that is in range.
        _ => _ = write_positions(values, components, IndexMode::default(), slots),
    }
}
