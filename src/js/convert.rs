//! JavaScript values to tensors, scalars and options, and back.

use js_sys::{BigInt64Array, Float64Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::dtype::{Bits, DType, Scalar};
use crate::error::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::js::error::{readable, wrong_kind};
use crate::js::snippets::{
    Flat, TensorFields, bytes_of, flatten, is_raw, read_tensor_options, tensor_option, typed_array,
    typed_dtype, unknown_option,
};
use crate::shape::Shape;
use crate::storage::{HostBuffer, Room, out_of_memory};
use crate::tensor::{Tensor, element_count, fit, load, store};

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
    levels.iter().map(|level| counts(op, "lod", ErrorCode::InvalidLod, &level)).collect()
}

fn counts(op: &'static str, argument: &'static str, code: ErrorCode, value: &JsValue) -> Result<Vec<usize>> {
    let list = value.dyn_ref::<js_sys::Array>();
    let list = list.ok_or_else(|| wrong_kind(op, argument, "an array of numbers", value))?;
    let count = |value: JsValue| {
        let whole = value.as_f64().filter(|count| count.fract() == 0.0);
        whole.filter(|count| (0.0..=f64::from(u32::MAX)).contains(count)).ok_or_else(|| {
            let text = format!("{argument} must hold integers from 0 to 4294967295");
            Error::new(ErrorClass::Value, code, op, text).argument(argument)
        })
    };
    list.iter().map(|value| count(value).map(|count| count as usize)).collect()
}

/// A dtype by name.
pub(super) fn dtype(op: &'static str, value: &JsValue) -> Result<DType> {
    let name = value.as_string().ok_or_else(|| wrong_kind(op, "dtype", "the name of a dtype", value))?;
    DType::from_name(&name).ok_or_else(|| {
        let text = format!("dtype is '{name}'; it must be one of {}", DType::NAMES.join(", "));
        Error::new(ErrorClass::Value, ErrorCode::UnknownDtype, op, text)
            .argument("dtype")
            .value(FactValue::Text(name))
            .allowed(Allowed::Words(DType::NAMES))
    })
}

/// `TensorOptions` of `types.d.ts`, with the values still to be looked at.
pub(super) struct TensorOptions {
    pub(super) dtype: JsValue,
    pub(super) shape: JsValue,
    pub(super) device: JsValue,
    pub(super) name: JsValue,
    pub(super) lod: JsValue,
}

impl TensorOptions {
    pub(super) fn parse(op: &'static str, options: &JsValue) -> Result<Self> {
        Self::parse_among(op, options, &["dtype", "shape", "device", "name", "lod"])
    }

    /// [`TensorOptions::parse`] where there are more options than these.
    pub(super) fn parse_among(
        op: &'static str,
        options: &JsValue,
        known: &'static [&'static str],
    ) -> Result<Self> {
        if options.is_undefined() {
            let [dtype, shape, device, name, lod] = [const { JsValue::UNDEFINED }; 5];
            return Ok(Self { dtype, shape, device, name, lod });
        }
        if let Ok(given) = u32::try_from(read_tensor_options(options)) {
            let option = |at| if given >> at & 1 == 1 { tensor_option(at) } else { JsValue::UNDEFINED };
            let [dtype, shape, device, name, lod] = [0, 1, 2, 3, 4].map(option);
            return Ok(Self { dtype, shape, device, name, lod });
        }
        check_options(op, options, known)?;
        let read = |value| readable(op, "options", value);
        let options: &TensorFields = options.unchecked_ref();
        Ok(Self {
            dtype: read(options.dtype())?,
            shape: read(options.shape())?,
            device: read(options.device())?,
            name: read(options.name())?,
            lod: read(options.lod())?,
        })
    }
}

/// Refuses what is no options object, and options that are not known: a misspelt one must not be ignored.
pub(super) fn check_options(
    op: &'static str,
    options: &JsValue,
    known: &'static [&'static str],
) -> Result<()> {
    if !options.is_object() || js_sys::Array::is_array(options) || options.is_function() {
        return Err(wrong_kind(op, "options", "an object", options));
    }
    let unknown = unknown_option(options, known.iter().map(|&name| name.to_owned()).collect());
    match readable(op, "options", unknown)? {
        None => Ok(()),
        Some(name) => {
            let text = format!("there is no option '{name}'; there is {}", known.join(", "));
            Err(Error::new(ErrorClass::Type, ErrorCode::UnknownOption, op, text)
                .argument("options")
                .value(FactValue::Text(name))
                .allowed(Allowed::Words(known)))
        }
    }
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

/// Nested arrays, a typed array or a scalar as a tensor on the CPU.
pub(super) fn tensor_from(
    op: &'static str,
    argument: &'static str,
    data: &JsValue,
    wanted: Wanted,
    shape: Option<&[usize]>,
) -> Result<Tensor> {
    if let Some(&own) = usize::try_from(typed_dtype(data)).ok().and_then(|at| DType::ALL.get(at)) {
        return typed(op, argument, data, own, wanted, shape);
    }
    if scalar(data).is_none() && !js_sys::Array::is_array(data) {
        if argument == "data" && readable(op, argument, is_raw(data))? {
            return raw(op, data, wanted, shape);
        }
        return Err(wrong_kind(op, argument, "a Tensor, an array, a typed array or a number", data));
    }
    let flat = Flattened::new(op, argument, readable(op, argument, flatten(data))?)?;
    let dtype = match wanted {
        Wanted::Own => flat.own,
        Wanted::DType(dtype) => dtype,
        Wanted::Index => flat.index_dtype(op, argument)?,
    };
    let natural: Vec<usize> = flat.shape.iter().map(|&size| size as usize).collect();
    let shape = Shape::new(op, shape.unwrap_or(&natural))?;
    if shape.size() != flat.values.len() {
        return Err(element_count(op, &shape, flat.values.len()));
    }
    let mut buffer = HostBuffer::zeroed(op, shape.size() * dtype.size())?;
    let place = Shape::new(op, &natural)?;
    for (at, element) in buffer.bytes_mut().chunks_exact_mut(dtype.size()).enumerate() {
        let bits = convert(op, argument, flat.values.get(at), dtype, wanted);
        store(element, bits.map_err(|error| error.position(place.unravel(at)))?);
    }
    Ok(Tensor::from_buffer(shape, dtype, buffer))
}

/// One value of an array in the dtype that it becomes part of.
fn convert(
    op: &'static str,
    argument: &'static str,
    value: Scalar,
    dtype: DType,
    wanted: Wanted,
) -> Result<Bits> {
    match (wanted, value) {
        // No dimension is that large: the nearest end is out of range just as well, and for the plan to refuse.
        (Wanted::Index, Scalar::Int(whole)) if dtype == DType::Int64 => {
            Ok(whole.clamp(i64::MIN.into(), i64::MAX.into()) as Bits)
        }
        (Wanted::Index, Scalar::Float(whole)) if dtype == DType::Int64 => Ok(whole as i64 as Bits),
        // As in NumPy, a float may become infinite; an integer must fit.
        _ if dtype.is_float() => Ok(value.cast(dtype)),
        _ => fit(op, argument, value, dtype),
    }
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
    typed(op, "data", data, dtype, wanted, shape)
}

/// A typed array as a tensor: its bytes where the dtype fits, else its values converted like those of other arrays.
fn typed(
    op: &'static str,
    argument: &'static str,
    data: &JsValue,
    own: DType,
    wanted: Wanted,
    shape: Option<&[usize]>,
) -> Result<Tensor> {
    let bytes = bytes_of(data);
    let len = bytes.length() as usize;
    let shape = Shape::new(op, shape.unwrap_or(&[len / own.size()]))?;
    let (stored_as, dtype) = match (own, wanted) {
        (own, Wanted::Own) => (own, own),
        // The bits of a half type, and the bytes of a bool, travel in the array of their width.
        (DType::Uint16, Wanted::DType(half @ (DType::Float16 | DType::Bfloat16))) => (half, half),
        (DType::Uint8, Wanted::DType(DType::Bool)) => (DType::Bool, DType::Bool),
        (own, Wanted::DType(dtype)) => (own, dtype),
        (own @ (DType::Int32 | DType::Int64), Wanted::Index) => (own, own),
        (own, Wanted::Index) if own.is_float() => {
            let values: js_sys::Array = js_sys::Array::from(data);
            return tensor_from(op, argument, &values, wanted, Some(shape.dims()));
        }
        (own @ (DType::Uint32 | DType::Uint64), Wanted::Index) => (own, DType::Int64),
        (own, Wanted::Index) => (own, DType::Int32),
    };
    if shape.size() * own.size() != len {
        return Err(element_count(op, &shape, len / own.size()));
    }
    let mut room = Room::new(op, len)?;
    bytes.copy_to_uninit(room.slots());
    // SAFETY: the copy has written every byte; it would have thrown if the lengths were not equal.
    let buffer = unsafe { room.filled() };
    if stored_as == DType::Bool {
        return Tensor::from_bytes(DType::Bool, shape.dims(), buffer.bytes());
    }
    if stored_as == dtype {
        return Ok(Tensor::from_buffer(shape, dtype, buffer));
    }
    let mut converted = HostBuffer::zeroed(op, shape.size() * dtype.size())?;
    let from = buffer.bytes().chunks_exact(stored_as.size());
    for (at, (from, to)) in from.zip(converted.bytes_mut().chunks_exact_mut(dtype.size())).enumerate() {
        let bits = convert(op, argument, Scalar::load(load(from), stored_as), dtype, wanted);
        store(to, bits.map_err(|error| error.position(shape.unravel(at)))?);
    }
    Ok(Tensor::from_buffer(shape, dtype, converted))
}

/// Values to be filled in.
fn room<T: Copy>(op: &'static str, len: u32, value: T) -> Result<Vec<T>> {
    let len = len as usize;
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| out_of_memory(op, len * size_of::<T>()))?;
    values.resize(len, value);
    Ok(values)
}

/// Flat values and what they are.
struct Flattened {
    shape: Vec<u32>,
    own: DType,
    values: Values,
}

enum Values {
    Float(Vec<f64>),
    Bool(Vec<f64>),
    Int(Vec<i64>),
    /// The same bits, read without a sign.
    Unsigned(Vec<i64>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Float(values) | Self::Bool(values) => values.len(),
            Self::Int(values) | Self::Unsigned(values) => values.len(),
        }
    }

    /// The value at a position below `len`.
    fn get(&self, at: usize) -> Scalar {
        match self {
            Self::Float(values) => Scalar::Float(values.get(at).copied().unwrap_or_default()),
            Self::Bool(values) => Scalar::Bool(values.get(at).is_some_and(|&value| value != 0.0)),
            Self::Int(values) => Scalar::Int(values.get(at).copied().unwrap_or_default().into()),
            Self::Unsigned(values) => {
                Scalar::Int((values.get(at).copied().unwrap_or_default() as u64).into())
            }
        }
    }
}

impl Flattened {
    /// Takes over what `flatten` in `values.js` returned; its kinds are numbered there.
    fn new(op: &'static str, argument: &'static str, flat: Flat) -> Result<Self> {
        let floats = || {
            let array = flat.values().unchecked_into::<Float64Array>();
            let mut values = room(op, array.length(), 0.0)?;
            array.copy_to(&mut values);
            Ok(values)
        };
        let ints = || {
            let array = flat.values().unchecked_into::<BigInt64Array>();
            let mut values = room(op, array.length(), 0)?;
            array.copy_to(&mut values);
            Ok(values)
        };
        let (own, values) = match flat.kind() {
            0 => (DType::Float32, Values::Float(floats()?)),
            1 => (DType::Bool, Values::Bool(floats()?)),
            2 if flat.unsigned() => (DType::Uint64, Values::Unsigned(ints()?)),
            2 => (DType::Int64, Values::Int(ints()?)),
            3 => {
                let path: Vec<usize> = flat.path().iter().map(|&at| at as usize).collect();
                let at: String = path.iter().map(|at| format!("[{at}]")).collect();
                let text =
                    format!("{argument}{at} is {}: nested arrays must have equal lengths", flat.text());
                return Err(Error::new(ErrorClass::Value, ErrorCode::RaggedData, op, text)
                    .argument(argument)
                    .position(path));
            }
            4 => {
                let path: Vec<usize> = flat.path().iter().map(|&at| at as usize).collect();
                let at: String = path.iter().map(|at| format!("[{at}]")).collect();
                let text = format!(
                    "{argument}{at} holds {}; numbers, booleans and bigints are allowed",
                    flat.text()
                );
                return Err(Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, op, text)
                    .argument(argument)
                    .position(path)
                    .value(FactValue::Text(flat.text())));
            }
            _ => {
                let text = format!("{argument} is nested more than {} deep", crate::shape::MAX_RANK);
                return Err(
                    Error::new(ErrorClass::Runtime, ErrorCode::RankLimit, op, text).argument(argument)
                );
            }
        };
        Ok(Self { shape: flat.shape(), own, values })
    }

    /// int32, or int64 where a value does not fit it: out of range is for the operator to say.
    fn index_dtype(&self, op: &'static str, argument: &'static str) -> Result<DType> {
        let refuse = |at: usize, value: Scalar| {
            let text = format!("{argument} must hold whole numbers, and one is {value}");
            let position = self.shape.iter().map(|&size| size as usize).collect::<Vec<_>>();
            let error = Error::new(ErrorClass::Type, ErrorCode::IndexDtype, op, text)
                .argument(argument)
                .value(FactValue::Float(value.as_f64()));
            Err(match Shape::new(op, &position) {
                Ok(shape) => error.position(shape.unravel(at)),
                Err(_) => error,
            })
        };
        let mut dtype = DType::Int32;
        for at in 0..self.values.len() {
            let value = self.values.get(at);
            match value {
                Scalar::Float(number) if number.fract() == 0.0 => {}
                Scalar::Int(_) => {}
                other => return refuse(at, other),
            }
            if value.fit(DType::Int32).is_none() {
                dtype = DType::Int64;
            }
        }
        Ok(dtype)
    }
}

/// Bytes as the typed array of a dtype, or copied into the caller's.
pub(super) fn typed_out(
    op: &'static str,
    dtype: DType,
    bytes: &[u8],
    out: Option<&JsValue>,
) -> Result<JsValue> {
    let (array, target) = out_array(op, dtype, bytes.len(), out)?;
    target.copy_from(bytes);
    Ok(array)
}

/// [`typed_out`] of bytes that JavaScript has: they do not pass through WebAssembly's memory.
#[cfg(feature = "webgpu")]
pub(super) fn typed_out_of(
    op: &'static str,
    dtype: DType,
    bytes: &js_sys::Uint8Array,
    out: Option<&JsValue>,
) -> Result<JsValue> {
    let (array, target) = out_array(op, dtype, bytes.length() as usize, out)?;
    target.set(bytes, 0);
    Ok(array)
}

/// An array for `len` bytes of a dtype, the caller's or a new one, and its bytes.
fn out_array(
    op: &'static str,
    dtype: DType,
    len: usize,
    out: Option<&JsValue>,
) -> Result<(JsValue, js_sys::Uint8Array)> {
    let Some(out) = out else {
        let at = DType::ALL.iter().position(|&other| other == dtype).unwrap_or_default();
        let array =
            typed_array(at as u32, (len / dtype.size()) as u32).map_err(|_| out_of_memory(op, len))?;
        let bytes = bytes_of(&array);
        return Ok((array, bytes));
    };
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
    Ok((out.clone(), target))
}
