//! Tensors from arrays of another dtype: the values of a caller's array as operands take them.

use crate::backend::Backend;
use crate::backend::cpu::Cpu;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::host::HostBuffer;
use crate::scalar::{Bits, Scalar, is_whole_part_within, load, store};
use crate::shape::{Shape, list};
use crate::tensor::{Tensor, fit, truths};

/// A tensor of an array: its values, their dtype, and the shape by which errors name a place. The values are converted to `becomes`. Where
/// that is `None` they are an index: int32, or int64 if a value needs it.
///
/// # Errors
/// `RuntimeError` where a value does not fit an integer dtype, `TypeError` for an index that is not whole; both name the place.
pub(crate) fn tensor(
    op: &'static str,
    argument: &'static str,
    (mut values, stored, place): (HostBuffer, DType, &Shape),
    shape: Shape,
    becomes: Option<DType>,
) -> Result<Tensor> {
    let dtype = match becomes {
        Some(dtype) => dtype,
        None => index_dtype(op, argument, &values, stored, place)?,
    };
    if stored != dtype {
        values = convert_all(op, argument, (&values, stored), (dtype, becomes.is_none()), place)?;
    } else if dtype == DType::Bool {
        // Any byte may stand for a truth value in an array.
        truths(&mut values);
    }
    Ok(Tensor::from_buffer(shape, dtype, values))
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
        (DType::Float64, Some(range)) => values.elements().iter().all(|&x| is_whole_part_within(range, x)),
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
            let text =
                format!("{argument} must hold whole numbers, and {argument}{} is {value}", list(&position));
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
