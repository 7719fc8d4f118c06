//! Index values and divisors that only the device knows: a pass checks them, or turns them into positions.

use std::rc::Rc;

use crate::engine::gpu::shaders::pass::{Divisors, Resolve, Validate};
use crate::engine::gpu::{
    DeviceBuffer, Fault, Gpu, Ignored, IndexFormat, NEVER_FAILS, Pass, ShaderKey, Width,
};
use crate::index::backend::IndexOnGpu;
use crate::index::gpu::{Index, Unchecked};
use crate::plan::{Addressing, IndexMode, OutOfRange};
use crate::{DType, Error, Result};

impl IndexOnGpu for Rc<Gpu> {
    fn resolve(
        &self,
        plan: &Addressing,
        buffer: Rc<DeviceBuffer>,
        dtype: DType,
        mode: IndexMode,
        is_checked: bool,
    ) -> Result<Index> {
        let positions = self.positions_of(plan, (&buffer, dtype), mode, None)?;
        let refuses = match mode.out_of_range {
            OutOfRange::Raise => !is_checked,
            // They bring every value into range, unless the dimension has size 0.
            OutOfRange::Wrap | OutOfRange::Clip => plan.positions() == 0,
            OutOfRange::Drop | OutOfRange::Inside => false,
        };
        let unchecked = refuses.then_some(Unchecked { buffer, dtype, ignored: mode.ignored });
        Ok(Index { unchecked, ..Index::positions(Rc::new(positions), mode.drops(), None) })
    }

    fn without(&self, plan: &Addressing, index: &Index, other: &Index) -> Result<Index> {
        // The only component has stride 1, so positions are values too, and `SKIPPED` is −1.
        let ignored = index.dtype.is_none().then_some(-1);
        let (dtype, mode) =
            (index.dtype.unwrap_or(DType::Int32), IndexMode { ignored, ..IndexMode::default() });
        let other = other.drops.then_some(&*other.buffer);
        let positions = self.positions_of(plan, (&index.buffer, dtype), mode, other)?;
        Ok(Index { unchecked: index.unchecked.clone(), ..Index::positions(Rc::new(positions), true, None) })
    }
}

impl Gpu {
    /// Records the pass that turns index values into positions. `other` has positions of as many entries: those that are `SKIPPED` there
    /// are dropped here too.
    fn positions_of(
        self: &Rc<Self>,
        plan: &Addressing,
        (values, dtype): (&DeviceBuffer, DType),
        mode: IndexMode,
        other: Option<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let positions = scratch(self, plan, plan.index_entries())?;
        // The numbers of `shaders/index/resolve.wgsl`. A call that must raise an error for an entry that this pass drops does so before it
        // reads the positions.
        let number = match mode.out_of_range {
            OutOfRange::Wrap => 0,
            OutOfRange::Clip => 1,
            OutOfRange::Drop | OutOfRange::Raise => 2,
            OutOfRange::Inside => 3,
        };
        let params = Resolve {
            index: IndexFormat::of_values(plan, dtype),
            ignored: Ignored::new(mode.ignored),
            mode: number,
            has_other: other.is_some().into(),
        };
        let pass = self.pass(Pass::Resolve, &params).index(values).dst(&positions).src(other);
        pass.record(plan.index_entries());
        Ok(positions)
    }

    /// Records a check of the index values, unless they are known to be in bounds, and of a scatter's integer divisors, which must not
    /// be zero. `divisors` are their dtype and data. Returns the status slot for the operation's passes: `NEVER_FAILS` if nothing needs
    /// a check.
    pub(crate) fn check(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index,
        divisors: Option<(DType, &DeviceBuffer)>,
    ) -> u32 {
        let unchecked = index.unchecked.as_ref().filter(|_| plan.index_len() > 0);
        if unchecked.is_none() && divisors.is_none() {
            return NEVER_FAILS;
        }
        let slot = self.take_slot(wrong_value(plan.clone()));
        if let Some((dtype, divisors)) = divisors {
            self.check_divisors(slot, dtype, divisors);
        }
        if let Some(Unchecked { buffer, dtype, ignored }) = unchecked {
            let (index, ignored) = (IndexFormat::of_values(plan, *dtype), Ignored::new(*ignored));
            let params = Validate { index, ignored, counts_from_end: plan.op().counts_from_end().into() };
            // One more thread reads the first bad value, if one exists.
            for (pass, threads) in [(Pass::Validate, plan.index_len()), (Pass::Report, 1)] {
                self.pass(pass, &params).slot(slot).index(&**buffer).record(threads);
            }
        }
        slot
    }

    /// Records the pass that finds the first zero among integers.
    pub(crate) fn check_divisors(self: &Rc<Self>, slot: u32, dtype: DType, divisors: &DeviceBuffer) {
        if divisors.len() == 0 {
            return;
        }
        let key = ShaderKey::units(Pass::Divisors, Width::of(dtype));
        self.pass(key, &Divisors {}).slot(slot).src(divisors).record(divisors.len() / dtype.size());
    }
}

/// Uninitialised memory of `words` words, for passes that prepare an index.
pub(crate) fn scratch(gpu: &Rc<Gpu>, plan: &Addressing, words: usize) -> Result<DeviceBuffer> {
    DeviceBuffer::unfilled(gpu, plan.op().name(), "work on index", 4 * words)
}

/// The error for what `shaders/index/validate.wgsl`, `report.wgsl` and `divisors.wgsl` found. Like the CPU, it checks the divisors first.
fn wrong_value(plan: Addressing) -> impl Fn(Fault) -> Option<Error> {
    move |Fault { first, value, last }| {
        if last != 0 {
            return Some(plan.divisor_error(!last as usize));
        }
        (first != 0).then(|| plan.index_error(!first as usize, value as i64))
    }
}
