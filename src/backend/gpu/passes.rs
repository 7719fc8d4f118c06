//! The passes that are an operation of their own, a function for each: it takes a plan and buffers and records a dispatch.

use std::rc::Rc;

use crate::backend::Index;
use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::multiply::Geometry;
use crate::backend::gpu::params::{
    Convert, DivideByCounts, Divisors, Entries, Gather, Head, IndexFormat, NEVER_FAILS, Resolve, Units,
    Validate, WORKGROUP, of_quads,
};
use crate::backend::gpu::pass::Pass;
use crate::backend::gpu::{Arithmetic, Combine, DeviceBuffer, Gpu, ShaderKey, Width};
use crate::dtype::{Bits, DType};
use crate::plan::{Addressing, OutOfRange, Reduce};

/// Checks every index value, one thread for each.
pub(super) fn validate(gpu: &Rc<Gpu>, plan: &Addressing, index: &Index<'_, DeviceBuffer>, slot: u32) {
    let params = Validate { head: Head::new(plan.index_len(), slot), index: IndexFormat::new(plan, index) };
    let bindings = Bindings { index: Some(index.buffer), dst: None, src: None };
    gpu.dispatch(ShaderKey::words(Pass::Validate), params, &bindings);
}

/// Looks for zeros in the integers that a scatter divides by, one thread for each.
pub(super) fn divisors(gpu: &Rc<Gpu>, dtype: DType, divisors: &DeviceBuffer, slot: u32) {
    let params = Divisors { head: Head::new(divisors.len() / dtype.size(), slot) };
    let key = ShaderKey::units(Pass::Divisors, Width::of(dtype));
    gpu.dispatch(key, params, &Bindings { index: None, dst: None, src: Some(divisors) });
}

/// Turns index values into positions, one thread for each entry of the index.
pub(super) fn resolve(
    gpu: &Rc<Gpu>,
    plan: &Addressing,
    index: &Index<'_, DeviceBuffer>,
    mode: OutOfRange,
    positions: &DeviceBuffer,
) {
    let mode = match mode {
        OutOfRange::Wrap => 0,
        OutOfRange::Clip => 1,
        OutOfRange::Drop | OutOfRange::Raise => 2,
    };
    let head = Head::new(plan.index_entries(), NEVER_FAILS);
    let params = Resolve { head, index: IndexFormat::new(plan, index), mode };
    let bindings = Bindings { index: Some(index.buffer), dst: Some(positions), src: None };
    gpu.dispatch(ShaderKey::words(Pass::Resolve), params, &bindings);
}

/// Divides each row of the table that entries name by their number and `other_terms`.
pub(super) fn divide_by_counts(
    gpu: &Rc<Gpu>,
    plan: &Addressing,
    dtype: DType,
    table: &DeviceBuffer,
    counts: &DeviceBuffer,
    other_terms: u32,
    slot: u32,
) {
    let head = Head::new(plan.table_len(), slot);
    let params = DivideByCounts { head, row: plan.row().len as u32, other_terms };
    let combine = Combine::select(dtype, Reduce::Divide, Arithmetic::Strict);
    let key = ShaderKey { pass: Pass::DivideByCounts, width: Width::of(dtype), combine };
    gpu.dispatch(key, params, &Bindings { index: Some(counts), dst: Some(table), src: None });
}

/// Gathers. Rows are moved in the largest units possible; elements that share words are gathered a word at a time.
#[expect(clippy::too_many_arguments, reason = "those of `Backend::gather`, and two")]
pub(super) fn gather(
    gpu: &Rc<Gpu>,
    plan: &Addressing,
    dtype: DType,
    table: &DeviceBuffer,
    index: &Index<'_, DeviceBuffer>,
    fill: Bits,
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
    // Of eight bytes, as units of rows may hold several elements.
    let fill = (0..8 / dtype.size()).fold(0, |all, at| all | fill << (8 * dtype.size() * at));
    let fill = [fill as u32, (fill >> 32) as u32];
    let mut params = Gather { head: Head::new(threads, slot), index: format, entries, fill, len: len as u32 };
    let bindings = Bindings { index: Some(index.buffer), dst: Some(out), src: Some(table) };
    match of_quads(&format, entries) {
        Some(entries) if units.width == Width::Four => {
            params.head.threads = params.head.threads.div_ceil(4);
            params.entries = entries;
            gpu.dispatch_rounds(ShaderKey::words(Pass::GatherQuads), params, 4, &bindings);
        }
        _ => gpu.dispatch(ShaderKey::gather(units.width), params, &bindings),
    }
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
    let (key, mut params) = (gpu.trusted(key), geometry.params(out.is_none()));
    if let Pass::MultiplyGuarded(_) = key.pass {
        // Four quads for each thread of a workgroup: QUADS_PER_THREAD of the shader.
        params.head.threads = params.head.threads.div_ceil(4 * WORKGROUP) * WORKGROUP;
        gpu.dispatch_rounds(key, params, 4, &bindings);
    } else {
        gpu.dispatch(key, params, &bindings);
    }
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
    gpu.dispatch(ShaderKey::words(Pass::Convert), Convert::new(from, to, len), &bindings);
}
