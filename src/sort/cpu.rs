//! Sorts, distinct elements and searches.

use bytemuck::Pod;

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::Output;
use crate::engine::{GroupCount, Groups};
use crate::sort::backend::SortBackend;
use crate::sort::kernels::groups::{self, Written};
use crate::sort::kernels::keys::NumberKey;
use crate::sort::kernels::radix::Wide;
use crate::sort::kernels::rows::{SortRows, scratch_bytes};
use crate::sort::kernels::search::{EdgeKeys, Search, fill_mixed, fill_same};
use crate::sort::plan::{SearchPlan, SortPlan};
use crate::{HostBuffer, Result, UninitBuffer, load};

impl SortBackend for Cpu {
    fn argsort(&self, plan: &SortPlan, data: &HostBuffer) -> Result<HostBuffer> {
        let op = plan.op().name();
        let mut scratch = UninitBuffer::new(op, plan.len() * scratch_bytes(plan.dtype().size()))?;
        let mut out = UninitBuffer::new(op, plan.len() * size_of::<i64>())?;
        let (spare, written) = (Output::uninit(scratch.slots()), Output::uninit(out.slots()));
        self.run(&SortRows::new(plan, data.bytes(), spare, written));
        // SAFETY: the job writes every element.
        Ok(unsafe { out.assume_filled() })
    }

    fn groups(&self, plan: &SortPlan, data: &HostBuffer) -> Result<Groups<HostBuffer>> {
        let (op, size, len) = (plan.op().name(), plan.dtype().size(), plan.len());
        let mut scratch = HostBuffer::zeroed(op, len * scratch_bytes(size))?;
        let integers = |count: usize| HostBuffer::zeroed(op, count * size_of::<i64>());
        let mut inverse = integers(len)?;
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
        let (mut index, mut counts) = (integers(count)?, integers(count)?);
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
        let mut out = UninitBuffer::new(SearchPlan::OP.name(), plan.len() * size_of::<i64>())?;
        self.with_keys(plan, edges, |keys| {
            self.run(&Search::new(plan, keys, x.bytes(), Output::uninit(out.slots())));
        })?;
        // SAFETY: the job writes every element.
        Ok(unsafe { out.assume_filled() })
    }
}

impl Cpu {
    pub(crate) fn check_sorted(&self, plan: &SearchPlan, edges: &HostBuffer) -> Result<()> {
        self.with_keys(plan, edges, |_| {})
    }

    fn with_keys(
        &self,
        plan: &SearchPlan,
        edges: &HostBuffer,
        use_them: impl FnOnce(EdgeKeys<'_>),
    ) -> Result<()> {
        let dtype = plan.edges_dtype();
        let is_mixed = dtype != plan.dtype();
        let bytes = plan.edge_count() * if is_mixed { size_of::<NumberKey>() } else { size_of::<u64>() };
        let mut memory = HostBuffer::zeroed(SearchPlan::OP.name(), bytes)?;
        let fault = match is_mixed {
            true => fill_mixed(memory.elements_mut(), edges.bytes(), dtype),
            false => fill_same(memory.elements_mut(), edges.bytes(), dtype),
        };
        if let Some(at) = fault {
            let edge = edges.bytes().chunks_exact(dtype.size()).nth(at).map_or(0, load);
            return Err(plan.unsorted(at, edge));
        }
        use_them(match is_mixed {
            true => EdgeKeys::Mixed(memory.elements()),
            false => EdgeKeys::Same(memory.elements()),
        });
        Ok(())
    }
}

fn half<P: Pod>(scratch: &HostBuffer, is_second: bool) -> &[P] {
    let pairs = scratch.elements::<P>();
    let (first, second) = pairs.split_at(pairs.len() / 2);
    if is_second { second } else { first }
}
