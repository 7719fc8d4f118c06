//! The uniform block of a pass, as `shaders/lib/frame.wgsl` declares it.

use crate::plan::{BroadcastLoop, BroadcastPlan, IndexPlan, Loop};
use crate::shape::MAX_OP_RANK;

/// Where one block starts after another: the strictest alignment that WebGPU allows an adapter to ask for.
pub(super) const PARAMS_STRIDE: u64 = 256;
/// Threads per workgroup, as the shaders declare it.
pub(super) const WORKGROUP: u32 = 256;

/// See `Params` in `shaders/lib/frame.wgsl`.
#[derive(Clone, Copy, Default, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub(super) struct Params {
    pub(super) loops: [[u32; 4]; MAX_OP_RANK],
    pub(super) loop_count: u32,
    pub(super) threads: u32,
    pub(super) grid_width: u32,
    pub(super) slot: u32,
    pub(super) bound: u32,
    pub(super) place_stride: u32,
    pub(super) index_words: u32,
    pub(super) is_scalar: u32,
    pub(super) axis_begin: u32,
    pub(super) axis_end: u32,
    pub(super) axis_value_stride: u32,
    pub(super) axis_index_stride: u32,
    pub(super) scalar: [u32; 2],
    pub(super) elements: u32,
    pub(super) padding: u32,
}

impl Params {
    /// The plan's geometry with those of its loops that threads run in parallel. Numbers fit: a device
    /// buffer is smaller than 2³² elements.
    pub(super) fn new(
        plan: &IndexPlan,
        index_words: u32,
        slot: u32,
        parallel: impl Fn(usize) -> bool,
    ) -> Self {
        let component = plan.component();
        let mut params = Self {
            slot,
            bound: component.bound as u32,
            place_stride: component.stride as u32,
            index_words,
            axis_end: 1,
            threads: 1,
            ..Self::default()
        };
        let mut slots = params.loops.iter_mut();
        for (at, l) in plan.loops().iter().enumerate() {
            if parallel(at)
                && let Some(slot) = slots.next()
            {
                *slot = [l.len, l.table_stride, l.value_stride, index_stride(plan, at)].map(|n| n as u32);
                params.loop_count += 1;
                params.threads *= l.len as u32;
            }
        }
        params
    }

    /// The geometry of a multiply, as `shaders/broadcast/multiply.wgsl` reads it.
    pub(super) fn multiply(plan: &BroadcastPlan) -> Self {
        /// Elements that each thread makes.
        const PER_THREAD: u32 = 4;
        /// Loops up to which threads divide only once; shorter plans are filled up to it in front.
        const SHORT: usize = 3;
        let elements = plan.len() as u32;
        let workgroups = elements.div_ceil(WORKGROUP * PER_THREAD);
        let mut params = Self { elements, threads: workgroups * WORKGROUP, ..Self::default() };
        let single = BroadcastLoop { len: 1, x_stride: 0, y_stride: 0 };
        let missing = SHORT.saturating_sub(plan.loops().len());
        let loops = std::iter::repeat_n(single, missing).chain(plan.loops().iter().copied());
        params.loop_count = plan.loops().len().max(SHORT) as u32;
        for (slot, l) in params.loops.iter_mut().zip(loops) {
            *slot = [l.len, l.x_stride, l.y_stride, 0].map(|n| n as u32);
        }
        let used = params.loop_count as usize;
        let mut step = WORKGROUP;
        for [len, .., digit] in params.loops.iter_mut().take(used).rev() {
            *digit = step % *len;
            step /= *len;
        }
        params
    }

    /// Gives each thread a part of the loop along the indexed dimension.
    pub(super) fn set_axis(&mut self, plan: &IndexPlan, at: usize, l: Loop, begin: usize, end: usize) {
        self.axis_begin = begin as u32;
        self.axis_end = end as u32;
        self.axis_value_stride = l.value_stride as u32;
        self.axis_index_stride = index_stride(plan, at) as u32;
    }
}

/// Index entries from one round of a loop to the next: the index is contiguous.
fn index_stride(plan: &IndexPlan, at: usize) -> usize {
    plan.loops().iter().skip(at + 1).map(|l| l.len).product()
}
