//! The GPU, and comparison with the CPU.

use std::rc::Rc;

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::Gpu;
use scatterwise::{Device, Tensor};

use crate::common::backends::webgpu;

/// The GPU that all tests share. Without a GPU the test counts as skipped.
pub(crate) async fn gpu() -> Option<Rc<Gpu>> {
    webgpu("dtypes").await
}

/// Where a tensor on the GPU differs from one on the CPU, in up to five elements, or the error of reading it; `None` where they are the
/// same. If `is_move`, elements were only moved, and all bytes have to be equal; else any NaN is equal to any NaN.
pub(crate) async fn difference(on_cpu: &Tensor, on_gpu: &Tensor, is_move: bool) -> Option<String> {
    let on_gpu = match on_gpu.to(Device::Cpu).await {
        Ok(tensor) => tensor,
        Err(error) => return Some(error.to_string()),
    };
    let same = if is_move { on_cpu.bytes() == on_gpu.bytes() } else { on_cpu.bits_equal(&on_gpu).unwrap() };
    if same {
        return None;
    }
    let size = on_cpu.dtype().size();
    let [expected, got] = [on_cpu, &on_gpu].map(|tensor| tensor.bytes().unwrap().chunks_exact(size));
    let differing = expected.zip(got).enumerate().filter(|(_, (one, two))| one != two);
    let show = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
    // Among those that are shown may be NaNs that count as equal.
    let some = differing.take(5).map(|(k, (one, two))| format!("{k}: {}, not {}", show(one), show(two)));
    Some(some.collect::<Vec<_>>().join("; "))
}
