//! Buffers that the GPU copies into and the host reads.

use std::rc::Rc;

use futures_channel::oneshot;

use crate::Result;
use crate::engine::gpu::buffer::{create, padded};
use crate::engine::gpu::{DATA, ExpectedCount, Gpu, Pool, Purpose, Use};

pub(crate) struct Staging {
    gpu: Rc<Gpu>,
    raw: wgpu::Buffer,
    /// Bytes of data, which begin at byte [`DATA`].
    size: u64,
    is_mapped: bool,
    /// The batch that copies to it.
    pub(crate) batch: u64,
    /// The count of finished work if that batch and all earlier batches have run.
    expected: ExpectedCount,
}

impl Staging {
    /// A copy of the first `len` bytes of a buffer, with their padding; the current batch makes it. If `from` is `None`, only the count
    /// of finished work.
    pub(crate) fn copy_of(
        gpu: &Rc<Gpu>,
        op: &'static str,
        from: Option<&wgpu::Buffer>,
        len: usize,
    ) -> Result<Self> {
        let size = padded(len);
        // At most the device's limit, but never less than the copy needs.
        let class = Pool::class(DATA + size).min(gpu.limits().max_buffer_size / 16 * 16).max(DATA + size);
        let raw = match gpu.memory.take(Purpose::ReadBack, class, Use::Recorded) {
            Some(raw) => raw,
            None => create(gpu, op, "the way back", len, class, Purpose::ReadBack)?,
        };
        let expected = gpu.recorder.expect_count(&raw);
        if let Some(from) = from {
            gpu.recorder.copy(from, &raw, DATA, size);
        }
        let batch = gpu.recorder.batch();
        Ok(Self { gpu: gpu.clone(), raw, size, is_mapped: false, batch, expected })
    }

    /// Asks for the mapping. The future waits for it, and yields whether the host can read the buffer. The batch must have been
    /// submitted.
    pub(crate) fn map(&mut self) -> impl Future<Output = bool> + use<> {
        let (sender, mut mapped) = oneshot::channel();
        self.is_mapped = true;
        let range = ..DATA + self.size;
        self.raw.map_async(wgpu::MapMode::Read, range, move |result| _ = sender.send(result.is_ok()));
        let gpu = Rc::clone(&self.gpu);
        async move { gpu.wait(&mut mapped).await == Some(true) }
    }

    /// The [`DATA`] bytes before the data, and the data. `None` if the device was lost after the mapping.
    pub(crate) fn view(&self) -> Option<wgpu::BufferView> {
        self.raw.get_mapped_range(..DATA + self.size).ok()
    }

    pub(crate) fn words(&self) -> Vec<u32> {
        let view = self.view();
        let data = view.as_ref().and_then(|view| view.get(DATA as usize..));
        bytemuck::pod_collect_to_vec(data.unwrap_or_default())
    }

    /// Whether the batch is reliable: it was not dropped, and it and all earlier batches ran to their end. The buffer must be mapped.
    pub(crate) fn is_finished(&self) -> bool {
        // A short range: a browser copies each byte of a mapped range.
        let view = self.raw.get_mapped_range(..DATA).ok();
        let count = view.and_then(|view| view.first_chunk().map(|&bytes| u32::from_le_bytes(bytes)));
        let dropped = &self.gpu.dropped;
        let is_finished =
            dropped.cause_of(self.batch).is_none() && count.is_some() && count == self.expected.get();
        if is_finished {
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
        self.gpu.memory.put(Purpose::ReadBack, &self.raw, false, self.gpu.recorder.is_recording());
    }
}
