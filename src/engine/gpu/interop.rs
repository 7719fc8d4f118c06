//! The browser's objects of the device and its buffers, for a page's own WebGPU code.

use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::engine::gpu::{DeviceBuffer, Gpu};
use crate::{Error, ErrorClass, ErrorCode, Result};

#[wasm_bindgen(module = "/src/js/engine/platform.js")]
extern "C" {
    /// Copies `size` bytes from byte `offset` of a caller's `GPUBuffer` to the start of another, at once. The promise yields the
    /// platform's objection: an empty string for none, "device" for a buffer of another device, "destroyed".
    fn copy_gpu_buffer(
        device: &JsValue,
        source: &JsValue,
        target: &JsValue,
        offset: f64,
        size: f64,
    ) -> Promise;
    /// The next `createBuffer` of wgpu returns this `GPUBuffer` of the caller, once, instead of a new one. Undefined cancels that.
    fn lend_buffer(buffer: &JsValue);
}

impl Gpu {
    /// The `GPUDevice`; undefined if wgpu does not use a browser's WebGPU.
    pub fn handle(&self) -> JsValue {
        self.device.as_webgpu().map(|device| device.clone().into()).unwrap_or_default()
    }

    /// A buffer of `len` bytes, copied from byte `offset` of a `GPUBuffer`. If the platform refuses the source, the buffer holds zeros,
    /// and the next read or `sync()` reports the fault.
    ///
    /// # Errors
    /// `RuntimeError`: `device-lost`; `out-of-memory` if the device does not bind buffers of that size, or has no memory.
    pub fn copy_in(
        self: &Rc<Self>,
        op: &'static str,
        source: &JsValue,
        offset: f64,
        len: usize,
    ) -> Result<DeviceBuffer> {
        self.alive(op)?;
        // The copy is submitted at once. The current batch may write the source, so it is submitted first.
        self.flush();
        let buffer = DeviceBuffer::for_copying(self, op, len)?;
        if len == 0 {
            return Ok(buffer);
        }
        // WebGPU copies whole words. The buffer has room for them.
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

    /// The caller's buffer itself, of `size` bytes. Its first `len` bytes are data. If the buffer belongs to another device, or was
    /// destroyed, the next read or `sync()` reports that.
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
        // Copies one word for its side effect: the platform checks the buffer and reports a fault.
        drop(self.copy_in(op, source, 0.0, 4)?);
        lend_buffer(source);
        let buffer = DeviceBuffer::borrowed(self, op, len, size as u64);
        // wgpu refuses a too large buffer without a call of `createBuffer`. Cancel the loan, or wgpu's next buffer would be the
        // caller's.
        lend_buffer(&JsValue::UNDEFINED);
        buffer
    }
}

impl DeviceBuffer {
    /// Submits everything recorded so far, then gives the `GPUBuffer` to code outside the library.
    pub fn handle(&self) -> JsValue {
        self.gpu().flush();
        buffer_handle(self.share_out())
    }

    /// Whether both are the same caller's buffer, borrowed twice.
    pub(crate) fn borrows_same(&self, other: &Self) -> bool {
        self.is_borrowed() && other.is_borrowed() && buffer_handle(self.raw()) == buffer_handle(other.raw())
    }
}

/// The `GPUBuffer` of a buffer; undefined if wgpu does not use a browser's WebGPU.
fn buffer_handle(buffer: &wgpu::Buffer) -> JsValue {
    buffer.as_webgpu().map(|buffer| buffer.clone().into()).unwrap_or_default()
}
