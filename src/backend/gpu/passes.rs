//! One function per pass: a plan and buffers in, dispatches out.

use std::rc::Rc;

use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::params::Params;
use crate::backend::gpu::{DeviceBuffer, Gpu, ShaderKey};
use crate::backend::{Index, Value};
use crate::dtype::DType;
use crate::plan::{BroadcastPlan, IndexPlan};

/// Rounds of loops that one dispatch runs in a thread. A thread that ran for seconds would be killed by the
/// system's watchdog; and Mesa's llvmpipe leaves all loops of a thread for good, without a word, after some
/// 32,000 rounds, those of inner loops included (65,535 in its source, where a round counts twice). Dispatches
/// run in order, so a long column is split over several.
const ROUNDS: usize = 1 << 14;

/// Entries of a column that one dispatch walks.
fn column_steps(plan: &IndexPlan) -> usize {
    // `place` in shaders/lib/frame.wgsl has a loop for tuples of several components.
    let inner = match plan.components().len() {
        1 => 0,
        components => components + 1,
    };
    ROUNDS / (1 + inner)
}

/// Checks every index value, one thread for each.
pub(super) fn validate(gpu: &Rc<Gpu>, plan: &IndexPlan, index: &Index<'_, DeviceBuffer>, slot: u32) {
    let params = Params { threads: plan.index_len() as u32, ..Params::new(plan, index, slot, |_| false) };
    let bindings = Bindings { index: Some(index.buffer), dst: None, src: None };
    gpu.dispatch(ShaderKey::VALIDATE, params, &bindings);
}

/// Scatters in row-major order, one thread per column.
pub(super) fn columns(
    gpu: &Rc<Gpu>,
    key: ShaderKey,
    plan: &IndexPlan,
    table: &DeviceBuffer,
    index: &Index<'_, DeviceBuffer>,
    value: &Value<'_, DeviceBuffer>,
    slot: u32,
) {
    let meeting = plan.meeting_loop();
    let mut params = Params::new(plan, index, slot, |at| Some(at) != meeting);
    let src = match value {
        Value::Buffer(buffer) => Some(*buffer),
        Value::Scalar(bits) => {
            params.is_scalar = 1;
            params.scalar = [*bits as u32, (*bits >> 32) as u32];
            None
        }
    };
    let bindings = Bindings { index: Some(index.buffer), dst: Some(table), src };
    let Some((at, &l)) = meeting.and_then(|at| plan.loops().get(at).map(|l| (at, l))) else {
        gpu.dispatch(key, params, &bindings);
        return;
    };
    let steps = column_steps(plan);
    for begin in (0..l.len).step_by(steps) {
        params.set_steps(plan, at, l, begin, l.len.min(begin + steps));
        gpu.dispatch(key, params, &bindings);
    }
}

/// Gathers, one thread per element.
pub(super) fn gather(
    gpu: &Rc<Gpu>,
    key: ShaderKey,
    plan: &IndexPlan,
    table: &DeviceBuffer,
    index: &Index<'_, DeviceBuffer>,
    out: &DeviceBuffer,
    slot: u32,
) {
    let params = Params::new(plan, index, slot, |_| true);
    let bindings = Bindings { index: Some(index.buffer), dst: Some(out), src: Some(table) };
    gpu.dispatch(key, params, &bindings);
}

/// Multiplies. Loops: all of them, outermost first, behind such of length 1.
pub(super) fn multiply(
    gpu: &Rc<Gpu>,
    key: ShaderKey,
    plan: &BroadcastPlan,
    x: &DeviceBuffer,
    y: &DeviceBuffer,
    out: &DeviceBuffer,
) {
    let bindings = Bindings { index: Some(y), dst: Some(out), src: Some(x) };
    gpu.dispatch(key, Params::multiply(plan), &bindings);
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
    gpu.dispatch(ShaderKey::CONVERT, Params::convert(from, to, len), &bindings);
}
