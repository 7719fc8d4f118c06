//! Records an operation on two tensors.

use std::rc::Rc;

use crate::elementwise::gpu::geometry::Geometry;
use crate::engine::gpu::{DeviceBuffer, Gpu, Pass, ShaderKey, hook};

/// A thread of a guarded operation (`guarded.wgsl`) takes several quads, at least the first number and at most 32, while as many threads as
/// the second number remain. A GPU hides the time of its reads by many threads: an NVIDIA H200 holds 270 Ki, and an eighth of them took
/// twice the time of the reads. A software adapter runs the integer code once for each thread.
const ON_GPU: (usize, usize) = (1, 512 << 10);
const ON_SOFTWARE: (usize, usize) = (4, 16 << 10);

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
    let (dst, src) = out.map_or((x, None), |out| (out, Some(x)));
    let (mut params, mut threads) = (geometry.params(gpu.workgroup() as u32), geometry.quads());
    // A quotient takes a loop for each element.
    let mut rounds = (geometry.per_quad * key.combine.rounds()).max(1);
    if let Pass::Guarded(..) = key.pass {
        // A thread takes one quad in each round. Workgroups are whole: the quads of a thread are one workgroup's threads
        // apart.
        let (least, enough) = if gpu.is_software() { ON_SOFTWARE } else { ON_GPU };
        rounds = hook(|hooks| hooks.quads).flatten().unwrap_or(threads / enough).clamp(least, 32);
        params.quads = rounds as u32;
        threads = threads.div_ceil(rounds * gpu.workgroup()) * gpu.workgroup();
    }
    gpu.pass(key, &params).slot(slot).index(y).dst(dst).src(src).rounds(rounds).record(threads);
}
