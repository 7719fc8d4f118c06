//! Buffers that the GPU copies into and the host reads from.

use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::Gpu;
use crate::backend::gpu::buffer::padded;
use crate::backend::gpu::pool::{Pool, Use};
use crate::error::Result;

const READ_BACK: wgpu::BufferUsages = wgpu::BufferUsages::MAP_READ.union(wgpu::BufferUsages::COPY_DST);

/// A buffer that the host can map, taken from a pool of such buffers.
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

    /// Asks for the bytes to be mapped. The commands that write them must have been submitted.
    pub(super) fn map(&mut self, size: u64) -> oneshot::Receiver<bool> {
        let (sender, mapped) = oneshot::channel();
        self.is_mapped = true;
        self.raw.map_async(wgpu::MapMode::Read, ..size, move |result| _ = sender.send(result.is_ok()));
        mapped
    }

    /// The mapped bytes; `None` if the device was lost meanwhile.
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
