//! What tests and benchmarks need of the GPU side and the library does not: to force a choice, to see what was recorded,
//! and to run the parts of an operation one by one. It is no part of the API.

use std::cell::Cell;
use std::rc::Rc;

use crate::backend::gpu::scatter::Scatter;
use crate::backend::gpu::{Arithmetic, DeviceBuffer, Gpu, Numerics};
use crate::backend::{Index, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{Addressing, Reduce};

pub use crate::backend::gpu::act::Act;
pub use crate::backend::gpu::combine::{Combine, Functions, Kind};
pub use crate::backend::gpu::counts::Counts;
pub use crate::backend::gpu::kernel::{ShaderKey, Width};
pub use crate::backend::gpu::multiply::{Geometry, QuadAccess};
pub use crate::backend::gpu::order::Order;
pub use crate::backend::gpu::pass::Pass;
pub use crate::backend::gpu::strategy::Strategy;

/// What tests have set, and what they ask for.
#[derive(Default)]
pub(super) struct Switches {
    /// The strategy of every scatter to which it applies.
    pub(super) forced: Cell<Option<Strategy>>,
    /// How many scatters went which way.
    pub(super) ran: Cell<[u32; Strategy::ALL.len()]>,
    /// Whether the next new buffer is refused.
    pub(super) refuses_next: Cell<bool>,
}

/// Rewrites the text of a shader, as a driver might that compiles it wrongly; `None` where it has nothing to change.
pub type Rewrite = fn(ShaderKey, &str) -> Option<String>;

thread_local! {
    static PLANTED: Cell<Option<Rewrite>> = const { Cell::new(None) };
}

/// Has all devices that this thread starts from now on compile rewritten shaders.
pub fn plant(fault: Option<Rewrite>) {
    PLANTED.set(fault);
}

/// The text that a device compiles.
pub(super) fn planted(key: ShaderKey) -> String {
    let text = key.source();
    PLANTED.get().and_then(|rewrite| rewrite(key, &text)).unwrap_or(text)
}

/// What a device loses without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The dispatch after so many.
    Dispatch(u32),
    /// The next submission.
    Submission,
}

impl Loss {
    /// Whether this dispatch is the one.
    pub(super) fn takes_dispatch(loss: &mut Option<Self>) -> bool {
        match loss {
            Some(Self::Dispatch(0)) => loss.take().is_some(),
            Some(Self::Dispatch(left)) => {
                *left -= 1;
                false
            }
            Some(Self::Submission) | None => false,
        }
    }
}

impl Switches {
    /// Counts a scatter.
    pub(super) fn count(&self, strategy: Strategy) {
        let mut ran = self.ran.get();
        for (count, _) in ran.iter_mut().zip(Strategy::ALL).filter(|(_, way)| **way == strategy) {
            *count += 1;
        }
        self.ran.set(ran);
    }
}

/// Methods of [`Gpu`] for tests and benchmarks.
pub trait Hooks {
    /// Overrides the probe's choice of float32 arithmetic.
    fn force_arithmetic(&self, float32: Arithmetic);

    /// Takes this way for every scatter to which it applies; `None` chooses again.
    fn force_strategy(&self, strategy: Option<Strategy>);

    /// Submits after so many rounds of loops; `None` goes by how long submissions take again.
    fn force_pace(&self, rounds: Option<u64>);

    /// How many scatters went which way so far, in the order of [`Strategy::ALL`].
    fn strategies_run(&self) -> [u32; Strategy::ALL.len()];

    /// How much work was recorded so far.
    fn counts(&self) -> Counts;

    /// Compiles every part of a shader that this device may run. Returns how many shaders it took.
    fn compile_all(&self) -> usize;

    /// Loses the device.
    fn lose_device(&self);

    /// Loses a dispatch or submission without an error, as a driver might that gives up work and takes it for done; `None`
    /// again loses none. Returns what was still to be lost.
    fn lose(&self, what: Option<Loss>) -> Option<Loss>;

    /// Refuses the next new buffer, as a platform without memory would.
    fn refuse_next(&self);

    /// Sorts the entries of an index by the row that they name, stably.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn order(self: &Rc<Self>, plan: &Addressing, index: &Index<'_, DeviceBuffer>) -> Result<Order>;

    /// Finds, for every row that an index names, the last entry to do so.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn choose(self: &Rc<Self>, plan: &Addressing, index: &Index<'_, DeviceBuffer>) -> Result<Order>;

    /// Counts the entries that name each row.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn count(self: &Rc<Self>, plan: &Addressing, index: &Index<'_, DeviceBuffer>) -> Result<Order>;

    /// Applies values by an index that was prepared before. `plan` is the one that the order was made for.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn scatter_in_order(
        self: &Rc<Self>,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        table: &mut Rc<DeviceBuffer>,
        order: &Order,
        value: &Value<'_, DeviceBuffer>,
    ) -> Result<()>;

    /// What every pass of [`Hooks::order`] writes.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn watch_order(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
    ) -> Result<Vec<(Pass, DeviceBuffer)>>;

    /// What the two passes of [`Hooks::choose`] write.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn watch_choose(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
    ) -> Result<(DeviceBuffer, DeviceBuffer)>;

    /// What the pass of [`Hooks::count`] writes.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn watch_count(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
    ) -> Result<DeviceBuffer>;
}

impl Hooks for Gpu {
    fn force_arithmetic(&self, float32: Arithmetic) {
        self.numerics.set(Numerics { float32, ..self.numerics.get() });
    }

    fn force_strategy(&self, strategy: Option<Strategy>) {
        self.switches.forced.set(strategy);
    }

    fn force_pace(&self, rounds: Option<u64>) {
        self.engine.borrow_mut().pace.forced = rounds;
    }

    fn strategies_run(&self) -> [u32; Strategy::ALL.len()] {
        self.switches.ran.get()
    }

    fn counts(&self) -> Counts {
        self.engine.borrow().counts
    }

    fn compile_all(&self) -> usize {
        ShaderKey::each_part().inspect(|&key| drop(self.pipelines.get(&self.device, key))).count()
    }

    fn lose_device(&self) {
        self.device.destroy();
    }

    fn lose(&self, what: Option<Loss>) -> Option<Loss> {
        std::mem::replace(&mut self.engine.borrow_mut().loses, what)
    }

    fn refuse_next(&self) {
        self.switches.refuses_next.set(true);
    }

    fn order(self: &Rc<Self>, plan: &Addressing, index: &Index<'_, DeviceBuffer>) -> Result<Order> {
        let slot = self.check(plan, index, None);
        self.sort_entries(plan, index, slot, &mut |_, _| Ok(()))
    }

    fn choose(self: &Rc<Self>, plan: &Addressing, index: &Index<'_, DeviceBuffer>) -> Result<Order> {
        let slot = self.check(plan, index, None);
        self.choose_entries(plan, index, slot)
    }

    fn count(self: &Rc<Self>, plan: &Addressing, index: &Index<'_, DeviceBuffer>) -> Result<Order> {
        let slot = self.check(plan, index, None);
        self.count_entries(plan, index, slot)
    }

    fn scatter_in_order(
        self: &Rc<Self>,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        table: &mut Rc<DeviceBuffer>,
        order: &Order,
        value: &Value<'_, DeviceBuffer>,
    ) -> Result<()> {
        Self::unshare(plan, table)?;
        let scatter = Scatter { gpu: self, plan, dtype, reduce, table, value, slot: order.slot };
        scatter.in_order(scatter.strategy(false), order);
        Ok(())
    }

    fn watch_order(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
    ) -> Result<Vec<(Pass, DeviceBuffer)>> {
        let slot = self.check(plan, index, None);
        let mut seen = Vec::new();
        self.sort_entries(plan, index, slot, &mut |pass, buffer| {
            seen.push((pass, buffer.duplicate(plan.op().name())?));
            Ok(())
        })?;
        Ok(seen)
    }

    fn watch_choose(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
    ) -> Result<(DeviceBuffer, DeviceBuffer)> {
        let slot = self.check(plan, index, None);
        self.mark_and_choose(plan, index, slot)
    }

    fn watch_count(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let slot = self.check(plan, index, None);
        self.row_counts(plan, index, slot)
    }
}
