//! Arithmetic on whole tensors: rows of scatters, and multiplies.

use super::{OP, filled, flat};
use crate::dispatch;
use crate::dtype::DType;
use crate::error::Result;
use crate::ops::{Scatter, Source, Target, elementwise_mul, multiply};
use crate::plan::{Activation, NdReduce};
use crate::scalar::Scalar;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// Each element of a tensor combined with its counterpart, or with one number: the tensor is one row, which is updated once.
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

/// The products of two tensors of one shape, or with a tensor of one element.
pub(super) fn product(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    if x.shape != y.shape {
        return multiply::product(OP, x, y);
    }
    // Entries may have more dimensions than a product takes.
    multiply::product(OP, &flat(x)?, &flat(y)?)?.reshape(x.shape.dims())
}

/// A tensor times a number.
pub(super) fn scaled(tensor: &Tensor, factor: Scalar) -> Result<Tensor> {
    combined(tensor, NdReduce::Multiply, Source::Scalar(factor))
}

/// A function of each element.
pub(super) fn applied(act: Activation, tensor: &Tensor) -> Result<Tensor> {
    elementwise_mul(tensor, &filled(tensor, &Shape::scalar(), Scalar::Int(1), tensor.dtype)?, 0, Some(act))
}

/// A tensor divided by whole numbers: the counts are int32, and may be more than a float of 16 bits holds.
pub(super) fn divided_by_counts(tensor: &Tensor, counts: &Tensor) -> Result<Tensor> {
    let dtype = tensor.dtype;
    let wide = if dtype.size() == 2 { DType::Float32 } else { dtype };
    let (terms, wide_counts) = (tensor.convert(OP.name(), wide)?, counts.convert(OP.name(), wide)?);
    combined(&terms, NdReduce::Div, wide_counts.into())?.convert(OP.name(), dtype)
}

/// The integers with as many bits as a float.
fn integers_of(dtype: DType) -> DType {
    match dtype.size() {
        2 => DType::Int16,
        4 => DType::Int32,
        _ => DType::Int64,
    }
}

/// A tensor of floats where the mask is 1, and 0 where it is 0, whatever the float is.
pub(super) fn masked(mask: &Tensor, tensor: &Tensor) -> Result<Tensor> {
    let dtype = integers_of(tensor.dtype);
    let bits = product(&mask.convert(OP.name(), dtype)?, &dispatch::reinterpret(tensor, dtype))?;
    Ok(dispatch::reinterpret(&bits, tensor.dtype))
}

/// Where two tensors of one shape have the same bits: int32, 1 there and 0 elsewhere.
pub(super) fn same_bits(one: &Tensor, other: &Tensor) -> Result<Tensor> {
    let dtype = integers_of(one.dtype);
    let [one, other] = [one, other].map(|tensor| dispatch::reinterpret(tensor, dtype));
    let difference = combined(&one, NdReduce::Sub, other.into())?;
    let differs = difference.convert(OP.name(), DType::Bool)?.convert(OP.name(), DType::Int32)?;
    combined(&filled(&differs, &differs.shape, Scalar::Int(1), DType::Int32)?, NdReduce::Sub, differs.into())
}

/// The tensor with every NaN as that operation, a maximum or minimum, makes it.
pub(super) fn with_one_nan(tensor: &Tensor, word: NdReduce) -> Result<Tensor> {
    let (dtype, (reduce, _)) = (tensor.dtype, word.parts());
    let neutral = Scalar::load(reduce.neutral(dtype), dtype);
    combined(&filled(tensor, &tensor.shape, neutral, dtype)?, word, tensor.into())
}
