//! Making tensors, and what they say of themselves.
//!
//! What the parameters of the exported functions mean:
//!
//! - `handle`, `one` and `two` are handles of tensors. A returned handle is 0 after a failure.
//! - `call` and `argument` are numbers of `wire.rs`: the call and the argument that errors name.
//! - `stored`, `target` and `dtype_number` are numbers of dtypes.
//! - `rank` is how many sizes of a shape are in the block.
//! - `kind` and `value` are one scalar: see [`scalar`].

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::boundary::facts::{attempt, set_span, set_word, word, words};
use crate::boundary::table;
use crate::boundary::wire::{self, DEVICE, DIMS, DTYPE, HIGH, INDEX, LOW, RANK};
use crate::context::Device;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::UninitBuffer;
use crate::ops::array;
use crate::scalar::Scalar;
use crate::shape::{MAX_RANK, Shape};
use crate::tensor::{Tensor, truths};

/// Memory that JavaScript is filling with the elements of an array.
struct Incoming {
    /// The shape by which an error says where an element is.
    shape: Shape,
    /// The dtype of the elements as JavaScript writes them.
    stored: DType,
    room: UninitBuffer,
}

thread_local! {
    /// Memory that was reserved and not adopted yet.
    static INCOMING: RefCell<Option<Incoming>> = const { RefCell::new(None) };
}

/// The dtype of a number. JavaScript sends no number that is none; nothing here may panic.
pub(super) fn dtype(number: u32) -> DType {
    DType::ALL.get(number as usize).copied().unwrap_or(DType::Float32)
}

/// The shape whose `rank` sizes are in the block; an error for one with too many elements, and for more than `MAX_RANK` sizes, which JavaScript
/// has refused.
pub(super) fn block_shape(call: u32, rank: u32) -> Result<Shape> {
    let mut dims = [0; MAX_RANK];
    dims.iter_mut().zip(words(DIMS, rank)).for_each(|(dim, word)| *dim = word);
    Shape::new(wire::call_name(call), dims.get(..rank as usize).unwrap_or(&[0; MAX_RANK + 1]))
}

/// Puts a shape into the block: its rank and its sizes.
pub(super) fn set_dims(shape: &Shape) {
    set_word(RANK, shape.rank() as u32);
    for (at, &size) in shape.dims().iter().enumerate() {
        set_word(DIMS + at, size as u32);
    }
}

/// The scalar of a kind, which is a number of `wire.rs`: it is `number`, or for a kind of 64-bit integers the integer in the block.
pub(super) fn scalar(kind: u32, number: f64) -> Scalar {
    wire::scalar(kind, number, u64::from(word(HIGH)) << 32 | u64::from(word(LOW)))
}

/// Reserves memory for the elements of an array of the dtype `stored`, with the shape in the block. Returns its address in bytes, to which
/// JavaScript writes all elements before it calls `adopt`; 0 after a failure. By the shape an error of `adopt` says where an element is.
#[wasm_bindgen]
pub fn reserve(call: u32, stored: u32, rank: u32) -> u32 {
    attempt(|| {
        let (shape, stored) = (block_shape(call, rank)?, dtype(stored));
        let mut room = UninitBuffer::new(wire::call_name(call), shape.size() * stored.size())?;
        let address = room.slots::<u8>().as_ptr() as u32;
        INCOMING.set(Some(Incoming { shape, stored, room }));
        Ok(address.max(1)) // 0 would tell of a failure, and nothing is written to memory for no elements
    })
}

/// Makes a tensor of the elements that were written to the reserved memory. It has the shape in the block, which has as many elements. They
/// are converted to the dtype `target`, or if that is `INDEX` to the integers of an index. Returns its handle.
#[wasm_bindgen]
pub fn adopt(call: u32, argument: u32, target: u32, rank: u32) -> u32 {
    attempt(|| {
        let (op, argument) = (wire::call_name(call), wire::argument(argument));
        let incoming = INCOMING.take();
        let missing =
            || Error::new(ErrorClass::Runtime, ErrorCode::InvalidArgument, op, "no memory was reserved");
        let Incoming { shape: given_shape, stored, room } = incoming.ok_or_else(missing)?;
        // Nearly always the array has the shape of the tensor already, which was checked by `reserve`.
        let is_same = given_shape.dims().iter().copied().eq(words(DIMS, rank));
        let shape = if is_same { given_shape.clone() } else { block_shape(call, rank)? };
        // SAFETY: `create` in src/js/arguments/operands.js writes every element of the reserved memory before it calls this.
        let buffer = unsafe { room.assume_filled() };
        let becomes = (target != INDEX).then(|| dtype(target));
        table::keep(array::tensor(op, argument, (buffer, stored, &given_shape), shape, becomes)?)
    })
}

/// A tensor of the shape in the block with one scalar everywhere; its handle.
#[wasm_bindgen]
pub fn full(call: u32, argument: u32, dtype_number: u32, rank: u32, kind: u32, value: f64) -> u32 {
    attempt(|| {
        let (op, dtype) = (wire::call_name(call), dtype(dtype_number));
        let shape = block_shape(call, rank)?;
        table::keep(Tensor::filled(op, wire::argument(argument), shape, scalar(kind, value), dtype)?)
    })
}

/// A tensor of one dimension with the numbers from `start` in steps of `step`, up to `stop` and without it; its handle.
#[wasm_bindgen]
pub fn arange(start: f64, stop: f64, step: f64, dtype_number: u32) -> u32 {
    attempt(|| table::keep(Tensor::arange(start, stop, step, dtype(dtype_number))?))
}

/// Puts the dtype, the device and the shape of a tensor into the block; nothing if there is no such tensor.
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

/// Puts into the block the dtype of a tensor, and where its bytes are and how many, for JavaScript to read until the next call. Returns false
/// for a tensor that is not on the CPU, and for a handle of none.
#[wasm_bindgen]
pub fn locate(handle: u32) -> bool {
    let found = table::with(|table| {
        let tensor = table.tensor(handle)?;
        set_word(DTYPE, tensor.dtype() as u32);
        Ok(tensor.bytes().map(set_span))
    });
    found.is_ok_and(|found| found.is_some())
}

/// Puts into the block the dtype of a tensor, and where its bytes are and how many, for the caller to write to until the next call. Bytes
/// that another tensor shares are copied first, and the range that was noted of an index is forgotten. Returns false after a failure.
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

/// Makes 0 or 1 of any byte that the caller wrote to a lent tensor of bools.
#[wasm_bindgen]
pub fn settle_truths(handle: u32) {
    _ = table::with(|table| {
        if let Some(buffer) = table.tensor_mut(handle)?.storage.as_host_mut("Tensor.with_data")? {
            truths(buffer);
        }
        Ok(())
    });
}

/// Returns the handle of a new tensor on the same data. A write to either of the two copies the data first; `Table::keep` says what is copied
/// at once.
#[wasm_bindgen]
pub fn share(handle: u32) -> u32 {
    attempt(|| {
        table::with(|table| {
            let tensor = table.tensor(handle)?.clone();
            table.keep(tensor)
        })
    })
}

/// Returns the handle of a new tensor on the same data, as `share` does, in the shape that is in the block. Another count of elements is an
/// error.
#[wasm_bindgen]
pub fn reshape(handle: u32, call: u32, rank: u32) -> u32 {
    attempt(|| {
        let shape = block_shape(call, rank)?;
        table::keep(table::tensor(handle)?.with_shape(wire::call_name(call), shape)?)
    })
}

/// The tensor converted to a dtype; the handle of a new one.
#[wasm_bindgen]
pub fn astype(handle: u32, dtype_number: u32) -> u32 {
    attempt(|| table::keep(table::tensor(handle)?.astype(dtype(dtype_number))?))
}

/// Whether two tensors have the same shape, dtype and bits, any NaN counting as any other: 1 for yes, 0 for no, and 2 if that takes bits that
/// are not on the CPU.
#[wasm_bindgen]
pub fn bits_equal(one: u32, two: u32) -> u32 {
    let equal = table::with(|table| Ok(table.tensor(one)?.bits_equal(table.tensor(two)?)));
    equal.ok().flatten().map_or(2, u32::from)
}

/// Bytes that tensors and plans hold in host memory.
#[wasm_bindgen]
pub fn host_bytes() -> f64 {
    crate::host::host_bytes() as f64
}

/// Whether this is the build with WebAssembly's vectors.
#[wasm_bindgen]
pub fn has_simd() -> bool {
    cfg!(target_feature = "simd128")
}
