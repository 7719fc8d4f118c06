//! The GPU device of this thread, once one was started. One context per thread.

use crate::error::{Error, ErrorClass, ErrorCode};
#[cfg(feature = "webgpu")]
use {
    crate::backend::gpu::{AdapterFacts, DeviceOptions, Gpu},
    crate::error::Result,
    std::cell::RefCell,
    std::mem::ManuallyDrop,
    std::rc::Rc,
};

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

#[cfg(feature = "webgpu")]
thread_local! {
    // Never dropped at the end of a thread: wgpu keeps thread-locals of its own, which may be gone by then.
    static GPU: RefCell<ManuallyDrop<Option<Rc<Gpu>>>> = const { RefCell::new(ManuallyDrop::new(None)) };
}

/// The GPU device; `None` where none was started, and where it is lost.
#[cfg(feature = "webgpu")]
pub fn current_gpu() -> Option<Rc<Gpu>> {
    last_gpu().filter(|gpu| gpu.alive("").is_ok()) // the error is dropped, so it needs no operator
}

/// The GPU device that was started last, also when it is lost.
#[cfg(feature = "webgpu")]
pub(crate) fn last_gpu() -> Option<Rc<Gpu>> {
    GPU.with_borrow(|gpu| Option::clone(gpu))
}

/// The GPU device, for operator `op`, which the error names.
///
/// # Errors
/// `RuntimeError` (`device-unavailable`) before [`start_gpu`], and once the device is lost.
#[cfg(feature = "webgpu")]
pub(crate) fn gpu(op: &'static str) -> Result<Rc<Gpu>> {
    current_gpu().ok_or_else(|| no_gpu(op))
}

/// Starts a GPU device, or returns the one that runs. A software adapter counts only where `options.software` allows one: where it
/// does not, and such an adapter runs, another device is started and takes its place.
///
/// `op` is the operator that errors name. `known` is what the platform has told of the adapter already; `None` where it has told
/// nothing.
///
/// # Errors
/// As for [`Gpu::start`].
#[cfg(feature = "webgpu")]
pub async fn start_gpu(
    op: &'static str,
    options: DeviceOptions,
    known: Option<AdapterFacts>,
) -> Result<Rc<Gpu>> {
    if let Some(gpu) = current_gpu().filter(|gpu| options.software || !gpu.facts().software) {
        return Ok(gpu);
    }
    let gpu = Gpu::start(op, options, known).await?;
    let before = GPU.replace(ManuallyDrop::new(Some(gpu.clone())));
    // Dropped by hand, because `ManuallyDrop` would keep it for ever.
    drop(ManuallyDrop::into_inner(before));
    Ok(gpu)
}

/// The error for a call that needs a GPU device.
pub(crate) fn no_gpu(op: &'static str) -> Error {
    #[cfg(feature = "webgpu")]
    let text = "no WebGPU device is running: await set_device('webgpu') first";
    #[cfg(not(feature = "webgpu"))]
    let text = "this build has no GPU code: import 'scatterwise' instead of 'scatterwise/cpu'";
    Error::new(ErrorClass::Runtime, ErrorCode::DeviceUnavailable, op, text)
}
