//! Index values, and the positions that they become: one position for each entry, counted from 0.
//!
//! The values of an entry are a tuple: one value for each component of the plan. Most plans have one component. The position combines the
//! values of the tuple.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice;

use crate::backend::cpu::kernels::job::{Job, Verdict, cut};
use crate::backend::cpu::kernels::vector::{self, IndexLanes, wrapped};
use crate::plan::{Component, OutOfRange};

/// Stands for the position of a dropped entry.
pub const DROPPED: u32 = u32::MAX;

/// The values of an index: int32 or int64.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    Narrow(&'a [i32]),
    Wide(&'a [i64]),
}

impl<'a> Values<'a> {
    /// The number of values.
    pub(crate) fn count(self) -> usize {
        match self {
            Self::Narrow(values) => values.len(),
            Self::Wide(values) => values.len(),
        }
    }

    /// The value with number `at`.
    fn get(self, at: usize) -> Option<i64> {
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

/// [`Values::fill`] for one width of values.
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
                let Some((tuple, behind)) = values.split_at_checked(components.len()) else { return };
                values = behind;
                let parts = tuple.iter().zip(components);
                slot.write(parts.fold(0u32, |sum, (&value, component)| {
                    let (bound, stride) = numbers(component);
                    sum.wrapping_add(wrapped(value, bound).wrapping_mul(stride))
                }));
            }
        }
    }
}

/// Writes the position of every entry. The columns are the entries.
#[derive(Clone, Copy)]
pub(crate) struct Resolve<'a> {
    values: Values<'a>,
    components: &'a [Component],
    mode: OutOfRange,
    entries: usize,
    out: *mut MaybeUninit<u32>,
    borrowed: PhantomData<&'a mut [u32]>,
}

impl<'a> Resolve<'a> {
    /// With mode `Raise` the values must be in range. Any other mode gives each entry a position or [`DROPPED`]. There must be values for
    /// each slot.
    pub(crate) fn new(
        values: Values<'a>,
        components: &'a [Component],
        mode: OutOfRange,
        slots: &'a mut [MaybeUninit<u32>],
    ) -> Self {
        let (entries, out) = (slots.len(), slots.as_mut_ptr());
        Self { values, components, mode, entries, out, borrowed: PhantomData }
    }

    /// The position of an entry by a mode that accepts every value.
    fn position(&self, entry: usize) -> u32 {
        let first = entry * self.components.len();
        let tuple = (first..first + self.components.len()).filter_map(|at| self.values.get(at));
        let parts =
            tuple.zip(self.components).map(|(value, component)| self.mode.position(value, *component));
        // The sum is `None` if the mode gives one of the values no position.
        parts.sum::<Option<u32>>().unwrap_or(DROPPED)
    }
}

impl Job for Resolve<'_> {
    fn len(&self) -> usize {
        self.entries
    }

    #[inline(never)]
    fn run(&self, entries: Range<usize>) -> Verdict {
        let Range { start, end } = cut(entries, self.entries);
        // SAFETY: the slots are borrowed mutably, and this range is within them.
        let slots = unsafe { slice::from_raw_parts_mut(self.out.add(start), end - start) };
        if self.mode == OutOfRange::Raise {
            self.values.fill(self.components, start, slots);
        } else {
            for (slot, entry) in slots.iter_mut().zip(start..) {
                slot.write(self.position(entry));
            }
        }
        Verdict::NOTHING
    }
}
