//! WebGPU from JavaScript: start-up, moving tensors, reading them back, sharing buffers with the page's own code.
//!
//! What has to wait returns a promise that never rejects: it resolves to a number or an object, and after a failure to the facts
//! of the error as text. Nothing of the table stays borrowed while it waits.

use std::future::Future;
use std::pin::Pin;

use js_sys::{Promise, Uint8Array};
use serde_wasm_bindgen::to_value;
use wasm_bindgen::prelude::*;

use crate::backend::Backend;
use crate::backend::gpu::testing::{Hooks as _, Strategy};
use crate::backend::gpu::{AdapterFacts, Arithmetic, DeviceOptions, PowerPreference};
use crate::context;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::facts::{attempt, text};
use crate::js::table;
use crate::js::tensors::{block_shape, dtype};
use crate::js::wire::call_name;
use crate::storage::Storage;
use crate::tensor::Tensor;

/// A promise of what a future comes to: its value, or the facts of its failure. What runs a future is compiled once.
fn promise(future: impl Future<Output = Result<JsValue>> + 'static) -> Promise {
    fn run(future: Pin<Box<dyn Future<Output = Result<JsValue>>>>) -> Promise {
        wasm_bindgen_futures::future_to_promise(async move {
            Ok(future.await.unwrap_or_else(|error| JsValue::from_str(&text(&error))))
        })
    }
    run(Box::pin(future))
}

/// Starts a GPU device, or takes the one that runs; resolves to nothing. The rest is what the platform tells of its adapter, the
/// features divided by blanks: reading an object would bring in code for every kind of value.
#[wasm_bindgen]
pub fn gpu_start(
    call: u32,
    power: u32,
    software: bool,
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
            1 => PowerPreference::Low,
            2 => PowerPreference::High,
            _ => PowerPreference::None,
        };
        context::start_gpu(call_name(call), DeviceOptions { power, software }, Some(known)).await?;
        Ok(JsValue::UNDEFINED)
    })
}

/// Whether a GPU device runs: 0 for none, 1 for one on a software adapter, 2 for one on a hardware adapter, 3 for one that was lost.
#[wasm_bindgen]
pub fn gpu_state() -> u32 {
    match (context::current_gpu(), context::last_gpu()) {
        (Some(gpu), _) if gpu.facts().software => 1,
        (Some(_), _) => 2,
        (None, Some(_)) => 3,
        (None, None) => 0,
    }
}

/// Adapter, limits and numerics, in the order of `describeGpu` in gpu.js; undefined while none runs.
#[wasm_bindgen]
pub fn gpu_facts() -> JsValue {
    let Some(gpu) = context::current_gpu() else { return JsValue::UNDEFINED };
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
    let probe = [numerics.float32 == Arithmetic::Native, numerics.keeps_subnormals, numerics.keeps_nan];
    to_value(&(adapter, limits, probe, gpu.demoted())).unwrap_or_default()
}

/// Why the GPU device that ran last is gone, as the facts of an error; undefined where it is not.
#[wasm_bindgen]
pub fn gpu_loss() -> JsValue {
    let lost = context::last_gpu().and_then(|gpu| gpu.alive("backend").err());
    lost.map_or(JsValue::UNDEFINED, |error| JsValue::from_str(&text(&error)))
}

/// Frees what the device keeps for the next tensors.
#[wasm_bindgen]
pub fn gpu_free_pooled() {
    if let Some(gpu) = context::current_gpu() {
        gpu.free_pooled();
    }
}

/// For timing the ways to scatter: every scatter goes the way of this number in [`Strategy::ALL`], wherever it applies; any
/// other number leaves the choice to the library. Returns how many scatters went that way so far.
#[wasm_bindgen]
pub fn gpu_force_way(way: u32) -> u32 {
    let Some(gpu) = context::current_gpu() else { return 0 };
    let way = way as usize;
    gpu.force_strategy(Strategy::ALL.get(way).copied());
    gpu.strategies_run().get(way).copied().unwrap_or_default()
}

#[wasm_bindgen]
pub fn gpu_bytes() -> f64 {
    context::current_gpu().map_or(0.0, |gpu| gpu.bytes() as f64)
}

#[wasm_bindgen]
pub fn gpu_pooled_bytes() -> f64 {
    context::current_gpu().map_or(0.0, |gpu| gpu.pooled_bytes() as f64)
}

/// Waits for the GPU.
#[wasm_bindgen]
pub fn gpu_sync() -> Promise {
    promise(async {
        if let Some(gpu) = context::last_gpu() {
            gpu.sync().await?;
        }
        Ok(JsValue::UNDEFINED)
    })
}

/// The tensor on the GPU; the handle of another one.
#[wasm_bindgen]
pub fn upload(handle: u32, call: u32) -> u32 {
    attempt(|| table::keep(table::tensor(handle)?.upload_for(call_name(call))?))
}

/// The tensor on the CPU; resolves to the handle of another one. The values are those of now.
#[wasm_bindgen]
pub fn download(handle: u32, call: u32) -> Promise {
    let tensor = table::tensor(handle);
    // A buffer of the caller's belongs to the tensor alone; the read that is waited for holds no reference to it.
    let read = tensor.map(|tensor| match &tensor.storage {
        Storage::Device(buffer) => {
            let read = buffer.read(call_name(call));
            Ok((tensor.shape().clone(), tensor.dtype(), read))
        }
        Storage::Host(_) => Err(tensor),
    });
    promise(async move {
        let copy = match read? {
            Ok((shape, dtype, read)) => Tensor::from_buffer(shape, dtype, read.await?),
            Err(tensor) => tensor,
        };
        Ok(table::keep(copy)?.into())
    })
}

/// Copies the bytes of a tensor on the GPU, as they are now, to `target`, an array of as many bytes that no other code refers to. Resolves to nothing.
#[wasm_bindgen]
pub fn read_into(handle: u32, call: u32, target: Uint8Array) -> Promise {
    let mapped = table::tensor(handle).map(|tensor| match &tensor.storage {
        Storage::Device(buffer) => Some(buffer.map(call_name(call))),
        Storage::Host(_) => None,
    });
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

/// Resolves when every index value of a plan is known and checked.
#[wasm_bindgen]
pub fn plan_ready(handle: u32) -> Promise {
    let plan = table::plan(handle);
    promise(async move {
        plan?.ready().await?;
        Ok(JsValue::UNDEFINED)
    })
}

/// The `GPUDevice` that tensors live on; undefined after a failure.
#[wasm_bindgen]
pub fn gpu_device_object(call: u32) -> JsValue {
    attempt(|| Ok(context::gpu(call_name(call))?.handle()))
}

/// The `GPUBuffer` of a tensor; undefined after a failure.
#[wasm_bindgen]
pub fn gpu_buffer_object(handle: u32, call: u32) -> JsValue {
    attempt(|| match &table::tensor(handle)?.storage {
        Storage::Host(_) => {
            let text = "the tensor lives on cpu and has no GPUBuffer: await t.to('webgpu')";
            Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, call_name(call), text))
        }
        Storage::Device(buffer) => {
            buffer.gpu().alive(call_name(call))?;
            Ok(buffer.handle())
        }
    })
}

/// A tensor that is a `GPUBuffer` of `size` bytes which JavaScript has looked at; its handle.
#[wasm_bindgen]
pub fn borrow_gpu_buffer(buffer: &JsValue, call: u32, dtype_number: u32, rank: u32, size: f64) -> u32 {
    attempt(|| {
        let (op, dtype) = (call_name(call), dtype(dtype_number));
        let shape = block_shape(call, rank)?;
        let buffer = context::gpu(op)?.borrow_in(op, buffer, shape.size() * dtype.size(), size)?;
        table::keep(Tensor::from_storage(shape, dtype, Storage::device(buffer)))
    })
}

/// A tensor copied from a `GPUBuffer` that JavaScript has looked at, from byte `offset` on; its handle.
#[wasm_bindgen]
pub fn copy_gpu_buffer_in(buffer: &JsValue, call: u32, dtype_number: u32, rank: u32, offset: f64) -> u32 {
    attempt(|| {
        let (op, dtype) = (call_name(call), dtype(dtype_number));
        let shape = block_shape(call, rank)?;
        let gpu = context::gpu(op)?;
        let mut copy = gpu.copy_in(op, buffer, offset, shape.size() * dtype.size())?;
        if dtype == DType::Bool {
            // Any byte may come from outside, and truth values are 0 or 1.
            copy = gpu.convert(op, DType::Uint8, DType::Bool, &copy)?;
        }
        table::keep(Tensor::from_storage(shape, dtype, Storage::device(copy)))
    })
}
