//! Tensor data in GPU memory.

use std::cell::Cell;
use std::rc::Rc;

use crate::engine::Backend;
use crate::engine::gpu::device::device_lost;
use crate::engine::gpu::memory::allocate::refused;
use crate::engine::gpu::{Cause, Gpu, Pool, Purpose, Use, hook};
use crate::{Error, ErrorClass, ErrorCode, Result};

#[cfg(target_arch = "wasm32")]
use crate::engine::gpu::memory::allocate;

/// A buffer of one device. Dropping it returns the memory to the device's pool.
pub struct DeviceBuffer {
    gpu: Rc<Gpu>,
    raw: wgpu::Buffer,
    /// Bytes of data. The buffer itself has at least [`padded`] of them.
    len: usize,
    /// Whether code outside the library may hold the buffer.
    shared_out: Cell<bool>,
    /// Whether the caller owns the buffer. Then only the caller destroys it.
    borrowed: bool,
    /// The last batch that wrote to the buffer.
    batch: Cell<u64>,
}

impl DeviceBuffer {
    /// `len` bytes of zeros. `what` names their purpose in an error's text.
    pub(crate) fn new(gpu: &Rc<Gpu>, op: &'static str, what: &'static str, len: usize) -> Result<Self> {
        let (buffer, is_recycled) = Self::allocate(gpu, op, what, len, Use::Recorded)?;
        // A new buffer holds zeros.
        if is_recycled && hook(|hooks| hooks.keeps_old_bytes) != Some(true) {
            gpu.recorder.clear(&buffer.raw, 0, buffer.raw.size());
        }
        Ok(buffer)
    }

    /// `len` uninitialised bytes. A pass must write every word before another pass reads it.
    pub(crate) fn unfilled(gpu: &Rc<Gpu>, op: &'static str, what: &'static str, len: usize) -> Result<Self> {
        Self::allocate(gpu, op, what, len, Use::Recorded).map(|(buffer, _)| buffer)
    }

    /// `len` bytes of zeros in a new buffer, for a copy that is submitted before the current batch. If the platform refuses the copy,
    /// the bytes stay zeros.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn for_copying(gpu: &Rc<Gpu>, op: &'static str, len: usize) -> Result<Self> {
        Self::allocate(gpu, op, "a copy", len, Use::Copied).map(|(buffer, _)| buffer)
    }

    /// Gives the buffer to code outside the library. From now on no other tensor reuses it.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn share_out(&self) -> &wgpu::Buffer {
        self.shared_out.set(true);
        &self.raw
    }

    /// A buffer with these bytes. The queue writes them before the current batch runs.
    pub(crate) fn holding(gpu: &Rc<Gpu>, op: &'static str, bytes: &[u8]) -> Result<Self> {
        let (buffer, _) = Self::allocate(gpu, op, "an operand", bytes.len(), Use::Written)?;
        buffer.written_in(gpu.recorder.write(&buffer.raw, bytes));
        Ok(buffer)
    }

    /// A buffer with room for `len` bytes, and whether it comes from the pool. A buffer from the pool still holds its last owner's
    /// data. `wanted` says which buffers of the pool fit.
    fn allocate(
        gpu: &Rc<Gpu>,
        op: &'static str,
        what: &'static str,
        len: usize,
        wanted: Use,
    ) -> Result<(Self, bool)> {
        let limit = gpu.most_bytes();
        if padded(len) > limit {
            let text = format!(
                "{what} of {len} bytes is more than this GPU binds at once ({limit} bytes); split the tensor, use a narrower \
                 dtype, or keep it on the CPU (device: 'cpu')"
            );
            return Err(Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text));
        }
        // The largest size class may exceed the device's limit. Buffers are multiples of 16 bytes.
        let class = Pool::class(len as u64).min(limit / 16 * 16);
        let recycled = gpu.memory.take(Purpose::Tensor, class, wanted);
        let is_recycled = recycled.is_some();
        let raw = match recycled {
            Some(raw) => raw,
            None => create(gpu, op, what, len, class, Purpose::Tensor)?,
        };
        gpu.memory.hold(raw.size() as i64);
        let batch = Cell::new(gpu.recorder.batch());
        let shared_out = Cell::new(false);
        Ok((Self { gpu: gpu.clone(), raw, len, shared_out, borrowed: false, batch }, is_recycled))
    }

    /// A buffer of `size` bytes that the caller owns. Its first `len` bytes are data. Call `lend_buffer` first: then the JavaScript
    /// glue gives wgpu the caller's buffer instead of a new one. See `Gpu::borrow_in`.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn borrowed(gpu: &Rc<Gpu>, op: &'static str, len: usize, size: u64) -> Result<Self> {
        let limit = gpu.most_bytes();
        if size > limit {
            let text = format!("buffer has {size} bytes, and this GPU binds {limit} at once");
            return Err(Error::new(ErrorClass::Value, ErrorCode::InvalidBuffer, op, text).argument("buffer"));
        }
        let descriptor =
            wgpu::BufferDescriptor { label: None, size, usage: allocate::TENSOR, mapped_at_creation: false };
        let raw = gpu.device.create_buffer(&descriptor);
        let batch = Cell::new(gpu.recorder.batch());
        Ok(Self { gpu: gpu.clone(), raw, len, shared_out: Cell::new(true), borrowed: true, batch })
    }

    /// Whether both are one buffer. A caller's buffer that is borrowed twice has two names.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        #[cfg(target_arch = "wasm32")]
        if self.borrows_same(other) {
            return true;
        }
        self.raw() == other.raw()
    }

    #[cfg(target_arch = "wasm32")]
    pub(crate) fn is_borrowed(&self) -> bool {
        self.borrowed
    }

    /// The device of the buffer.
    pub fn gpu(&self) -> Rc<Gpu> {
        self.gpu.clone()
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Counts only the first `len` bytes as data. The memory does not change.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Checks that a call may use the buffer.
    pub(crate) fn usable(&self, op: &'static str) -> Result<()> {
        self.gpu.alive(op)?;
        if self.gpu.memory.is_refused(&self.raw) {
            return Err(refused(op, "an operand", self.len));
        }
        self.gpu.dropped.cause_of(self.batch.get()).map_or(Ok(()), |cause| Err(cause.error(op)))
    }

    pub(crate) fn raw(&self) -> &wgpu::Buffer {
        &self.raw
    }

    pub(crate) fn written_in(&self, batch: u64) {
        self.batch.set(batch);
    }

    pub(crate) fn clear(&self) {
        self.gpu.recorder.clear(&self.raw, 0, padded(self.len));
    }

    /// Records a copy of the data to byte `at` of another buffer. `at` and the data's length must be multiples of 4 bytes.
    pub(crate) fn copy_to(&self, other: &Self, at: usize) {
        self.gpu.recorder.copy(&self.raw, &other.raw, at as u64, self.len as u64);
        other.written_in(self.gpu.recorder.batch());
    }

    pub(crate) fn duplicate(&self, op: &'static str) -> Result<Self> {
        let copy = Self::unfilled(&self.gpu, op, "a copy", self.len)?;
        self.gpu.recorder.copy(&self.raw, &copy.raw, 0, padded(self.len));
        Ok(copy)
    }

    pub(crate) fn first(&self, op: &'static str, len: usize) -> Result<Self> {
        let len = len.min(self.len);
        let copy = Self::unfilled(&self.gpu, op, "the result", len)?;
        self.gpu.recorder.copy(&self.raw, &copy.raw, 0, padded(len));
        Ok(copy)
    }
}

impl Drop for DeviceBuffer {
    fn drop(&mut self) {
        // The caller owns this memory: it is neither counted nor reused.
        if self.borrowed {
            return;
        }
        self.gpu.memory.hold(-(self.raw.size() as i64));
        let is_busy = self.gpu.recorder.is_recording();
        self.gpu.memory.put(Purpose::Tensor, &self.raw, self.shared_out.get(), is_busy);
    }
}

impl Gpu {
    /// Checks that a call may use a buffer: the buffer is on this device, and `DeviceBuffer::usable` accepts it.
    ///
    /// # Errors
    /// `RuntimeError`: `device-lost` for a buffer of an earlier device; the errors of `DeviceBuffer::usable`.
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
}

/// A new buffer of `size` bytes. Its first `len` bytes are for `what`. A browser may refuse the buffer later; then the next read or
/// `sync()` reports it.
pub(crate) fn create(
    gpu: &Rc<Gpu>,
    op: &'static str,
    what: &'static str,
    len: usize,
    size: u64,
    purpose: Purpose,
) -> Result<wgpu::Buffer> {
    let (buffer, answer) = gpu.memory.create(op, what, len, size, purpose)?;
    if let Some(answer) = answer {
        let (owner, buffer, since) = (Rc::downgrade(gpu), buffer.clone(), gpu.recorder.batch());
        gpu.pending.expect(async move {
            if answer.await {
                return None;
            }
            let gpu = owner.upgrade()?;
            gpu.drop_batches(since, Cause::NoMemory);
            gpu.memory.refuse(buffer);
            Some(refused(op, what, len))
        });
    }
    Ok(buffer)
}

/// The bytes that `len` bytes of data occupy on the device. Shaders access whole quads of words, so reads and copies move whole quads
/// too.
pub(crate) fn padded(len: usize) -> u64 {
    (len as u64).next_multiple_of(16).max(16)
}

impl Backend for Rc<Gpu> {
    type Buffer = DeviceBuffer;
}
