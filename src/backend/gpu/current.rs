//! The GPU device of this thread, once one was started.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::rc::Rc;

use crate::backend::gpu::device::{AdapterFacts, Gpu};
use crate::backend::gpu::start::DeviceOptions;
use crate::error::{Error, ErrorClass, ErrorCode, Result};

thread_local! {
    // Never dropped at the end of a thread: wgpu keeps thread-locals of its own, which may be gone by then.
    static GPU: RefCell<ManuallyDrop<Option<Rc<Gpu>>>> = const { RefCell::new(ManuallyDrop::new(None)) };
}

/// The GPU device; `None` where none was started, and where it is lost.
pub fn current_gpu() -> Option<Rc<Gpu>> {
    last_gpu().filter(|gpu| gpu.alive("").is_ok()) // the error is dropped, so it needs no operator
}

/// The GPU device that was started last, also when it is lost.
pub(crate) fn last_gpu() -> Option<Rc<Gpu>> {
    GPU.with_borrow(|gpu| Option::clone(gpu))
}

/// The GPU device, for operator `op`, which the error names.
///
/// # Errors
/// `RuntimeError` (`device-unavailable`) before [`start_gpu`], and once the device is lost.
pub(crate) fn require_gpu(op: &'static str) -> Result<Rc<Gpu>> {
    let text = "no WebGPU device is running: await set_device('webgpu') first";
    current_gpu().ok_or_else(|| Error::new(ErrorClass::Runtime, ErrorCode::DeviceUnavailable, op, text))
}

/// Starts a GPU device, or returns the one that runs. A software adapter counts only where `options.software` allows one: where it
/// does not, and such an adapter runs, another device is started and takes its place.
///
/// `op` is the operator that errors name. `known` is what the platform has told of the adapter already; `None` where it has told
/// nothing.
///
/// # Errors
/// As for [`Gpu::start`].
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
    // `ManuallyDrop` would keep it.
    drop(ManuallyDrop::into_inner(before));
    Ok(gpu)
}
