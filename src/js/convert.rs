//! JavaScript values to tensors and scalars, and back.

use wasm_bindgen::{JsCast, JsValue};

use crate::backend::Backend;
use crate::backend::cpu::Cpu;
use crate::dtype::{Bits, DType, Scalar, is_whole_within, load, store};
use crate::error::{Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::js::error::{readable, wrong_kind};
use crate::js::plain;
#[cfg(feature = "webgpu")]
use crate::js::snippets::new_array_of;
use crate::js::snippets::{bytes_of, copy_in, flatten, is_raw, new_array, typed_dtype};
use crate::js::tensor::operand;
use crate::shape::Shape;
use crate::storage::{HostBuffer, Room, out_of_memory};
use crate::tensor::{Tensor, element_count, fit, truths};

/// A number, bigint or boolean; `None` for anything else.
pub(super) fn scalar(value: &JsValue) -> Option<Scalar> {
    if let Some(number) = value.as_f64() {
        return Some(Scalar::Float(number));
    }
    if let Some(truth) = value.as_bool() {
        return Some(Scalar::Bool(truth));
    }
    let big = value.dyn_ref::<js_sys::BigInt>()?;
    let whole = i64::try_from(big.clone()).map(i128::from).or_else(|big| u64::try_from(big).map(i128::from));
    // Beyond 64 bits no dtype fits; the ends of the float range say so just as well.
    Some(whole.map_or(Scalar::Float(f64::INFINITY), Scalar::Int))
}

/// An integer such as `dim`.
pub(super) fn integer(op: &'static str, argument: &'static str, value: &JsValue) -> Result<i64> {
    value
        .as_f64()
        .filter(|number| number.fract() == 0.0)
        .map(|number| number as i64)
        .ok_or_else(|| wrong_kind(op, argument, "an integer", value))
}

/// A list of sizes.
pub(super) fn sizes(op: &'static str, value: &JsValue) -> Result<Vec<usize>> {
    counts(op, "shape", ErrorCode::InvalidShape, value)
}

/// Lists of offsets, one for each level.
pub(super) fn offsets(op: &'static str, value: &JsValue) -> Result<Vec<Vec<usize>>> {
    let levels =
        value.dyn_ref::<js_sys::Array>().ok_or_else(|| wrong_kind(op, "lod", "an array of arrays", value))?;
    let mut offsets = Vec::new();
    for at in 0..levels.length() {
        offsets.push(counts(op, "lod", ErrorCode::InvalidLod, &levels.get(at))?);
    }
    Ok(offsets)
}

fn counts(op: &'static str, argument: &'static str, code: ErrorCode, value: &JsValue) -> Result<Vec<usize>> {
    let list = value.dyn_ref::<js_sys::Array>();
    let list = list.ok_or_else(|| wrong_kind(op, argument, "an array of numbers", value))?;
    let mut counts = Vec::new();
    for at in 0..list.length() {
        let whole = list.get(at).as_f64().filter(|count| count.fract() == 0.0);
        let Some(count) = whole.filter(|count| (0.0..=f64::from(u32::MAX)).contains(count)) else {
            let text = format!("{argument} must hold integers from 0 to 4294967295");
            return Err(Error::new(ErrorClass::Value, code, op, text).argument(argument));
        };
        counts.push(count as usize);
    }
    Ok(counts)
}

/// Sizes or places as an array of numbers.
pub(super) fn coordinates(values: &[usize]) -> js_sys::Array {
    let list = js_sys::Array::new();
    for &value in values {
        list.push(&JsValue::from(value as f64));
    }
    list
}

/// An array of what may be of several kinds.
pub(super) fn list(values: &[JsValue]) -> JsValue {
    let list = js_sys::Array::new();
    for value in values {
        list.push(value);
    }
    list.into()
}

/// A dtype by name.
pub(super) fn dtype(op: &'static str, value: &JsValue) -> Result<DType> {
    let name = value.as_string().ok_or_else(|| wrong_kind(op, "dtype", "the name of a dtype", value))?;
    DType::from_name(&name).ok_or_else(|| {
        let text = format!("dtype is '{name}'; it must be one of {}", DType::NAMES.join(", "));
        Error::new(ErrorClass::Value, ErrorCode::UnknownDtype, op, text).not_among(
            "dtype",
            &name,
            DType::NAMES,
        )
    })
}

/// What an array turns into when nothing else is said.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// Its own dtype: number → float32, boolean → bool, bigint → int64, typed array → its elements'.
    Own,
    /// That dtype.
    DType(DType),
    /// int32, or int64 where a value needs it: whole numbers only.
    Index,
}

/// An operand: a tensor, or what stands for one, as a tensor on the CPU.
pub(super) fn operand_from(
    op: &'static str,
    argument: &'static str,
    value: &JsValue,
    wanted: Wanted,
) -> Result<Tensor> {
    if let Some(tensor) = operand(op, value)? {
        return Ok(tensor);
    }
    match plain::tensor(op, value, &JsValue::UNDEFINED, wanted) {
        Some(tensor) => Ok(tensor),
        None => tensor_from(op, argument, value, wanted, None),
    }
}

/// Nested arrays, a typed array or a scalar as a tensor on the CPU.
pub(super) fn tensor_from(
    op: &'static str,
    argument: &'static str,
    data: &JsValue,
    wanted: Wanted,
    shape: Option<&[usize]>,
) -> Result<Tensor> {
    if let Some(&own) = usize::try_from(typed_dtype(data)).ok().and_then(|at| DType::ALL.get(at)) {
        let stored = match (own, wanted) {
            // The bits of a half type, and the bytes of a bool, travel in the array of their width.
            (DType::Uint16, Wanted::DType(half @ (DType::Float16 | DType::Bfloat16))) => half,
            (DType::Uint8, Wanted::DType(DType::Bool)) => DType::Bool,
            (own, _) => own,
        };
        return Values { data: data.clone(), stored, own, nested: None }.tensor(op, argument, wanted, shape);
    }
    if scalar(data).is_none() && !js_sys::Array::is_array(data) {
        if argument == "data" && readable(op, argument, is_raw(data))? {
            return raw(op, data, wanted, shape);
        }
        return Err(wrong_kind(op, argument, "a Tensor, an array, a typed array or a number", data));
    }
    let flat = readable(op, argument, flatten(data))?;
    Values::nested(op, argument, flat.unchecked_ref())?.tensor(op, argument, wanted, shape)
}

/// An `ArrayBuffer`, a `SharedArrayBuffer` or a `DataView` as a tensor of the dtype that is asked for.
fn raw(op: &'static str, data: &JsValue, wanted: Wanted, shape: Option<&[usize]>) -> Result<Tensor> {
    let Wanted::DType(dtype) = wanted else {
        let text = "bytes have no dtype of their own: say { dtype: 'float32' }, for example";
        return Err(Error::new(ErrorClass::Type, ErrorCode::MissingArgument, op, text).argument("dtype"));
    };
    let len = bytes_of(data).length() as usize;
    if !len.is_multiple_of(dtype.size()) {
        let text = format!("data has {len} bytes, and each {dtype} takes {}", dtype.size());
        return Err(Error::new(ErrorClass::Value, ErrorCode::ShapeMismatch, op, text).argument("data"));
    }
    Values { data: data.clone(), stored: dtype, own: dtype, nested: None }.tensor(op, "data", wanted, shape)
}

/// Flat values and what they are.
struct Values {
    /// Something with bytes, not yet copied.
    data: JsValue,
    /// What the bytes hold.
    stored: DType,
    /// What they become when nothing else is said.
    own: DType,
    /// The shape of nested arrays.
    nested: Option<Vec<usize>>,
}

impl Values {
    /// Takes over what `flatten` in `values.js` returned; its kinds are numbered there.
    fn nested(op: &'static str, argument: &'static str, flat: &js_sys::Array) -> Result<Self> {
        let data = flat.get(1);
        let numbers = flat.get(0).unchecked_into::<js_sys::Uint32Array>().to_vec();
        let mut numbers = numbers.into_iter();
        let kind = numbers.next().unwrap_or_default();
        let list: Vec<usize> = numbers.map(|at| at as usize).collect();
        let (stored, own) = match kind {
            0 => (DType::Float64, DType::Float32),
            1 => (DType::Bool, DType::Bool),
            2 => (DType::Int64, DType::Int64),
            3 => (DType::Uint64, DType::Uint64),
            4 | 5 => {
                let at: String = list.iter().map(|at| format!("[{at}]")).collect();
                let what = data.as_string().unwrap_or_default();
                let error = if kind == 4 {
                    let text = format!("{argument}{at} is {what}: nested arrays must have equal lengths");
                    Error::new(ErrorClass::Value, ErrorCode::RaggedData, op, text)
                } else {
                    let text =
                        format!("{argument}{at} holds {what}; numbers, booleans and bigints are allowed");
                    let error = Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, op, text);
                    error.value(FactValue::Text(what))
                };
                return Err(error.argument(argument).position(list));
            }
            _ => {
                let text = format!("{argument} is nested more than {} deep", crate::shape::MAX_RANK);
                return Err(
                    Error::new(ErrorClass::Runtime, ErrorCode::RankLimit, op, text).argument(argument)
                );
            }
        };
        Ok(Self { data, stored, own, nested: Some(list) })
    }

    /// The tensor: the bytes where the dtype fits, else each value converted.
    fn tensor(
        &self,
        op: &'static str,
        argument: &'static str,
        wanted: Wanted,
        shape: Option<&[usize]>,
    ) -> Result<Tensor> {
        let stored = self.stored;
        let bytes = self.nested.is_none().then(|| bytes_of(&self.data));
        let len = bytes.as_ref().map(|bytes| bytes.length() as usize);
        let natural = match &self.nested {
            Some(dims) => Shape::new(op, dims)?,
            None => Shape::new(op, &[len.unwrap_or(0) / stored.size()])?,
        };
        let len = len.unwrap_or(natural.size() * stored.size());
        let shape = shape.map_or_else(|| Ok(natural.clone()), |dims| Shape::new(op, dims))?;
        if shape.size() * stored.size() != len {
            return Err(element_count(op, &shape, natural.size()));
        }
        let mut room = Room::new(op, len)?;
        let is_copied = match bytes {
            Some(bytes) => bytes.copy_to_uninit(room.slots()).len() == len,
            None => copy_in(&self.data, stored as u32, room.slots()),
        };
        if !is_copied {
            return Err(element_count(op, &shape, natural.size()));
        }
        // SAFETY: the copy has written every byte, of which there are as many on either side.
        let mut buffer = unsafe { room.filled() };
        let place = if self.nested.is_some() { &natural } else { &shape };
        let dtype = match wanted {
            Wanted::Own => self.own,
            Wanted::DType(dtype) => dtype,
            Wanted::Index if self.nested.is_some() || stored.is_float() => {
                index_dtype(op, argument, &buffer, stored, place)?
            }
            Wanted::Index => match stored {
                DType::Int32 | DType::Int64 => stored,
                DType::Uint32 | DType::Uint64 => DType::Int64,
                _ => DType::Int32,
            },
        };
        if stored != dtype {
            buffer = convert_all(op, argument, (&buffer, stored), (dtype, wanted), place)?;
        } else if dtype == DType::Bool {
            // Any byte may stand for a truth value out there.
            truths(&mut buffer);
        }
        Ok(Tensor::from_buffer(shape, dtype, buffer))
    }
}

/// Every value of an array in the dtype that it becomes; `place` says where one is that does not fit.
fn convert_all(
    op: &'static str,
    argument: &'static str,
    (values, stored): (&HostBuffer, DType),
    (dtype, wanted): (DType, Wanted),
    place: &Shape,
) -> Result<HostBuffer> {
    let is_index = matches!(wanted, Wanted::Index);
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
    let mut dtype = DType::Int32;
    for (at, value) in scalars(buffer, stored).enumerate() {
        let is_whole = match value {
            Scalar::Float(number) => number.fract() == 0.0,
            Scalar::Int(_) => true,
            Scalar::Bool(_) => false,
        };
        if !is_whole {
            let text = format!("{argument} must hold whole numbers, and one is {value}");
            return Err(Error::new(ErrorClass::Type, ErrorCode::IndexDtype, op, text)
                .argument(argument)
                .value(FactValue::Float(value.as_f64()))
                .position(place.unravel(at)));
        }
        if value.fit(DType::Int32).is_none() {
            dtype = DType::Int64;
        }
    }
    Ok(dtype)
}

/// Bytes as the typed array of a dtype, or copied into the caller's.
pub(super) fn typed_out(
    op: &'static str,
    dtype: DType,
    bytes: &[u8],
    out: Option<&JsValue>,
) -> Result<JsValue> {
    let Some(out) = out else {
        return new_array(bytes, dtype as u32).map_err(|_| out_of_memory(op, bytes.len()));
    };
    bytes_for(op, dtype, bytes.len(), out)?.copy_from(bytes);
    Ok(out.clone())
}

/// [`typed_out`] of bytes that JavaScript has: they do not pass through WebAssembly's memory.
#[cfg(feature = "webgpu")]
pub(super) fn typed_out_of(
    op: &'static str,
    dtype: DType,
    bytes: &js_sys::Uint8Array,
    out: Option<&JsValue>,
) -> Result<JsValue> {
    let len = bytes.length() as usize;
    let Some(out) = out else {
        return new_array_of(bytes, dtype as u32).map_err(|_| out_of_memory(op, len));
    };
    bytes_for(op, dtype, len, out)?.set(bytes, 0);
    Ok(out.clone())
}

/// The bytes of the caller's array, where it is for a dtype and has so many.
fn bytes_for(op: &'static str, dtype: DType, len: usize, out: &JsValue) -> Result<js_sys::Uint8Array> {
    let kind = usize::try_from(typed_dtype(out)).ok().and_then(|at| DType::ALL.get(at).copied());
    let fits = match dtype {
        DType::Bool => kind == Some(DType::Uint8),
        DType::Float16 => matches!(kind, Some(DType::Float16 | DType::Uint16)),
        DType::Bfloat16 => kind == Some(DType::Uint16),
        dtype => kind == Some(dtype),
    };
    if !fits {
        return Err(wrong_kind(op, "out", &format!("a typed array for {dtype}"), out));
    }
    let target = bytes_of(out);
    if target.length() as usize != len {
        let (given, needed) = (target.length() as usize / dtype.size(), len / dtype.size());
        let text = format!("out has {given} elements and the tensor {needed}; they must be equal");
        return Err(Error::new(ErrorClass::Value, ErrorCode::ShapeMismatch, op, text).argument("out"));
    }
    Ok(target)
}
