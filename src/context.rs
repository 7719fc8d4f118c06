//! Where tensors live and operators run.

/// Where tensors live and operators run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// Host memory.
    Cpu,
    /// A GPU, through WebGPU in a browser and through Vulkan, Metal or DirectX 12 natively.
    WebGpu,
}

impl Device {
    /// The names, as JavaScript has them.
    pub const NAMES: &'static [&'static str] = &["cpu", "webgpu"];

    /// The name, as JavaScript has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::WebGpu => "webgpu",
        }
    }
}
