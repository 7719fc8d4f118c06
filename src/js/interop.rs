//! Sharing buffers with the page's own WebGPU code: `gpu_device`, `gpu_buffer`, `from_gpu_buffer`.

use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::tensor::Tensor;
use crate::storage::Storage;

/// The `GPUDevice` that tensors live on.
#[wasm_bindgen(skip_typescript)]
pub fn gpu_device() -> Result<JsValue> {
    const OP: &str = "gpu_device";
    #[cfg(feature = "webgpu")]
    return Ok(crate::context::gpu(OP)?.handle());
    #[cfg(not(feature = "webgpu"))]
    return Err(crate::context::no_gpu(OP));
}

#[wasm_bindgen]
impl Tensor {
    pub fn gpu_buffer(&self) -> Result<JsValue> {
        const OP: &str = "Tensor.gpu_buffer";
        match &self.borrow()?.storage {
            Storage::Host(_) => {
                let text = "the tensor lives on cpu and has no GPUBuffer: await t.to('webgpu')";
                Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, OP, text))
            }
            #[cfg(feature = "webgpu")]
            Storage::Device(buffer) => {
                buffer.gpu().alive(OP)?;
                Ok(buffer.handle())
            }
        }
    }

    pub fn from_gpu_buffer(buffer: &JsValue, options: &JsValue) -> Result<Tensor> {
        #[cfg(feature = "webgpu")]
        return from_buffer::make("Tensor.from_gpu_buffer", buffer, options);
        #[cfg(not(feature = "webgpu"))]
        {
            _ = (buffer, options);
            Err(crate::context::no_gpu("Tensor.from_gpu_buffer"))
        }
    }
}

#[cfg(feature = "webgpu")]
mod from_buffer {
    use super::*;
    use crate::backend::Backend;
    use crate::context::{Device, gpu};
    use crate::dtype::{DType, Scalar};
    use crate::error::FactValue;
    use crate::js::convert;
    use crate::js::error::wrong_kind;
    use crate::js::options::{TensorOptions, names};
    use crate::js::session;
    use crate::js::snippets::{ForeignBuffer, is_gpu_buffer};
    use crate::shape::Shape;
    use crate::tensor::Tensor as Data;

    /// `GPUBufferUsage.COPY_SRC`.
    const COPY_SRC: u32 = 4;

    pub(super) fn make(op: &'static str, buffer: &JsValue, options: &JsValue) -> Result<Tensor> {
        if !is_gpu_buffer(buffer) {
            return Err(wrong_kind(op, "buffer", "a GPUBuffer", buffer));
        }
        if options.is_undefined() {
            return Err(wrong_kind(op, "options", "an object with shape and dtype", options));
        }
        let known = &names!("dtype", "shape", "device", "name", "lod", "offset");
        let parsed = TensorOptions::parse_among(op, options, known)?;
        let shape = Shape::new(op, &convert::sizes(op, &parsed.shape())?)?;
        let dtype = parsed
            .dtype(op)?
            .ok_or_else(|| wrong_kind(op, "dtype", "the name of a dtype", &JsValue::UNDEFINED))?;
        let offset = offset(op, &parsed.more())?;
        let device = parsed.device();
        if !device.is_undefined() && session::device(op, &device)? == Device::Cpu {
            let text = "the copy stays on webgpu: leave device out, and await t.to('cpu') afterwards";
            let error = Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text);
            return Err(error.argument("device"));
        }
        let gpu = gpu(op)?;
        let len = shape.size() * dtype.size();
        check(op, buffer.unchecked_ref(), offset, len)?;
        let mut copy = gpu.copy_in(op, buffer, offset, len)?;
        if dtype == DType::Bool {
            // Any byte may come from outside, and truth values are 0 or 1.
            copy = gpu.convert(op, DType::Uint8, DType::Bool, &copy)?;
        }
        Tensor::labelled(op, Data::from_storage(shape, dtype, Storage::device(copy)), &parsed)
    }

    fn offset(op: &'static str, offset: &JsValue) -> Result<f64> {
        if offset.is_undefined() {
            return Ok(0.0);
        }
        let bytes = offset.as_f64().ok_or_else(|| wrong_kind(op, "offset", "a number of bytes", offset))?;
        if bytes >= 0.0 && bytes % 4.0 == 0.0 {
            return Ok(bytes);
        }
        let text =
            format!("offset is {}; it must be a multiple of 4 bytes, and not negative", Scalar::Float(bytes));
        Err(Error::new(ErrorClass::Value, ErrorCode::InvalidArgument, op, text)
            .argument("offset")
            .value(FactValue::Float(bytes)))
    }

    /// What can be seen of a buffer from outside.
    fn check(op: &'static str, buffer: &ForeignBuffer, offset: f64, len: usize) -> Result<()> {
        let refuse = |text: String| {
            Err(Error::new(ErrorClass::Value, ErrorCode::InvalidBuffer, op, text).argument("buffer"))
        };
        if buffer.usage() & COPY_SRC == 0 {
            return refuse("buffer was made without GPUBufferUsage.COPY_SRC, which copying it needs".into());
        }
        if buffer.map_state().as_string().is_some_and(|state| state != "unmapped") {
            return refuse("buffer is mapped: unmap() it first".into());
        }
        // Copies move whole words.
        let needed = len.next_multiple_of(4);
        if offset + needed as f64 > buffer.size() {
            let [size, offset] = [buffer.size(), offset].map(Scalar::Float);
            return refuse(format!(
                "buffer has {size} bytes; {needed} bytes from offset {offset} on end behind it"
            ));
        }
        Ok(())
    }
}
