//! The engine of the GPU: records passes on one device, submits them in batches, reads results back. The `gpu` of a family says which
//! passes a call is.
//!
//! A call checks its arguments, records its passes, and returns. The work runs at the next read, `sync()` or full batch. A *batch* is
//! the work between two submissions. If the host does not know the index values, a pass on the device checks them. If one is out of
//! bounds, the later passes of the operation write nothing, and the next read reports the fault.
//!
//! A parameter `op` is the operator's name for the text of an error.

pub(crate) mod buffer;
pub(crate) mod current;
pub(crate) mod device;
pub(crate) mod dispatch;
pub(crate) mod faults;
pub(crate) mod hooks;
#[cfg(target_arch = "wasm32")]
pub(crate) mod interop;
pub(crate) mod memory;
pub(crate) mod on_device;
#[cfg(target_arch = "wasm32")]
pub(crate) mod poll_firefox;
pub(crate) mod reads;
pub(crate) mod record;
pub(crate) mod shaders;

pub(crate) use crate::engine::gpu::buffer::DeviceBuffer;
pub(crate) use crate::engine::gpu::current::require_gpu;
pub use crate::engine::gpu::current::{current_gpu, stop_gpu};
pub use crate::engine::gpu::device::{AdapterFacts, Gpu};
pub(crate) use crate::engine::gpu::faults::status::Fault;
pub(crate) use crate::engine::gpu::on_device::OnDevice;
