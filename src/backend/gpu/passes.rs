//! The passes that are an operation of their own, a function for each: it takes a plan and buffers and records a dispatch.

use std::rc::Rc;

use crate::backend::Index;
use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::multiply::Geometry;
use crate::backend::gpu::params::{Convert, Entries, Gather, Head, IndexFormat, Units, Validate};
use crate::backend::gpu::{DeviceBuffer, Gpu, ShaderKey, Width};
use crate::dtype::DType;
use crate::plan::Addressing;

/// Checks every index value, one thread for each.
pub(super) fn validate(gpu: &Rc<Gpu>, plan: &Addressing, index: &Index<'_, DeviceBuffer>, slot: u32) {
    let params = Validate { head: Head::new(plan.index_len(), slot), index: IndexFormat::new(plan, index) };
    let bindings = Bindings { index: Some(index.buffer), dst: None, src: None };
    gpu.dispatch(ShaderKey::VALIDATE, params, &bindings);
}

/// Gathers. Rows are moved in the largest units possible; elements that share words are gathered a word at a time.
pub(super) fn gather(
    gpu: &Rc<Gpu>,
    plan: &Addressing,
    dtype: DType,
    table: &DeviceBuffer,
    index: &Index<'_, DeviceBuffer>,
    out: &DeviceBuffer,
    slot: u32,
) {
    let units = Units::of(plan, dtype);
    let (mut format, mut entries) = (IndexFormat::new(plan, index), Entries::new(plan));
    units.apply(&mut entries);
    format.place_stride = units.count(plan.place_stride()) as u32;
    let len = units.count(plan.entries() * plan.row().len);
    let threads = match units.width {
        Width::One | Width::Two => len.div_ceil(4 / dtype.size()),
        Width::Four | Width::Eight | Width::Sixteen => len,
    };
    let params = Gather { head: Head::new(threads, slot), index: format, entries, len: len as u32 };
    let bindings = Bindings { index: Some(index.buffer), dst: Some(out), src: Some(table) };
    gpu.dispatch(ShaderKey::gather(units.width), params, &bindings);
}

/// Multiplies x by y, into `out`, or into x where there is none.
pub(super) fn multiply(
    gpu: &Rc<Gpu>,
    key: ShaderKey,
    geometry: &Geometry,
    x: &DeviceBuffer,
    y: &DeviceBuffer,
    out: Option<&DeviceBuffer>,
) {
    let bindings = match out {
        Some(out) => Bindings { index: Some(y), dst: Some(out), src: Some(x) },
        None => Bindings { index: Some(y), dst: Some(x), src: None },
    };
    gpu.dispatch(key, geometry.params(out.is_none()), &bindings);
}

/// Converts, one thread per word of the result.
pub(super) fn convert(
    gpu: &Rc<Gpu>,
    from: DType,
    to: DType,
    len: usize,
    buffer: &DeviceBuffer,
    out: &DeviceBuffer,
) {
    let bindings = Bindings { index: None, dst: Some(out), src: Some(buffer) };
    gpu.dispatch(ShaderKey::CONVERT, Convert::new(from, to, len), &bindings);
}
