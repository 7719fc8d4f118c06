//! Sorts, groups of equal elements and searches.
//!
//! The radix sort of a scatter's entries (`scatter/gpu/order.rs`) sorts the entries by words of 32 bits, the lowest first: the words of the
//! elements' keys, then the numbers of the rows. So it sorts all rows at once.

use std::rc::Rc;

use crate::engine::gpu::shaders::pass::{
    DigitScan, GroupEnds, GroupRanks, Search, SearchKeys, SortKeys, SortPlaces,
};
use crate::engine::gpu::{DeviceBuffer, ElementOrder, Fault, Format, Gpu, Pass};
use crate::engine::{GroupCount, Groups};
use crate::scatter::gpu::order::{Sort, TILE};
use crate::sort::backend::SortBackend;
use crate::sort::plan::{SearchPlan, SortPlan};
use crate::{DType, Error, Result};

/// The number of rows, as a word of the sort: `ROW` of `shaders/sort/sort_keys.wgsl`.
const ROW: u32 = 2;

/// The most edges for each element of a search for which keys of edges are made first. A key takes about as long as an element's comparison with one edge
/// that has none.
const EDGES_PER_ELEMENT: usize = 8;

/// The results that `shaders/sort/group_ends.wgsl` writes.
#[derive(Clone, Copy)]
enum GroupResult {
    Inverse,
    Index,
    Begins,
    Counts,
    Count,
}

impl SortBackend for Rc<Gpu> {
    fn argsort(&self, plan: &SortPlan, data: &DeviceBuffer) -> Result<DeviceBuffer> {
        let (op, [before, len, after]) = (plan.op().name(), plan.sizes());
        if plan.len() == 0 || len == 1 {
            return DeviceBuffer::new(self, op, "the result", plan.len() * size_of::<i64>());
        }
        let mut sort = self.sorted(plan, data)?;
        let rows = before * after;
        if rows > 1 {
            sort.rewrite(|from, to| self.write_keys(plan, data, ROW, Some(from), to));
            sort.by_bits(usize::BITS - (rows - 1).leading_zeros(), false);
        }
        let out = DeviceBuffer::unfilled(self, op, "the result", plan.len() * size_of::<i64>())?;
        let params = SortPlaces { len: len as u32, after: after as u32 };
        self.pass(Pass::SortPlaces, &params).dst(&out).src(&sort.from).record(plan.len());
        Ok(out)
    }

    fn groups(&self, plan: &SortPlan, data: &DeviceBuffer) -> Result<Groups<DeviceBuffer>> {
        let (op, len) = (plan.op().name(), plan.len());
        let integers = |count: usize| DeviceBuffer::new(self, op, "the result", count * size_of::<i64>());
        if len == 0 {
            let [index, inverse, counts] = [integers(0)?, integers(0)?, integers(0)?];
            return Ok(Groups { index, inverse, counts, count: GroupCount::Known(0) });
        }
        let sorted = self.sorted(plan, data)?.from;
        // The number of groups that begin in each tile, then the rank of each entry among those of its tile, counted from 1.
        let tiles = len.div_ceil(TILE);
        let ranks = DeviceBuffer::unfilled(self, op, "work on the order", 4 * (tiles + len))?;
        let params = GroupRanks {
            order: ElementOrder::of(plan.dtype(), plan.is_descending()),
            entry_count: len as u32,
        };
        let pass = self.pass(Pass::GroupRanks, &params).index(&sorted).dst(&ranks).src(data);
        pass.record_groups(tiles);
        self.pass(Pass::DigitScan, &DigitScan { count: tiles as u32 }).dst(&ranks).record_groups(1);
        let write = |result: GroupResult, index: &DeviceBuffer, count: usize| {
            let out = integers(count)?;
            let params = GroupEnds { entry_count: len as u32, result: result as u32 };
            self.pass(Pass::GroupEnds, &params).index(index).dst(&out).src(&ranks).record(len);
            Ok(out)
        };
        let begins = write(GroupResult::Begins, &sorted, len)?;
        Ok(Groups {
            inverse: write(GroupResult::Inverse, &sorted, len)?,
            index: write(GroupResult::Index, &sorted, len)?,
            counts: write(GroupResult::Counts, &begins, len)?,
            count: GroupCount::Unread(write(GroupResult::Count, &sorted, 1)?),
        })
    }

    fn search(&self, plan: &SearchPlan, edges: &DeviceBuffer, x: &DeviceBuffer) -> Result<DeviceBuffer> {
        let op = SearchPlan::OP.name();
        let out = DeviceBuffer::unfilled(self, op, "the result", plan.len() * size_of::<i64>())?;
        let count = plan.edge_count() as u32;
        let step = count.checked_ilog2().map_or(0, |log| 1 << log);
        let params = Search {
            edge: Format::of(plan.edges_dtype()),
            element: Format::of(plan.dtype()),
            edge_count: count,
            step,
            is_right: plan.is_right().into(),
        };
        if count > 1 && !plan.is_checked() {
            let slot = self.take_slot(unsorted(plan.clone()));
            self.pass(Pass::SearchCheck, &params).slot(slot).index(edges).record_check(plan.edge_count());
        }
        if plan.len() == 0 {
            return Ok(out);
        }
        let rounds = count.checked_ilog2().map_or(1, |log| log as usize + 1);
        let has_keys = plan.dtype() == plan.edges_dtype() && plan.dtype().size() <= 4;
        if has_keys && count > 0 && plan.edge_count() <= EDGES_PER_ELEMENT * plan.len() {
            let keys = DeviceBuffer::unfilled(self, op, "work on the edges", 4 * plan.edge_count())?;
            let order = ElementOrder::of(plan.dtype(), false);
            let flip = if plan.is_right() { u32::MAX } else { 0 };
            let params = SearchKeys { order, edge_count: count, step, flip };
            self.pass(Pass::SearchKeys, &params).dst(&keys).src(edges).record(plan.edge_count());
            let pass = self.pass(Pass::SearchByKeys, &params).index(&keys).dst(&out).src(x);
            pass.rounds(rounds).record(plan.len());
        } else {
            let pass = self.pass(Pass::Search, &params).index(edges).dst(&out).src(x);
            pass.rounds(rounds).record(plan.len());
        }
        Ok(out)
    }
}

impl Gpu {
    /// The elements, at least one, sorted by their keys alone.
    fn sorted(self: &Rc<Self>, plan: &SortPlan, data: &DeviceBuffer) -> Result<Sort<'_>> {
        let bits = if plan.dtype() == DType::Bool { 1 } else { 8 * plan.dtype().size() as u32 };
        let mut sort = Sort::new(self, plan.op().name(), plan.len())?;
        sort.rewrite(|_, to| self.write_keys(plan, data, 0, None, to));
        sort.by_bits(bits.min(u32::BITS), false);
        if bits > u32::BITS {
            sort.rewrite(|from, to| self.write_keys(plan, data, 1, Some(from), to));
            sort.by_bits(bits - u32::BITS, false);
        }
        Ok(sort)
    }

    /// Writes a word of each entry's key, or the number of its row, and the number of the entry behind it. `entries` has the order of the
    /// entries; `None` for that of the elements.
    fn write_keys(
        self: &Rc<Self>,
        plan: &SortPlan,
        data: &DeviceBuffer,
        word: u32,
        entries: Option<&DeviceBuffer>,
        to: &DeviceBuffer,
    ) {
        let [_, len, after] = plan.sizes();
        let params = SortKeys {
            order: ElementOrder::of(plan.dtype(), plan.is_descending()),
            entry_count: plan.len() as u32,
            word,
            is_first: entries.is_none().into(),
            len: len as u32,
            after: after as u32,
        };
        self.pass(Pass::SortKeys, &params).index(entries).dst(to).src(data).record(plan.len());
    }
}

/// The error for what `shaders/sort/search_check.wgsl` found.
fn unsorted(plan: SearchPlan) -> impl Fn(Fault) -> Option<Error> {
    move |Fault { first, value, .. }| (first != 0).then(|| plan.unsorted(!first as usize, value))
}
