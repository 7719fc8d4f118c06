//! Arithmetic on whole tensors, built from scatters and multiplies. Unless stated otherwise, a result has the dtype, the shape and
//! the device of the first tensor.

use crate::elementwise::{self, elementwise_mul, integer_of};
use crate::gradients::{OP, filled, flat};
use crate::masks::choose;
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

/// A tensor where the mask of the same shape is true, else +0.
pub(crate) fn masked(mask: &Tensor, tensor: &Tensor) -> Result<Tensor> {
    let zero = filled(tensor, &Shape::scalar(), Scalar::Int(0), tensor.dtype)?;
    choose(&flat(mask)?, &flat(tensor)?, &zero)?.reshape(tensor.shape.dims())
}

/// Where two masks of one shape are both true.
pub(crate) fn both(one: &Tensor, other: &Tensor) -> Result<Tensor> {
    flat(one)?.logical_and(&flat(other)?)?.reshape(one.shape.dims())
}

/// Where the elements of two tensors of one shape and dtype have the same bits. Other NaN are the same too.
pub(crate) fn same_values(one: &Tensor, other: &Tensor) -> Result<Tensor> {
    let dims = one.shape.dims();
    let (one, other) = (flat(one)?, flat(other)?);
    let bits = |tensor| dispatch::reinterpret(tensor, integer_of(one.dtype));
    let same = bits(&one).eq(&bits(&other))?;
    same.logical_or(&one.isnan()?.logical_and(&other.isnan()?)?)?.reshape(dims)
}
