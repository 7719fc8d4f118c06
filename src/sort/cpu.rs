//! Sorts, distinct elements and searches.

use bytemuck::Pod;

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::Output;
use crate::engine::{GroupCount, Groups};
use crate::plan::Order;
use crate::sort::backend::SortBackend;
use crate::sort::kernels::counting::{self, Counter};
use crate::sort::kernels::groups::{self, Written};
use crate::sort::kernels::keys::NumberKey;
use crate::sort::kernels::radix::Wide;
use crate::sort::kernels::rows::{SortRows, scratch_len};
use crate::sort::kernels::search::{Edges, Search, fill_mixed, fill_same, first_unsorted};
use crate::sort::plan::{SearchPlan, SortPlan};
use crate::{DType, HostBuffer, Result, UninitBuffer, load};

impl SortBackend for Cpu {
    fn argsort(&self, plan: &SortPlan, data: &HostBuffer) -> Result<HostBuffer> {
        let op = plan.op().name();
        let mut scratch = UninitBuffer::new(op, scratch_len(plan) * size_of::<u64>())?;
        let mut out = UninitBuffer::new(op, plan.len() * size_of::<i64>())?;
        let (spare, written) = (Output::uninit(scratch.slots()), Output::uninit(out.slots()));
        self.run(&SortRows::new(plan, data.bytes(), spare, written));
        // SAFETY: the job writes every element.
        Ok(unsafe { out.assume_filled() })
    }

    fn groups(&self, plan: &SortPlan, data: &HostBuffer) -> Result<Groups<HostBuffer>> {
        let (op, size, len) = (plan.op().name(), plan.dtype().size(), plan.len());
        let counted = match size {
            1 => counted::<u8>(plan, data),
            2 => counted::<u16>(plan, data),
            4 => counted::<u32>(plan, data),
            _ => counted::<u64>(plan, data),
        };
        if let Some(groups) = counted? {
            return Ok(groups);
        }
        let mut inverse = integers(op, len)?;
        let mut scratch = HostBuffer::zeroed(op, scratch_len(plan) * size_of::<u64>())?;
        let job = SortRows::new(
            plan,
            data.bytes(),
            Output::new(scratch.bytes_mut()),
            Output::new(inverse.bytes_mut()),
        );
        let is_second = job.one_row();
        let count = match size {
            8 => groups::count(half::<Wide>(&scratch, is_second)),
            _ => groups::count(half::<u64>(&scratch, is_second)),
        };
        let (mut index, mut counts) = (integers(op, count)?, integers(op, count)?);
        let mut out = Written {
            index: index.elements_mut(),
            inverse: inverse.elements_mut(),
            counts: counts.elements_mut(),
        };
        match size {
            8 => groups::write(half::<Wide>(&scratch, is_second), &mut out),
            _ => groups::write(half::<u64>(&scratch, is_second), &mut out),
        }
        Ok(Groups { index, inverse, counts, count: GroupCount::Known(count) })
    }

    fn search(&self, plan: &SearchPlan, edges: &HostBuffer, x: &HostBuffer) -> Result<HostBuffer> {
        let (op, dtype) = (SearchPlan::OP.name(), plan.edges_dtype());
        if !plan.is_checked() {
            self.check_sorted(plan, edges)?;
        }
        let mut out = UninitBuffer::new(op, plan.len() * size_of::<i64>())?;
        let mut search =
            |edges| _ = self.run(&Search::new(plan, edges, x.bytes(), Output::uninit(out.slots())));
        let given = Edges::Given(edges.bytes());
        if plan.len() < plan.edge_count() / FEW {
            search(given);
        } else if dtype == plan.dtype() {
            let mut keys = HostBuffer::zeroed(op, plan.edge_count() * size_of::<u64>())?;
            fill_same(keys.elements_mut(), edges.bytes(), dtype);
            search(Edges::Same(keys.elements()));
        } else {
            let mut keys = HostBuffer::zeroed(op, plan.edge_count() * size_of::<NumberKey>())?;
            fill_mixed(keys.elements_mut(), edges.bytes(), dtype);
            search(Edges::Mixed(keys.elements()));
        }
        // SAFETY: the job writes every element.
        Ok(unsafe { out.assume_filled() })
    }
}

/// With this many edges for each element or more, making keys of all edges takes longer than making those that the searches meet.
const FEW: usize = 64;

impl Cpu {
    /// The position and the bits of the first edge that is less than the one before it. Looks at edges once.
    pub(crate) fn first_unsorted(&self, edges: &HostBuffer, dtype: DType) -> Option<(usize, u64)> {
        if edges.is_sorted(dtype) {
            return None;
        }
        let Some(at) = first_unsorted(edges.bytes(), dtype) else {
            edges.cache_sorted(dtype);
            return None;
        };
        Some((at, edges.bytes().chunks_exact(dtype.size()).nth(at).map_or(0, load)))
    }

    /// Checks that edges ascend.
    pub(crate) fn check_sorted(&self, plan: &SearchPlan, edges: &HostBuffer) -> Result<()> {
        let found = self.first_unsorted(edges, plan.edges_dtype());
        found.map_or(Ok(()), |(at, edge)| Err(plan.unsorted(at, edge)))
    }
}

/// The most keys that are counted: their counters stay in a cache.
const MOST: usize = 1 << 17;

/// The groups of elements with few keys, in the place of a sort. `None` if the keys are too many.
fn counted<T: Pod + Into<u64>>(plan: &SortPlan, data: &HostBuffer) -> Result<Option<Groups<HostBuffer>>> {
    let (op, order, elements) = (plan.op().name(), Order::of(plan.dtype()), data.elements::<T>());
    let Some((least, keys)) = counting::range(elements, order, MOST.min(elements.len())) else {
        return Ok(None);
    };
    let mut counters = HostBuffer::zeroed(op, keys * size_of::<Counter>())?;
    let count = counting::count(elements, order, least, counters.elements_mut());
    let [mut index, mut inverse, mut counts] =
        [integers(op, count)?, integers(op, elements.len())?, integers(op, count)?];
    let mut out = Written {
        index: index.elements_mut(),
        inverse: inverse.elements_mut(),
        counts: counts.elements_mut(),
    };
    counting::write(elements, order, least, counters.elements_mut(), &mut out);
    Ok(Some(Groups { index, inverse, counts, count: GroupCount::Known(count) }))
}

fn integers(op: &'static str, count: usize) -> Result<HostBuffer> {
    HostBuffer::zeroed(op, count * size_of::<i64>())
}

fn half<P: Pod>(scratch: &HostBuffer, is_second: bool) -> &[P] {
    let pairs = scratch.elements::<P>();
    let (first, second) = pairs.split_at(pairs.len() / 2);
    if is_second { second } else { first }
}
