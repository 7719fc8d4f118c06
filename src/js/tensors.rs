//! Making tensors, and what they say of themselves.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::context::Device;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::UninitBuffer;
use crate::js::facts::{attempt, set_span, set_word, word, words};
use crate::js::table;
use crate::js::wire::{self, DEVICE, DIMS, DTYPE, HIGH, INDEX, LOW, RANK};
use crate::ops::array;
use crate::scalar::Scalar;
use crate::shape::{MAX_RANK, Shape};
use crate::tensor::{Tensor, truths};

/// Memory that JavaScript is filling with the elements of an array.
struct Incoming {
    shape: Shape,
    stored: DType,
    room: UninitBuffer,
}

thread_local! {
    static INCOMING: RefCell<Option<Incoming>> = const { RefCell::new(None) };
}

pub(super) fn dtype(number: u32) -> DType {
    DType::ALL.get(number as usize).copied().unwrap_or(DType::Float32)
}

/// The shape whose sizes are in the block.
pub(super) fn block_shape(call: u32, rank: u32) -> Result<Shape> {
    let mut dims = [0; MAX_RANK];
    dims.iter_mut().zip(words(DIMS, rank)).for_each(|(dim, word)| *dim = word);
    Shape::new(wire::call_name(call), dims.get(..rank as usize).unwrap_or_default())
}

pub(super) fn set_dims(shape: &Shape) {
    set_word(RANK, shape.rank() as u32);
    for (at, &size) in shape.dims().iter().enumerate() {
        set_word(DIMS + at, size as u32);
    }
}

/// The scalar of that kind, its integer in the block.
pub(super) fn scalar(kind: u32, number: f64) -> Scalar {
    wire::scalar(kind, number, u64::from(word(HIGH)) << 32 | u64::from(word(LOW)))
}

/// Reserves memory for the elements of an array with the shape in the block, stored as that dtype; its address. All of them are
/// written before `adopt` is called. 0 after a failure, and for no elements the address is not 0.
#[wasm_bindgen]
pub fn reserve(call: u32, stored: u32, rank: u32) -> u32 {
    attempt(|| {
        let (shape, stored) = (block_shape(call, rank)?, dtype(stored));
        let mut room = UninitBuffer::new(wire::call_name(call), shape.size() * stored.size())?;
        let address = room.slots::<u8>().as_ptr() as u32;
        INCOMING.set(Some(Incoming { shape, stored, room }));
        Ok(address.max(1))
    })
}

/// Makes a tensor of the elements that were written to the reserved memory: of the shape in the block, which has as many elements,
/// converted to the dtype `target`, or as an index. Its handle.
#[wasm_bindgen]
pub fn adopt(call: u32, argument: u32, target: u32, rank: u32) -> u32 {
    attempt(|| {
        let (op, argument) = (wire::call_name(call), wire::argument(argument));
        let incoming = INCOMING.take();
        let missing =
            || Error::new(ErrorClass::Runtime, ErrorCode::InvalidArgument, op, "no memory was reserved");
        let Incoming { shape: place, stored, room } = incoming.ok_or_else(missing)?;
        // Nearly always the array has the shape already.
        let is_same = place.dims().iter().copied().eq(words(DIMS, rank));
        let shape = if is_same { place.clone() } else { block_shape(call, rank)? };
        // SAFETY: JavaScript writes every element of the reserved memory before it calls this: `place` in src/js/operands.js.
        let buffer = unsafe { room.assume_filled() };
        let becomes = (target != INDEX).then(|| dtype(target));
        table::keep(array::tensor(op, argument, (buffer, stored, &place), shape, becomes)?)
    })
}

/// A tensor of the shape in the block with one value everywhere.
#[wasm_bindgen]
pub fn full(call: u32, argument: u32, dtype_number: u32, rank: u32, kind: u32, value: f64) -> u32 {
    attempt(|| {
        let (op, dtype) = (wire::call_name(call), dtype(dtype_number));
        let shape = block_shape(call, rank)?;
        table::keep(Tensor::filled(op, wire::argument(argument), shape, scalar(kind, value), dtype)?)
    })
}

#[wasm_bindgen]
pub fn arange(start: f64, stop: f64, step: f64, dtype_number: u32) -> u32 {
    attempt(|| table::keep(Tensor::arange(start, stop, step, dtype(dtype_number))?))
}

/// Puts dtype, device and shape in the block.
#[wasm_bindgen]
pub fn describe(handle: u32) {
    _ = table::with(|table| {
        let tensor = table.tensor(handle)?;
        set_word(DTYPE, tensor.dtype() as u32);
        set_word(DEVICE, (tensor.device() == Device::WebGpu).into());
        set_dims(tensor.shape());
        Ok(())
    });
}

/// Puts the dtype and where the bytes are in the block, for reading until the next call; false for a tensor that is not on the CPU.
#[wasm_bindgen]
pub fn locate(handle: u32) -> bool {
    let found = table::with(|table| {
        let tensor = table.tensor(handle)?;
        set_word(DTYPE, tensor.dtype() as u32);
        Ok(tensor.bytes().map(set_span))
    });
    found.is_ok_and(|found| found.is_some())
}

/// Puts the dtype and where the bytes are in the block, for the caller to write to until the next call. Another tensor that shares them
/// keeps what it has, and what was noted of an index is void.
#[wasm_bindgen]
pub fn lend(handle: u32, call: u32) -> bool {
    attempt(|| {
        let op = wire::call_name(call);
        table::with(|table| {
            let tensor = table.tensor_mut(handle)?;
            set_word(DTYPE, tensor.dtype() as u32);
            let buffer = tensor.storage.as_host_mut(op)?.ok_or_else(|| {
                let text = "values on WebGPU are not in this memory: const copy = await t.to('cpu') first";
                Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text)
            })?;
            set_span(buffer.bytes_mut());
            Ok(true)
        })
    })
}

/// Any byte that the caller wrote into bools becomes 0 or 1.
#[wasm_bindgen]
pub fn settle_truths(handle: u32) {
    _ = table::with(|table| {
        let buffer = table.tensor_mut(handle)?.storage.as_host_mut("Tensor.with_data")?;
        buffer.into_iter().for_each(truths);
        Ok(())
    });
}

/// Another tensor with the same data.
#[wasm_bindgen]
pub fn share(handle: u32) -> u32 {
    attempt(|| {
        table::with(|table| {
            let tensor = table.tensor(handle)?.clone();
            table.keep(tensor)
        })
    })
}

#[wasm_bindgen]
pub fn reshape(handle: u32, call: u32, rank: u32) -> u32 {
    attempt(|| {
        let shape = block_shape(call, rank)?;
        table::keep(table::tensor(handle)?.reshape(shape.dims())?)
    })
}

#[wasm_bindgen]
pub fn astype(handle: u32, dtype_number: u32) -> u32 {
    attempt(|| table::keep(table::tensor(handle)?.astype(dtype(dtype_number))?))
}

/// 1 for the same bits, 0 for others, 2 where one of the two is not on the CPU.
#[wasm_bindgen]
pub fn bits_equal(one: u32, two: u32) -> u32 {
    let equal = table::with(|table| Ok(table.tensor(one)?.bits_equal(table.tensor(two)?)));
    equal.ok().flatten().map_or(2, u32::from)
}

/// Bytes that tensors hold in host memory.
#[wasm_bindgen]
pub fn host_bytes() -> f64 {
    crate::host::host_bytes() as f64
}

/// Whether this is the build with WebAssembly's vectors.
#[wasm_bindgen]
pub fn has_simd() -> bool {
    cfg!(target_feature = "simd128")
}
