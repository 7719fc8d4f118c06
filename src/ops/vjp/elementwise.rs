//! Arithmetic on whole tensors, made of scatters and multiplies. Results have the dtype, the shape and the device of the first tensor, where
//! nothing else is said.

use super::{OP, filled};
use crate::dispatch;
use crate::dtype::DType;
use crate::error::Result;
use crate::ops::{Scatter, Source, Target, elementwise_mul, multiply};
use crate::plan::{Activation, NdReduce};
use crate::scalar::Scalar;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// Each element of a tensor combined by `reduce` with its counterpart in another one of the same shape, or with one number. It is a scatter: the
/// tensor is a table of one row, which is updated once, by the other tensor as a row.
pub(super) fn combined(tensor: &Tensor, reduce: NdReduce, with: Source) -> Result<Tensor> {
    let row = |tensor: &Tensor| tensor.reshape(&[1, tensor.size()]);
    let with = match with {
        Source::Tensor(with) => Source::Tensor(row(&with)?),
        Source::Scalar(with) => Source::Scalar(with),
    };
    let first = Tensor::from_elements(&[1], &[0i32])?;
    let call = Scatter::nd(OP, Target::slices(0, &first), with, reduce);
    call.run_on_copy(&row(tensor)?)?.reshape(tensor.shape.dims())
}

/// The product of two tensors, which broadcast as NumPy's do. With more than eight dimensions y has the shape of x, or one element.
pub(super) fn product(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    multiply::product_of_any_rank(OP, x, y)
}

/// A tensor times a number that its dtype holds.
pub(super) fn scaled(tensor: &Tensor, factor: Scalar) -> Result<Tensor> {
    combined(tensor, NdReduce::Multiply, Source::Scalar(factor))
}

/// An activation of each element: that of its product with 1, which is the element.
pub(super) fn applied(act: Activation, tensor: &Tensor) -> Result<Tensor> {
    elementwise_mul(tensor, &filled(tensor, &Shape::scalar(), Scalar::Int(1), tensor.dtype)?, 0, Some(act))
}

/// A tensor of floats divided by counts of the same shape, which are int32 and not more than `most`. The division is done in a float that
/// holds all of them exactly, and its result converted to the tensor's dtype.
pub(super) fn divided_by_counts(tensor: &Tensor, counts: &Tensor, most: usize) -> Result<Tensor> {
    let dtype = tensor.dtype;
    let is_double = dtype == DType::Float64 || most > 1 << f32::MANTISSA_DIGITS;
    let wide = if is_double { DType::Float64 } else { DType::Float32 };
    let (terms, wide_counts) = (tensor.convert(OP.name(), wide)?, counts.convert(OP.name(), wide)?);
    combined(&terms, NdReduce::Div, wide_counts.into())?.convert(OP.name(), dtype)
}

/// The signed and the unsigned integers with as many bits as a float.
fn integers_of(dtype: DType) -> [DType; 2] {
    match dtype.size() {
        2 => [DType::Int16, DType::Uint16],
        4 => [DType::Int32, DType::Uint32],
        _ => [DType::Int64, DType::Uint64],
    }
}

/// A tensor of floats where the mask, int32 of the same shape, is 1, and +0 where the mask is 0. The bits are multiplied as integers, so that
/// NaN and infinity become 0 too.
pub(super) fn masked(mask: &Tensor, tensor: &Tensor) -> Result<Tensor> {
    let [dtype, _] = integers_of(tensor.dtype);
    let bits = product(&mask.convert(OP.name(), dtype)?, &dispatch::reinterpret(tensor, dtype))?;
    Ok(dispatch::reinterpret(&bits, tensor.dtype))
}

/// Where two tensors of floats of one shape have the same bits, or both NaN: int32, 1 there and 0 elsewhere.
pub(super) fn same_values(one: &Tensor, other: &Tensor) -> Result<Tensor> {
    let [dtype, _] = integers_of(one.dtype);
    let [bits, other_bits] = [one, other].map(|tensor| dispatch::reinterpret(tensor, dtype));
    let difference = combined(&bits, NdReduce::Sub, other_bits.into())?;
    // By way of bool, any difference becomes 1.
    let differs = difference.convert(OP.name(), DType::Bool)?.convert(OP.name(), DType::Int32)?;
    let ones = filled(&differs, &differs.shape, Scalar::Int(1), DType::Int32)?;
    let same = combined(&ones, NdReduce::Sub, differs.into())?;
    // NaN has many bit patterns.
    combined(&same, NdReduce::Amax, product(&is_nan(one)?, &is_nan(other)?)?.into())
}

/// Where a tensor of floats is NaN: int32, 1 there and 0 elsewhere. Without the sign, the bits of a NaN are a larger integer than those of
/// infinity. Doubled as unsigned integers, bits lose the sign; by how much they are more than those of infinity then becomes 1 at most.
fn is_nan(tensor: &Tensor) -> Result<Tensor> {
    let [_, dtype] = integers_of(tensor.dtype);
    let doubled_infinity = Scalar::Int(2 * i128::from(Scalar::Float(f64::INFINITY).cast(tensor.dtype)));
    let mut bits = scaled(&dispatch::reinterpret(tensor, dtype), Scalar::Int(2))?;
    bits = combined(&bits, NdReduce::Amax, Source::Scalar(doubled_infinity))?;
    bits = combined(&bits, NdReduce::Sub, Source::Scalar(doubled_infinity))?;
    bits = combined(&bits, NdReduce::Amin, Source::Scalar(Scalar::Int(1)))?;
    bits.convert(OP.name(), DType::Int32)
}
