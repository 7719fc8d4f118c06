//! The GPU backend: records passes on one device, submits them in batches, reads results back.
//!
//! A call checks its arguments, records its passes, and returns. The work runs at the next read, `sync()` or full batch. A *batch* is
//! the work between two submissions. If the host does not know the index values, a pass on the device checks them. If one is out of
//! bounds, the later passes of the operation write nothing, and the next read reports the fault.
//!
//! A parameter `op` is the operator's name for the text of an error.

mod binned;
mod buffer;
pub(crate) mod current;
mod device;
mod dims;
mod dispatch;
mod elementwise;
mod faults;
mod histogram;
mod hooks;
mod index;
#[cfg(target_arch = "wasm32")]
mod interop;
mod memory;
mod on_device;
mod operations;
#[cfg(target_arch = "wasm32")]
mod poll_firefox;
mod reads;
mod record;
mod scatter;
mod shaders;
mod sort;
mod sparse;
mod start;
mod tally;
#[doc(hidden)]
pub mod testing;
mod trials;

pub use buffer::DeviceBuffer;
pub(crate) use current::require_gpu;
pub use current::{current_gpu, start_gpu, stop_gpu};
pub use device::{AdapterFacts, Gpu, Numerics};
pub use index::Index;
pub(crate) use on_device::OnDevice;
pub use reads::readback::Mapped;
pub(crate) use scatter::parts::ExactSums;
pub use shaders::arithmetic::Arithmetic;
pub use start::{DeviceOptions, PowerPreference};
