//! Which way a scatter goes: a pure function of the plan, the dtype, the reduction, the source and the adapter.
//! It needs no data from the device, so nothing waits for it. Every threshold is in this file.
//!
//! All ways give the same bits. They differ in how much runs side by side and in how often memory is walked.

use crate::backend::gpu::params::MOST;
use crate::dtype::DType;
use crate::plan::{Addressing, Reduce};

/// A way to scatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// One thread per column, which walks its entries in order. For many columns.
    Columns,
    /// Replace: the largest entry that names a row is found by atomic maxima, then it alone is written.
    Winner,
    /// Where order cannot matter: atomic sums of integers, OR, AND, and one value written by all.
    Atomics,
    /// One value for all entries: they are counted per row, then each row meets the value so often.
    Counted,
    /// Few entries: one dispatch, whose workgroups link the entries of a row in their own memory.
    Small,
    /// Entries sorted by row, stably; then one thread per row and element walks its run in order.
    Sorted,
    /// Sorted too, for few rows: then one workgroup per row brings its updates together, and one thread per element
    /// applies them in order.
    Runs,
    /// At most 16 rows, one number to an entry and one loop: threads deal shares of the entries out to the rows, then
    /// one thread per element of the table collects them in order. No barrier, and no loop but those that run.
    Slots,
    /// No row is named twice, as a prepared index knows: one thread per entry and element, in any order.
    Distinct,
}

impl Strategy {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Columns,
        Self::Winner,
        Self::Atomics,
        Self::Counted,
        Self::Small,
        Self::Sorted,
        Self::Runs,
        Self::Slots,
        Self::Distinct,
    ];
}

/// Rounds of loops that one dispatch runs in a thread. A thread that ran for seconds would be killed by the
/// system's watchdog; and Mesa's llvmpipe leaves all loops of a thread for good, without a word, after some
/// 32,000 rounds, those of inner loops included (65,535 in its source, where a round counts twice). Dispatches
/// run in order, so longer work is split over several.
pub(super) const ROUNDS: usize = 1 << 14;

/// Entries that `Strategy::Small` takes: its workgroups hold three words for each in 16 KiB.
const SMALL_ENTRIES: usize = 1024;

/// Columns from which one thread for each keeps a device busy. An estimate: two threads for each of a desktop
/// GPU's 8,000 lanes. No GPU was at hand to measure.
const COLUMNS: usize = 16 << 10;
/// The same where a handful of CPU threads, each a vector of eight lanes, compute: measured on llvmpipe, where
/// 256 columns and more take half the time of sorting, or less.
const SOFTWARE_COLUMNS: usize = 16;
/// Entries up to which an adapter that computes on the CPU walks one column faster than it marks winners: on
/// llvmpipe 16,384 entries take half the time, and a million about the same.
const SOFTWARE_ENTRIES: usize = 1 << 16;
/// Entries from which llvmpipe sorts faster than it walks, and columns below which: of the time for a walk, sorting takes
/// 0.71, 0.83 and 0.85 for 200,000 entries in 16 columns. For a million in one it takes 0.79, 0.9, 1.13, 1.16 and 1.6,
/// so that only a plan is worth it, with which it takes 0.25 to 0.4 from the second call on (medians of separate runs, on
/// two machines). SwiftShader sorts a million in twice the time of the walk, and never does.
const LLVMPIPE_ENTRIES: usize = 1 << 16;
const LLVMPIPE_COLUMNS: usize = 32;
/// Entries from which such an adapter takes less time for `Strategy::Slots` than for a walk: on llvmpipe 1,024 entries
/// of 16 rows take a third of it, and 65,536 a seventh (least of 40 interleaved runs on a busy machine).
const SOFTWARE_SLOT_ENTRIES: usize = 512;
/// Entries that a row has on average from which a workgroup for each row is worth its start and its barriers. An
/// estimate: a thread that walks a run alone waits for memory at every entry, some 300 ns; a workgroup of 256 waits
/// twice for 1,024 of them, and then adds one every few clock cycles. No GPU was at hand to measure.
const RUN: usize = 64;
/// Entries times elements of a row that `Strategy::Small` is worth it for: each of its workgroups of 256 links all
/// entries anew. An estimate. On llvmpipe it never is, because its loops are slow beside barriers.
const SMALL_WORK: usize = 4096;

/// Rows that `Strategy::Runs` takes: with four million, a workgroup for each takes llvmpipe minutes.
const RUN_ROWS: usize = 1 << 16;
/// Rows that `Strategy::Slots` takes, as `shaders/index/deal.wgsl` counts them.
pub(super) const SLOTS: usize = 16;
/// Elements of such a table: there is a workgroup for every eight.
const SLOT_ELEMENTS: usize = 1 << 16;

/// What the choice depends on.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// Index entries.
    pub entries: usize,
    /// Rows of the table.
    pub rows: usize,
    /// Elements of a row.
    pub row: usize,
    /// Entries that one column has.
    pub steps: usize,
    /// Whether one number names a place, and entries follow each other in one loop.
    pub is_plain: bool,
    /// The table's.
    pub dtype: DType,
    /// How updates meet what is there.
    pub reduce: Reduce,
    /// Whether all updates are one value.
    pub is_scalar: bool,
    /// Whether it is known that no two entries name the same row.
    pub is_distinct: bool,
    /// Whether the order that is found serves later calls too.
    pub is_planned: bool,
}

impl Request {
    /// The facts of a plan.
    pub fn new(plan: &Addressing, dtype: DType, reduce: Reduce, is_scalar: bool) -> Self {
        let row = plan.row().len;
        let meeting = plan.meeting_loop().and_then(|at| plan.loops().get(at));
        Self {
            entries: plan.entries(),
            rows: plan.table_len().checked_div(row).unwrap_or(0),
            row,
            steps: meeting.map_or(1, |l| l.len),
            is_plain: plan.components().len() <= 1 && plan.loops().len() <= 1,
            dtype,
            reduce,
            is_scalar,
            is_distinct: meeting.is_none_or(|l| l.len <= 1),
            is_planned: false,
        }
    }

    /// With an `IndexPlan`, and what that knows of the index values.
    #[must_use]
    pub fn planned(self, is_distinct: bool) -> Self {
        Self { is_planned: true, is_distinct: self.is_distinct || is_distinct, ..self }
    }

    /// Threads that `Strategy::Columns` has.
    fn columns(&self) -> usize {
        (self.entries / self.steps.max(1)) * self.row
    }
}

/// What is known of the adapter.
#[derive(Debug, Clone, Copy)]
pub struct Capabilities {
    /// It computes on the CPU.
    pub software: bool,
    /// It is Mesa's llvmpipe.
    pub llvmpipe: bool,
    /// Bytes that a pass can bind at once.
    pub binding: u64,
}

/// Whether a strategy can do it at all.
pub fn applies(strategy: Strategy, request: &Request, capabilities: &Capabilities) -> bool {
    let Request { reduce, dtype, is_scalar, .. } = *request;
    // With nothing in a row there is nothing to write; columns still reports bad values.
    if request.rows == 0 || request.entries == 0 {
        return strategy == Strategy::Columns;
    }
    // Values of its own are no more than a buffer holds, but a scalar may meet any number of elements.
    let numbered = (request.entries as u64).saturating_mul(request.row as u64) <= MOST;
    let fits = |words: usize| words as u64 * 4 <= capabilities.binding;
    match strategy {
        Strategy::Columns => true,
        Strategy::Winner => {
            reduce == Reduce::Replace && !is_scalar && fits(request.rows) && fits(request.entries)
        }
        Strategy::Atomics => is_atomic(dtype, reduce, is_scalar) && numbered,
        Strategy::Counted => is_scalar && reduce != Reduce::Replace && fits(request.rows),
        Strategy::Small => request.entries <= SMALL_ENTRIES && numbered,
        // Rows and entries share a buffer.
        Strategy::Sorted => fits(2 * request.entries) && numbered,
        // A workgroup for every row.
        Strategy::Runs => {
            let threads = (request.rows as u64).saturating_mul(request.row.div_ceil(256) as u64 * 256);
            request.rows <= RUN_ROWS && fits(2 * request.entries) && numbered && threads <= MOST
        }
        Strategy::Slots => {
            let elements = request.rows.saturating_mul(request.row);
            request.rows <= SLOTS && request.is_plain && numbered && elements <= SLOT_ELEMENTS
        }
        Strategy::Distinct => request.is_distinct && numbered,
    }
}

/// Whether the result is the same in whatever order updates are applied, and one update is one atomic operation.
pub(super) fn is_atomic(dtype: DType, reduce: Reduce, is_scalar: bool) -> bool {
    use DType::{Bool, Int32, Int64, Uint32, Uint64};
    match reduce {
        Reduce::Replace => is_scalar,
        Reduce::Add => matches!(dtype, Bool | Int32 | Uint32 | Int64 | Uint64),
        Reduce::Multiply => dtype == Bool,
    }
}

/// The way that is expected to be the fastest.
pub fn choose(request: &Request, capabilities: &Capabilities) -> Strategy {
    let wanted = prefer(request, capabilities);
    if applies(wanted, request, capabilities) { wanted } else { Strategy::Columns }
}

fn prefer(request: &Request, capabilities: &Capabilities) -> Strategy {
    let can = |strategy| applies(strategy, request, capabilities);
    let (columns, entries, small) = if capabilities.software {
        (SOFTWARE_COLUMNS, SOFTWARE_ENTRIES, 0)
    } else {
        (COLUMNS, 1, SMALL_WORK)
    };
    // As many threads as there are updates, and each waits for nothing.
    if can(Strategy::Distinct) {
        return Strategy::Distinct;
    }
    if request.steps <= 1 {
        return Strategy::Columns;
    }
    if capabilities.llvmpipe && is_sorted_fast(request) && can(Strategy::Sorted) && !can(Strategy::Slots) {
        return Strategy::Sorted;
    }
    if request.columns() >= columns {
        return Strategy::Columns;
    }
    if can(Strategy::Atomics) {
        return Strategy::Atomics;
    }
    // It visits the whole table.
    if can(Strategy::Counted) && request.rows <= 4 * request.entries {
        return Strategy::Counted;
    }
    if request.entries * request.row <= small && can(Strategy::Small) {
        return Strategy::Small;
    }
    if capabilities.software && request.entries >= SOFTWARE_SLOT_ENTRIES && can(Strategy::Slots) {
        return Strategy::Slots;
    }
    if request.entries < entries {
        return Strategy::Columns;
    }
    if can(Strategy::Winner) {
        return Strategy::Winner;
    }
    if capabilities.software {
        return Strategy::Columns;
    }
    if request.entries / RUN >= request.rows && can(Strategy::Runs) {
        Strategy::Runs
    } else {
        Strategy::Sorted
    }
}

/// Whether llvmpipe sorts this faster than it walks, and has no way that is faster still.
fn is_sorted_fast(request: &Request) -> bool {
    let Request { entries, reduce, dtype, is_scalar, is_planned, .. } = *request;
    let is_added = reduce != Reduce::Replace && !is_scalar && !is_atomic(dtype, reduce, is_scalar);
    let few = if is_planned { 1 } else { 2 };
    is_added && entries >= LLVMPIPE_ENTRIES && (few..LLVMPIPE_COLUMNS).contains(&request.columns())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(entries: usize, rows: usize, reduce: Reduce) -> Request {
        let dtype = DType::Float32;
        Request {
            is_plain: true,
            entries,
            rows,
            row: 1,
            steps: entries,
            dtype,
            reduce,
            is_scalar: false,
            is_distinct: false,
            is_planned: false,
        }
    }

    #[test]
    fn few_rows_are_met_by_many_threads() {
        let capabilities = |software| Capabilities { software, llvmpipe: false, binding: 1 << 27 };
        let way = |software, request: Request| choose(&request, &capabilities(software));
        for entries in [SOFTWARE_SLOT_ENTRIES, 1 << 20, 1 << 22] {
            for reduce in [Reduce::Replace, Reduce::Add, Reduce::Multiply] {
                let few = request(entries, SLOTS, reduce);
                assert_eq!(way(true, few), Strategy::Slots);
                assert_ne!(way(true, Request { rows: SLOTS + 1, ..few }), Strategy::Slots);
                assert_ne!(way(true, Request { is_plain: false, ..few }), Strategy::Slots);
                assert_eq!(way(true, Request { row: SOFTWARE_COLUMNS, ..few }), Strategy::Columns);
                assert_eq!(way(true, few.planned(true)), Strategy::Distinct);
            }
        }
        assert_eq!(way(true, request(SOFTWARE_SLOT_ENTRIES - 1, SLOTS, Reduce::Add)), Strategy::Columns);
        for rows in [1, SLOTS, 256, 1 << 14] {
            let long = request(RUN * rows.max(SMALL_WORK), rows, Reduce::Add);
            assert_eq!(way(false, long), Strategy::Runs);
            assert_eq!(way(false, Request { reduce: Reduce::Replace, ..long }), Strategy::Winner);
            let is_scalar = true;
            assert_eq!(way(false, Request { is_scalar, ..long }), Strategy::Counted);
        }
        assert_eq!(way(false, request(1 << 20, 1 << 20, Reduce::Add)), Strategy::Sorted);
        assert_eq!(way(false, request(1 << 20, (1 << 14) + 1, Reduce::Add)), Strategy::Sorted);
    }

    #[test]
    fn llvmpipe_sorts_several_long_columns() {
        let way = |llvmpipe, request: Request| {
            choose(&request, &Capabilities { software: true, llvmpipe, binding: 1 << 27 })
        };
        let long = request(LLVMPIPE_ENTRIES, LLVMPIPE_ENTRIES, Reduce::Add);
        for row in [2, 16, LLVMPIPE_COLUMNS - 1] {
            assert_eq!(way(true, Request { row, ..long }), Strategy::Sorted);
            assert_eq!(way(false, Request { row, ..long }), Strategy::Columns);
        }
        assert_eq!(way(true, long), Strategy::Columns);
        assert_eq!(way(true, long.planned(false)), Strategy::Sorted);
        assert_eq!(way(false, long.planned(false)), Strategy::Columns);
        assert_eq!(way(true, Request { row: LLVMPIPE_COLUMNS, ..long }), Strategy::Columns);
        assert_eq!(way(true, Request { entries: 1000, steps: 1000, ..long }), Strategy::Columns);
        assert_eq!(way(true, Request { rows: SLOTS, ..long }), Strategy::Slots);
        assert_eq!(way(true, Request { dtype: DType::Int32, ..long }), Strategy::Atomics);
        assert_ne!(way(true, Request { reduce: Reduce::Replace, ..long }), Strategy::Sorted);
    }

    #[test]
    fn what_meets_nobody_waits_for_nobody() {
        for software in [false, true] {
            let capabilities = Capabilities { software, llvmpipe: false, binding: 1 << 27 };
            for reduce in [Reduce::Replace, Reduce::Add, Reduce::Multiply] {
                for (entries, rows) in [(1000, 1000), (1 << 20, 1 << 22)] {
                    for is_scalar in [false, true] {
                        let meeting = Request { is_scalar, ..request(entries, rows, reduce) };
                        let apart = meeting.planned(true);
                        assert_ne!(choose(&meeting, &capabilities), Strategy::Distinct);
                        assert!(!applies(Strategy::Distinct, &meeting, &capabilities));
                        assert_eq!(choose(&apart, &capabilities), Strategy::Distinct);
                        assert!(apart.planned(false).is_distinct, "what is known stays known");
                    }
                }
            }
            // More updates than a pass has numbers for.
            let huge = Request { row: 1 << 13, ..request(1 << 20, 1 << 20, Reduce::Add) };
            assert_eq!(choose(&huge.planned(true), &capabilities), Strategy::Columns);
        }
    }
}
