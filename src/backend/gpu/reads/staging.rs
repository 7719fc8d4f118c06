//! Buffers that the GPU copies into and the host reads from.

use std::cell::Cell;
use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::buffer::padded;
use crate::backend::gpu::memory::pool::{Pool, Use};
use crate::backend::gpu::{Gpu, device_lost};
use crate::error::Result;

const READ_BACK: wgpu::BufferUsages = wgpu::BufferUsages::MAP_READ.union(wgpu::BufferUsages::COPY_DST);

/// Where the data starts. Before it comes the count of what has run when the batch ended: see `dropped.rs`.
pub(crate) const DATA: u64 = 16;

/// A buffer that the host can map, taken from a pool of such buffers.
pub(crate) struct Staging {
    gpu: Rc<Gpu>,
    raw: wgpu::Buffer,
    is_mapped: bool,
    /// The batch that copies to it.
    batch: u64,
    /// What the count is when all of that batch and of those before it has run.
    expected: Rc<Cell<Option<u32>>>,
    /// How often batches had been dropped before.
    drops: u64,
}

impl Staging {
    /// A buffer for `len` bytes. The caller has to record their copy next, to byte [`DATA`], in the same batch. The copy of the count is
    /// arranged for here.
    ///
    /// # Errors
    /// `RuntimeError` (`out-of-memory`).
    pub(crate) fn new(gpu: &Rc<Gpu>, op: &'static str, len: usize) -> Result<Self> {
        let size = DATA + padded(len);
        // No larger than the device allows, but never less than `size`.
        let class = Pool::class(size).min(gpu.limits.max_buffer_size / 16 * 16).max(size);
        let raw = gpu.engine.borrow_mut().staging.take(class, Use::Recorded);
        let raw = match raw {
            Some(raw) => raw,
            None => gpu.create_buffer(op, "the way back", len, class, READ_BACK)?,
        };
        let drops = gpu.drops();
        let engine = &mut *gpu.engine.borrow_mut();
        let expected = engine.ask_for_receipt(&raw);
        Ok(Self { gpu: gpu.clone(), raw, is_mapped: false, batch: engine.batch, expected, drops })
    }

    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        &self.raw
    }

    /// The batch that copies to it.
    pub(crate) fn batch(&self) -> u64 {
        self.batch
    }

    /// Asks for the count and the first `size` bytes of the data to be mapped. The commands that write them must have been submitted. The
    /// receiver gets whether they were mapped.
    pub(crate) fn map(&mut self, size: u64) -> oneshot::Receiver<bool> {
        let (sender, mapped) = oneshot::channel();
        self.is_mapped = true;
        let range = ..DATA + size;
        self.raw.map_async(wgpu::MapMode::Read, range, move |result| _ = sender.send(result.is_ok()));
        mapped
    }

    /// The [`DATA`] bytes before the data, and `size` bytes of data, which must be mapped; `None` if the device was lost meanwhile.
    pub(crate) fn view(&self, size: u64) -> Option<wgpu::BufferView> {
        self.raw.get_mapped_range(..DATA + size).ok()
    }

    /// Whether the batch can be relied on: it was not dropped, and it and every one before it ran to its end. The bytes must be mapped.
    pub(crate) fn is_finished(&self) -> bool {
        if self.gpu.cause_of_drop(self.batch).is_some() {
            return false;
        }
        let view = self.raw.get_mapped_range(..DATA).ok();
        let count = view.and_then(|view| view.first_chunk().map(|&bytes| u32::from_le_bytes(bytes)));
        let is_finished = count.is_some() && count == self.expected.get();
        if is_finished {
            // Batches run in order, so that all earlier ones have ended too.
            let engine = &mut *self.gpu.engine.borrow_mut();
            engine.finished = engine.finished.max(self.batch);
        }
        is_finished
    }

    /// Submits what was recorded, waits until `size` bytes of data are mapped, and makes sure that they are what the batch computed.
    ///
    /// # Errors
    /// The first deferred error that was not reported yet; `device-lost`; for a batch that was dropped its cause, which is `work-lost`,
    /// `out-of-memory` or `unreliable-arithmetic`.
    pub(crate) async fn receive(&mut self, op: &'static str, size: u64) -> Result<()> {
        let gpu = self.gpu.clone();
        gpu.flush();
        let is_mapped = gpu.wait(&mut self.map(size)).await == Some(true);
        // An error that was found meanwhile is reported before anything that follows from it.
        gpu.settle_all(op).await?;
        if is_mapped && !self.is_finished() && gpu.cause_of_drop(self.batch).is_none() {
            // A device that is lost may say so a little later.
            gpu.hear_of_loss().await;
            gpu.alive(op)?;
            // Another read may have found the same during the wait.
            if gpu.cause_of_drop(self.batch).is_none() {
                gpu.drop_unfinished();
            }
        }
        // Where another batch was dropped while this one was under way, this one may not have run either.
        match gpu.cause_of_drop(self.batch).or_else(|| gpu.cause_since(self.drops)) {
            Some(cause) => Err(cause.error(op)),
            None if !is_mapped => Err(device_lost(op, "a buffer could not be read")),
            None => Ok(()),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if self.is_mapped {
            self.raw.unmap();
        }
        // A drop must not panic: where the engine is in use, the buffer is freed and not kept.
        let Ok(mut engine) = self.gpu.engine.try_borrow_mut() else { return self.raw.destroy() };
        let busy = engine.is_recording();
        engine.staging.put(self.raw.clone(), busy);
    }
}
