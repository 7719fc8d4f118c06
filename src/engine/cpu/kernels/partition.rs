//! Scatters whose updates may collide, divided all the same: partitioned by destination, or with privatised copies of the table.

use std::marker::PhantomData;
use std::num::NonZero;
use std::ops::Range;

use crate::engine::cpu::kernels::{
    CheckResult, GROUP, IndexedLoop, Job, Loops, Output, Rounds, RowUpdates, cut, elements, rely_on,
};
use crate::plan::Addressing;

/// The entries of an index, divided by ranges of positions. Within a range they keep their order.
#[derive(Clone, Copy)]
pub(crate) struct Partition<'a> {
    /// Where the entries of each range begin; then their number.
    starts: &'a [u32],
    /// The number of each entry in the index, and its position.
    entries: &'a [u32],
    positions: &'a [u32],
}

impl<'a> Partition<'a> {
    /// # Safety
    /// The starts must not decrease. Each entry must be one of the index, each position a checked one. No position may be in two ranges.
    pub(crate) unsafe fn new(starts: &'a [u32], entries: &'a [u32], positions: &'a [u32]) -> Self {
        rely_on(entries.len() == positions.len());
        Self { starts, entries, positions }
    }
}

/// A scatter of single elements by a partition: `slot = combine(slot, value)` for each entry. Its items are the ranges, which have no slot
/// in common. A slot gets its updates in the order of the index.
#[derive(Clone, Copy)]
pub(crate) struct ByDestination<'a> {
    loops: &'static Loops,
    table: *mut u8,
    values: *const u8,
    /// The loop for values that follow each other in the order of the index; `None` if there is a single value.
    indexed: Option<IndexedLoop>,
    partition: Partition<'a>,
}

impl<'a> ByDestination<'a> {
    /// The partition is that of the plan's index. A single value must be in memory [`GROUP`] times. `None` if there is no loop for such elements,
    /// of other sizes or in rows: copies of their values would take as long as threads gain.
    pub(crate) fn new(
        loops: &'static Loops,
        table: Output<'a>,
        plan: &Addressing,
        values: &'a [u8],
        partition: Partition<'a>,
    ) -> Option<Self> {
        let [only] = plan.loops() else { return None };
        let indexed = match (plan.row().len, plan.slot_stride(), only.value_stride) {
            (1, 1, 0) => None,
            (1, 1, 1) => Some(loops.combine_indexed?),
            _ => return None,
        };
        let count = if plan.value_len() == 1 { GROUP } else { plan.value_len() };
        let (table, values) =
            (table.elements(plan.table_len(), loops.size), elements(values, count, loops.size));
        Some(Self { loops, table, values, indexed, partition })
    }
}

impl Job for ByDestination<'_> {
    fn len(&self) -> usize {
        self.partition.starts.len().saturating_sub(1)
    }

    fn work(&self) -> usize {
        self.partition.entries.len()
    }

    #[inline(never)]
    fn run(&self, ranges: Range<usize>) -> CheckResult {
        let Range { start, end } = cut(ranges, self.len());
        let edge = |range: usize| self.partition.starts.get(range).map_or(0, |&start| start as usize);
        // The entries of neighbouring ranges follow each other.
        let own = edge(start)..edge(end);
        let entries = self.partition.entries.get(own.clone()).unwrap_or_default();
        let positions = self.partition.positions.get(own).unwrap_or_default();
        // SAFETY: the plan has a value for each entry of the index, or a single one, and the table an element for each position.
        unsafe {
            match self.indexed {
                Some(combine_indexed) => combine_indexed(self.table, self.values, positions, entries),
                None => self.loops.combine_entries(self.table, self.values, &Rounds::single(positions, 0)),
            }
        }
        CheckResult::NOTHING
    }
}

/// Work on a table whose results are the same in any order, so that it may be done in parts, each on a table of its own.
pub(crate) trait AnyOrder: Copy {
    fn items(&self) -> usize;

    fn work_of_all(&self) -> usize {
        self.items()
    }

    /// Does the work of some items on a table.
    ///
    /// # Safety
    /// The table must be as long as the work's own, and belong to nobody else.
    unsafe fn add_to(&self, table: *mut u8, items: Range<usize>) -> CheckResult;
}

/// Work in parts: its items. Each part has a table, which begins with neutral elements.
#[derive(Clone, Copy)]
pub(crate) struct Privatised<'a, W> {
    work: W,
    tables: *mut u8,
    table_bytes: usize,
    parts: NonZero<usize>,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a, W: AnyOrder> Privatised<'a, W> {
    /// # Safety
    /// `table_bytes` must be the length of the work's own table, or more.
    pub(crate) unsafe fn new(work: W, tables: Output<'a>, table_bytes: usize, parts: NonZero<usize>) -> Self {
        let tables = tables.elements(table_bytes.saturating_mul(parts.get()), 1);
        Self { work, tables, table_bytes, parts, borrowed: PhantomData }
    }
}

impl<W: AnyOrder> Job for Privatised<'_, W> {
    fn len(&self) -> usize {
        self.parts.get()
    }

    fn work(&self) -> usize {
        self.work.work_of_all()
    }

    #[inline(never)]
    fn run(&self, parts: Range<usize>) -> CheckResult {
        let mut check_result = CheckResult::NOTHING;
        let edge = |part: usize| (self.work.items() as u64 * part as u64 / self.parts_wide()) as usize;
        for part in cut(parts, self.len()) {
            // SAFETY: `new` has checked that there is a table for each part, and no other part has it.
            let own = unsafe {
                self.work.add_to(self.tables.add(part * self.table_bytes), edge(part)..edge(part + 1))
            };
            check_result = check_result.and(own);
        }
        check_result
    }
}

impl<W> Privatised<'_, W> {
    /// The number of parts, as the divisor of 64 bits.
    fn parts_wide(&self) -> NonZero<u64> {
        NonZero::new(self.parts.get() as u64).unwrap_or(NonZero::<u64>::MIN)
    }
}

/// Combines each element of a table with that of another one of `len` elements.
pub(crate) fn merge(loops: &Loops, table: Output<'_>, other: &[u8], len: usize) {
    let (table, other) = (table.elements(len, loops.size), elements(other, len, loops.size));
    // SAFETY: both have `len` elements, as one row.
    unsafe { loops.combine_rows(table, table, other, &RowUpdates::single(len, 1)) };
}
