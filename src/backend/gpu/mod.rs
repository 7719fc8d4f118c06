//! The GPU backend: records passes on one device, submits them in batches, reads results back.
//!
//! A call is checked and recorded, and returns; the work runs at the next read, `sync()` or full batch. A *batch* is what is
//! recorded between two submissions. Index values that the host does not know are checked by a pass on the device. If one is
//! out of bounds, the later passes of the operation write nothing, and the next read reports it.
//!
//! Where a function takes an `op`, that is the name of the operator for the text of an error.

mod buffer;
pub(crate) mod current;
mod device;
mod dispatch;
mod faults;
mod histogram;
mod hooks;
mod index;
#[cfg(target_arch = "wasm32")]
mod interop;
mod memory;
mod multiply;
mod on_device;
mod operations;
#[cfg(target_arch = "wasm32")]
mod poll_firefox;
mod reads;
mod record;
mod scatter;
mod shaders;
mod start;
#[doc(hidden)]
pub mod testing;
mod trials;

pub use buffer::DeviceBuffer;
pub(crate) use current::require_gpu;
pub use current::{current_gpu, start_gpu};
pub use device::{AdapterFacts, Gpu, Numerics};
pub use index::Index;
pub(crate) use on_device::OnDevice;
pub use reads::readback::Mapped;
pub use shaders::arithmetic::Arithmetic;
pub use start::{DeviceOptions, PowerPreference};
