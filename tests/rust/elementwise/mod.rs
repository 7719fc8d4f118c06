//! `mul`, `elementwise_mul` and their siblings against their specification, on the CPU and on WebGPU.
//!
//! Natively only: these tests wait for the GPU in the middle of a table, which a browser does not allow. There the
//! vectors run through the JavaScript face (tests/js/web).

mod activations;
mod activations_by_dtype;
mod conformance;
mod operations;
mod properties;

#[cfg(feature = "webgpu")]
use std::rc::Rc;

use half::{bf16, f16};
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::Hooks as _;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::{Arithmetic, Gpu};
use scatterwise::{Activation, DType, Tensor, elementwise_mul};
#[cfg(feature = "webgpu")]
use scatterwise::{Device, ErrorCode};

#[cfg(feature = "webgpu")]
use crate::common::backends::webgpu;

/// Where a call runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Cpu,
    #[cfg(feature = "webgpu")]
    /// With this float32 arithmetic, whatever the probe saw.
    WebGpu(Arithmetic),
}

/// The GPU that all tests share. Without a GPU the test counts as skipped.
#[cfg(feature = "webgpu")]
pub(crate) fn gpu() -> Option<Rc<Gpu>> {
    pollster::block_on(webgpu("elementwise"))
}

/// Where calls can run on this machine: the CPU, and WebGPU with strict arithmetic and, where the probe found it right, with the adapter's
/// own.
pub(crate) fn places() -> Vec<Place> {
    let mut places = vec![Place::Cpu];
    #[cfg(feature = "webgpu")]
    if let Some(gpu) = gpu() {
        if gpu.numerics().float32 == Arithmetic::Native {
            places.push(Place::WebGpu(Arithmetic::Native));
        }
        places.push(Place::WebGpu(Arithmetic::Strict));
    }
    places
}

/// The [`places`], and WebGPU with guarded arithmetic where the probe allows it. Only products without an activation have this arithmetic.
pub(crate) fn product_places() -> Vec<Place> {
    let mut places = places();
    #[cfg(feature = "webgpu")]
    if scatterwise::current_gpu().is_some_and(|gpu| gpu.numerics().float32 != Arithmetic::Strict) {
        places.push(Place::WebGpu(Arithmetic::Guarded));
    }
    places
}

/// Makes the call at a place and brings the result to the CPU; `None` where WebGPU does not do the activation of float64 yet.
pub(crate) fn run(
    place: Place,
    x: &Tensor,
    y: &Tensor,
    call: impl Fn(&Tensor, &Tensor) -> scatterwise::Result<Tensor>,
) -> scatterwise::Result<Option<Tensor>> {
    match place {
        Place::Cpu => call(x, y).map(Some),
        #[cfg(feature = "webgpu")]
        Place::WebGpu(arithmetic) => run_on_webgpu(arithmetic, x, y, call),
    }
}

/// Makes the call as [`run`] does, with this arithmetic and x on the GPU; the call brings y there. [`places`] has found a GPU.
#[cfg(feature = "webgpu")]
fn run_on_webgpu(
    arithmetic: Arithmetic,
    x: &Tensor,
    y: &Tensor,
    call: impl Fn(&Tensor, &Tensor) -> scatterwise::Result<Tensor>,
) -> scatterwise::Result<Option<Tensor>> {
    let gpu = scatterwise::current_gpu().unwrap();
    let probed = gpu.numerics().float32;
    gpu.force_arithmetic(arithmetic);
    let outcome = x.upload().and_then(|x| call(&x, y));
    gpu.force_arithmetic(probed);
    match outcome {
        Ok(out) => {
            assert_eq!(out.device(), Device::WebGpu);
            pollster::block_on(out.to(Device::Cpu)).map(Some)
        }
        Err(error) if error.code() == ErrorCode::UnsupportedOnDevice => {
            // The other dtypes have every activation.
            assert_eq!(x.dtype(), DType::Float64, "{error}");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The activation of each number, at a place: x times 1, so that the product is x.
pub(crate) fn run_act(place: Place, x: &[f32], act: Activation) -> Vec<f32> {
    let x = Tensor::from_elements(&[x.len()], x).unwrap();
    let one = Tensor::from_elements(&[], &[1.0f32]).unwrap();
    let out = run(place, &x, &one, |x, y| elementwise_mul(x, y, -1, Some(act))).unwrap().unwrap();
    out.elements::<f32>().unwrap().to_vec()
}

/// The bits of one element, from its little-endian bytes.
pub(crate) fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// The bits of each element of a tensor on the CPU.
pub(crate) fn elements(tensor: &Tensor) -> Vec<u64> {
    tensor.bytes().unwrap().chunks_exact(tensor.dtype().size()).map(bits).collect()
}

/// An element as the nearest float64, for comparisons within a tolerance. The bits of dtypes other than floats and int32 are read as an
/// int64.
pub(crate) fn value(dtype: DType, bits: u64) -> f64 {
    match dtype {
        DType::Float16 => f16::from_bits(bits as u16).to_f64(),
        DType::Bfloat16 => bf16::from_bits(bits as u16).to_f64(),
        DType::Float32 => f32::from_bits(bits as u32).into(),
        DType::Float64 => f64::from_bits(bits),
        DType::Int32 => (bits as i32).into(),
        _ => bits as i64 as f64,
    }
}
