//! Bytes on their way from the GPU to the host.

use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::buffer::padded;
use crate::backend::gpu::pool::{Pool, Use};
use crate::backend::gpu::{DeviceBuffer, Gpu, device_lost, memory};
use crate::error::Result;
use crate::storage::HostBuffer;

const READ_BACK: wgpu::BufferUsages = wgpu::BufferUsages::MAP_READ.union(wgpu::BufferUsages::COPY_DST);

/// A buffer that the host can look into, on loan from a pool of such.
pub(super) struct Staging {
    gpu: Rc<Gpu>,
    raw: wgpu::Buffer,
    is_mapped: bool,
}

impl Staging {
    pub(super) fn new(gpu: &Rc<Gpu>, op: &'static str, len: usize) -> Result<Self> {
        let class = Pool::class(padded(len));
        let raw = gpu.engine.borrow_mut().staging.take(class, Use::Recorded);
        let raw = match raw {
            Some(raw) => raw,
            None => gpu.create_buffer(op, "the way back", len, class, READ_BACK)?,
        };
        Ok(Self { gpu: gpu.clone(), raw, is_mapped: false })
    }

    pub(super) fn raw(&self) -> &wgpu::Buffer {
        &self.raw
    }

    /// Asks for the bytes; what writes them must have been submitted.
    pub(super) fn map(&mut self, size: u64) -> oneshot::Receiver<bool> {
        let (sender, mapped) = oneshot::channel();
        self.is_mapped = true;
        self.raw.map_async(wgpu::MapMode::Read, ..size, move |result| _ = sender.send(result.is_ok()));
        mapped
    }

    /// Those bytes, once they are there; `None` when the device was lost meanwhile.
    pub(super) fn view(&self, size: u64) -> Option<wgpu::BufferView> {
        self.raw.get_mapped_range(..size).ok()
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if self.is_mapped {
            self.raw.unmap();
        }
        let Ok(mut engine) = self.gpu.engine.try_borrow_mut() else { return self.raw.destroy() };
        let busy = engine.is_recording();
        engine.staging.put(self.raw.clone(), busy);
    }
}

/// Bytes that have arrived.
pub struct Mapped {
    // Before `_staging`, whose end unmaps it.
    view: wgpu::BufferView,
    len: usize,
    _staging: Staging,
}

impl Mapped {
    /// The bytes. In a browser this copies them into WebAssembly's memory first.
    pub fn bytes(&self) -> &[u8] {
        self.view.get(..self.len).unwrap_or_default()
    }

    /// The bytes where they are, for JavaScript to copy from.
    #[cfg(target_arch = "wasm32")]
    pub fn array(&self) -> js_sys::Uint8Array {
        self.view.as_uint8array().subarray(0, self.len as u32)
    }
}

impl DeviceBuffer {
    /// The bytes as they are now; work recorded later does not change what the future yields. The copy is
    /// recorded at once and submitted when the future is first polled, so that reads which are asked for
    /// together share a submission.
    ///
    /// # Errors
    /// The first deferred error that was not reported yet, or `device-lost`.
    pub fn map(&self, op: &'static str) -> impl Future<Output = Result<Mapped>> + use<> {
        let (gpu, len) = (self.gpu(), self.len());
        let staging = self.usable(op).and_then(|()| {
            let staging = Staging::new(&gpu, op, len)?;
            gpu.copy(self.raw(), staging.raw(), padded(len));
            let batch = gpu.engine.borrow().batch;
            Ok((staging, batch))
        });
        let refusals = gpu.refusals();
        async move {
            let (mut staging, batch) = staging?;
            gpu.flush();
            let mapped = gpu.wait(&mut staging.map(padded(len))).await;
            gpu.settle(op).await?;
            if gpu.refusals() != refusals || gpu.is_dropped(batch) {
                return Err(memory::not_run(op));
            }
            let view = staging.view(padded(len)).filter(|_| mapped == Some(true));
            let view = view.ok_or_else(|| device_lost(op, "a buffer could not be read"))?;
            Ok(Mapped { view, len, _staging: staging })
        }
    }

    /// [`DeviceBuffer::map`] into host memory.
    ///
    /// # Errors
    /// Also exhausted memory.
    pub fn read(&self, op: &'static str) -> impl Future<Output = Result<HostBuffer>> + use<> {
        let mapped = self.map(op);
        async move { HostBuffer::copy_of(op, mapped.await?.bytes()) }
    }
}
