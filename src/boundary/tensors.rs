//! Functions that make tensors, and that tell their properties.
//!
//! The parameters of the exported functions:
//!
//! - `handle`, `one` and `two` are handles of tensors. A returned handle is 0 after a failure.
//! - `call` and `argument` are numbers of `wire.rs`: the call and the argument that errors name.
//! - `stored`, `target` and `dtype_number` are numbers of dtypes.
//! - `rank` is the number of sizes in the block.
//! - `kind` and `value` are one scalar: see [`scalar`].

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::boundary::wire::{DEVICE, DIMS, DTYPE, HIGH, INDEX, LOW, RANK, WHOLE};
use crate::boundary::{attempt, set_span, set_word, table, wire, word, words};
use crate::create::array;
use crate::create::array::Becomes;
use crate::plan::Op;
use crate::tensor::truths;
use crate::{
    DType, Device, Error, ErrorClass, ErrorCode, MAX_RANK, Result, Scalar, Shape, Tensor, UninitBuffer,
    check_whole,
};

struct Incoming {
    /// Errors use this shape to name the position of an element.
    shape: Shape,
    /// The dtype of the elements as JavaScript writes them.
    stored: DType,
    room: UninitBuffer,
}

thread_local! {
    static INCOMING: RefCell<Option<Incoming>> = const { RefCell::new(None) };
}

/// The dtype of a number. JavaScript sends no other number, but nothing here may panic.
pub(crate) fn dtype(number: u32) -> DType {
    DType::ALL.get(number as usize).copied().unwrap_or(DType::Float32)
}

/// The shape whose `rank` sizes are in the block. An error if it has too many elements, or more than `MAX_RANK` sizes, which
/// JavaScript refuses first.
pub(crate) fn block_shape(call: u32, rank: u32) -> Result<Shape> {
    let mut dims = [0; MAX_RANK];
    dims.iter_mut().zip(words(DIMS, rank)).for_each(|(dim, word)| *dim = word);
    Shape::new(wire::call_name(call), dims.get(..rank as usize).unwrap_or(&[0; MAX_RANK + 1]))
}

pub(crate) fn set_dims(shape: &Shape) {
    set_word(RANK, shape.rank() as u32);
    for (at, &size) in shape.dims().iter().enumerate() {
        set_word(DIMS + at, size as u32);
    }
}

/// The scalar of a kind, which is a number of `wire.rs`: `number`, or for a kind of 64-bit integers the integer in the block.
pub(crate) fn scalar(kind: u32, number: f64) -> Scalar {
    wire::scalar(kind, number, u64::from(word(HIGH)) << 32 | u64::from(word(LOW)))
}

/// Reserves memory for the elements of an array of the dtype `stored`, with the shape in the block. Errors of `adopt` use this
/// shape to name the position of an element. Returns the address in bytes; 0 after a failure. JavaScript writes all elements there
/// before it calls `adopt`.
#[wasm_bindgen]
pub fn reserve(call: u32, stored: u32, rank: u32) -> u32 {
    attempt(|| {
        let (shape, stored) = (block_shape(call, rank)?, dtype(stored));
        let mut room = UninitBuffer::new(wire::call_name(call), shape.size() * stored.size())?;
        let address = room.slots::<u8>().as_ptr() as u32;
        INCOMING.set(Some(Incoming { shape, stored, room }));
        Ok(address.max(1)) // 0 would mean a failure; an empty array writes nothing
    })
}

/// Makes a tensor of the elements in the reserved memory. Its shape, which is in the block, has as many elements. They are
/// converted to the dtype `target`, or, if that is `INDEX`, to the integers of an index. With `WHOLE` added to the dtype, a fraction is
/// refused instead of cut. Returns the handle of the tensor.
#[wasm_bindgen]
pub fn adopt(call: u32, argument: u32, target: u32, rank: u32) -> u32 {
    attempt(|| {
        let (op, argument) = (wire::call_name(call), wire::argument(argument));
        let incoming = INCOMING.take();
        let missing =
            || Error::new(ErrorClass::Runtime, ErrorCode::InvalidArgument, op, "no memory was reserved");
        let Incoming { shape: given_shape, stored, room } = incoming.ok_or_else(missing)?;
        // Nearly always the array already has the shape of the tensor, and `reserve` has checked it.
        let is_same = given_shape.dims().iter().copied().eq(words(DIMS, rank));
        let shape = if is_same { given_shape.clone() } else { block_shape(call, rank)? };
        // SAFETY: `create` in src/js/arguments/operands.js writes every element of the reserved memory before it calls this.
        let buffer = unsafe { room.assume_filled() };
        let becomes = match (target, terms_of(call, target)) {
            (INDEX, _) => Becomes::Index,
            (_, Some(op)) => Becomes::Terms(op, dtype(target & !WHOLE)),
            (_, None) => Becomes::Cut(dtype(target & !WHOLE)),
        };
        table::keep(array::tensor(op, argument, (buffer, stored, &given_shape), shape, becomes)?)
    })
}

/// The operator whose terms become the dtype `target`, if `WHOLE` is added to it and the operator cuts no terms.
fn terms_of(call: u32, target: u32) -> Option<Op> {
    wire::op(call).filter(|op| target & WHOLE != 0 && !op.cuts_terms())
}

/// Makes a tensor of the shape in the block with one scalar everywhere. With `WHOLE` added to the dtype, a fraction is refused instead of
/// cut. Returns its handle.
#[wasm_bindgen]
pub fn full(call: u32, argument: u32, target: u32, rank: u32, kind: u32, value: f64) -> u32 {
    attempt(|| {
        let (op, dtype) = (wire::call_name(call), dtype(target & !WHOLE));
        let (shape, argument, value) =
            (block_shape(call, rank)?, wire::argument(argument), scalar(kind, value));
        if let Some(op) = terms_of(call, target) {
            check_whole(op, argument, || None, value, dtype)?;
        }
        table::keep(Tensor::filled(op, argument, shape, value, dtype)?)
    })
}

#[wasm_bindgen]
pub fn arange(start: f64, stop: f64, step: f64, dtype_number: u32) -> u32 {
    attempt(|| table::keep(Tensor::arange(start, stop, step, dtype(dtype_number))?))
}

/// Puts the dtype, the device and the shape of a tensor into the block. Does nothing if the tensor does not exist.
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

/// Puts the dtype of a tensor and the address and length of its bytes into the block. JavaScript may read the bytes until the next
/// call. Returns false if the tensor is not on the CPU or does not exist.
#[wasm_bindgen]
pub fn locate(handle: u32) -> bool {
    let found = table::with(|table| {
        let tensor = table.tensor(handle)?;
        set_word(DTYPE, tensor.dtype() as u32);
        Ok(tensor.bytes().map(set_span))
    });
    found.is_ok_and(|found| found.is_some())
}

/// Puts the dtype of a tensor and the address and length of its bytes into the block. The caller may write to the bytes until the
/// next call. Shared bytes are copied first, and the cached range of an index is cleared. Returns false after a failure.
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

/// Turns each byte that the caller wrote to a borrowed tensor of bools into 0 or 1.
#[wasm_bindgen]
pub fn settle_truths(handle: u32) {
    _ = table::with(|table| {
        if let Some(buffer) = table.tensor_mut(handle)?.storage.as_host_mut("Tensor.with_data")? {
            truths(buffer);
        }
        Ok(())
    });
}

/// Returns the handle of a new tensor on the same data. A write to either of the two copies the data first. `Table::keep` says when
/// the data is copied at once.
#[wasm_bindgen]
pub fn share(handle: u32) -> u32 {
    attempt(|| {
        table::with(|table| {
            let tensor = table.tensor(handle)?.clone();
            table.keep(tensor)
        })
    })
}

/// Returns the handle of a new tensor on the same data, as `share` does, with the shape in the block. The shape must have the same
/// number of elements.
#[wasm_bindgen]
pub fn reshape(handle: u32, call: u32, rank: u32) -> u32 {
    attempt(|| {
        let shape = block_shape(call, rank)?;
        table::keep(table::tensor(handle)?.with_shape(wire::call_name(call), shape)?)
    })
}

#[wasm_bindgen]
pub fn astype(handle: u32, dtype_number: u32) -> u32 {
    attempt(|| table::keep(table::tensor(handle)?.astype(dtype(dtype_number))?))
}

/// Whether two tensors have the same shape, dtype and bits; any NaN equals any NaN. 1 for yes, 0 for no, and 2 if the answer needs
/// bits that are not on the CPU.
#[wasm_bindgen]
pub fn bits_equal(one: u32, two: u32) -> u32 {
    let equal = table::with(|table| Ok(table.tensor(one)?.bits_equal(table.tensor(two)?)));
    equal.ok().flatten().map_or(2, u32::from)
}

#[wasm_bindgen]
pub fn has_simd() -> bool {
    cfg!(target_feature = "simd128")
}
