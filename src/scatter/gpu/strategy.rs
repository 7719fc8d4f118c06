//! Chooses the strategy of a scatter: a pure function of the plan, the combination, the source and one limit of the device. The choice
//! needs no data from the device, so nothing waits. Every threshold is in this file.
//!
//! All strategies give the same bits. They differ in parallelism and in memory reads. The thresholds are for physical GPUs. Software
//! adapters use the same strategies, correctly but not at their best speed.

use crate::engine::gpu::{MOST_THREADS, ROUNDS, WithoutOrder};
use crate::plan::Reduce;

/// A strategy of a scatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// One thread per column, which applies its entries in order. For many columns.
    Columns,
    /// Replacement: atomic maxima find the last entry that names a row, and only this entry is written.
    Winner,
    /// Results that do not depend on the order: atomic sums of integers, maxima and minima of integers and float32, OR, AND, and one scalar
    /// stored by all.
    Atomics,
    /// One scalar for all entries, but not in products of floats or quotients: count the entries of each row, then apply the scalar that
    /// many times.
    CountThenRepeat,
    /// Few entries: one dispatch. Its workgroups link the entries of a row in workgroup memory.
    Small,
    /// Sort the entries by row, stably; then one thread per row and element applies its run in order.
    RunPerThread,
    /// The same sort, for few rows: then one workgroup per row loads its updates together, and one thread per element applies them in
    /// order.
    RowPerGroup,
    /// A prepared index that names no row twice: one thread per entry and element, in any order.
    Distinct,
    /// Maxima and minima of other dtypes than those of `Atomics`: atomic maxima of keys, which are integers in the same order, in scratch
    /// memory; then one thread per element of the table.
    Keys,
    /// Link the entries of each row, in any order; then one thread per element of the table sorts its list by parts, and applies it. Longer
    /// lists have a workgroup.
    Lists,
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
        Self::Keys,
        Self::Lists,
    ];
}

/// The fewest columns that keep a device busy with one thread each. An estimate: two threads for each of a desktop GPU's 8,000 lanes.
const COLUMNS: usize = 16 << 10;
/// Most entries of `Strategy::Small`: its workgroups hold three words per entry in 16 KiB.
const SMALL_ENTRIES: usize = 1024;
/// Most entries of a column for `Strategy::Columns` where another strategy would sort. A thread waits 300 to 400 ns for memory at every
/// entry, and the dispatches of a sort took 250 µs and more on an NVIDIA H200 in Chromium, however few the entries.
const SHORT_COLUMN: usize = 64;
/// Most entries times elements of a row for `Strategy::Small`: each workgroup of 256 links all entries again. On the H200 it took 0.15 of
/// the time of a sort up to 65,536. This is less, because most adapters are smaller.
const SMALL_WORK: usize = 16 << 10;
/// The fewest entries per row, on average, for `Strategy::RowPerGroup`: they repay a workgroup's start and its barriers. A thread alone
/// waits for memory at every entry. A workgroup of 256 waits twice for 1,024 entries, then adds one every few clock cycles. On the H200
/// both took as long from 64 to 256 entries, and the workgroup 0.7 of the time with 1,024.
const ROW_ENTRIES: usize = 256;
/// Most rows per entry for the strategies whose scratch memory grows with the table, and whose last pass visits all of it. Two software
/// adapters gain up to 16, and the H200 beyond 64.
const REPEAT_ROWS: usize = 16;
/// Most entries of the lists that have one thread, as in `shaders/scatter/lists.wgsl`. Longer ones have a workgroup.
pub(crate) const SHORT: usize = 32;
/// Most entries of the lists that this workgroup applies, as in the same file. It looks at all entries for longer ones.
pub(crate) const MEDIUM: usize = 1024;
/// Most elements of a row for `Strategy::Lists`, because a thread for each of them traverses the list of their row. An estimate.
const LISTED_ROW: usize = 4;
/// Most entries per row, on average, for `Strategy::Lists`. Up to eight of a row take one traversal of its list. An estimate.
const LISTED_ENTRIES: usize = 4;
/// Most looks at entries that `Strategy::Lists` may take if all lists are long: a workgroup looks at all entries for each element of the row of
/// a list with more than `MEDIUM`. An estimate.
const MOST_LOOKS: u64 = 1 << 30;
/// Most rows for `Strategy::RowPerGroup`, with a workgroup for each. An estimate.
const GROUP_ROWS: usize = 1 << 16;

/// The fewest elements of a row for a sparse product by a kept order, if the scatter of its rows would not sort. On software adapters such
/// a product took 0.2 to 0.5 of the other calls' time with rows of 4 elements, and 3.3 to 3.8 of it with 1.
const SPARSE_ROW: usize = 4;
/// Most entries that name a row of such a product, on average. On the H200 it took 0.06 and 0.35 of the other calls' time with about one, but
/// 0.38 to 3.5 with 21, and 4.5 and 17 if one row had 6 % of the entries.
const SPARSE_ENTRIES: usize = 4;
/// Most entries of a row, on average, that a thread of a sparse product traverses where threads are few. An estimate.
const MOST_WALKED: usize = 64;

/// Most bytes of the accumulators of an exact sum: a larger table is added in tiles.
pub(crate) const EXACT_BYTES: usize = 64 << 20;
/// If a table has more than so many times the slots that entries name at most, exact sums get memory for these slots only.
const EXACT_COMPACTED: usize = 16;
/// Most copies of the accumulators of a small table, and most accumulators of all copies. Contended atomic operations follow each other;
/// merging a copy takes an operation for each of its words. An estimate.
const EXACT_COPIES: usize = 64;
const EXACT_COPIED: usize = 1 << 14;

/// Whether the slots that `updates` terms name should be numbered, so that the cost does not grow with the table.
pub(crate) fn is_compacted(updates: usize, slots: usize) -> bool {
    slots / EXACT_COMPACTED > updates
}

/// How many copies of `slots` accumulators `updates` terms are spread over, a power of two.
pub(crate) fn exact_copies(updates: usize, slots: usize) -> usize {
    // Each copy of a slot should get some terms.
    let most = (EXACT_COPIED / slots.max(1)).min(updates / 16 / slots.max(1)).clamp(1, EXACT_COPIES);
    1 << most.ilog2()
}

/// The facts that decide the choice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    /// Index entries.
    pub(crate) entries: usize,
    /// Rows of the table.
    pub(crate) rows: usize,
    /// Elements of a row.
    pub(crate) row: usize,
    /// Entries of one column, and so the most entries that can name one row.
    pub(crate) longest_run: usize,
    /// How an update is combined with the old element.
    pub(crate) reduce: Reduce,
    /// Whether all updates are one scalar.
    pub(crate) is_scalar: bool,
    /// Whether a shader applies such a scalar many times.
    pub(crate) repeats: bool,
    /// How updates are applied if the result does not depend on the order.
    pub(crate) without_order: WithoutOrder,
    /// Words of an element, at least one.
    pub(crate) words: usize,
    /// Rounds of loops per update.
    pub(crate) update_rounds: usize,
    /// Whether it is known that no two entries name the same row.
    pub(crate) is_distinct: bool,
    /// Whether later calls use the order of the entries again. They save the sort.
    pub(crate) keeps_order: bool,
    /// Bytes of the largest buffer that a pass can bind.
    pub(crate) binding: u64,
}

impl Request {
    /// Threads of `Strategy::Columns`.
    fn columns(&self) -> usize {
        (self.entries / self.longest_run.max(1)).saturating_mul(self.row)
    }

    /// Whether a strategy can do the request at all.
    pub(crate) fn allows(&self, strategy: Strategy) -> bool {
        let Self { entries, rows, row, reduce, is_scalar, .. } = *self;
        // Threads have 32-bit numbers. A buffer of values fits that limit, but a scalar may go to more elements.
        let numbered = |threads: u64| threads <= MOST_THREADS;
        let updates = (entries as u64).saturating_mul(row as u64);
        let elements = (rows as u64).saturating_mul(row as u64);
        let fits = |words: u64| words.saturating_mul(4) <= self.binding;
        let rows_fit = fits(rows as u64);
        // The rows and the numbers of all entries share a buffer.
        let sorts = fits(2 * entries as u64);
        match strategy {
            // No two columns share an element of the table, so a pass can number all columns.
            Strategy::Columns => true,
            Strategy::Winner => reduce == Reduce::Replace && !is_scalar && rows_fit,
            Strategy::Atomics => self.without_order == WithoutOrder::Atomics && numbered(updates),
            Strategy::Keys => {
                let fits = fits(elements.saturating_mul(self.words as u64)) && numbered(elements);
                self.without_order == WithoutOrder::Keys && fits && numbered(updates)
            }
            Strategy::CountThenRepeat => is_scalar && self.repeats && rows_fit,
            Strategy::Small => {
                // One thread may apply all entries. Half of its rounds are left to link and decode them.
                let rounds = entries.saturating_mul(self.update_rounds);
                entries <= SMALL_ENTRIES && rounds <= ROUNDS / 2 && numbered(updates)
            }
            Strategy::RunPerThread => sorts && numbered(updates),
            Strategy::RowPerGroup => {
                // A workgroup of 256 per row and 256 elements of it.
                let threads = (rows as u64).saturating_mul(row.div_ceil(256) as u64 * 256);
                rows <= GROUP_ROWS && sorts && numbered(updates) && numbered(threads)
            }
            Strategy::Distinct => self.is_distinct && numbered(updates),
            Strategy::Lists => {
                // The most lists of more than `SHORT` entries, each with a workgroup.
                let threads = (updates / SHORT as u64).saturating_mul(256);
                fits(rows as u64 + entries as u64) && numbered(updates.max(elements).max(threads))
            }
        }
    }

    /// Whether lists are expected to take less than a sort.
    fn is_listed(&self) -> bool {
        let long = (self.entries / (MEDIUM + 1)) as u64;
        let looks = long.saturating_mul(self.entries as u64).saturating_mul(self.row as u64);
        let are_few = looks <= MOST_LOOKS && self.entries / LISTED_ENTRIES <= self.rows;
        are_few && self.row <= LISTED_ROW && !self.keeps_order
    }

    /// The strategy with the best expected time.
    pub(crate) fn choose(&self) -> Strategy {
        // A thread per update, and none waits for another.
        if self.allows(Strategy::Distinct) {
            return Strategy::Distinct;
        }
        // Enough columns keep the device busy, or no column has two entries; and a column needs no other pass.
        if self.longest_run <= 1 || self.columns() >= COLUMNS {
            return Strategy::Columns;
        }
        // With few columns, prefer the strategies without a sort.
        if self.allows(Strategy::Atomics) {
            return Strategy::Atomics;
        }
        let is_small_table = self.rows / REPEAT_ROWS <= self.entries;
        if self.allows(Strategy::CountThenRepeat) && is_small_table {
            return Strategy::CountThenRepeat;
        }
        if self.entries.saturating_mul(self.row) <= SMALL_WORK && self.allows(Strategy::Small) {
            return Strategy::Small;
        }
        if self.allows(Strategy::Winner) {
            return Strategy::Winner;
        }
        if self.allows(Strategy::Keys) && is_small_table {
            return Strategy::Keys;
        }
        // A traversal of few entries repays neither a sort nor lists.
        if self.longest_run <= SHORT_COLUMN {
            return Strategy::Columns;
        }
        if self.is_listed() && is_small_table && self.allows(Strategy::Lists) {
            return Strategy::Lists;
        }
        // A workgroup per row needs many entries per row.
        if self.entries / ROW_ENTRIES >= self.rows && self.allows(Strategy::RowPerGroup) {
            return Strategy::RowPerGroup;
        }
        if self.allows(Strategy::RunPerThread) {
            return Strategy::RunPerThread;
        }
        // Slow with few columns, but without limits.
        Strategy::Columns
    }
}

/// Whether a sparse product traverses its sorted entries, with a thread for each element of the result, instead of a gather, a product and
/// this scatter of their rows.
pub(crate) fn traverses_rows(scatter: &Request) -> bool {
    let Request { entries, rows, row, keeps_order, .. } = *scatter;
    // Few threads must not traverse many entries each.
    let is_busy = rows.saturating_mul(row) >= COLUMNS || entries / MOST_WALKED < rows;
    let sorts = matches!(scatter.choose(), Strategy::RunPerThread | Strategy::RowPerGroup);
    let is_short = row >= SPARSE_ROW && entries / SPARSE_ENTRIES <= rows;
    is_busy && (sorts || (keeps_order && is_short))
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
            repeats: reduce != Reduce::Replace,
            without_order: WithoutOrder::No,
            words: 1,
            update_rounds: 0,
            is_distinct: false,
            keeps_order: false,
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
            for (without_order, way) in
                [(WithoutOrder::Atomics, Strategy::Atomics), (WithoutOrder::Keys, Strategy::Keys)]
            {
                assert_eq!(Request { without_order, ..long }.choose(), way);
                // A table that is much larger than the index is not visited as a whole.
                let large = Request { rows: 1 << 23, entries: 1 << 18, ..long };
                let is_atomic = without_order == WithoutOrder::Atomics;
                let way = if is_atomic { way } else { Strategy::RunPerThread };
                assert_eq!(Request { without_order, ..large }.choose(), way);
            }
            assert_eq!(Request { row: COLUMNS, ..long }.choose(), Strategy::Columns);
            assert_eq!(Request { is_distinct: true, ..long }.choose(), Strategy::Distinct);
        }
        assert_eq!(request(SMALL_ENTRIES, 7, Reduce::Add).choose(), Strategy::Small);
        // Columns of few entries are traversed, however few they are.
        let short = Request { longest_run: SHORT_COLUMN, ..request(1 << 14, 64, Reduce::Add) };
        assert_eq!(short.choose(), Strategy::Columns);
        assert_eq!(Request { longest_run: SHORT_COLUMN + 1, ..short }.choose(), Strategy::RowPerGroup);
        // A sort takes more than lists, unless later calls use its order, or rows are long or have many entries.
        let listed = request(1 << 20, 1 << 20, Reduce::Add);
        assert_eq!(listed.choose(), Strategy::Lists);
        for other in [
            Request { keeps_order: true, ..listed },
            Request { row: LISTED_ROW + 1, ..listed },
            request(1 << 20, (1 << 18) - 1, Reduce::Add),
            request(1 << 20, 1 << 25, Reduce::Add),
            Request { row: 2, ..listed },
            request((1 << 20) + MEDIUM + 1, 1 << 21, Reduce::Add),
        ] {
            assert_eq!(other.choose(), Strategy::RunPerThread);
        }
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
