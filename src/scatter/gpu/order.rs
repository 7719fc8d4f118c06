//! Orders of index entries, prepared on the device: sorted, marked or counted.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::Result;
use crate::engine::gpu::shaders::pass::{Digit, DigitScan, Rows};
use crate::engine::gpu::{DeviceBuffer, Gpu, Pass};
use crate::index::gpu::check::scratch;
use crate::index::gpu::{Index, Orders};
use crate::plan::Addressing;
use crate::scatter::gpu::strategy::Strategy;

/// Rows per workgroup of the sort, and the number of values of a digit, as in `shaders/sort/`.
pub(crate) const TILE: usize = 4096;
const DIGITS: usize = 16;

impl Orders {
    /// The buffer that the passes of a strategy read instead of the index; `None` if they read the index itself. A missing order is
    /// recorded now, by passes that check the status slot `slot`. Nothing is written to the table.
    pub(crate) fn get(
        &self,
        gpu: &Rc<Gpu>,
        plan: &Addressing,
        index: &Index,
        slot: u32,
        strategy: Strategy,
    ) -> Result<Option<Rc<DeviceBuffer>>> {
        Ok(match strategy {
            Strategy::Columns | Strategy::Distinct | Strategy::Small => None,
            // These have scratch memory alone: `Traversal::scratch`.
            Strategy::Atomics | Strategy::Keys => None,
            // A count takes a single pass, so its result is not kept.
            Strategy::CountThenRepeat => Some(Rc::new(count_entries(gpu, plan, index, slot)?)),
            Strategy::Lists => Some(Rc::new(link_entries(gpu, plan, index, slot)?)),
            Strategy::Winner => {
                let mark = || over_entries(gpu, plan, index, slot, [Pass::Mark, Pass::MarkQuads]);
                Some(kept(&self.marks, mark)?)
            }
            Strategy::RunPerThread | Strategy::RowPerGroup => Some(self.sorted(gpu, plan, index, slot)?),
        })
    }

    /// The sorted entries. [`sort_entries`] computes them once.
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

/// Stably sorts the entries of an index by their rows. The result has the rows of all entries, then the numbers of the entries. For
/// `run_per_thread.wgsl`, `row_per_group.wgsl` and `scan_runs.wgsl`.
fn sort_entries(gpu: &Rc<Gpu>, plan: &Addressing, index: &Index, slot: u32) -> Result<DeviceBuffer> {
    let entries = plan.entries();
    let from = scratch(gpu, plan, 2 * entries)?;
    let to = scratch(gpu, plan, 2 * entries)?;
    let counts = scratch(gpu, plan, DIGITS * entries.div_ceil(TILE))?;
    let params = Rows::new(plan, index);
    let rows = params.are_positions().then(|| Rc::clone(&index.buffer));
    if rows.is_none() {
        gpu.pass(Pass::Normalise, &params).slot(slot).index(&*index.buffer).dst(&from).record(entries);
    }
    // Skipped entries come last: all bits of `SKIPPED` are 1. One row is added here, so that no real row has ones in all
    // sorted bits.
    let dropped = usize::from(index.drops);
    let most = plan.table_len() / plan.row().len.max(1) + dropped;
    let bits = usize::BITS - most.saturating_sub(1).leading_zeros();
    // At least one pass, because the first digit's pass writes the numbers of the entries.
    let mut sort = Sort { gpu, entries, rows, from, to, counts };
    sort.by_bits(bits.max(1), true);
    Ok(sort.from)
}

/// A stable sort of entries by their rows. Its buffers have the rows of all entries, then the numbers of the entries.
pub(crate) struct Sort<'a> {
    gpu: &'a Rc<Gpu>,
    entries: usize,
    /// The rows of all entries, if no pass has written them to `from`.
    rows: Option<Rc<DeviceBuffer>>,
    /// The entries in their order so far.
    pub(crate) from: DeviceBuffer,
    to: DeviceBuffer,
    counts: DeviceBuffer,
}

impl<'a> Sort<'a> {
    /// A sort of that many entries. No entry is written yet.
    pub(crate) fn new(gpu: &'a Rc<Gpu>, op: &'static str, entries: usize) -> Result<Self> {
        let words = |count: usize| DeviceBuffer::unfilled(gpu, op, "work on the order", 4 * count);
        let (from, to) = (words(2 * entries)?, words(2 * entries)?);
        Ok(Self { gpu, entries, rows: None, from, to, counts: words(DIGITS * entries.div_ceil(TILE))? })
    }

    /// Records a pass that writes the entries anew, from their order so far.
    pub(crate) fn rewrite(&mut self, write: impl FnOnce(&DeviceBuffer, &DeviceBuffer)) {
        write(&self.from, &self.to);
        std::mem::swap(&mut self.from, &mut self.to);
    }

    /// Sorts by the lowest `bits` bits of the rows: one digit of four bits at a time, the lowest first. `is_first`: the numbers of the entries
    /// are not written yet.
    pub(crate) fn by_bits(&mut self, bits: u32, is_first: bool) {
        // A workgroup per tile. No pass of the sort writes to the table, so none checks for a refused call.
        let tiles = self.entries.div_ceil(TILE);
        let scan = DigitScan { count: (DIGITS * tiles) as u32 };
        for bit in (0..bits).step_by(DIGITS.ilog2() as usize) {
            let Self { gpu, rows, from, to, counts, .. } = self;
            let rows = rows.take();
            let src = rows.as_deref().unwrap_or(from);
            let is_first = (is_first && bit == 0).into();
            let params = Digit { bit, entry_count: self.entries as u32, is_first };
            gpu.pass(Pass::DigitCount, &params).dst(&*counts).src(src).record_groups(tiles);
            // One workgroup turns all counts into positions.
            gpu.pass(Pass::DigitScan, &scan).dst(&*counts).record_groups(1);
            gpu.pass(Pass::DigitScatter, &params).index(&*counts).dst(&*to).src(src).record_groups(tiles);
            std::mem::swap(from, to);
        }
    }
}

/// Links the entries of each row. For each entry the one linked before it, then for each row the one linked last; each as 1 + its number, 0
/// for none.
pub(crate) fn link_entries(
    gpu: &Rc<Gpu>,
    plan: &Addressing,
    index: &Index,
    slot: u32,
) -> Result<DeviceBuffer> {
    let words = plan.entries() + plan.table_len() / plan.row().len.max(1);
    let lists = DeviceBuffer::new(gpu, plan.op().name(), "work on index", 4 * words)?;
    let params = Rows::new(plan, index);
    let pass = gpu.pass(Pass::Link, &params).slot(slot);
    pass.index(&*index.buffer).dst(&lists).record(plan.entries());
    Ok(lists)
}

/// Counts the entries that name each row, in a word per row of the table. For `apply_counted.wgsl` and `divide_by_counts.wgsl`.
pub(crate) fn count_entries(
    gpu: &Rc<Gpu>,
    plan: &Addressing,
    index: &Index,
    slot: u32,
) -> Result<DeviceBuffer> {
    over_entries(gpu, plan, index, slot, [Pass::Count, Pass::CountQuads])
}

/// A word for each row of the table, zero at first, which the first pass changes, with a thread per entry, or if it can do the call the
/// second one, with a thread per four entries.
fn over_entries(
    gpu: &Rc<Gpu>,
    plan: &Addressing,
    index: &Index,
    slot: u32,
    [pass, quads]: [Pass; 2],
) -> Result<DeviceBuffer> {
    let rows = plan.table_len() / plan.row().len.max(1);
    let words = DeviceBuffer::new(gpu, plan.op().name(), "work on index", 4 * rows)?;
    let params = Rows::new(plan, index);
    let (pass, params, each) = params.in_quads().map_or((pass, params, 1), |params| (quads, params, 4));
    let pass = gpu.pass(pass, &params).slot(slot).index(&*index.buffer).dst(&words);
    pass.rounds(each).record(plan.entries().div_ceil(each));
    Ok(words)
}
