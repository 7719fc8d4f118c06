//! Tensors from arrays of any dtype: the values of a caller's array, converted for an operand.
//!
//! `stored` is the dtype of the array, and `array_shape` is its shape: errors use it to name the position of a value. Errors also
//! name `op`, the operator, and `argument`, the operand.

use crate::convert::backend::convert_host;
use crate::plan::Op;
use crate::plan::checks::MASK;
use crate::scalar::is_whole_part_within;
use crate::tensor::{overflow, truths};
use crate::{
    Bits, DType, Error, ErrorClass, ErrorCode, FactValue, HostBuffer, Result, Scalar, Shape, Tensor,
    check_whole, list, load, store,
};

/// What the values of an array become.
#[derive(Clone, Copy)]
pub(crate) enum Becomes {
    /// An index: int32, or int64 if a value needs it.
    Index,
    /// A tensor of the dtype. Integers take the whole part of a fraction.
    Cut(DType),
    /// Terms, factors or divisors of the operator, which refuses fractions in a dtype without them.
    Terms(Op, DType),
}

/// A tensor of shape `shape` from the values of an array with as many elements.
pub(crate) fn tensor(
    op: &'static str,
    argument: &'static str,
    (mut values, stored, array_shape): (HostBuffer, DType, &Shape),
    shape: Shape,
    becomes: Becomes,
) -> Result<Tensor> {
    let dtype = match becomes {
        Becomes::Cut(dtype) => dtype,
        Becomes::Terms(op, dtype) => {
            check_terms(op, argument, (&values, stored), dtype, array_shape)?;
            dtype
        }
        Becomes::Index => index_dtype(op, argument, &values, stored, array_shape)?,
    };
    if stored != dtype {
        let is_index = matches!(becomes, Becomes::Index);
        values = convert_all(op, argument, (&values, stored), (dtype, is_index), array_shape)?;
    } else if dtype == DType::Bool {
        // In an array, any nonzero byte may stand for true.
        truths(&mut values);
    }
    Ok(Tensor::from_buffer(shape, dtype, values))
}

/// Refuses the first fraction among terms that become integers or bools.
fn check_terms(
    op: Op,
    argument: &'static str,
    (values, stored): (&HostBuffer, DType),
    dtype: DType,
    array_shape: &Shape,
) -> Result<()> {
    if dtype.is_float() || !stored.is_float() {
        return Ok(());
    }
    let mut all = scalars(values, stored).enumerate();
    all.try_for_each(|(at, value)| check_whole(op, argument, || Some(array_shape.unravel(at)), value, dtype))
}

/// Every value of an array, converted to another dtype. `is_index` says that the values are those of an index: the operator then
/// refuses a value that is out of range, not this function.
fn convert_all(
    op: &'static str,
    argument: &'static str,
    (values, stored): (&HostBuffer, DType),
    (dtype, is_index): (DType, bool),
    array_shape: &Shape,
) -> Result<HostBuffer> {
    // If every value must fit, all are converted at once. As in NumPy, floats always fit, because they may become infinite. Bool
    // always fits too: its range is 0 to 1, and every number converts to it.
    let fit_all = match (stored, dtype.int_range()) {
        (_, None) | (_, Some((0, 1))) => true,
        // A float beyond int64 becomes the nearest end of int64, which is out of range for every dimension too. Integers would
        // wrap, but only uint64 exceeds int64: the loop below turns such a value into that end.
        _ if is_index && stored != DType::Uint64 => true,
        (_, Some((min, max))) if stored.int_range().is_some_and(|(low, high)| min <= low && high <= max) => {
            true
        }
        (DType::Float64, Some(range)) => values.elements().iter().all(|&x| is_whole_part_within(range, x)),
        (DType::Float32, Some(range)) => {
            values.elements().iter().all(|&x: &f32| is_whole_part_within(range, x.into()))
        }
        (DType::Int32, Some(range)) => all_within(values.elements::<i32>(), range),
        (DType::Int64, Some(range)) => all_within(values.elements::<i64>(), range),
        _ => false,
    };
    if fit_all {
        return convert_host(op, stored, dtype, values);
    }
    let mut converted = HostBuffer::zeroed(op, values.bytes().len() / stored.size() * dtype.size())?;
    let elements = converted.bytes_mut().chunks_exact_mut(dtype.size());
    for (at, (value, element)) in scalars(values, stored).zip(elements).enumerate() {
        let bits = match value {
            Scalar::Int(whole) if is_index => whole.min(i64::MAX.into()) as Bits,
            _ => value
                .fit(dtype)
                .ok_or_else(|| overflow(op, argument, Some(array_shape.unravel(at)), value, dtype))?,
        };
        store(element, bits);
    }
    Ok(converted)
}

/// Whether all values are in the range of an integer dtype. It may be beyond int64, as values are not.
fn all_within<T: Copy + Into<i64>>(values: &[T], (min, max): (i128, i128)) -> bool {
    let (min, max) = (min.max(i64::MIN.into()) as i64, max.min(i64::MAX.into()) as i64);
    values.iter().all(|&value| (min..=max).contains(&value.into()))
}

fn scalars(buffer: &HostBuffer, dtype: DType) -> impl Iterator<Item = Scalar> {
    buffer.bytes().chunks_exact(dtype.size()).map(move |bytes| Scalar::load(load(bytes), dtype))
}

/// The dtype of the index that an array becomes. An array of int32 or int64 keeps its dtype. Unsigned integers of 32 and 64 bits
/// become int64 without a look at the values. All others become int32 if every value fits it, else int64. The operator checks the
/// range.
fn index_dtype(
    op: &'static str,
    argument: &'static str,
    buffer: &HostBuffer,
    stored: DType,
    array_shape: &Shape,
) -> Result<DType> {
    match stored {
        DType::Int32 | DType::Int64 => return Ok(stored),
        DType::Int8 | DType::Uint8 | DType::Int16 | DType::Uint16 => return Ok(DType::Int32),
        DType::Uint32 | DType::Uint64 => return Ok(DType::Int64),
        DType::Bool | DType::Float16 | DType::Bfloat16 | DType::Float32 | DType::Float64 => {}
    }
    let mut dtype = DType::Int32;
    for (at, value) in scalars(buffer, stored).enumerate() {
        if stored == DType::Bool || !value.is_whole() {
            let position = array_shape.unravel(at);
            let way_out = if stored == DType::Bool { &format!(" ({MASK})") } else { "" };
            let text = format!(
                "{argument} must hold whole numbers, and {argument}{} is {value}{way_out}",
                list(&position)
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
