//! Records an operation on two tensors.

use std::rc::Rc;

use crate::elementwise::gpu::geometry::Geometry;
use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::dispatch::Bindings;
use crate::engine::gpu::shaders::kernel::ShaderKey;
use crate::engine::gpu::shaders::params::WORKGROUP;
use crate::engine::gpu::shaders::pass::Pass;

/// The fewest threads of a guarded multiply before a thread takes more than four quads, up to 32. An estimate: two threads for each of
/// a desktop GPU's 8,000 lanes.
const GUARDED_THREADS: u32 = 16 << 10;

/// Records an operation on the plan's x and the plan's y, by the shader `key`. The result goes to `out`, or to x if `out` is `None`.
/// `slot` is the status slot of the operation.
pub(crate) fn record(
    gpu: &Rc<Gpu>,
    key: ShaderKey,
    geometry: &Geometry,
    x: &DeviceBuffer,
    y: &DeviceBuffer,
    out: Option<&DeviceBuffer>,
    slot: u32,
) {
    let bindings = match out {
        Some(out) => Bindings { index: Some(y), dst: Some(out), src: Some(x) },
        None => Bindings { index: Some(y), dst: Some(x), src: None },
    };
    let mut params = geometry.params(slot);
    if let Pass::MultiplyGuarded(_) = key.pass {
        // A thread takes one quad in each of 4 to 32 rounds. Workgroups are whole: the quads of a thread are one workgroup's threads
        // apart.
        let all_quads = params.head.threads;
        params.quads = (all_quads / GUARDED_THREADS).clamp(4, 32);
        params.head.threads = all_quads.div_ceil(params.quads * WORKGROUP) * WORKGROUP;
        gpu.dispatch_rounds(key, params, params.quads as usize, &bindings);
    } else {
        // A quotient takes a loop for each element.
        let rounds = geometry.per_quad * key.combine.rounds();
        gpu.dispatch_rounds(key, params, rounds.max(1), &bindings);
    }
}
