//! The GPU device and its parts. Each part keeps its own state.

use std::cell::Cell;
use std::rc::Rc;

use futures_channel::oneshot;

#[cfg(target_arch = "wasm32")]
use crate::engine::gpu::poll_firefox;
use crate::engine::gpu::{
    Arithmetic, Cause, DATA, Dropped, Events, LONG_ROUNDS, MOST_BYTES, Memory, Pending, ROUNDS, Recorder,
    STATUS_BYTES, Slots, Verified, hook, poses_as_hardware, workgroup,
};
use crate::{Error, ErrorClass, ErrorCode, Result};

/// The facts about an adapter.
#[derive(Debug, Clone, Default)]
pub struct AdapterFacts {
    /// Its vendor, if the platform tells.
    pub vendor: String,
    /// Its architecture, if the platform tells.
    pub architecture: String,
    /// Its name, if the platform tells.
    pub description: String,
    /// Whether it computes on the CPU.
    pub software: bool,
    /// Its optional features, if the platform tells. The library uses none of them.
    pub features: Vec<String>,
    /// Whether the caller owns the device. Then only the caller destroys it.
    pub adopted: bool,
}

/// The results of the start-up probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numerics {
    /// The arithmetic of operations on two tensors.
    pub float32: Arithmetic,
    /// Whether the adapter keeps subnormal numbers.
    pub keeps_subnormals: bool,
    /// Whether the adapter keeps NaN and the infinities.
    pub keeps_nan: bool,
}

/// One GPU device, with its caches and its pending work.
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    #[cfg(target_arch = "wasm32")]
    pub(crate) queue: wgpu::Queue,
    facts: AdapterFacts,
    limits: wgpu::Limits,
    numerics: Cell<Numerics>,
    rounds: Cell<usize>,
    pub(crate) memory: Rc<Memory>,
    pub(crate) recorder: Recorder,
    pub(crate) events: Events,
    pub(crate) dropped: Dropped,
    pub(crate) slots: Slots,
    pub(crate) pending: Pending,
    pub(crate) verified: Verified,
}

impl Gpu {
    /// A device before its probe; `None` if it allows less than passes need.
    pub(crate) fn new(device: wgpu::Device, queue: wgpu::Queue, facts: AdapterFacts) -> Option<Self> {
        let limits = device.limits();
        let workgroup = workgroup(&limits)?;
        let memory = Rc::new(Memory::new(&device, &limits));
        let status = (STATUS_BYTES, !facts.software);
        Some(Self {
            recorder: Recorder::new(&device, &queue, &memory, &limits, workgroup, status),
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
            rounds: Cell::new(ROUNDS),
            memory,
            dropped: Dropped::default(),
            slots: Slots::default(),
            pending: Pending::default(),
            verified: Verified::default(),
        })
    }

    /// The facts about the adapter.
    pub fn facts(&self) -> &AdapterFacts {
        &self.facts
    }

    /// The limits of the device.
    pub fn limits(&self) -> &wgpu::Limits {
        &self.limits
    }

    /// Threads of a workgroup in almost all passes: `Pass::workgroup`.
    pub(crate) fn workgroup(&self) -> usize {
        self.recorder.workgroup() as usize
    }

    /// The names of the demoted pipelines: the adapter's float32 differed from the CPU's, so these passes compute in integers.
    pub fn demoted(&self) -> Vec<String> {
        self.verified.demoted()
    }

    /// The results of the start-up probe.
    pub fn numerics(&self) -> Numerics {
        self.numerics.get()
    }

    /// Most rounds of loops per thread in one dispatch: `ROUNDS` or, if the probe's longest loop ran to its end, `LONG_ROUNDS`.
    pub(crate) fn rounds(&self) -> usize {
        let forced =
            poses_as_hardware().then_some(LONG_ROUNDS).or_else(|| hook(|hooks| hooks.rounds).flatten());
        forced.unwrap_or_else(|| self.rounds.get())
    }

    /// Whether to take the constants of software adapters.
    pub(crate) fn is_software(&self) -> bool {
        self.facts.software && !poses_as_hardware()
    }

    pub(crate) fn set_rounds(&self, rounds: usize) {
        self.rounds.set(rounds);
    }

    pub(crate) fn set_numerics(&self, numerics: Numerics) {
        self.numerics.set(numerics);
    }

    /// Bytes of the largest buffer that a tensor may have. A pass can bind it and number its elements, and a read can copy it.
    pub(crate) fn most_bytes(&self) -> u64 {
        // A read copies the data to byte `DATA` of a staging buffer, so that buffer needs `DATA` bytes more.
        let most_readable = self.limits.max_buffer_size.saturating_sub(DATA);
        self.limits.max_storage_buffer_binding_size.min(most_readable).min(MOST_BYTES)
    }

    /// Bytes of the buffers that tensors and calls hold.
    pub fn bytes(&self) -> u64 {
        self.memory.held()
    }

    /// Bytes of the free buffers that the pool keeps.
    pub fn pooled_bytes(&self) -> u64 {
        self.memory.pooled()
    }

    pub(crate) fn drops(&self) -> u64 {
        self.dropped.drops()
    }

    /// Marks all batches from `first` to the current one as unreliable, and begins a new batch.
    pub(crate) fn drop_batches(&self, first: u64, cause: Cause) {
        // The count on the device may be too low. It is set to the expected value; otherwise later batches would seem dropped.
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

    /// Waits for a callback of the device. Returns the value that the callback sends to `receiver`; `None` if the device drops the
    /// callback.
    pub(crate) async fn wait<T>(&self, receiver: &mut oneshot::Receiver<T>) -> Option<T> {
        // Natively only this poll runs the device's event loop.
        #[cfg(not(target_arch = "wasm32"))]
        drop(self.device.poll(wgpu::PollType::wait_indefinitely()));
        #[cfg(target_arch = "wasm32")]
        if poll_firefox::is_polled() {
            loop {
                match receiver.try_recv() {
                    // Firefox looks for finished work at each submission, even an empty one.
                    Ok(None) => self.queue.submit([]),
                    Ok(done) => return done,
                    Err(oneshot::Canceled) => return None,
                };
                poll_firefox::sleep_1ms().await;
            }
        }
        receiver.await.ok()
    }

    /// Gives a browser time to report a lost device. A browser may refuse work before it reports the loss; Firefox reports 0.1 s later.
    /// Natively the event loop has reported the loss already.
    pub(crate) async fn hear_of_loss(&self, op: &'static str) -> Result<()> {
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
    /// No tensor uses the device now, so it is destroyed. Until a page's garbage collector ran, the device would keep its memory and
    /// count against the page's limit of devices.
    fn drop(&mut self) {
        if !self.facts.adopted {
            self.device.destroy();
        }
    }
}

/// The error of a call on a lost device. Its text has `reason` in brackets.
pub(crate) fn device_lost(op: &'static str, reason: &str) -> Error {
    let text = format!(
        "the GPU device is gone ({reason}); tensors on the CPU live on, and set_device('webgpu') starts a new one; in the \
         place of one of yours, init({{ gpu_device }}) takes another"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::DeviceLost, op, text)
}
