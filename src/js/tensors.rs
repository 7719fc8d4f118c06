//! Making tensors, and what they say of themselves.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::backend::Backend;
use crate::backend::cpu::Cpu;
use crate::context::Device;
use crate::dtype::{Bits, DType, Scalar, is_whole_within, load, store};
use crate::error::{Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::host::{HostBuffer, UninitBuffer};
use crate::js::facts::{attempt, set_span, set_word, word, words};
use crate::js::table;
use crate::js::wire::{self, DEVICE, DIMS, DTYPE, HIGH, INDEX, LOW, RANK};
use crate::shape::Shape;
use crate::tensor::{Tensor, fit, truths};

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
    let dims: Vec<usize> = words(DIMS, rank.min(crate::shape::MAX_RANK as u32)).collect();
    Shape::new(wire::call_name(call), &dims)
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
        let shape = block_shape(call, rank)?;
        // SAFETY: JavaScript writes every element of the reserved memory before it calls this: `place` in src/js/operands.js.
        let mut buffer = unsafe { room.assume_filled() };
        let is_index = target == INDEX;
        let becomes =
            if is_index { index_dtype(op, argument, &buffer, stored, &place)? } else { dtype(target) };
        if stored != becomes {
            buffer = convert_all(op, argument, (&buffer, stored), (becomes, is_index), &place)?;
        } else if becomes == DType::Bool {
            // Any byte may stand for a truth value out there.
            truths(&mut buffer);
        }
        table::keep(Tensor::from_buffer(shape, becomes, buffer))
    })
}

/// Every value of an array in the dtype that it becomes; `place` says where one is that does not fit.
fn convert_all(
    op: &'static str,
    argument: &'static str,
    (values, stored): (&HostBuffer, DType),
    (dtype, is_index): (DType, bool),
    place: &Shape,
) -> Result<HostBuffer> {
    // As in NumPy, a float may become infinite, and anything a truth value; an integer must fit. Of an index, the nearest end of
    // what int64 holds is out of range just as well, and for the plan to refuse: no dimension is that large.
    let fit_all = match (stored, dtype.int_range()) {
        (_, None) | (_, Some((0, 1))) => true,
        _ if is_index && stored != DType::Uint64 => true,
        (_, Some((min, max))) if stored.int_range().is_some_and(|(low, high)| min <= low && high <= max) => {
            true
        }
        (DType::Float64, Some(range)) => values.elements().iter().all(|&x| is_whole_within(range, x)),
        _ => false,
    };
    if fit_all {
        return Cpu.convert(op, stored, dtype, values);
    }
    let mut converted = HostBuffer::zeroed(op, values.bytes().len() / stored.size() * dtype.size())?;
    let elements = converted.bytes_mut().chunks_exact_mut(dtype.size());
    for (at, (value, element)) in scalars(values, stored).zip(elements).enumerate() {
        let bits = match value {
            Scalar::Int(whole) if is_index => whole.min(i64::MAX.into()) as Bits,
            _ => fit(op, argument, value, dtype).map_err(|error| error.position(place.unravel(at)))?,
        };
        store(element, bits);
    }
    Ok(converted)
}

fn scalars(buffer: &HostBuffer, dtype: DType) -> impl Iterator<Item = Scalar> {
    buffer.bytes().chunks_exact(dtype.size()).map(move |bytes| Scalar::load(load(bytes), dtype))
}

/// int32, or int64 where a value does not fit it: out of range is for the operator to say.
fn index_dtype(
    op: &'static str,
    argument: &'static str,
    buffer: &HostBuffer,
    stored: DType,
    place: &Shape,
) -> Result<DType> {
    match stored {
        DType::Int32 | DType::Int64 => return Ok(stored),
        DType::Int8 | DType::Uint8 | DType::Int16 | DType::Uint16 => return Ok(DType::Int32),
        DType::Uint32 | DType::Uint64 => return Ok(DType::Int64),
        DType::Bool | DType::Float16 | DType::Bfloat16 | DType::Float32 | DType::Float64 => {}
    }
    let mut dtype = DType::Int32;
    for (at, value) in scalars(buffer, stored).enumerate() {
        let is_whole = matches!(value, Scalar::Float(number) if number.fract() == 0.0);
        if !is_whole {
            let position = place.unravel(at);
            let text = format!(
                "{argument} must hold whole numbers, and {argument}{} is {value}",
                crate::shape::list(&position)
            );
            return Err(Error::new(ErrorClass::Type, ErrorCode::IndexDtype, op, text)
                .argument(argument)
                .value(FactValue::Float(value.as_f64()))
                .position(position));
        }
        if value.fit(DType::Int32).is_none() {
            dtype = DType::Int64;
        }
    }
    Ok(dtype)
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

/// Puts where the bytes are in the block, for reading until the next call; false for a tensor that is not on the CPU.
#[wasm_bindgen]
pub fn locate(handle: u32) -> bool {
    let found = table::with(|table| Ok(table.tensor(handle)?.bytes().map(set_span)));
    found.is_ok_and(|found| found.is_some())
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
