//! The uniform block of a pass, as `shaders/lib/frame.wgsl` declares it.

use crate::backend::gpu::{DeviceBuffer, Width};
use crate::backend::{Index, IndexState, Value};
use crate::dtype::DType;
use crate::plan::{Addressing, Component, Loop};
use crate::shape::MAX_OP_RANK;

/// Where one block starts after another: the strictest alignment that WebGPU allows an adapter to ask for.
pub(super) const PARAMS_STRIDE: u64 = 256;
/// Threads, and so elements and bytes, of one pass: their numbers have 32 bits, and a grid, which has at most 1,025
/// rows of 65,535 workgroups, is rounded up by fewer workgroups than it has rows.
pub(super) const MOST: u64 = (1 << 32) - (1 << 17);
/// Threads per workgroup, as nearly all shaders declare it: see `Pass::workgroup`.
pub(super) const WORKGROUP: u32 = 256;

/// See `Params` in `shaders/lib/frame.wgsl`.
#[derive(Clone, Copy, Default, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub(super) struct Params {
    pub(super) loops: [[u32; 4]; MAX_OP_RANK],
    pub(super) components: [[u32; 2]; MAX_OP_RANK],
    pub(super) scalar: [u32; 2],
    pub(super) is_scalar: u32,
    pub(super) index_words: u32,
    pub(super) threads: u32,
    pub(super) grid_width: u32,
    pub(super) slot: u32,
    pub(super) loop_count: u32,
    pub(super) component_count: u32,
    pub(super) place_stride: u32,
    pub(super) row: u32,
    pub(super) row_value_stride: u32,
    pub(super) begin: u32,
    pub(super) end: u32,
    pub(super) step_value: u32,
    pub(super) step_entry: u32,
}

const _: () = assert!(size_of::<Params>() as u64 <= PARAMS_STRIDE);

impl Params {
    /// The plan's geometry with those of its loops that threads run in parallel. Numbers fit: a device
    /// buffer is smaller than 2³² elements.
    pub(super) fn new(
        plan: &Addressing,
        index: &Index<'_, DeviceBuffer>,
        slot: u32,
        parallel: impl Fn(usize) -> bool,
    ) -> Self {
        let positions = [Component { bound: 0, stride: 1 }];
        let components = match index.state {
            IndexState::Positions => &positions,
            IndexState::Checked | IndexState::Unchecked => plan.components(),
        };
        let mut params = Self {
            slot,
            index_words: if index.dtype == DType::Int64 { 2 } else { 1 },
            component_count: components.len() as u32,
            place_stride: plan.place_stride() as u32,
            end: 1,
            ..Self::default()
        };
        for (slot, component) in params.components.iter_mut().zip(components) {
            *slot = [component.bound, component.stride].map(|n| n as u32);
        }
        params.set_loops(plan, parallel);
        params
    }

    fn set_loops(&mut self, plan: &Addressing, parallel: impl Fn(usize) -> bool) {
        let row = plan.row();
        self.row = row.len as u32;
        self.row_value_stride = row.value_stride as u32;
        self.threads = self.row;
        let chosen = plan.loops().iter().enumerate().filter(|&(at, _)| parallel(at));
        for (slot, (at, l)) in self.loops.iter_mut().zip(chosen) {
            *slot = [l.len, l.table_stride, l.value_stride, entry_stride(plan, at)].map(|n| n as u32);
            self.loop_count += 1;
            self.threads *= l.len as u32;
        }
    }

    /// One thread per entry, and rows of the table counted instead of elements.
    pub(super) fn rows(plan: &Addressing, index: &Index<'_, DeviceBuffer>, slot: u32) -> Self {
        let mut params = Self::new(plan, index, slot, |_| true);
        // All of a plan whose rows are longer than an element are multiples of them.
        let row = params.row.max(1);
        params.place_stride /= row;
        for [_, table_stride, ..] in &mut params.loops {
            *table_stride /= row;
        }
        params.threads = plan.entries() as u32;
        params
    }

    /// One thread per entry and element of a row, for a pass that looks at no index value any more.
    pub(super) fn entries(plan: &Addressing, slot: u32) -> Self {
        let mut params = Self { slot, end: 1, ..Self::default() };
        params.set_loops(plan, |_| true);
        params
    }

    /// What is scattered.
    pub(super) fn set_value(&mut self, value: &Value<'_, DeviceBuffer>) {
        if let Value::Scalar(bits) = value {
            self.is_scalar = 1;
            self.scalar = [*bits as u32, (*bits >> 32) as u32];
        }
    }

    /// Counts the elements of longer rows in the largest units that they can be moved in. Returns their width.
    pub(super) fn widen(&mut self, plan: &Addressing, dtype: DType) -> Width {
        let (row, size) = (plan.row().len, dtype.size());
        let (width, unit) = match row * size {
            _ if row == 1 => (Width::of(dtype), size),
            bytes if bytes % 16 == 0 => (Width::Sixteen, 16),
            bytes if bytes % 4 == 0 && size < 4 => (Width::Four, 4),
            _ => (Width::of(dtype), size),
        };
        let in_units = |elements: &mut u32| *elements = (*elements as usize * size / unit) as u32;
        in_units(&mut self.row);
        in_units(&mut self.threads);
        for [_, table_stride, value_stride, _] in &mut self.loops {
            in_units(table_stride);
            in_units(value_stride);
        }
        in_units(&mut self.place_stride);
        width
    }

    /// The formats of a conversion of `len` elements, as `shaders/convert/convert.wgsl` reads them.
    pub(super) fn convert(from: DType, to: DType, len: usize) -> Self {
        let threads = len.div_ceil(4usize.div_ceil(to.size())) as u32;
        let mut params = Self { end: len as u32, threads, ..Self::default() };
        for (slot, dtype) in params.loops.iter_mut().zip([from, to]) {
            *slot = format(dtype);
        }
        params
    }

    /// Gives each thread a part of the loop along which entries meet.
    pub(super) fn set_steps(&mut self, plan: &Addressing, at: usize, l: Loop, begin: usize, end: usize) {
        self.begin = begin as u32;
        self.end = end as u32;
        self.step_value = l.value_stride as u32;
        self.step_entry = entry_stride(plan, at) as u32;
    }
}

/// Index entries from one round of a loop to the next: the index is contiguous.
fn entry_stride(plan: &Addressing, at: usize) -> usize {
    plan.loops().iter().skip(at + 1).map(|l| l.len).product()
}

/// Bits, bits of exponent, whether there is a sign, whether every element is 0 or 1.
fn format(dtype: DType) -> [u32; 4] {
    let exponent_bits = match dtype {
        DType::Float16 => 5,
        DType::Bfloat16 | DType::Float32 => 8,
        DType::Float64 => 11,
        _ => 0,
    };
    let is_signed = dtype.int_range().is_none_or(|(min, _)| min < 0);
    [8 * dtype.size() as u32, exponent_bits, is_signed.into(), (dtype == DType::Bool).into()]
}
