//! JavaScript's `ExactSum`: exact sums in parts.
//!
//! `sums` and `other` are handles of sums. `boundary/operators.rs` explains the other parameters.

use wasm_bindgen::prelude::*;

use crate::boundary::facts;
#[cfg(feature = "webgpu")]
use crate::boundary::gpu;
use crate::boundary::table::{self, sums};
use crate::boundary::tensors::dtype;
use crate::boundary::wire::DTYPE;
use crate::boundary::{attempt, block_shape, scalar, set_dims, set_word};
use crate::exact::exact_sum::ExactSum;
use crate::{DType, Device, Error, ErrorClass, ErrorCode, Source, Tensor};

fn device(on_gpu: bool) -> Device {
    if on_gpu { Device::WebGpu } else { Device::Cpu }
}

/// Makes sums without terms, for the shape whose `rank` sizes are in the block. Returns their handle.
#[wasm_bindgen]
pub fn exact_sum(call: u32, rank: u32, dtype_number: u32, on_gpu: bool) -> u32 {
    attempt(|| {
        let shape = block_shape(call, rank)?;
        sums::keep_sums(ExactSum::new_on(shape.dims(), dtype(dtype_number), device(on_gpu))?)
    })
}

#[wasm_bindgen]
pub fn exact_sum_copy(sums: u32) -> u32 {
    attempt(|| {
        let copy = sums::with_sums(sums, |_, sums| sums.duplicate())?;
        sums::keep_sums(copy)
    })
}

/// Reads sums from the bytes in a tensor of uint8. Returns their handle, and puts their shape and dtype into the block.
#[wasm_bindgen]
pub fn exact_sum_from_bytes(bytes: u32, on_gpu: bool) -> u32 {
    attempt(|| {
        let bytes = table::tensor(bytes)?;
        let Some(bytes) = bytes.bytes().filter(|_| bytes.dtype() == DType::Uint8) else {
            let text = "bytes must be a Uint8Array";
            return Err(Error::new(
                ErrorClass::Type,
                ErrorCode::InvalidArgument,
                "ExactSum.from_bytes",
                text,
            )
            .argument("bytes"));
        };
        let sums = ExactSum::from_bytes_on(bytes, device(on_gpu))?;
        set_dims(sums.shape());
        set_word(DTYPE, sums.dtype() as u32);
        sums::keep_sums(sums)
    })
}

/// Adds the tensor `src`, or the scalar if `src` is 0, to the sums at the slots of an index. Returns whether it succeeded.
#[wasm_bindgen]
pub fn exact_sum_add(
    sums: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    src: u32,
    kind: u32,
    value: f64,
) -> bool {
    attempt(|| {
        sums::with_sums(sums, |table, sums| {
            let target = table.target((form, dim), index)?;
            let src = match src {
                0 => Source::Scalar(scalar(kind, value)),
                src => Source::Tensor(table.tensor(src)?.clone()),
            };
            sums.add(target, src, facts::mode(mode)).map(|()| true)
        })
    })
}

/// Adds the terms of other sums. `other` must not be `sums`. Returns whether it succeeded.
#[wasm_bindgen]
pub fn exact_sum_merge(sums: u32, other: u32) -> bool {
    attempt(|| sums::with_sums(sums, |table, sums| sums.merge(table.sums(other)?).map(|()| true)))
}

/// Makes a tensor of the sums (0), the means (1), the counts (2), or the bytes (3) of sums. Returns its handle.
#[wasm_bindgen]
pub fn exact_sum_result(sums: u32, which: u32) -> u32 {
    attempt(|| {
        let result = sums::with_sums(sums, |_, sums| match which {
            0 => sums.sum(),
            1 => sums.mean(),
            2 => sums.count(),
            _ => {
                let bytes = sums.to_bytes()?;
                Tensor::from_bytes(DType::Uint8, &[bytes.len()], &bytes)
            }
        });
        table::keep(result?)
    })
}

/// Resolves to the handle of new exact sums on the CPU. They have the terms that these sums have at the time of
/// the call.
#[cfg(feature = "webgpu")]
#[wasm_bindgen]
pub fn exact_sum_download(sums: u32) -> js_sys::Promise {
    let download = sums::with_sums(sums, |_, sums| Ok(sums.download()));
    gpu::promise(async move { Ok(sums::keep_sums(download?.await?)?.into()) })
}
