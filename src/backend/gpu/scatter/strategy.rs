//! Which way a scatter goes: a pure function of the plan, the combination, the source and one limit of the device.
//! It needs no data from the device, so nothing waits for it. Every threshold is in this file.
//!
//! All ways give the same bits. They differ in how much runs in parallel and in how often memory is read. Thresholds are
//! for physical GPUs; software adapters run the same ways and are as correct, which is all that is asked of them.

use crate::backend::gpu::shaders::params::MOST_THREADS;
use crate::plan::{Addressing, Reduce};

/// A way to scatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// One thread per column, which applies its entries in order. For many columns.
    Columns,
    /// Replacement: atomic maxima find the last entry that names a row, and only that entry is written.
    Winner,
    /// For results that do not depend on the order: atomic sums, maxima and minima of integers, OR, AND, and one value stored by all.
    Atomics,
    /// One value for all entries: count the entries of each row, then apply the value that many times.
    CountThenRepeat,
    /// Few entries: one dispatch, whose workgroups link the entries of a row in workgroup memory.
    Small,
    /// Entries are sorted by row, stably; then one thread per row and element applies its run in order.
    RunPerThread,
    /// Sorted too, for few rows: then one workgroup per row loads its updates together, and one thread per element
    /// applies them in order.
    RowPerGroup,
    /// No row is named twice, as a prepared index knows: one thread per entry and element, in any order.
    Distinct,
}

impl Strategy {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Columns,
        Self::Winner,
        Self::Atomics,
        Self::CountThenRepeat,
        Self::Small,
        Self::RunPerThread,
        Self::RowPerGroup,
        Self::Distinct,
    ];
}

/// Rounds of loops that one dispatch runs in a thread. This is a matter of correctness: a thread that ran for seconds
/// would be killed by the system's watchdog, and Mesa's llvmpipe leaves all loops of a thread for good, without an
/// error, after some 32,000 rounds, those of inner loops included (65,535 in its source, where a round counts twice).
/// Dispatches run in order, so longer work is split over several.
pub(crate) const ROUNDS: usize = 1 << 14;

/// Columns from which one thread for each keeps a device busy. An estimate: two threads for each of a desktop
/// GPU's 8,000 lanes.
const COLUMNS: usize = 16 << 10;
/// Entries that `Strategy::Small` takes: its workgroups hold three words for each in 16 KiB.
const SMALL_ENTRIES: usize = 1024;
/// Entries times elements of a row up to which `Strategy::Small` is worth it: each of its workgroups of 256 links all
/// entries again. An estimate.
const SMALL_WORK: usize = 4096;
/// How many entries have to name a row, on average, for a workgroup for each row to be worth its start and its barriers. An estimate: a
/// thread that walks a run alone waits for memory at every entry, some 300 ns; a workgroup of 256 waits twice for 1,024
/// entries, and then adds one every few clock cycles.
const ROW_ENTRIES: usize = 64;
/// Rows for each entry up to which `Strategy::CountThenRepeat` is worth it: its second pass visits every row of the table. An estimate.
const REPEAT_ROWS: usize = 4;
/// Rows that `Strategy::RowPerGroup` takes, with a workgroup for each. An estimate.
const GROUP_ROWS: usize = 1 << 16;

/// What the choice depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    /// Index entries.
    pub(crate) entries: usize,
    /// Rows of the table.
    pub(crate) rows: usize,
    /// Elements of a row.
    pub(crate) row: usize,
    /// Entries that one column has, and so the most that can name one row.
    pub(crate) longest_run: usize,
    /// How an update is combined with the element that is there.
    pub(crate) reduce: Reduce,
    /// Whether all updates are one value.
    pub(crate) is_scalar: bool,
    /// Whether the result does not depend on the order, and atomic operations apply an update.
    pub(crate) is_atomic: bool,
    /// Rounds of loops that one update takes.
    pub(crate) update_rounds: usize,
    /// Whether it is known that no two entries name the same row.
    pub(crate) is_distinct: bool,
    /// Bytes of the largest buffer that a pass can bind.
    pub(crate) binding: u64,
}

impl Request {
    /// Threads that `Strategy::Columns` has.
    fn columns(&self) -> usize {
        (self.entries / self.longest_run.max(1)).saturating_mul(self.row)
    }

    /// Whether a strategy can do the request at all.
    pub(crate) fn allows(&self, strategy: Strategy) -> bool {
        let Self { entries, rows, row, reduce, is_scalar, .. } = *self;
        // Threads are numbered in 32 bits. A buffer of values is within that, but a scalar may go to more elements.
        let numbered = |threads: u64| threads <= MOST_THREADS;
        let updates = (entries as u64).saturating_mul(row as u64);
        let fits = |words: u64| words * 4 <= self.binding;
        let [rows_fit, entries_fit] = [rows, entries].map(|count| fits(count as u64));
        // The rows and the numbers of all entries share a buffer.
        let sorts = fits(2 * entries as u64);
        match strategy {
            // Each column has elements of the table to itself, so that a pass can number all columns.
            Strategy::Columns => true,
            Strategy::Winner => reduce == Reduce::Replace && !is_scalar && rows_fit && entries_fit,
            Strategy::Atomics => self.is_atomic && numbered(updates),
            Strategy::CountThenRepeat => is_scalar && reduce != Reduce::Replace && rows_fit,
            Strategy::Small => {
                // One thread may apply all entries. Half of its rounds are left for linking and decoding them.
                let rounds = entries.saturating_mul(self.update_rounds);
                entries <= SMALL_ENTRIES && rounds <= ROUNDS / 2 && numbered(updates)
            }
            Strategy::RunPerThread => sorts && numbered(updates),
            Strategy::RowPerGroup => {
                // A workgroup of 256 for each row and each 256 elements of it.
                let threads = (rows as u64).saturating_mul(row.div_ceil(256) as u64 * 256);
                rows <= GROUP_ROWS && sorts && numbered(updates) && numbered(threads)
            }
            Strategy::Distinct => self.is_distinct && numbered(updates),
        }
    }

    /// The way that is expected to be the fastest.
    pub(crate) fn choose(&self) -> Strategy {
        // As many threads as there are updates, and none waits for another.
        if self.allows(Strategy::Distinct) {
            return Strategy::Distinct;
        }
        // There are enough columns to keep the device busy, or none has two entries, and a column needs no other pass.
        if self.longest_run <= 1 || self.columns() >= COLUMNS {
            return Strategy::Columns;
        }
        // With few columns, the ways that need no sort come first.
        if self.allows(Strategy::Atomics) {
            return Strategy::Atomics;
        }
        if self.allows(Strategy::CountThenRepeat) && self.rows / REPEAT_ROWS <= self.entries {
            return Strategy::CountThenRepeat;
        }
        if self.entries.saturating_mul(self.row) <= SMALL_WORK && self.allows(Strategy::Small) {
            return Strategy::Small;
        }
        if self.allows(Strategy::Winner) {
            return Strategy::Winner;
        }
        // The strategies that are left sort. A workgroup for each row is worth it only where many entries name a row.
        if self.entries / ROW_ENTRIES >= self.rows && self.allows(Strategy::RowPerGroup) {
            return Strategy::RowPerGroup;
        }
        if self.allows(Strategy::RunPerThread) {
            return Strategy::RunPerThread;
        }
        // Slow with few columns, but it has no limits.
        Strategy::Columns
    }
}

/// The most entries that can name one row: the length of the meeting loop. Two entries that name one row are in different rounds of it,
/// and in the same round of every other loop.
pub(crate) fn longest_run(plan: &Addressing) -> usize {
    plan.meeting_loop().and_then(|at| plan.loops().get(at)).map_or(1, |l| l.len)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request of one column, with rows of one element and values in a buffer.
    fn request(entries: usize, rows: usize, reduce: Reduce) -> Request {
        Request {
            entries,
            rows,
            row: 1,
            longest_run: entries,
            reduce,
            is_scalar: false,
            is_atomic: false,
            update_rounds: 0,
            is_distinct: false,
            binding: 1 << 27,
        }
    }

    #[test]
    fn each_way_is_chosen() {
        for rows in [1, 16, 256, 1 << 14] {
            let long = request(ROW_ENTRIES * rows.max(SMALL_WORK), rows, Reduce::Add);
            assert_eq!(long.choose(), Strategy::RowPerGroup);
            assert_eq!(Request { reduce: Reduce::Replace, ..long }.choose(), Strategy::Winner);
            assert_eq!(Request { is_scalar: true, ..long }.choose(), Strategy::CountThenRepeat);
            assert_eq!(Request { is_atomic: true, ..long }.choose(), Strategy::Atomics);
            assert_eq!(Request { row: COLUMNS, ..long }.choose(), Strategy::Columns);
            assert_eq!(Request { is_distinct: true, ..long }.choose(), Strategy::Distinct);
        }
        assert_eq!(request(SMALL_ENTRIES, 7, Reduce::Add).choose(), Strategy::Small);
        assert_eq!(request(1 << 20, 1 << 20, Reduce::Add).choose(), Strategy::RunPerThread);
        assert_eq!(request(1 << 20, (1 << 14) + 1, Reduce::Add).choose(), Strategy::RunPerThread);
    }

    #[test]
    fn distinct_rows_need_no_order() {
        for &reduce in Reduce::ALL {
            for (entries, rows) in [(1000, 1000), (1 << 20, 1 << 22)] {
                for is_scalar in [false, true] {
                    let unknown = Request { is_scalar, ..request(entries, rows, reduce) };
                    assert_ne!(unknown.choose(), Strategy::Distinct);
                    assert!(!unknown.allows(Strategy::Distinct));
                    assert_eq!(Request { is_distinct: true, ..unknown }.choose(), Strategy::Distinct);
                }
            }
        }
        // More updates than a pass can number.
        let huge = Request { row: 1 << 13, is_distinct: true, ..request(1 << 20, 1 << 20, Reduce::Add) };
        assert_eq!(huge.choose(), Strategy::Columns);
    }
}
