//! The GPU backend: records passes on one device, submits them in batches, reads results back.
//!
//! A call is checked and recorded, and returns; the work runs at the next read, `sync()` or full batch. A *batch* is what is
//! recorded between two submissions. Index values that the host does not know are checked by a pass on the device. If one is
//! out of bounds, the later passes of the operation write nothing, and the next read reports it.
//!
//! Where a function takes an `op`, that is the name of the operator for the text of an error.

/// The text of a file of `shaders/`, without comments: `build.rs` strips them.
macro_rules! shader {
    ($path:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/shaders/", $path))
    };
}

mod buffer;
mod device;
mod faults;
mod histogram;
mod index;
#[cfg(target_arch = "wasm32")]
mod interop;
mod memory;
mod multiply;
mod operations;
#[cfg(target_arch = "wasm32")]
mod poll_firefox;
mod reads;
mod record;
mod scatter;
mod shaders;
#[doc(hidden)]
pub mod testing;
mod trials;

pub use buffer::DeviceBuffer;
pub use device::{AdapterFacts, DeviceOptions, PowerPreference};
pub use reads::readback::Mapped;
pub use scatter::order::Orders;
pub(crate) use scatter::ways::Known;
pub use trials::probe::{Arithmetic, Numerics};

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::multiply::geometry::QuadAccess;
use crate::backend::gpu::reads::staging::Staging;
use crate::backend::gpu::scatter::strategy::Strategy;
use crate::backend::gpu::shaders::act::Act;
use crate::backend::gpu::shaders::combine::Combine;
use crate::backend::gpu::shaders::kernel::{ShaderKey, Width};
use crate::error::{Error, ErrorClass, ErrorCode, Result};

/// One GPU device, with everything that is cached or pending on it.
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    facts: AdapterFacts,
    limits: wgpu::Limits,
    numerics: Cell<Numerics>,
    canaries: trials::canary::Canaries,
    events: faults::events::Events,
    pipelines: shaders::pipelines::Pipelines,
    engine: RefCell<record::engine::Engine>,
    status: RefCell<faults::status::Status>,
    /// Bytes in buffers that tensors and calls hold.
    bytes: Cell<u64>,
    /// What tests have set.
    switches: testing::Switches,
}

impl Gpu {
    /// What is known of the adapter.
    pub fn facts(&self) -> &AdapterFacts {
        &self.facts
    }

    /// The limits of the device.
    pub fn limits(&self) -> &wgpu::Limits {
        &self.limits
    }

    /// The names of the passes whose float32 arithmetic turned out not to be the CPU's, and which compute in integers therefore.
    pub fn demoted(&self) -> Vec<String> {
        self.canaries.demoted()
    }

    /// What the start-up probe saw.
    pub fn numerics(&self) -> Numerics {
        self.numerics.get()
    }

    /// Bytes of the largest buffer that a tensor may have: a pass can bind it and number its elements, and a read can copy it.
    fn most_bytes(&self) -> u64 {
        // A read copies the data to byte `reads::staging::DATA` of a buffer of its own, which has to hold that much more.
        let most_readable = self.limits.max_buffer_size.saturating_sub(reads::staging::DATA);
        self.limits.max_storage_buffer_binding_size.min(most_readable).min(shaders::params::MOST_BYTES)
    }

    /// Bytes in buffers that tensors and calls hold.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Checks that the device is still there.
    ///
    /// # Errors
    /// `RuntimeError` (`device-lost`) once the device is gone.
    pub fn alive(&self, op: &'static str) -> Result<()> {
        match self.events.lost() {
            None => Ok(()),
            Some(reason) => Err(device_lost(op, &reason)),
        }
    }

    /// Checks that a call may use a buffer: it has to be of this device, and `DeviceBuffer::usable`.
    ///
    /// # Errors
    /// `RuntimeError`: `device-lost` for a buffer of an earlier device, and those of `DeviceBuffer::usable`.
    pub fn check_buffer(self: &Rc<Self>, op: &'static str, buffer: &DeviceBuffer) -> Result<()> {
        if Rc::ptr_eq(self, &buffer.gpu()) {
            return buffer.usable(op);
        }
        Err(device_lost(op, "an operand was made on an earlier device"))
    }

    /// A new device buffer with these bytes.
    ///
    /// # Errors
    /// `RuntimeError`: `device-lost`; `out-of-memory` when the device does not bind buffers of that size, or has no memory.
    pub fn upload(self: &Rc<Self>, op: &'static str, bytes: &[u8]) -> Result<DeviceBuffer> {
        self.alive(op)?;
        DeviceBuffer::holding(self, op, bytes)
    }

    /// Submits everything recorded and waits until it is done.
    ///
    /// # Errors
    /// Those of [`DeviceBuffer::map`].
    pub async fn sync(self: &Rc<Self>) -> Result<()> {
        self.alive("sync")?;
        // A read of no data, which waits and looks for errors as every read does.
        Staging::new(self, "sync", 0)?.receive("sync", 0).await
    }

    /// Waits for a callback of the device, and returns what it sends to `receiver`; `None` if the device has dropped the callback.
    async fn wait<T>(&self, receiver: &mut oneshot::Receiver<T>) -> Option<T> {
        // Natively nothing else runs the device's event loop.
        #[cfg(not(target_arch = "wasm32"))]
        drop(self.device.poll(wgpu::PollType::wait_indefinitely()));
        #[cfg(target_arch = "wasm32")]
        if poll_firefox::is_polled() {
            loop {
                match receiver.try_recv() {
                    // Firefox looks for finished work when something is submitted, which may be empty.
                    Ok(None) => self.queue.submit([]),
                    Ok(done) => return done,
                    Err(oneshot::Canceled) => return None,
                };
                poll_firefox::sleep_1ms().await;
            }
        }
        receiver.await.ok()
    }

    /// Gives a browser time to report that the device is lost: it may refuse the device's work first, in Firefox a
    /// tenth of a second before. Natively the device's event loop has reported it already.
    async fn hear_of_loss(&self) {
        #[cfg(target_arch = "wasm32")]
        for _ in 0..100 {
            if self.events.lost().is_some() {
                break;
            }
            poll_firefox::sleep_1ms().await;
        }
    }
}

impl Drop for Gpu {
    /// No tensor uses the device any more. If this were left to a page's garbage collector, the device would keep its
    /// memory and count against the number that a page may have.
    fn drop(&mut self) {
        if !self.facts.adopted {
            self.device.destroy();
        }
    }
}

/// The error of a call once the device is gone. `reason` stands in brackets in its text.
fn device_lost(op: &'static str, reason: &str) -> Error {
    let text = format!(
        "the GPU device is gone ({reason}); tensors on the CPU live on, and set_device('webgpu') starts a new one; in the \
         place of one of yours, init({{ gpu_device }}) takes another"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::DeviceLost, op, text)
}
