//! Index values, and the positions that they become: one position for each entry, counted from 0.
//!
//! The values of an entry are a tuple: one value for each component of the plan. Most plans have one component. The position combines the
//! values of the tuple.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::ops::Range;
use std::slice;

use crate::engine::cpu::kernels::job::{CheckResult, Fault, Job, cut};
use crate::engine::cpu::kernels::vector;
use crate::engine::cpu::kernels::vector::IndexLanes;
use crate::engine::cpu::kernels::vector::lanes::wrapped;
use crate::plan::index::mode::{Component, IndexMode, OutOfRange};

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

/// Writes the position of every entry. The columns are the entries.
#[derive(Clone, Copy)]
pub(crate) struct Resolve<'a> {
    values: Values<'a>,
    components: &'a [Component],
    mode: IndexMode,
    entries: usize,
    out: *mut MaybeUninit<u32>,
    borrowed: PhantomData<&'a mut [u32]>,
}

impl<'a> Resolve<'a> {
    /// The values of a plain mode must be in range. Any other mode gives each entry a position or [`SKIPPED`]; the check result tells of the
    /// first value that has neither. There must be values for each slot.
    pub(crate) fn new(
        values: Values<'a>,
        components: &'a [Component],
        mode: IndexMode,
        slots: &'a mut [MaybeUninit<u32>],
    ) -> Self {
        let (entries, out) = (slots.len(), slots.as_mut_ptr());
        Self { values, components, mode, entries, out, borrowed: PhantomData }
    }

    fn tuple(&self, entry: usize) -> impl Iterator<Item = i64> {
        let first = entry * self.components.len();
        (first..first + self.components.len()).filter_map(|at| self.values.get(at))
    }

    /// The position of an entry. [`SKIPPED`] if one of its values is ignored, or if the mode gives one of them no position.
    fn position(&self, entry: usize) -> u32 {
        let Self { mode, components, .. } = *self;
        if mode.ignored.is_some_and(|ignored| self.tuple(entry).any(|value| value == ignored)) {
            return SKIPPED;
        }
        let parts = self.tuple(entry).zip(components);
        let parts = parts.map(|(value, component)| mode.out_of_range.position(value, *component));
        parts.sum::<Option<u32>>().unwrap_or(SKIPPED)
    }

    /// The first value of an entry without a position, if the mode refuses such a value and none of the entry's values is ignored.
    fn fault(&self, entry: usize) -> Option<Fault> {
        let Self { mode: IndexMode { out_of_range, ignored }, components, .. } = *self;
        if out_of_range == OutOfRange::Drop || self.tuple(entry).any(|value| Some(value) == ignored) {
            return None;
        }
        let mut parts = self.tuple(entry).zip(components).zip(entry * components.len()..);
        let ((value, _), at) =
            parts.find(|&((value, component), _)| out_of_range.position(value, *component).is_none())?;
        Some(Fault { number: NonZero::<usize>::MIN.saturating_add(at), value })
    }
}

impl Job for Resolve<'_> {
    fn len(&self) -> usize {
        self.entries
    }

    #[inline(never)]
    fn run(&self, entries: Range<usize>) -> CheckResult {
        let Range { start, end } = cut(entries, self.entries);
        // SAFETY: the slots are borrowed mutably, and this range is within them.
        let slots = unsafe { slice::from_raw_parts_mut(self.out.add(start), end - start) };
        if self.mode.is_plain() {
            self.values.fill(self.components, start, slots);
            return CheckResult::NOTHING;
        }
        let all_are_used = match (self.mode.out_of_range, self.components, self.values) {
            (OutOfRange::Raise | OutOfRange::Drop, [only], Values::Narrow(values)) => {
                resolve_single(values.get(start..end).unwrap_or_default(), *only, self.mode.ignored, slots)
            }
            (OutOfRange::Raise | OutOfRange::Drop, [only], Values::Wide(values)) => {
                resolve_single(values.get(start..end).unwrap_or_default(), *only, self.mode.ignored, slots)
            }
            _ => slots.iter_mut().zip(start..).fold(true, |all_are_used, (slot, entry)| {
                let position = self.position(entry);
                slot.write(position);
                all_are_used & (position != SKIPPED)
            }),
        };
        let may_fault = !all_are_used && self.mode.out_of_range != OutOfRange::Drop;
        let fault = if may_fault { (start..end).find_map(|entry| self.fault(entry)) } else { None };
        CheckResult { fault, ..CheckResult::NOTHING }
    }
}

/// The positions of entries of one value, by a mode that brings no value into range: numbers are chosen, because processors cannot predict
/// which values are ignored. Returns whether each entry that is not ignored has a position.
#[inline(always)]
fn resolve_single<T: IndexLanes>(
    values: &[T],
    component: Component,
    ignored: Option<i64>,
    slots: &mut [MaybeUninit<u32>],
) -> bool {
    let bound = component.bound as i64;
    let (ignores, ignored) = (ignored.is_some(), ignored.unwrap_or_default());
    let mut all_are_used = true;
    for (slot, &value) in slots.iter_mut().zip(values) {
        let value = value.into();
        let position = if value < 0 { value.wrapping_add(bound) } else { value };
        let (is_in_range, is_ignored) = ((0..bound).contains(&position), ignores & (value == ignored));
        all_are_used &= is_in_range | is_ignored;
        slot.write(if is_in_range & !is_ignored { position as u32 } else { SKIPPED });
    }
    all_are_used
}
