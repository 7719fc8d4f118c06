//! Where tensors live and operators run.

use crate::words::words;

words! {
    /// Where tensors live and operators run.
    Device
    /// Host memory.
    Cpu = "cpu";
    /// A GPU, through WebGPU in a browser and through Vulkan, Metal or DirectX 12 natively.
    WebGpu = "webgpu";
}
