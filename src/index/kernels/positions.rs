//! The positions of a job's entries. They are read in place, or computed from index values one window at a time. Unchecked values are
//! checked on the way.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::engine::cpu::kernels::{CheckResult, rely_on};
use crate::index::kernels::check::check;
use crate::index::kernels::values::Values;
use crate::plan::Addressing;

/// Positions that are computed at a time: few enough for the first-level cache and for the stack.
pub(crate) const WINDOW: usize = 1024;

/// The positions of the entries of a plan's index. Each is below [`Addressing::positions`]: the kernels do not check them.
#[derive(Clone, Copy)]
pub(crate) struct Positions<'a> {
    pub(crate) plan: &'a Addressing,
    form: Form<'a>,
}

#[derive(Clone, Copy)]
enum Form<'a> {
    /// One for each entry.
    All(&'a [u32]),
    /// One for each entry, or [`SKIPPED`](super::offsets::SKIPPED).
    Partial(&'a [u32]),
    /// Index values that still have to become positions.
    Values { values: Values<'a>, is_checked: bool },
}

impl<'a> Positions<'a> {
    /// # Safety
    /// There must be one for each entry of the index, below [`Addressing::positions`]. If `drops`, it may also be `SKIPPED`.
    pub(crate) unsafe fn of(plan: &'a Addressing, positions: &'a [u32], drops: bool) -> Self {
        Self { plan, form: if drops { Form::Partial(positions) } else { Form::All(positions) } }
    }

    /// The positions of unchecked values. Each window is checked right before its use, so a long index is read once. The caller must hide
    /// the results until it knows the check result.
    pub(crate) fn unchecked(plan: &'a Addressing, values: Values<'a>) -> Self {
        rely_on(values.count() >= plan.index_len());
        Self { plan, form: Form::Values { values, is_checked: false } }
    }

    /// # Safety
    /// There must be as many values as the plan says. All must be in range for it, and none below `min`.
    #[inline(always)]
    pub(crate) unsafe fn checked(plan: &'a Addressing, values: Values<'a>, min: i64) -> Self {
        let form = match values.as_positions(plan.components()).filter(|_| min >= 0) {
            Some(positions) => Form::All(positions),
            None => Form::Values { values, is_checked: true },
        };
        Self { plan, form }
    }

    /// The positions of all entries, if they are in memory and none is dropped.
    pub(crate) fn all(self) -> Option<&'a [u32]> {
        match self.form {
            Form::All(positions) => Some(positions),
            Form::Partial(_) | Form::Values { .. } => None,
        }
    }

    pub(crate) fn drops(self) -> bool {
        matches!(self.form, Form::Partial(_))
    }

    /// The most entries that a [`Window`] gives at a time.
    pub(crate) fn most(self) -> usize {
        match self.form {
            Form::All(_) | Form::Partial(_) => usize::MAX,
            Form::Values { .. } => WINDOW,
        }
    }
}

/// Positions as a traversal over entries gets them. Positions that are not in memory are computed here, for one window of entries.
pub(crate) struct Window<'a> {
    positions: &'a Positions<'a>,
    slots: [MaybeUninit<u32>; WINDOW],
    /// The entries of the index that the window holds.
    held: Range<usize>,
    /// Whether the index values are the positions of these entries. `slots` is unused then.
    is_direct: bool,
    pub(crate) check_result: CheckResult,
}

impl<'a> Window<'a> {
    #[inline(always)]
    pub(crate) fn new(positions: &'a Positions<'a>) -> Self {
        let slots = [const { MaybeUninit::uninit() }; WINDOW];
        Self { positions, slots, held: 0..0, is_direct: false, check_result: CheckResult::NOTHING }
    }

    /// The positions of `len` entries of the index from entry `from` on, at most [`Positions::most`]. `None` if a value is out of range;
    /// the check result then has it.
    #[inline(always)]
    pub(crate) fn get(&mut self, from: usize, len: usize) -> Option<&[u32]> {
        match self.positions.form {
            Form::All(positions) | Form::Partial(positions) => positions.get(from..from + len),
            Form::Values { values, is_checked } => {
                if from < self.held.start || from + len > self.held.end {
                    // A multiple of `len`, so that the next requests of as many entries end within the window.
                    let count = WINDOW / len.max(1) * len;
                    let end = self.positions.plan.index_entries().min(from + count);
                    self.hold(values, is_checked, from..end)?;
                }
                if self.is_direct {
                    return values.as_positions(self.positions.plan.components())?.get(from..from + len);
                }
                let at = from - self.held.start;
                // SAFETY: `hold` has written the slots of the entries that the window holds.
                Some(unsafe { self.slots.get(at..at + len)?.assume_init_ref() })
            }
        }
    }

    /// Computes the positions of at most [`WINDOW`] entries. Checks unchecked values first.
    #[inline(never)]
    fn hold(&mut self, values: Values<'_>, is_checked: bool, entries: Range<usize>) -> Option<()> {
        let components = self.positions.plan.components();
        self.held = 0..0;
        self.is_direct = false;
        if !is_checked {
            let CheckResult { bounds, fault } = check(values, components, entries.clone());
            self.check_result = self.check_result.and(CheckResult { bounds, fault });
            if fault.is_some() {
                return None;
            }
            self.is_direct = bounds.0 >= 0 && values.as_positions(components).is_some();
        }
        if !self.is_direct {
            values.fill(components, entries.start, self.slots.get_mut(..entries.len())?);
        }
        self.held = entries;
        Some(())
    }
}
