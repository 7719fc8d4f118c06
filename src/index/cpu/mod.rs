//! The index of a call on the CPU: its cached bounds, the check of its values, its positions, and the error for a value out of range.

pub(crate) mod checked;
pub(crate) mod elements;
pub(crate) mod partition;

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::cpu::kernels::job::{CheckResult, rely_on};
use crate::engine::cpu::kernels::vector;
use crate::engine::cpu::run::Cpu;
use crate::error::Result;
use crate::host::{HostBuffer, UninitBuffer, reserved};
use crate::index::backend::IndexBackend;
use crate::index::cpu::checked::CheckedIndex;
use crate::index::kernels::check::{Check, fits};
use crate::index::kernels::offsets::SKIPPED;
use crate::index::kernels::positions::Positions;
use crate::index::kernels::resolve::Resolve;
use crate::index::kernels::values::Values;
use crate::plan::index::addressing::Addressing;
use crate::plan::index::mode::{Component, IndexMode};

/// The index of a scatter or gather.
pub(crate) enum Index<'a> {
    /// Values that the call checks, unless an earlier one has cached bounds on the buffer that fit.
    Given(CallIndex<'a>),
    /// Positions that were checked for the call's plan, or for a plan with at most as many positions.
    Checked(Rc<CheckedIndex>),
}

impl Index<'_> {
    /// A checked position for each entry of the index, or `SKIPPED`.
    pub(crate) fn all(&self) -> Result<Cow<'_, [u32]>> {
        match self {
            Self::Given(index) => index.all(),
            Self::Checked(positions) => Ok(Cow::Borrowed(positions.values())),
        }
    }

    /// The positions in memory, each checked, for a call that traverses them more than once.
    pub(crate) fn kept(&self) -> Result<Rc<CheckedIndex>> {
        match self {
            Self::Given(index) => index.kept(IndexMode::default()).map(Rc::new),
            Self::Checked(positions) => Ok(positions.clone()),
        }
    }

    /// Whether an entry may be skipped.
    pub(crate) fn drops(&self) -> bool {
        match self {
            Self::Given(_) => false,
            Self::Checked(positions) => positions.drops(),
        }
    }

    /// The positions for a call by `plan`, each checked.
    pub(crate) fn checked<'a>(&'a self, plan: &'a Addressing) -> Result<Positions<'a>> {
        match self {
            Self::Given(index) => index.checked(),
            Self::Checked(positions) => Ok(positions.positions(plan)),
        }
    }

    /// The positions for a call by `plan`. The job checks those that were not checked: see [`CallIndex::unchecked`].
    #[inline(always)]
    pub(crate) fn unchecked<'a>(&'a self, plan: &'a Addressing) -> Positions<'a> {
        match self {
            Self::Given(index) => index.unchecked(),
            Self::Checked(positions) => positions.positions(plan),
        }
    }

    /// Judges the check result of a job on [`Index::unchecked`]; `None` if the job had nothing to do, and so checked nothing.
    #[inline(always)]
    pub(crate) fn finish_check(&self, check_result: Option<CheckResult>) -> Result<()> {
        match self {
            Self::Given(index) => index.finish_check(&check_result.unwrap_or_else(|| index.check())),
            Self::Checked(_) => Ok(()),
        }
    }
}

impl IndexBackend for Cpu {
    type Index<'a> = Index<'a>;
}

/// The index of a call that runs `plan`: int32 or int64.
pub(crate) struct CallIndex<'a> {
    pub(crate) plan: &'a Addressing,
    buffer: &'a HostBuffer,
    dtype: DType,
    values: Values<'a>,
}

impl<'a> CallIndex<'a> {
    #[inline(always)]
    pub(crate) fn new(plan: &'a Addressing, buffer: &'a HostBuffer, dtype: DType) -> Self {
        let width = if dtype == DType::Int64 { 8 } else { 4 };
        rely_on(plan.index_entries() == 0 || buffer.len() == plan.index_len() * width);
        Self { plan, buffer, dtype, values: values(buffer, dtype) }
    }

    /// The positions without a check, if an earlier call cached bounds that fit this plan.
    #[inline(always)]
    fn known(&self) -> Option<Positions<'a>> {
        let bounds = self.buffer.range(self.dtype).filter(|&range| fits(self.plan.components(), range))?;
        // SAFETY: the cached bounds include every value: borrowing the bytes for writing clears them.
        Some(unsafe { Positions::checked(self.plan, self.values, bounds.0) })
    }

    /// Positions that the job checks while it uses them, unless their bounds are known. The caller must hide the results until
    /// it has passed the job's check result to [`CallIndex::finish_check`].
    pub(crate) fn unchecked(&self) -> Positions<'a> {
        self.known().unwrap_or_else(|| Positions::unchecked(self.plan, self.values))
    }

    /// Checks every value and returns the positions. An error is for the first value, in row-major order, that is out of range.
    pub(crate) fn checked(&self) -> Result<Positions<'a>> {
        if let Some(known) = self.known() {
            return Ok(known);
        }
        let check_result = self.check();
        self.finish_check(&check_result)?;
        // SAFETY: `check` has looked at every value.
        Ok(unsafe { Positions::checked(self.plan, self.values, check_result.bounds.0) })
    }

    pub(crate) fn check(&self) -> CheckResult {
        let (values, components) = (self.values, self.plan.components());
        Cpu.run(&Check { values, components, entries: self.plan.index_entries() })
    }

    /// Notes the bounds of the check result on the buffer. They must cover all values.
    pub(crate) fn finish_check(&self, check_result: &CheckResult) -> Result<()> {
        if let Some(fault) = check_result.fault {
            return Err(self.plan.index_error(fault.number.get() - 1, fault.value));
        }
        if check_result.bounds != CheckResult::NOTHING.bounds {
            // SAFETY: every value was checked, and none is beyond these.
            unsafe { self.buffer.cache_range(self.dtype, check_result.bounds) };
        }
        Ok(())
    }

    /// Writes one position for each entry to `slots`, which has as many. A skipped entry gets `SKIPPED`. In a plain mode the values must be in
    /// range; any other mode may refuse one. If there is no error, every slot is written.
    pub(crate) fn resolve(&self, mode: IndexMode, slots: &mut [MaybeUninit<u32>]) -> Result<()> {
        let check_result = Cpu.run(&Resolve::new(self.values, self.plan.components(), mode, slots));
        self.finish_check(&check_result)
    }

    /// The positions in memory. A value of the mode's `ignored` drops its entry. An `IndexError` is for the first value, in row-major order,
    /// that the mode refuses and no ignored value leaves out.
    pub(crate) fn kept(&self, mode: IndexMode) -> Result<CheckedIndex> {
        let (op, entries) = (self.plan.op().name(), self.plan.index_entries());
        let values = if mode.is_plain() {
            HostBuffer::copy_of(op, bytemuck::cast_slice(&self.all()?))?
        } else {
            let mut positions = UninitBuffer::new(op, entries * size_of::<u32>())?;
            self.resolve(mode, positions.slots())?;
            // SAFETY: `resolve` has written a slot for each entry.
            unsafe { positions.assume_filled() }
        };
        // No position is as large as `SKIPPED`.
        let drops = mode.drops() && vector::largest(values.elements()) == SKIPPED;
        // SAFETY: every value was checked or resolved, and `SKIPPED` is looked for wherever the mode may drop an entry.
        Ok(unsafe { CheckedIndex::new(values, self.plan.positions(), drops) })
    }

    /// One checked position for each entry. Borrows the values if they are the positions.
    pub(crate) fn all(&self) -> Result<Cow<'a, [u32]>> {
        if let Some(positions) = self.checked()?.all() {
            return Ok(Cow::Borrowed(positions));
        }
        let entries = self.plan.index_entries();
        let mut positions = reserved(self.plan.op().name(), entries)?;
        // A plain mode wraps values that are in range.
        let slots = positions.spare_capacity_mut().get_mut(..entries).unwrap_or_default();
        self.resolve(IndexMode::default(), slots)?;
        // SAFETY: `resolve` has written a slot for each entry.
        unsafe { positions.set_len(entries) };
        Ok(Cow::Owned(positions))
    }
}

/// Whether a call by `plan` does in this mode what it does in a plain one, because every value is in range and none is moved or ignored.
/// Caches the ends of the values. False if that takes more than the ends to know.
pub(crate) fn is_as_plain(plan: &Addressing, index: &HostBuffer, dtype: DType, mode: IndexMode) -> bool {
    let ends = index.range(dtype).unwrap_or_else(|| ends(index, dtype));
    mode.changes_none(ends) && fits(plan.components(), ends)
}

/// The ends of all values of an index of `dtype` int32 or int64. If none is negative, the lower one may be 0. Without values, the ends of
/// int64 in reverse order. They are cached on the buffer.
pub(crate) fn ends(index: &HostBuffer, dtype: DType) -> (i64, i64) {
    let values = values(index, dtype);
    let any = [Component { bound: i64::MAX as usize, stride: 1 }];
    let CheckResult { bounds, .. } = Cpu.run(&Check { values, components: &any, entries: values.count() });
    if bounds != CheckResult::NOTHING.bounds {
        // SAFETY: every value is within these.
        unsafe { index.cache_range(dtype, bounds) };
    }
    bounds
}

/// The values of an index of `dtype` int32 or int64.
fn values(index: &HostBuffer, dtype: DType) -> Values<'_> {
    match dtype {
        DType::Int64 => Values::Wide(index.elements()),
        _ => Values::Narrow(index.elements()),
    }
}
