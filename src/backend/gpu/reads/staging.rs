//! Buffers that the GPU copies into and the host reads from.

use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::buffer::{create, padded};
use crate::backend::gpu::device::Gpu;
use crate::backend::gpu::memory::allocate::Purpose;
use crate::backend::gpu::memory::pool::{Pool, Use};
use crate::backend::gpu::record::recorder::{DATA, Receipt};
use crate::error::Result;

/// A buffer that the host can map, taken from a pool of such buffers.
pub(crate) struct Staging {
    gpu: Rc<Gpu>,
    raw: wgpu::Buffer,
    is_mapped: bool,
    /// The batch that copies to it.
    batch: u64,
    /// What the count is when all of that batch and of those before it has run.
    expected: Receipt,
    /// How often batches had been dropped before.
    drops: u64,
}

impl Staging {
    /// A copy of the first `len` bytes of a buffer, and of the padding behind them, as the batch that is being recorded makes it; nothing but
    /// the count of what has run where `from` is `None`.
    ///
    /// # Errors
    /// `RuntimeError` (`out-of-memory`).
    pub(crate) fn copy_of(
        gpu: &Rc<Gpu>,
        op: &'static str,
        from: Option<&wgpu::Buffer>,
        len: usize,
    ) -> Result<Self> {
        let size = DATA + padded(len);
        // No larger than the device allows, but never less than `size`.
        let class = Pool::class(size).min(gpu.limits().max_buffer_size / 16 * 16).max(size);
        let raw = match gpu.memory.take(Purpose::ReadBack, class, Use::Recorded) {
            Some(raw) => raw,
            None => create(gpu, op, "the way back", len, class, Purpose::ReadBack)?,
        };
        let drops = gpu.drops();
        let expected = gpu.recorder.ask_for_receipt(&raw);
        if let Some(from) = from {
            gpu.recorder.copy(from, &raw, DATA, padded(len));
        }
        Ok(Self { gpu: gpu.clone(), raw, is_mapped: false, batch: gpu.recorder.batch(), expected, drops })
    }

    /// The batch that copies to it.
    pub(crate) fn batch(&self) -> u64 {
        self.batch
    }

    /// How often batches had been dropped before it was recorded.
    pub(crate) fn drops(&self) -> u64 {
        self.drops
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

    /// The words of `size` bytes of data, which must be mapped; none if the device was lost meanwhile.
    pub(crate) fn words(&self, size: u64) -> Vec<u32> {
        let view = self.view(size);
        let data = view.as_ref().and_then(|view| view.get(DATA as usize..));
        bytemuck::pod_collect_to_vec(data.unwrap_or_default())
    }

    /// Whether the batch can be relied on: it was not dropped, and it and every one before it ran to its end. The bytes must be mapped.
    pub(crate) fn is_finished(&self) -> bool {
        let dropped = &self.gpu.dropped;
        let view = self.raw.get_mapped_range(..DATA).ok();
        let count = view.and_then(|view| view.first_chunk().map(|&bytes| u32::from_le_bytes(bytes)));
        let is_finished =
            dropped.cause_of(self.batch).is_none() && count.is_some() && count == self.expected.get();
        if is_finished {
            // Batches run in order, so that all earlier ones have ended too.
            dropped.finish(self.batch, self.gpu.recorder.batch());
        }
        is_finished
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if self.is_mapped {
            self.raw.unmap();
        }
        let is_busy = self.gpu.recorder.is_recording();
        self.gpu.memory.put(Purpose::ReadBack, &self.raw, false, is_busy);
    }
}
