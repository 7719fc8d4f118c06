//! Tensor data in GPU memory.

use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::{Gpu, device_lost};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::storage::HostBuffer;

/// A buffer of one device. Dropping it frees the memory.
pub struct DeviceBuffer {
    gpu: Rc<Gpu>,
    raw: wgpu::Buffer,
    /// Bytes of data; the buffer itself is padded to whole words and never empty.
    len: usize,
}

impl DeviceBuffer {
    /// `len` bytes of zeros.
    ///
    /// # Errors
    /// `RuntimeError` when the device does not bind buffers of that size.
    pub(super) fn new(gpu: &Rc<Gpu>, op: &'static str, len: usize) -> Result<Self> {
        let size = padded(len);
        let limit = gpu.limits.max_storage_buffer_binding_size.min(gpu.limits.max_buffer_size);
        if size > limit {
            let text = format!(
                "{len} bytes are more than this GPU binds at once ({limit}); use the CPU or smaller tensors"
            );
            return Err(Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text));
        }
        let raw = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.bytes.set(gpu.bytes.get() + size);
        Ok(Self { gpu: gpu.clone(), raw, len })
    }

    /// The device that the buffer is on.
    pub fn gpu(&self) -> Rc<Gpu> {
        self.gpu.clone()
    }

    /// Bytes of data.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn raw(&self) -> &wgpu::Buffer {
        &self.raw
    }

    /// Fills a buffer that no recorded work uses yet: the write comes before the batch in the making.
    pub(super) fn write(&self, bytes: &[u8]) {
        let whole = bytes.len() / 4 * 4;
        let (words, rest) = bytes.split_at(whole);
        if !words.is_empty() {
            self.gpu.queue.write_buffer(&self.raw, 0, words);
        }
        if !rest.is_empty() {
            let mut last = [0; 4];
            for (to, from) in last.iter_mut().zip(rest) {
                *to = *from;
            }
            self.gpu.queue.write_buffer(&self.raw, whole as u64, &last);
        }
    }

    /// A copy, recorded.
    ///
    /// # Errors
    /// As for any allocation.
    pub(super) fn duplicate(&self, op: &'static str) -> Result<Self> {
        let copy = Self::new(&self.gpu, op, self.len)?;
        self.gpu.copy(&self.raw, &copy.raw, padded(self.len));
        Ok(copy)
    }

    /// The bytes as they are now; work recorded later does not change what the future yields.
    ///
    /// # Errors
    /// The first deferred error that was not reported yet, `device-lost`, or exhausted memory.
    pub fn read(&self, op: &'static str) -> impl Future<Output = Result<HostBuffer>> + 'static {
        let size = padded(self.len);
        let staging = self.gpu.alive(op).map(|()| {
            let staging = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("read-back"),
                size,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            self.gpu.copy(&self.raw, &staging, size);
            self.gpu.flush();
            let (sender, mapped) = oneshot::channel();
            staging.map_async(wgpu::MapMode::Read, .., move |result| _ = sender.send(result.is_ok()));
            (staging, mapped)
        });
        let (gpu, len) = (self.gpu.clone(), self.len);
        async move {
            let (staging, mapped) = staging?;
            let mapped = gpu.wait(mapped).await;
            gpu.settle(op).await?;
            let view = staging.get_mapped_range(..).ok().filter(|_| mapped == Some(true));
            let view = view.ok_or_else(|| device_lost(op, "a buffer could not be read"))?;
            let bytes = view.get(..len).unwrap_or_default();
            let buffer = HostBuffer::copy_of(op, bytes);
            drop(view);
            staging.destroy();
            buffer
        }
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        self.gpu.bytes.set(self.gpu.bytes.get().saturating_sub(padded(self.len)));
        self.gpu.retire(&self.raw);
    }
}

fn padded(len: usize) -> u64 {
    (len as u64).next_multiple_of(16).max(16)
}
