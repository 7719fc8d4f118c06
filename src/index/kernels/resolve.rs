//! The positions of an index by a mode: the job that writes them.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::ops::Range;
use std::slice;

use crate::engine::cpu::kernels::{CheckResult, Fault, Job, cut};
use crate::index::kernels::values::Values;
use crate::plan::{Component, IndexMode};

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
    /// The values of a plain mode must be in range. Any other mode gives each entry a position or `SKIPPED`; the check result tells of the
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

    /// The first value of an entry without a position, if the mode refuses such a value and none of the entry's values is ignored.
    fn fault(&self, entry: usize) -> Option<Fault> {
        let Self { mode: IndexMode { out_of_range, ignored }, components, .. } = *self;
        if out_of_range.skips() || self.tuple(entry).any(|value| Some(value) == ignored) {
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
        let all_are_used = self.values.resolve(self.components, self.mode, start, slots);
        let may_fault = !all_are_used && !self.mode.out_of_range.skips();
        let fault = if may_fault { (start..end).find_map(|entry| self.fault(entry)) } else { None };
        CheckResult { fault, ..CheckResult::NOTHING }
    }
}
