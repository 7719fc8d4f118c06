//! Index entries prepared on the device: sorted, chosen or counted.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::backend::gpu::buffer::DeviceBuffer;
use crate::backend::gpu::device::Gpu;
use crate::backend::gpu::dispatch::Bindings;
use crate::backend::gpu::index::check::scratch;
use crate::backend::gpu::index::{Form, Index, Orders};
use crate::backend::gpu::scatter::strategy::Strategy;
use crate::backend::gpu::shaders::kernel::ShaderKey;
use crate::backend::gpu::shaders::params::{Digit, DigitScan, Head, NEVER_FAILS, Rows, WORKGROUP};
use crate::backend::gpu::shaders::pass::Pass;
use crate::error::Result;
use crate::plan::Addressing;

/// Rows per workgroup of the sort, and values of a digit, as `shaders/sort/` declares them.
const TILE: usize = 4096;
const DIGITS: usize = 16;

impl Orders {
    /// What the passes of a strategy read in the place of the index; `None` for one whose passes read the index itself. What is not there
    /// yet is recorded now, by passes that look at the status slot `slot`. Nothing is written to the table.
    pub(crate) fn get(
        &self,
        gpu: &Rc<Gpu>,
        plan: &Addressing,
        index: &Index,
        slot: u32,
        strategy: Strategy,
    ) -> Result<Option<Rc<DeviceBuffer>>> {
        Ok(match strategy {
            Strategy::Columns | Strategy::Distinct | Strategy::Atomics | Strategy::Small => None,
            // Counting is a single pass, so that its result is not worth keeping.
            Strategy::CountThenRepeat => Some(Rc::new(count_entries(gpu, plan, index, slot)?)),
            Strategy::Winner => Some(kept(&self.chosen, || choose_entries(gpu, plan, index, slot))?),
            Strategy::RunPerThread | Strategy::RowPerGroup => Some(self.sorted(gpu, plan, index, slot)?),
        })
    }

    /// The sorted entries, which [`sort_entries`] makes where they are not there yet.
    pub(crate) fn sorted(
        &self,
        gpu: &Rc<Gpu>,
        plan: &Addressing,
        index: &Index,
        slot: u32,
    ) -> Result<Rc<DeviceBuffer>> {
        kept(&self.sorted, || sort_entries(gpu, plan, index, slot))
    }
}

/// The buffer in a cell. If the cell is empty, `make` records the passes that fill a new one.
fn kept(
    cell: &OnceCell<Rc<DeviceBuffer>>,
    make: impl FnOnce() -> Result<DeviceBuffer>,
) -> Result<Rc<DeviceBuffer>> {
    if let Some(kept) = cell.get() {
        return Ok(Rc::clone(kept));
    }
    let made = Rc::new(make()?);
    Ok(Rc::clone(cell.get_or_init(|| made)))
}

/// A word for each row of the table, zero at first.
fn row_words(gpu: &Rc<Gpu>, plan: &Addressing) -> Result<DeviceBuffer> {
    DeviceBuffer::new(gpu, plan.op().name(), "work on index", 4 * plan.table_len() / plan.row().len.max(1))
}

/// Sorts the entries of an index by the row that they name, stably: the rows of all entries, followed by the numbers of the
/// entries. For `run_per_thread.wgsl`, `row_per_group.wgsl` and `scan_runs.wgsl`.
fn sort_entries(gpu: &Rc<Gpu>, plan: &Addressing, index: &Index, slot: u32) -> Result<DeviceBuffer> {
    let entries = plan.entries();
    let mut from = scratch(gpu, plan, 2 * entries)?;
    let mut to = scratch(gpu, plan, 2 * entries)?;
    let counts = scratch(gpu, plan, DIGITS * entries.div_ceil(TILE))?;
    let bindings = Bindings { index: Some(&index.buffer), dst: Some(&from), src: None };
    gpu.dispatch(ShaderKey::words(Pass::Normalise), Rows::new(plan, index, slot), &bindings);
    // Entries that are left out come last: all bits of `DROPPED` are 1, and with one row more counted here, no row has ones in all the
    // bits that are sorted by.
    let dropped = usize::from(index.form == Form::Partial);
    let rows = plan.table_len() / plan.row().len.max(1) + dropped;
    let bits = usize::BITS - rows.saturating_sub(1).leading_zeros();
    // By one digit of four bits at a time, the lowest first. At least once, because the pass of the first digit writes the numbers of
    // the entries.
    for bit in (0..bits.max(1)).step_by(DIGITS.ilog2() as usize) {
        sort_digit(gpu, entries, bit, &from, &counts, &to);
        std::mem::swap(&mut from, &mut to);
    }
    Ok(from)
}

/// Sorts entries by the digit that begins at bit `bit` of their row, from one buffer to another, stably. `counts` is scratch memory for
/// the number of each digit in each tile.
fn sort_digit(
    gpu: &Rc<Gpu>,
    entries: usize,
    bit: u32,
    from: &DeviceBuffer,
    counts: &DeviceBuffer,
    to: &DeviceBuffer,
) {
    // A workgroup for each tile. Nothing here writes to the table, so that no pass has to know whether the call is refused.
    let tiles = entries.div_ceil(TILE);
    let head = Head::new(tiles * WORKGROUP as usize, NEVER_FAILS);
    let params = Digit { head, bit, entry_count: entries as u32, is_first: u32::from(bit == 0) };
    let bindings = Bindings { index: None, dst: Some(counts), src: Some(from) };
    gpu.dispatch(ShaderKey::words(Pass::DigitCount), params, &bindings);
    // One workgroup makes positions of all counts.
    let head = Head::new(WORKGROUP as usize, NEVER_FAILS);
    let scan = DigitScan { head, count: (DIGITS * tiles) as u32 };
    let bindings = Bindings { index: None, dst: Some(counts), src: None };
    gpu.dispatch(ShaderKey::words(Pass::DigitScan), scan, &bindings);
    let bindings = Bindings { index: Some(counts), dst: Some(to), src: Some(from) };
    gpu.dispatch(ShaderKey::words(Pass::DigitScatter), params, &bindings);
}

/// Finds, for every row that the index names, the last entry that names it. The result has a word for each entry: the row if the entry
/// is that one, else `DROPPED`. For `commit.wgsl`.
fn choose_entries(gpu: &Rc<Gpu>, plan: &Addressing, index: &Index, slot: u32) -> Result<DeviceBuffer> {
    let marks = row_words(gpu, plan)?;
    let chosen = scratch(gpu, plan, plan.entries())?;
    let params = Rows::new(plan, index, slot);
    let bindings = Bindings { index: Some(&index.buffer), dst: Some(&marks), src: None };
    gpu.dispatch(ShaderKey::words(Pass::Mark), params, &bindings);
    let bindings = Bindings { index: Some(&index.buffer), dst: Some(&chosen), src: Some(&marks) };
    gpu.dispatch(ShaderKey::words(Pass::Choose), params, &bindings);
    Ok(chosen)
}

/// Counts the entries that name each row: a word for each row of the table. For `apply_counted.wgsl` and `divide_by_counts.wgsl`.
pub(crate) fn count_entries(
    gpu: &Rc<Gpu>,
    plan: &Addressing,
    index: &Index,
    slot: u32,
) -> Result<DeviceBuffer> {
    let counts = row_words(gpu, plan)?;
    let bindings = Bindings { index: Some(&index.buffer), dst: Some(&counts), src: None };
    gpu.dispatch(ShaderKey::words(Pass::Count), Rows::new(plan, index, slot), &bindings);
    Ok(counts)
}
