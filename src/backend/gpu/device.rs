//! The GPU device, made of its parts. Each part keeps its own state.

use std::cell::Cell;
use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::faults::dropped::{Cause, Dropped};
use crate::backend::gpu::faults::events::Events;
use crate::backend::gpu::faults::pending::Pending;
use crate::backend::gpu::faults::status::{STATUS_BYTES, Slots};
use crate::backend::gpu::faults::trust::Trusted;
use crate::backend::gpu::memory::allocate::Memory;
#[cfg(target_arch = "wasm32")]
use crate::backend::gpu::poll_firefox;
use crate::backend::gpu::record::recorder::{DATA, Recorder};
use crate::backend::gpu::shaders::arithmetic::Arithmetic;
use crate::backend::gpu::shaders::params::MOST_BYTES;
use crate::error::{Error, ErrorClass, ErrorCode, Result};

/// What is known of an adapter.
#[derive(Debug, Clone, Default)]
pub struct AdapterFacts {
    /// Its vendor, as far as the platform tells.
    pub vendor: String,
    /// Its architecture, as far as the platform tells.
    pub architecture: String,
    /// Its name, as far as the platform tells.
    pub description: String,
    /// Whether it computes on the CPU.
    pub software: bool,
    /// The optional features that it has, as far as the platform tells. None is used.
    pub features: Vec<String>,
    /// Whether the device is the caller's own, which only the caller destroys.
    pub adopted: bool,
}

/// What the start-up probe saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numerics {
    /// What is used.
    pub float32: Arithmetic,
    /// Whether the adapter keeps subnormal numbers.
    pub keeps_subnormals: bool,
    /// Whether the adapter keeps NaN and the infinities.
    pub keeps_nan: bool,
}

/// One GPU device, with everything that is cached or pending on it.
pub struct Gpu {
    pub(super) device: wgpu::Device,
    #[cfg(target_arch = "wasm32")]
    pub(super) queue: wgpu::Queue,
    facts: AdapterFacts,
    limits: wgpu::Limits,
    numerics: Cell<Numerics>,
    pub(super) memory: Rc<Memory>,
    pub(super) recorder: Recorder,
    pub(super) events: Events,
    pub(super) dropped: Dropped,
    pub(super) slots: Slots,
    pub(super) pending: Pending,
    pub(super) trusted: Trusted,
}

impl Gpu {
    /// A device that is not tried yet.
    pub(super) fn new(device: wgpu::Device, queue: wgpu::Queue, facts: AdapterFacts) -> Self {
        let limits = device.limits();
        let memory = Rc::new(Memory::new(&device, &limits));
        Self {
            recorder: Recorder::new(&device, &queue, &memory, &limits, STATUS_BYTES),
            events: Events::of(&device),
            device,
            #[cfg(target_arch = "wasm32")]
            queue,
            facts,
            limits,
            numerics: Cell::new(Numerics {
                float32: Arithmetic::Strict,
                keeps_subnormals: false,
                keeps_nan: false,
            }),
            memory,
            dropped: Dropped::default(),
            slots: Slots::default(),
            pending: Pending::default(),
            trusted: Trusted::default(),
        }
    }

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
        self.trusted.demoted()
    }

    /// What the start-up probe saw.
    pub fn numerics(&self) -> Numerics {
        self.numerics.get()
    }

    /// Sets what the start-up probe saw.
    pub(super) fn set_numerics(&self, numerics: Numerics) {
        self.numerics.set(numerics);
    }

    /// Bytes of the largest buffer that a tensor may have: a pass can bind it and number its elements, and a read can copy it.
    pub(super) fn most_bytes(&self) -> u64 {
        // A read copies the data to byte `DATA` of a buffer of its own, which has to hold that much more.
        let most_readable = self.limits.max_buffer_size.saturating_sub(DATA);
        self.limits.max_storage_buffer_binding_size.min(most_readable).min(MOST_BYTES)
    }

    /// Bytes in buffers that tensors and calls hold.
    pub fn bytes(&self) -> u64 {
        self.memory.held()
    }

    /// Bytes in free buffers that are kept for reuse.
    pub fn pooled_bytes(&self) -> u64 {
        self.memory.pooled()
    }

    /// How often the work of batches turned out not to be relied on.
    pub(crate) fn drops(&self) -> u64 {
        self.dropped.drops()
    }

    /// Notes that the work of all batches from `first` to the one being recorded cannot be relied on, and begins a new one.
    pub(super) fn drop_batches(&self, first: u64, cause: Cause) {
        // The count on the device may be behind: it is set to what it should be, so that later batches are not taken for dropped.
        let last = self.recorder.restart();
        self.dropped.note(first, last, cause);
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

    /// Waits for a callback of the device, and returns what it sends to `receiver`; `None` if the device has dropped the callback.
    pub(super) async fn wait<T>(&self, receiver: &mut oneshot::Receiver<T>) -> Option<T> {
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
    ///
    /// # Errors
    /// `RuntimeError` (`device-lost`) if it is.
    pub(super) async fn hear_of_loss(&self, op: &'static str) -> Result<()> {
        #[cfg(target_arch = "wasm32")]
        for _ in 0..100 {
            if self.events.lost().is_some() {
                break;
            }
            poll_firefox::sleep_1ms().await;
        }
        self.alive(op)
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
pub(crate) fn device_lost(op: &'static str, reason: &str) -> Error {
    let text = format!(
        "the GPU device is gone ({reason}); tensors on the CPU live on, and set_device('webgpu') starts a new one; in the \
         place of one of yours, init({{ gpu_device }}) takes another"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::DeviceLost, op, text)
}
