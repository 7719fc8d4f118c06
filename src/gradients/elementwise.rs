//! Arithmetic on whole tensors, built from scatters and multiplies. Unless stated otherwise, a result has the dtype, the shape and
//! the device of the first tensor.

use crate::elementwise::integers_of;
use crate::elementwise::{self, elementwise_mul};
use crate::gradients::{OP, filled};
use crate::plan::{Activation, NdReduce};
use crate::{DType, Result, Scalar, Scatter, Shape, Source, Target, Tensor, dispatch};

/// Combines each element of a tensor by `reduce` with the same element of another tensor of the same shape, or with one number. It
/// is a scatter: the tensor is a table of one row, and the other tensor is the one update.
pub(crate) fn combined(tensor: &Tensor, reduce: NdReduce, with: Source) -> Result<Tensor> {
    let row = |tensor: &Tensor| tensor.reshape(&[1, tensor.size()]);
    let with = match with {
        Source::Tensor(with) => Source::Tensor(row(&with)?),
        Source::Scalar(with) => Source::Scalar(with),
    };
    let first = Tensor::from_elements(&[1], &[0i32])?;
    let call = Scatter::nd(OP, Target::slices(0, &first), with, reduce);
    call.run_on_copy(&row(tensor)?)?.reshape(tensor.shape.dims())
}

/// The product of two tensors, broadcast as in NumPy. Above eight dimensions y must have the shape of x, or one element.
pub(crate) fn product(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    elementwise::product_of_any_rank(OP, x, y)
}

pub(crate) fn scaled(tensor: &Tensor, factor: Scalar) -> Result<Tensor> {
    combined(tensor, NdReduce::Multiply, Source::Scalar(factor))
}

/// An activation of each element: the activation of the product with 1.
pub(crate) fn applied(act: Activation, tensor: &Tensor) -> Result<Tensor> {
    elementwise_mul(tensor, &filled(tensor, &Shape::scalar(), Scalar::Int(1), tensor.dtype)?, 0, Some(act))
}

/// A tensor of floats divided by counts of the same shape: int32, at most `most`. The division runs in a float dtype that holds all
/// these counts exactly, and its result is converted to the tensor's dtype.
pub(crate) fn divided_by_counts(tensor: &Tensor, counts: &Tensor, most: usize) -> Result<Tensor> {
    let dtype = tensor.dtype;
    let is_double = dtype == DType::Float64 || most > 1 << f32::MANTISSA_DIGITS;
    let wide = if is_double { DType::Float64 } else { DType::Float32 };
    let (terms, wide_counts) = (tensor.convert(OP.name(), wide)?, counts.convert(OP.name(), wide)?);
    combined(&terms, NdReduce::Div, wide_counts.into())?.convert(OP.name(), dtype)
}

pub(crate) fn masked(mask: &Tensor, tensor: &Tensor) -> Result<Tensor> {
    elementwise::masked(OP, mask, tensor)
}

/// Compares two tensors of floats of one shape: int32, 1 if the bits are the same or both elements are NaN, else 0.
pub(crate) fn same_values(one: &Tensor, other: &Tensor) -> Result<Tensor> {
    let [dtype, _] = integers_of(one.dtype);
    let [bits, other_bits] = [one, other].map(|tensor| dispatch::reinterpret(tensor, dtype));
    let difference = combined(&bits, NdReduce::Sub, other_bits.into())?;
    // The conversion to bool turns any difference into 1.
    let differs = difference.convert(OP.name(), DType::Bool)?.convert(OP.name(), DType::Int32)?;
    let ones = filled(&differs, &differs.shape, Scalar::Int(1), DType::Int32)?;
    let same = combined(&ones, NdReduce::Sub, differs.into())?;
    // NaN has many bit patterns.
    combined(&same, NdReduce::Amax, product(&is_nan(one)?, &is_nan(other)?)?.into())
}

/// Tests the elements of a tensor of floats for NaN: int32, 1 for NaN and 0 otherwise. Without the sign, the bits of a NaN are a
/// larger integer than those of infinity. Doubling the bits as unsigned integers removes the sign. The excess over the bits of
/// infinity is then limited to 1.
pub(crate) fn is_nan(tensor: &Tensor) -> Result<Tensor> {
    let [_, dtype] = integers_of(tensor.dtype);
    let doubled_infinity = Scalar::Int(2 * i128::from(Scalar::Float(f64::INFINITY).cast(tensor.dtype)));
    let mut bits = scaled(&dispatch::reinterpret(tensor, dtype), Scalar::Int(2))?;
    bits = combined(&bits, NdReduce::Amax, Source::Scalar(doubled_infinity))?;
    bits = combined(&bits, NdReduce::Sub, Source::Scalar(doubled_infinity))?;
    bits = combined(&bits, NdReduce::Amin, Source::Scalar(Scalar::Int(1)))?;
    bits.convert(OP.name(), DType::Int32)
}
