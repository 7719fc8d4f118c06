//! Where a tensor's bytes are, and how many there are.

use std::cell::Cell;
use std::rc::Rc;

use bytemuck::Pod;

use crate::error::{Error, ErrorClass, ErrorCode, Result};

thread_local! {
    static HOST_BYTES: Cell<usize> = const { Cell::new(0) };
}

/// Bytes that tensors of this thread hold in host memory.
pub fn host_bytes() -> usize {
    HOST_BYTES.get()
}

/// Bytes in host memory, aligned for every dtype. All allocation of tensor data goes through here, so
/// that exhaustion is an error and not a trap.
pub struct HostBuffer {
    words: Vec<u64>,
    len: usize,
}

impl HostBuffer {
    /// `len` bytes of zeros.
    pub fn zeroed(op: &'static str, len: usize) -> Result<Self> {
        let count = len.div_ceil(8);
        let mut words = Vec::new();
        words.try_reserve_exact(count).map_err(|_| out_of_memory(op, len))?;
        words.resize(count, 0);
        HOST_BYTES.set(HOST_BYTES.get() + count * 8);
        Ok(Self { words, len })
    }

    /// A copy of `bytes`.
    pub fn copy_of(op: &'static str, bytes: &[u8]) -> Result<Self> {
        let mut buffer = Self::zeroed(op, bytes.len())?;
        buffer.bytes_mut().copy_from_slice(bytes);
        Ok(buffer)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.words).get(..self.len).unwrap_or_default()
    }

    /// The bytes, for writing.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.words).get_mut(..self.len).unwrap_or_default()
    }

    /// The bytes as elements. The buffer holds whole elements of the width it was made for.
    pub fn elements<T: Pod>(&self) -> &[T] {
        bytemuck::cast_slice(self.bytes())
    }

    /// The bytes as elements, for writing.
    pub fn elements_mut<T: Pod>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(self.bytes_mut())
    }
}

impl Drop for HostBuffer {
    fn drop(&mut self) {
        HOST_BYTES.set(HOST_BYTES.get().saturating_sub(self.words.len() * 8));
    }
}

/// The error for `len` bytes that could not be had.
pub(crate) fn out_of_memory(op: &'static str, len: usize) -> Error {
    let text = format!("{len} bytes could not be allocated; dispose() of tensors that are done with");
    Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text)
}

/// A tensor's data on the device where it lives. Cloning shares it; writing copies it first when shared.
#[derive(Clone)]
pub(crate) enum Storage {
    /// In host memory.
    Host(Rc<HostBuffer>),
    /// In GPU memory.
    #[cfg(feature = "webgpu")]
    Device(Rc<crate::backend::gpu::DeviceBuffer>),
}
