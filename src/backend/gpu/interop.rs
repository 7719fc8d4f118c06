//! The browser's objects behind the device and its buffers, for WebGPU code of the page.

use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::backend::gpu::buffer::DeviceBuffer;
use crate::backend::gpu::device::Gpu;
use crate::error::{Error, ErrorClass, ErrorCode, Result};

#[wasm_bindgen(module = "/src/js/engine/platform.js")]
extern "C" {
    /// Copies `size` bytes from byte `offset` of a caller's `GPUBuffer` to the start of another, at once. The promise gives what the
    /// platform had against it: an empty string for nothing, "device" for a buffer of another device, "destroyed".
    fn copy_gpu_buffer(
        device: &JsValue,
        source: &JsValue,
        target: &JsValue,
        offset: f64,
        size: f64,
    ) -> Promise;
    /// Has the next `createBuffer` of wgpu return this `GPUBuffer` of the caller's, once, and make none. Undefined ends that.
    fn lend_buffer(buffer: &JsValue);
}

impl Gpu {
    /// The `GPUDevice`; undefined where wgpu does not run on a browser's WebGPU.
    pub fn handle(&self) -> JsValue {
        self.device.as_webgpu().map(|device| device.clone().into()).unwrap_or_default()
    }

    /// A buffer of `len` bytes copied from a `GPUBuffer`, from byte `offset` on. If the platform refuses the source,
    /// that is known later and reported by the next read or `sync()`; the buffer then holds zeros.
    ///
    /// # Errors
    /// `RuntimeError`: `device-lost`; `out-of-memory` where the device does not bind buffers of that size, or has no memory.
    pub fn copy_in(
        self: &Rc<Self>,
        op: &'static str,
        source: &JsValue,
        offset: f64,
        len: usize,
    ) -> Result<DeviceBuffer> {
        self.alive(op)?;
        // The copy is submitted at once, and the current batch may be what fills the source: it has to be submitted
        // before.
        self.flush();
        let buffer = DeviceBuffer::for_copying(self, op, len)?;
        if len == 0 {
            return Ok(buffer);
        }
        // WebGPU copies whole words; the buffer has room for them.
        let size = len.next_multiple_of(4) as f64;
        let answer = copy_gpu_buffer(&self.handle(), source, &buffer_handle(buffer.raw()), offset, size);
        self.pending.expect(async move {
            let answer = JsFuture::from(answer).await.ok()?.as_string()?;
            let (code, text) = match answer.as_str() {
                "device" => (
                    ErrorCode::WrongDevice,
                    "buffer belongs to another GPUDevice: make it with gpu_device().createBuffer()",
                ),
                "destroyed" => (ErrorCode::InvalidBuffer, "buffer was destroyed before it could be copied"),
                _ => return None,
            };
            Some(Error::new(ErrorClass::Runtime, code, op, text).argument("buffer"))
        });
        Ok(buffer)
    }

    /// The caller's buffer itself, of `size` bytes, whose first `len` bytes are data. If it belongs to another device, or was destroyed, the next
    /// read or `sync()` reports that.
    ///
    /// # Errors
    /// Those of `copy_in`; `ValueError` (`invalid-buffer`) when the device does not bind buffers of that size.
    pub fn borrow_in(
        self: &Rc<Self>,
        op: &'static str,
        source: &JsValue,
        len: usize,
        size: f64,
    ) -> Result<DeviceBuffer> {
        // A copy of one word that is thrown away: the platform looks at the buffer for it, and reports what is wrong.
        drop(self.copy_in(op, source, 0.0, 4)?);
        lend_buffer(source);
        let buffer = DeviceBuffer::borrowed(self, op, len, size as u64);
        // A buffer that is too large was refused before wgpu asked for one: the next one that wgpu makes must not be the caller's.
        lend_buffer(&JsValue::UNDEFINED);
        buffer
    }
}

impl DeviceBuffer {
    /// The `GPUBuffer`, for code outside the library, after everything recorded so far was submitted.
    pub fn handle(&self) -> JsValue {
        self.gpu().flush();
        buffer_handle(self.share_out())
    }

    /// Whether both are one buffer of the caller's, borrowed twice.
    pub(crate) fn borrows_same(&self, other: &Self) -> bool {
        self.is_borrowed() && other.is_borrowed() && buffer_handle(self.raw()) == buffer_handle(other.raw())
    }
}

/// The `GPUBuffer` behind a buffer; undefined where wgpu does not run on a browser's WebGPU.
fn buffer_handle(buffer: &wgpu::Buffer) -> JsValue {
    buffer.as_webgpu().map(|buffer| buffer.clone().into()).unwrap_or_default()
}
