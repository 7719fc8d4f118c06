//! The entries of an index, prepared on the device: what a scatter needs of the index and nothing else does.

use std::rc::Rc;

use crate::backend::Index;
use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::params::Params;
use crate::backend::gpu::{DeviceBuffer, Gpu, Pass, ShaderKey, status};
use crate::error::Result;
use crate::plan::IndexPlan;

/// The index entries of a plan in the order in which a scatter applies them, on the device. It depends on the
/// index alone: not on the values, nor on the table's content or dtype.
///
/// Whoever scatters by one index again and again makes it once, with [`Gpu::order`] for additions and
/// multiplications or [`Gpu::choose`] for replacements, keeps it beside the plan, and calls
/// [`Gpu::scatter_in_order`]. It belongs to its device, and to the plan and the index that it was made of. One
/// made of an index that only the device has seen is refused together with that index; it may outlive the
/// batch only after `sync` found nothing wrong, and [`Order::settle`] was called.
pub struct Order {
    pub(super) entries: Entries,
    pub(super) slot: u32,
}

/// See the shaders that read them.
pub(super) enum Entries {
    /// `commit.wgsl`: each entry's row, if it is the last to name it.
    Chosen(DeviceBuffer),
}

impl Order {
    /// The index was found right by the batch in which the order was made.
    pub fn settle(&mut self) {
        self.slot = status::NEVER_FAILS;
    }
}

impl Gpu {
    /// Memory for the passes of one call. It is zero at first: marks and counts rely on it.
    pub(super) fn scratch(self: &Rc<Self>, plan: &IndexPlan, words: usize) -> Result<DeviceBuffer> {
        DeviceBuffer::new(self, plan.op().name(), 4 * words)
    }

    /// Finds, for every row that the index names, the last entry to do so.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn choose(self: &Rc<Self>, plan: &IndexPlan, index: &Index<'_, DeviceBuffer>) -> Result<Order> {
        let slot = self.check(plan, index);
        self.choose_checked(plan, index, slot)
    }

    pub(super) fn choose_checked(
        self: &Rc<Self>,
        plan: &IndexPlan,
        index: &Index<'_, DeviceBuffer>,
        slot: u32,
    ) -> Result<Order> {
        let rows = plan.table_len() / plan.row().len.max(1);
        let marks = self.scratch(plan, rows)?;
        let chosen = self.scratch(plan, plan.entries())?;
        let params = Params::rows(plan, index, slot);
        let bindings = Bindings { index: Some(index.buffer), dst: Some(&marks), src: None };
        self.dispatch(ShaderKey::words(Pass::Mark), params, &bindings);
        let bindings = Bindings { index: Some(index.buffer), dst: Some(&chosen), src: Some(&marks) };
        self.dispatch(ShaderKey::words(Pass::Choose), params, &bindings);
        Ok(Order { entries: Entries::Chosen(chosen), slot })
    }
}
