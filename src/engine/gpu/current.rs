//! The GPU device of this thread, once one was started.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::rc::Rc;

use crate::engine::gpu::Gpu;
use crate::{Error, ErrorClass, ErrorCode, Result};

thread_local! {
    // Never dropped at the end of a thread: wgpu's own thread-locals may be gone by then. `stop_gpu` drops it.
    static GPU: RefCell<ManuallyDrop<Option<Rc<Gpu>>>> = const { RefCell::new(ManuallyDrop::new(None)) };
}

/// The GPU device; `None` before a start, and after a loss.
pub fn current_gpu() -> Option<Rc<Gpu>> {
    last_gpu().filter(|gpu| gpu.alive("").is_ok()) // the error is dropped, so it needs no operator
}

/// The GPU device that was started last, even if it is lost.
pub(crate) fn last_gpu() -> Option<Rc<Gpu>> {
    GPU.with_borrow(|gpu| Option::clone(gpu))
}

/// The GPU device. An error names the operator `op`.
pub(crate) fn require_gpu(op: &'static str) -> Result<Rc<Gpu>> {
    let text = "no WebGPU device is running: await set_device('webgpu') first";
    current_gpu().ok_or_else(|| Error::new(ErrorClass::Runtime, ErrorCode::DeviceUnavailable, op, text))
}

/// Lets go of the GPU device of this thread: the device is freed once no tensor is on it any more. A thread that ends without this call
/// keeps its device until the process ends, and a driver may allow only some dozens. After it, `start_gpu` starts another device.
pub fn stop_gpu() {
    drop(ManuallyDrop::into_inner(GPU.replace(ManuallyDrop::new(None))));
}

pub(crate) fn set_gpu(gpu: Rc<Gpu>) {
    let before = GPU.replace(ManuallyDrop::new(Some(gpu)));
    // `ManuallyDrop` would keep it.
    drop(ManuallyDrop::into_inner(before));
}
