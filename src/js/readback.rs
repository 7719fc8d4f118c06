//! What a `Tensor` holds, as JavaScript's values.

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use crate::context::Device;
use crate::dtype::{DType, Scalar, load};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::convert;
use crate::js::error::wrong_kind;
use crate::js::options::{names, read_options};
use crate::js::promise::{promise, settled};
use crate::js::snippets::{copy_out, format_values, nest};
use crate::js::tensor::{Tensor, operand};
use crate::storage::{HostBuffer, Storage};

#[wasm_bindgen]
impl Tensor {
    pub fn data(&self, options: &JsValue) -> Result<Promise> {
        const OP: &str = "Tensor.data";
        if let Some(out) = self.copy_out(options)? {
            return Ok(Promise::resolve(&out));
        }
        let out = out_option(OP, options)?;
        let data = self.borrow()?;
        let dtype = data.dtype();
        Ok(match &data.storage {
            Storage::Host(buffer) => settled(convert::typed_out(OP, dtype, buffer.bytes(), out.as_ref())),
            #[cfg(feature = "webgpu")]
            Storage::Device(buffer) => {
                let mapped = buffer.map(OP);
                promise(async move { convert::typed_out_of(OP, dtype, &mapped.await?.array(), out.as_ref()) })
            }
        })
    }

    pub fn data_sync(&self, options: &JsValue) -> Result<JsValue> {
        const OP: &str = "Tensor.data_sync";
        if let Some(out) = self.copy_out(options)? {
            return Ok(out);
        }
        let out = out_option(OP, options)?;
        let data = self.borrow()?;
        match data.bytes() {
            Some(bytes) => convert::typed_out(OP, data.dtype(), bytes, out.as_ref()),
            None => {
                let text = "values on WebGPU cannot be had without waiting: use await t.data()";
                Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, OP, text))
            }
        }
    }

    pub fn tolist(&self) -> Result<Promise> {
        const OP: &str = "Tensor.tolist";
        let data = self.borrow()?;
        let (shape, dtype) = (data.shape().clone(), data.dtype());
        self.read(OP, move |buffer| {
            let values = numbers(OP, dtype, buffer.bytes())?;
            let shape: Vec<u32> = shape.dims().iter().map(|&size| size as u32).collect();
            Ok(nest(&values, &shape, dtype == DType::Bool))
        })
    }

    pub fn item(&self) -> Result<Promise> {
        const OP: &str = "Tensor.item";
        let data = self.borrow()?;
        let (size, dtype) = (data.size(), data.dtype());
        if size != 1 {
            let text = format!("a tensor with one element has an item(); this one has {size}: use tolist()");
            return Err(Error::new(ErrorClass::Value, ErrorCode::NotScalar, OP, text));
        }
        self.read(OP, move |buffer| {
            let values = numbers(OP, dtype, buffer.bytes())?;
            Ok(nest(&values, &[], dtype == DType::Bool))
        })
    }

    pub fn equals(&self, other: &JsValue) -> Result<Promise> {
        const OP: &str = "Tensor.equals";
        let one = self.borrow()?.clone();
        let two = operand(OP, other)?.ok_or_else(|| wrong_kind(OP, "other", "a Tensor", other))?;
        Ok(promise(async move {
            // Both reads are recorded before the first wait: what is compared is what there is now.
            let (one, two) = (one.to(Device::Cpu), two.to(Device::Cpu));
            let (one, two) = (one.await?, two.await?);
            Ok(one.bits_equal(&two).unwrap_or_default().into())
        }))
    }

    #[wasm_bindgen(js_name = toString)]
    pub fn js_to_string(&self) -> Result<JsValue> {
        let data = self.borrow()?;
        let (shape, dtype) = (data.shape(), data.dtype());
        let Some(bytes) = data.bytes() else {
            return Ok(format!("Tensor(shape={shape}, dtype={dtype}, device=webgpu)").into());
        };
        let (kind, digits, lowest) = match dtype {
            DType::Bool => ("bool", 0, 0),
            DType::Float16 => ("float", 11, -14),
            DType::Bfloat16 => ("float", 8, -126),
            DType::Float32 => ("float", 24, -126),
            DType::Float64 => ("float", 53, -1022),
            _ => ("int", 0, 0),
        };
        let values = numbers("Tensor.toString", dtype, bytes)?;
        let shape: Vec<u32> = shape.dims().iter().map(|&size| size as u32).collect();
        Ok(format_values(&values, &shape, kind, digits, lowest))
    }
}

impl Tensor {
    /// The short way of `data({ out })` on the CPU; `None` for the long way.
    fn copy_out(&self, options: &JsValue) -> Result<Option<JsValue>> {
        if options.is_undefined() {
            return Ok(None);
        }
        // Shared, because reading the options may write to this very tensor.
        let data = self.borrow()?.clone();
        let Some(bytes) = data.bytes() else { return Ok(None) };
        let out = copy_out(options, data.dtype() as u32, bytes);
        Ok((!out.is_undefined()).then_some(out))
    }

    /// A promise of what `convert` makes of the bytes as they are now.
    fn read(
        &self,
        op: &'static str,
        convert: impl FnOnce(&HostBuffer) -> Result<JsValue> + 'static,
    ) -> Result<Promise> {
        #[cfg(not(feature = "webgpu"))]
        let _ = op;
        Ok(match &self.borrow()?.storage {
            Storage::Host(buffer) => settled(convert(buffer)),
            #[cfg(feature = "webgpu")]
            Storage::Device(buffer) => {
                let read = buffer.read(op);
                promise(async move { convert(&read.await?) })
            }
        })
    }
}

fn out_option(op: &'static str, options: &JsValue) -> Result<Option<JsValue>> {
    let out = read_options(op, options, &names!("out"))?.get(0);
    Ok((!out.is_undefined()).then_some(out))
}

/// The elements in an array of JavaScript numbers or bigints: the half types as float32.
fn numbers(op: &'static str, dtype: DType, bytes: &[u8]) -> Result<JsValue> {
    if !matches!(dtype, DType::Float16 | DType::Bfloat16) {
        return convert::typed_out(op, dtype, bytes, None);
    }
    let mut wide = HostBuffer::zeroed(op, bytes.len() * 2)?;
    for (from, to) in bytes.chunks_exact(dtype.size()).zip(wide.elements_mut::<f32>()) {
        *to = Scalar::load(load(from), dtype).as_f64() as f32;
    }
    convert::typed_out(op, DType::Float32, wide.bytes(), None)
}
