//! Records an operation on two tensors.

use std::rc::Rc;

use crate::elementwise::gpu::geometry::Geometry;
use crate::engine::gpu::{DeviceBuffer, Gpu, Pass, ShaderKey, WORKGROUP};

/// A thread of a guarded multiply (`guarded.wgsl`) takes 4 quads. It takes more, up to 32, only while as many threads as this remain. An
/// estimate: two threads for each of a desktop GPU's 8,000 lanes.
const GUARDED_THREADS: usize = 16 << 10;

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
    let (mut params, mut threads) = (geometry.params(), geometry.quads());
    // A quotient takes a loop for each element.
    let mut rounds = (geometry.per_quad * key.combine.rounds()).max(1);
    if let Pass::MultiplyGuarded(_) = key.pass {
        // A thread takes one quad in each of 4 to 32 rounds. Workgroups are whole: the quads of a thread are one workgroup's threads
        // apart.
        rounds = (threads / GUARDED_THREADS).clamp(4, 32);
        params.quads = rounds as u32;
        threads = threads.div_ceil(rounds * WORKGROUP as usize) * WORKGROUP as usize;
    }
    gpu.pass(key, &params).slot(slot).index(y).dst(dst).src(src).rounds(rounds).record(threads);
}
