//! WebGPU from JavaScript: start, uploads, downloads, and buffers shared with the page's own code.
//!
//! A function that waits returns a promise, which never rejects. It resolves to a number or to undefined; after a failure it
//! resolves to the facts of the error as JSON text. While it waits, it borrows nothing of the table.
//!
//! The parameters: `handle` is the handle of a tensor. `call` is the number of the call that errors name. `dtype_number` is the
//! number of a dtype (see `wire.rs`). `rank` is the number of sizes in the block. A returned handle is 0 after a failure.

use std::pin::Pin;

use js_sys::{Promise, Uint8Array};
use serde_wasm_bindgen::to_value;
use wasm_bindgen::prelude::*;

use crate::boundary::facts::facts_json;
use crate::boundary::tensors::dtype;
use crate::boundary::wire::call_name;
use crate::boundary::{attempt, block_shape, table};
use crate::convert::backend::ConvertBackend;
use crate::engine::gpu::current::last_gpu;
use crate::engine::gpu::{AdapterFacts, current_gpu, require_gpu};
use crate::start::{DeviceOptions, PowerPreference, start_gpu};
use crate::{DType, Error, ErrorClass, ErrorCode, Result, Tensor};

/// A promise that resolves to the value of a future; if the future fails, to the facts of its error as text. The part that runs the
/// future takes one boxed type, so it is compiled once and not for each future.
pub(crate) fn promise(future: impl Future<Output = Result<JsValue>> + 'static) -> Promise {
    fn run(future: Pin<Box<dyn Future<Output = Result<JsValue>>>>) -> Promise {
        wasm_bindgen_futures::future_to_promise(async move {
            Ok(future.await.unwrap_or_else(|error| JsValue::from_str(&facts_json(&error))))
        })
    }
    run(Box::pin(future))
}

/// Starts a GPU device, or takes the running one; resolves to undefined. `power` is 1 for a low-power GPU, 2 for a fast one, 0 for
/// no preference. `allow_software` allows an adapter that computes on the CPU.
///
/// The other parameters come from the platform. `is_software` says that the adapter computes on the CPU. `features` has the names
/// of its features, separated by spaces. `adopted` says that the device is the caller's own. They are parameters because reading an
/// object would need code for every kind of value.
#[wasm_bindgen]
pub fn gpu_start(
    call: u32,
    power: u32,
    allow_software: bool,
    vendor: String,
    architecture: String,
    description: String,
    is_software: bool,
    features: String,
    adopted: bool,
) -> Promise {
    promise(async move {
        let features = features.split_ascii_whitespace().map(String::from).collect();
        let known =
            AdapterFacts { vendor, architecture, description, software: is_software, features, adopted };
        let power = match power {
            1 => PowerPreference::LowPower,
            2 => PowerPreference::HighPerformance,
            _ => PowerPreference::None,
        };
        start_gpu(call_name(call), DeviceOptions { power, software: allow_software }, Some(known)).await?;
        Ok(JsValue::UNDEFINED)
    })
}

/// Whether a GPU device runs: 0 for none, 1 for one on a software adapter, 2 for one on a hardware adapter, 3 for one that was lost.
#[wasm_bindgen]
pub fn gpu_state() -> u32 {
    match (current_gpu(), last_gpu()) {
        (Some(gpu), _) if gpu.facts().software => 1,
        (Some(_), _) => 2,
        (None, Some(_)) => 3,
        (None, None) => 0,
    }
}

/// Facts of the GPU device, as nested arrays: the adapter, its limits, the observed behaviour of its arithmetic, and the demoted
/// pipelines. `describeGpu` in gpu.js reads them in this order. Undefined while no device runs.
#[wasm_bindgen]
pub fn gpu_facts() -> JsValue {
    let Some(gpu) = current_gpu() else { return JsValue::UNDEFINED };
    let (facts, limits, numerics) = (gpu.facts(), gpu.limits(), gpu.numerics());
    let limits = [
        limits.max_buffer_size as f64,
        limits.max_storage_buffer_binding_size as f64,
        limits.max_storage_buffers_per_shader_stage.into(),
        limits.max_compute_workgroups_per_dimension.into(),
        limits.max_compute_invocations_per_workgroup.into(),
        limits.max_compute_workgroup_storage_size.into(),
    ];
    let adapter = (&facts.vendor, &facts.architecture, &facts.description, facts.software, &facts.features);
    let probe = (numerics.float32.name(), numerics.keeps_subnormals, numerics.keeps_nan);
    to_value(&(adapter, limits, probe, gpu.demoted())).unwrap_or_default()
}

/// Why the last GPU device is gone, as the facts of an error of the call `backend`. Undefined if it is not gone, or if no device
/// ever ran.
#[wasm_bindgen]
pub fn gpu_loss() -> JsValue {
    let lost = last_gpu().and_then(|gpu| gpu.alive("backend").err());
    lost.map_or(JsValue::UNDEFINED, |error| JsValue::from_str(&facts_json(&error)))
}

#[wasm_bindgen]
pub fn gpu_free_pooled() {
    if let Some(gpu) = current_gpu() {
        gpu.free_pooled();
    }
}

#[wasm_bindgen]
pub fn gpu_bytes() -> f64 {
    current_gpu().map_or(0.0, |gpu| gpu.bytes() as f64)
}

#[wasm_bindgen]
pub fn gpu_pooled_bytes() -> f64 {
    current_gpu().map_or(0.0, |gpu| gpu.pooled_bytes() as f64)
}

/// Resolves to undefined when the GPU has finished all work, or to the first fault of that work. For a lost device the fault is the
/// loss.
#[wasm_bindgen]
pub fn gpu_sync() -> Promise {
    promise(async {
        if let Some(gpu) = last_gpu() {
            gpu.sync().await?;
        }
        Ok(JsValue::UNDEFINED)
    })
}

#[wasm_bindgen]
pub fn upload(handle: u32, call: u32) -> u32 {
    attempt(|| table::keep(table::tensor(handle)?.upload_for(call_name(call))?))
}

#[wasm_bindgen]
pub fn download(handle: u32, call: u32) -> Promise {
    let download = table::tensor(handle).map(|tensor| tensor.download_for(call_name(call)));
    promise(async move { Ok(table::keep(download?.await?)?.into()) })
}

/// Copies the bytes of a tensor on the GPU to `target`, as they are at the time of the call. Resolves to undefined when the copy is
/// complete. `target` must have as many bytes, and the caller must not use it meanwhile. If its length differs, or the tensor is on
/// the CPU, nothing is copied.
#[wasm_bindgen]
pub fn read_into(handle: u32, call: u32, target: Uint8Array) -> Promise {
    let mapped =
        table::tensor(handle).map(|tensor| tensor.storage.as_device().map(|data| data.map(call_name(call))));
    promise(async move {
        if let Some(mapped) = mapped? {
            let mapped = mapped.await?;
            let bytes = mapped.array();
            if bytes.length() == target.length() {
                target.set(&bytes, 0);
            }
        }
        Ok(JsValue::UNDEFINED)
    })
}

#[wasm_bindgen]
pub fn plan_ready(handle: u32) -> Promise {
    let plan = table::plan(handle);
    promise(async move {
        plan?.ready().await?;
        Ok(JsValue::UNDEFINED)
    })
}

/// The `GPUDevice` of the tensors; undefined after a failure.
#[wasm_bindgen]
pub fn gpu_device_object(call: u32) -> JsValue {
    attempt(|| Ok(require_gpu(call_name(call))?.handle()))
}

/// The `GPUBuffer` of a tensor; undefined after a failure.
#[wasm_bindgen]
pub fn gpu_buffer_object(handle: u32, call: u32) -> JsValue {
    attempt(|| {
        let (op, tensor) = (call_name(call), table::tensor(handle)?);
        let data = tensor.storage.as_device().ok_or_else(|| {
            let text = "the tensor lives on cpu and has no GPUBuffer: await t.to('webgpu')";
            Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text)
        })?;
        data.gpu().alive(op)?;
        Ok(data.handle())
    })
}

/// Makes a tensor whose data is the caller's `GPUBuffer` itself. Returns its handle. JavaScript has checked the usage of the
/// buffer. It has also checked that `size`, in bytes, is enough for the shape in the block.
#[wasm_bindgen]
pub fn borrow_gpu_buffer(buffer: &JsValue, call: u32, dtype_number: u32, rank: u32, size: f64) -> u32 {
    attempt(|| {
        let (op, dtype) = (call_name(call), dtype(dtype_number));
        let shape = block_shape(call, rank)?;
        let buffer = require_gpu(op)?.borrow_in(op, buffer, shape.size() * dtype.size(), size)?;
        table::keep(Tensor::from_storage(shape, dtype, buffer.into()))
    })
}

/// Makes a tensor of the shape in the block, copied from a `GPUBuffer` from byte `offset` on. Returns its handle. JavaScript has
/// checked the usage and the length of the buffer.
#[wasm_bindgen]
pub fn copy_gpu_buffer_in(buffer: &JsValue, call: u32, dtype_number: u32, rank: u32, offset: f64) -> u32 {
    attempt(|| {
        let (op, dtype) = (call_name(call), dtype(dtype_number));
        let shape = block_shape(call, rank)?;
        let gpu = require_gpu(op)?;
        let mut copy = gpu.copy_in(op, buffer, offset, shape.size() * dtype.size())?;
        if dtype == DType::Bool {
            // The caller's bytes may have any value, but those of a bool must be 0 or 1.
            copy = gpu.convert(op, DType::Uint8, DType::Bool, &copy)?;
        }
        table::keep(Tensor::from_storage(shape, dtype, copy.into()))
    })
}
