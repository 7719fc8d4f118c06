//! Index entries prepared on the device: sorted, chosen or counted.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::backend::{Index, IndexState};
use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::params::{Digit, DigitScan, Head, NEVER_FAILS, Rows, WORKGROUP};
use crate::backend::gpu::pass::Pass;
use crate::backend::gpu::{DeviceBuffer, Gpu, ShaderKey, Strategy};
use crate::error::Result;
use crate::plan::Addressing;

/// What was prepared of an index on the device, for any number of scatters: it depends on the index alone, not on the
/// values, nor on the table's content or dtype. It is valid for the device, the plan and the index that it was made
/// from.
pub struct Order {
    pub(super) prepared: Prepared,
    /// The status slot of the check of its index.
    pub(super) slot: u32,
}

/// What the passes that apply values read.
pub(super) enum Prepared {
    /// `commit.wgsl`: each entry's row, if it is the last to name it.
    Chosen(DeviceBuffer),
    /// `apply_counted.wgsl`: how many entries name each row.
    Counted(DeviceBuffer),
    /// `run_per_thread.wgsl`, `row_per_group.wgsl`: the rows of all entries, sorted, followed by the numbers of the
    /// entries.
    Sorted(DeviceBuffer),
}

/// Rows per workgroup of the sort, and values of a digit, as `shaders/sort/` declares them.
const TILE: usize = 4096;
const DIGITS: usize = 16;

type Watch<'a> = dyn FnMut(Pass, &DeviceBuffer) -> Result<()> + 'a;

/// The orders of one index whose values are known to be in bounds. Each is made when a strategy first needs it.
#[derive(Default)]
pub struct Orders {
    /// Whether no two entries name the same row.
    pub(super) is_distinct: bool,
    chosen: OnceCell<Order>,
    sorted: OnceCell<Order>,
}

impl Orders {
    /// None yet.
    pub fn new(is_distinct: bool) -> Self {
        Self { is_distinct, ..Self::default() }
    }

    /// The order that a strategy needs, if it needs one.
    pub(super) fn get(
        &self,
        gpu: &Rc<Gpu>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
        strategy: Strategy,
    ) -> Result<Option<&Order>> {
        let (kept, is_sorted) = match strategy {
            Strategy::Winner => (&self.chosen, false),
            Strategy::RunPerThread | Strategy::RowPerGroup => (&self.sorted, true),
            Strategy::Columns | Strategy::Atomics | Strategy::Small | Strategy::Distinct => return Ok(None),
            // Counting is a single pass, so that its result is not worth keeping.
            Strategy::CountThenRepeat => return Ok(None),
        };
        if let Some(order) = kept.get() {
            return Ok(Some(order));
        }
        let order = if is_sorted {
            gpu.sort_entries(plan, index, NEVER_FAILS, &mut |_, _| Ok(()))?
        } else {
            gpu.choose_entries(plan, index, NEVER_FAILS)?
        };
        Ok(Some(kept.get_or_init(|| order)))
    }
}

impl Gpu {
    /// Uninitialised memory for the passes of one call.
    pub(super) fn scratch(self: &Rc<Self>, plan: &Addressing, words: usize) -> Result<DeviceBuffer> {
        DeviceBuffer::unfilled(self, plan.op().name(), "work on index", 4 * words)
    }

    /// A word for each row of the table, zero at first.
    fn row_words(self: &Rc<Self>, plan: &Addressing) -> Result<DeviceBuffer> {
        DeviceBuffer::new(
            self,
            plan.op().name(),
            "work on index",
            4 * plan.table_len() / plan.row().len.max(1),
        )
    }

    /// Sorts the entries of an index by the row that they name, stably. `watch` sees what each pass has written.
    pub(super) fn sort_entries(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
        slot: u32,
        watch: &mut Watch<'_>,
    ) -> Result<Order> {
        let entries = plan.entries();
        let mut from = self.scratch(plan, 2 * entries)?;
        let mut to = self.scratch(plan, 2 * entries)?;
        let counts = self.scratch(plan, DIGITS * entries.div_ceil(TILE))?;
        let bindings = Bindings { index: Some(index.buffer), dst: Some(&from), src: None };
        self.dispatch(ShaderKey::words(Pass::Normalise), Rows::new(plan, index, slot), &bindings);
        watch(Pass::Normalise, &from)?;
        // Entries that are left out come last: the bits that are sorted by have to tell them from all rows.
        let dropped = usize::from(index.state == IndexState::Partial);
        let rows = plan.table_len() / plan.row().len.max(1) + dropped;
        let bits = usize::BITS - rows.saturating_sub(1).leading_zeros();
        // At least once, because the first digit's pass writes the numbers of the entries.
        for bit in (0..bits.max(1)).step_by(DIGITS.ilog2() as usize) {
            self.sort_digit(entries, bit, &from, &counts, &to, watch)?;
            std::mem::swap(&mut from, &mut to);
        }
        Ok(Order { prepared: Prepared::Sorted(from), slot })
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
        let head = Head::new(tiles * WORKGROUP as usize, NEVER_FAILS);
        let params = Digit { head, bit, entry_count: entries as u32, is_first: u32::from(bit == 0) };
        let bindings = Bindings { index: None, dst: Some(counts), src: Some(from) };
        self.dispatch(ShaderKey::words(Pass::DigitCount), params, &bindings);
        watch(Pass::DigitCount, counts)?;
        let head = Head::new(WORKGROUP as usize, NEVER_FAILS);
        let scan = DigitScan { head, count: (DIGITS * tiles) as u32 };
        let bindings = Bindings { index: None, dst: Some(counts), src: None };
        self.dispatch(ShaderKey::words(Pass::DigitScan), scan, &bindings);
        watch(Pass::DigitScan, counts)?;
        let bindings = Bindings { index: Some(counts), dst: Some(to), src: Some(from) };
        self.dispatch(ShaderKey::words(Pass::DigitScatter), params, &bindings);
        watch(Pass::DigitScatter, to)
    }

    /// Finds, for every row that the index names, the last entry to do so.
    pub(super) fn choose_entries(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
        slot: u32,
    ) -> Result<Order> {
        let (_, chosen) = self.mark_and_choose(plan, index, slot)?;
        Ok(Order { prepared: Prepared::Chosen(chosen), slot })
    }

    pub(super) fn mark_and_choose(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
        slot: u32,
    ) -> Result<(DeviceBuffer, DeviceBuffer)> {
        let marks = self.row_words(plan)?;
        let chosen = self.scratch(plan, plan.entries())?;
        let params = Rows::new(plan, index, slot);
        let bindings = Bindings { index: Some(index.buffer), dst: Some(&marks), src: None };
        self.dispatch(ShaderKey::words(Pass::Mark), params, &bindings);
        let bindings = Bindings { index: Some(index.buffer), dst: Some(&chosen), src: Some(&marks) };
        self.dispatch(ShaderKey::words(Pass::Choose), params, &bindings);
        Ok((marks, chosen))
    }

    /// Counts the entries that name each row.
    pub(super) fn count_entries(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
        slot: u32,
    ) -> Result<Order> {
        let counts = self.row_counts(plan, index, slot)?;
        Ok(Order { prepared: Prepared::Counted(counts), slot })
    }

    pub(super) fn row_counts(
        self: &Rc<Self>,
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
        slot: u32,
    ) -> Result<DeviceBuffer> {
        let counts = self.row_words(plan)?;
        let bindings = Bindings { index: Some(index.buffer), dst: Some(&counts), src: None };
        self.dispatch(ShaderKey::words(Pass::Count), Rows::new(plan, index, slot), &bindings);
        Ok(counts)
    }
}
