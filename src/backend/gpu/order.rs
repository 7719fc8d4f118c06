//! The entries of an index, prepared on the device: what a scatter needs of the index and nothing else does.

use std::rc::Rc;

use crate::backend::Index;
use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::params::{Params, WORKGROUP};
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
    /// `segments.wgsl`: the rows of all entries, sorted, and behind them the entries.
    Sorted(DeviceBuffer),
}

/// Rows that a workgroup of the sort takes, and values of a digit, as `shaders/sort/` declares them.
const TILE: usize = 4096;
const DIGITS: usize = 16;

type Watch<'a> = dyn FnMut(Pass, &DeviceBuffer) -> Result<()> + 'a;

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

    /// Sorts the entries of an index by the row that they name, and keeps their order within a row.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn order(self: &Rc<Self>, plan: &IndexPlan, index: &Index<'_, DeviceBuffer>) -> Result<Order> {
        let slot = self.check(plan, index);
        self.order_checked(plan, index, slot, &mut |_, _| Ok(()))
    }

    /// `watch` sees what each pass has written.
    pub(super) fn order_checked(
        self: &Rc<Self>,
        plan: &IndexPlan,
        index: &Index<'_, DeviceBuffer>,
        slot: u32,
        watch: &mut Watch<'_>,
    ) -> Result<Order> {
        let entries = plan.entries();
        let mut from = self.scratch(plan, 2 * entries)?;
        let mut to = self.scratch(plan, 2 * entries)?;
        let counts = self.scratch(plan, DIGITS * entries.div_ceil(TILE))?;
        let bindings = Bindings { index: Some(index.buffer), dst: Some(&from), src: None };
        self.dispatch(ShaderKey::words(Pass::Normalise), Params::rows(plan, index, slot), &bindings);
        watch(Pass::Normalise, &from)?;
        let rows = plan.table_len() / plan.row().len.max(1);
        let bits = usize::BITS - rows.saturating_sub(1).leading_zeros();
        // At least once: that is where the entries' numbers come from.
        for bit in (0..bits.max(1)).step_by(DIGITS.ilog2() as usize) {
            self.sort_digit(entries, bit, &from, &counts, &to, watch)?;
            std::mem::swap(&mut from, &mut to);
        }
        Ok(Order { entries: Entries::Sorted(from), slot })
    }

    fn sort_digit(
        self: &Rc<Self>,
        entries: usize,
        bit: u32,
        from: &DeviceBuffer,
        counts: &DeviceBuffer,
        to: &DeviceBuffer,
        watch: &mut Watch<'_>,
    ) -> Result<()> {
        let tiles = entries.div_ceil(TILE);
        let params = Params {
            begin: bit,
            end: entries as u32,
            step_entry: u32::from(bit == 0),
            threads: tiles as u32 * WORKGROUP,
            ..Params::default()
        };
        let bindings = Bindings { index: None, dst: Some(counts), src: Some(from) };
        self.dispatch(ShaderKey::words(Pass::DigitCount), params, &bindings);
        watch(Pass::DigitCount, counts)?;
        let scan = Params { end: (DIGITS * tiles) as u32, threads: WORKGROUP, ..Params::default() };
        let bindings = Bindings { index: None, dst: Some(counts), src: None };
        self.dispatch(ShaderKey::words(Pass::DigitScan), scan, &bindings);
        watch(Pass::DigitScan, counts)?;
        let bindings = Bindings { index: Some(counts), dst: Some(to), src: Some(from) };
        self.dispatch(ShaderKey::words(Pass::DigitScatter), params, &bindings);
        watch(Pass::DigitScatter, to)
    }

    /// What every pass of [`Gpu::order`] writes, for tests.
    #[doc(hidden)]
    pub fn watch_order(
        self: &Rc<Self>,
        plan: &IndexPlan,
        index: &Index<'_, DeviceBuffer>,
    ) -> Result<Vec<(Pass, DeviceBuffer)>> {
        let slot = self.check(plan, index);
        let mut seen = Vec::new();
        self.order_checked(plan, index, slot, &mut |pass, buffer| {
            seen.push((pass, buffer.duplicate(plan.op().name())?));
            Ok(())
        })?;
        Ok(seen)
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
