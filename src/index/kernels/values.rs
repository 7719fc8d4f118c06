//! Index values, and the positions that they become: one position for each entry, counted from 0.
//!
//! The values of an entry are a tuple: one value for each component of the plan. Most plans have one component. The position combines the
//! values of the tuple.

use std::mem::MaybeUninit;

use crate::engine::cpu::kernels::vector;
use crate::engine::cpu::kernels::vector::IndexLanes;
use crate::engine::cpu::kernels::vector::lanes::wrapped;
use crate::plan::index::mode::{Component, OutOfRange};

/// Stands for the position of a skipped entry.
pub(crate) const SKIPPED: u32 = u32::MAX;

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
}

fn fold<T: IndexLanes>(values: &[T], components: &[Component], from: usize, slots: &mut [MaybeUninit<u32>]) {
    let mut values = values.get(from * components.len()..).unwrap_or_default();
    let numbers = |component: &Component| (component.bound as u32, component.stride as u32);
    match components {
        // An empty tuple names the whole table, which is the only position.
        [] => slots.fill(MaybeUninit::new(0)),
        // The stride of a single component is 1.
        [only] => vector::wrap(values, only.bound as u32, slots),
        [first, second] => vector::wrap_pairs(values, [numbers(first), numbers(second)], slots),
        _ => {
            for slot in slots {
                // `chunks_exact` would divide by the number of components, and panic if that were 0.
                let Some((tuple, after)) = values.split_at_checked(components.len()) else { return };
                values = after;
                let parts = tuple.iter().zip(components);
                slot.write(parts.fold(0u32, |sum, (&value, component)| {
                    let (bound, stride) = numbers(component);
                    sum.wrapping_add(wrapped(value, bound).wrapping_mul(stride))
                }));
            }
        }
    }
}

/// How the values of one component become positions.
pub(crate) struct Rule {
    pub(crate) component: Component,
    pub(crate) out_of_range: OutOfRange,
    pub(crate) ignored: Option<i64>,
}

/// Adds the offset of a value to the position of its entry. The entry is [`SKIPPED`] if the value is ignored, or if the mode gives it no
/// position. Returns false if the mode gives no position to a value that is not ignored.
#[inline(always)]
pub(crate) fn add_offset<T: Into<i64>>(value: T, rule: &Rule, slot: &mut u32) -> bool {
    let value = value.into();
    let (is_ignored, offset) =
        (rule.ignored == Some(value), rule.out_of_range.position(value, rule.component));
    let is_skipped = is_ignored | offset.is_none() | (*slot == SKIPPED);
    *slot = if is_skipped { SKIPPED } else { slot.wrapping_add(offset.unwrap_or_default()) };
    is_ignored | offset.is_some()
}
