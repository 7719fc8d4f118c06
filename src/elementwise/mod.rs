//! The operators on two tensors: `mul` and its siblings, `elementwise_mul` and its siblings, `activate`.

pub(crate) mod backend;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;
pub(crate) mod plan;

use crate::elementwise::backend::elementwise_in_place;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::plan::{Activation, Binary, Op, Rounding};
use crate::{DType, MAX_OP_RANK, Result, Scalar, Shape, Tensor};

/// `out[i…] = act(x[i…] ∘ y[i…])`, with y's dimensions aligned to those of x from `axis` on. ∘ is the operation of `op`.
pub(crate) fn aligned(op: Op, x: &Tensor, y: &Tensor, axis: i64, act: Option<Activation>) -> Result<Tensor> {
    backend::elementwise(&BroadcastPlan::along_axis(op, x.operand(), y.operand(), axis, act)?, x, y)
}

macro_rules! aligned {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of the operator's page.
        pub fn $name(x: &Tensor, y: &Tensor, axis: i64, act: Option<Activation>) -> Result<Tensor> {
            aligned(Op::$op, x, y, axis, act)
        }
    )*};
}

aligned! {
    /// `out[i…] = act(x[i…] · y[i…])`, with y's dimensions aligned to those of x from `axis` on; −1 means rank(x) − rank(y).
    /// `docs/operators/elementwise_mul.md`.
    ///
    /// ```
    /// use scatterwise::{Activation, Tensor, elementwise_mul};
    /// let x = Tensor::from_elements(&[2, 3], &[1.0f32, -2.0, 3.0, -4.0, 5.0, -6.0])?;
    /// let y = Tensor::from_elements(&[2], &[10.0f32, 100.0])?;
    /// let out = elementwise_mul(&x, &y, 0, Some(Activation::Relu))?;
    /// assert_eq!(out.elements::<f32>(), Some(&[10.0, 0.0, 30.0, 0.0, 500.0, 0.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    elementwise_mul = ElementwiseMul;
    /// `out[i…] = act(x[i…] + y[i…])`, as [`elementwise_mul`]. bool is OR. `docs/operators/elementwise_add.md`, for this function and those
    /// below.
    ///
    /// ```
    /// use scatterwise::{Tensor, elementwise_add};
    /// let x = Tensor::from_elements(&[2, 2], &[1i32, 2, 3, 4])?;
    /// let y = Tensor::from_elements(&[2], &[10i32, 100])?;
    /// assert_eq!(elementwise_add(&x, &y, 0, None)?.elements::<i32>(), Some(&[11, 12, 103, 104][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    elementwise_add = ElementwiseAdd;
    /// `out[i…] = act(x[i…] − y[i…])`. bool has no difference.
    ///
    /// ```
    /// use scatterwise::{Tensor, elementwise_sub};
    /// let x = Tensor::from_elements(&[2, 2], &[1i32, 2, 3, 4])?;
    /// let y = Tensor::from_elements(&[2], &[10i32, 100])?;
    /// assert_eq!(elementwise_sub(&x, &y, 0, None)?.elements::<i32>(), Some(&[-9, -8, -97, -96][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    elementwise_sub = ElementwiseSub;
    /// `out[i…] = act(x[i…] / y[i…])`. Quotients of integers are truncated. bool has no quotient.
    ///
    /// ```
    /// use scatterwise::{Tensor, elementwise_div};
    /// let x = Tensor::from_elements(&[2, 2], &[-7i32, 7, 30, 40])?;
    /// let y = Tensor::from_elements(&[2], &[2i32, 10])?;
    /// assert_eq!(elementwise_div(&x, &y, 0, None)?.elements::<i32>(), Some(&[-3, 3, 3, 4][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    elementwise_div = ElementwiseDiv;
    /// `out[i…] = act(max(x[i…], y[i…]))`. NaN wins, −0 < +0, and bool is OR.
    ///
    /// ```
    /// use scatterwise::{Tensor, elementwise_max};
    /// let x = Tensor::from_elements(&[2, 2], &[1i32, 2, 3, 4])?;
    /// let y = Tensor::from_elements(&[2], &[2i32, 0])?;
    /// assert_eq!(elementwise_max(&x, &y, 0, None)?.elements::<i32>(), Some(&[2, 2, 3, 4][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    elementwise_max = ElementwiseMax;
    /// `out[i…] = act(min(x[i…], y[i…]))`. NaN wins, −0 < +0, and bool is AND.
    ///
    /// ```
    /// use scatterwise::{Tensor, elementwise_min};
    /// let x = Tensor::from_elements(&[2, 2], &[1i32, 2, 3, 4])?;
    /// let y = Tensor::from_elements(&[2], &[2i32, 0])?;
    /// assert_eq!(elementwise_min(&x, &y, 0, None)?.elements::<i32>(), Some(&[1, 2, 0, 0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    elementwise_min = ElementwiseMin;
}

/// `out[i…] = act(x[i…])`: an activation alone, in ranks 0 to 8.
///
/// # Errors
/// `TypeError` if `act` does not take the dtype, `RuntimeError` if a GPU does not support `act` for it.
///
/// ```
/// use scatterwise::{Activation, Tensor, activate};
/// let x = Tensor::from_elements(&[3], &[-1.0f32, 0.5, 2.0])?;
/// assert_eq!(activate(&x, Activation::Relu)?.elements::<f32>(), Some(&[0.0, 0.5, 2.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn activate(x: &Tensor, act: Activation) -> Result<Tensor> {
    // The activation of the product with 1.
    let one = Tensor::filled(Op::Activate.name(), "value", Shape::scalar(), Scalar::Int(1), x.dtype)?;
    aligned(Op::Activate, x, &one, -1, Some(act))
}

/// `out[i…] = x[…] ∘ y[…]`; either side is repeated as in NumPy. ∘ is the operation of `op`.
pub(crate) fn broadcast(op: Op, x: &Tensor, y: &Tensor, rounding: Option<Rounding>) -> Result<Tensor> {
    backend::elementwise(&BroadcastPlan::both_sides(op, x.operand(), y.operand(), rounding)?, x, y)
}

/// [`broadcast`] into x.
pub(crate) fn broadcast_in_place(
    op: Op,
    x: &mut Tensor,
    y: &Tensor,
    rounding: Option<Rounding>,
) -> Result<()> {
    let plan = BroadcastPlan::both_sides(op, x.operand(), y.operand(), rounding)?;
    elementwise_in_place(&plan, x, y)
}

/// Declares operations on two tensors, each with its in-place variant.
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident, $in_place:ident: $op:ident, $op_in_place:ident $(, $rounding:ident)?;)*) => {
        impl Tensor {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// Those of the operator's page.
            #[allow(clippy::should_implement_trait, reason = "an operator cannot return an error")]
            pub fn $name(&self, other: &Self $(, $rounding: Option<Rounding>)?) -> Result<Self> {
                broadcast(Op::$op, self, other, methods!(@rounding $($rounding)?))
            }

            #[doc = concat!("[`Tensor::", stringify!($name), "`] in place: the result must have self's shape.")]
            ///
            /// # Errors
            /// The same, and `ValueError` if the result would have another shape. A call that fails writes nothing.
            pub fn $in_place(&mut self, other: &Self $(, $rounding: Option<Rounding>)?) -> Result<()> {
                broadcast_in_place(Op::$op_in_place, self, other, methods!(@rounding $($rounding)?))
            }
        )*}
    };
    (@rounding) => { None };
    (@rounding $rounding:ident) => { $rounding };
}

methods! {
    /// `out[i…] = self[…] · other[…]`; either side is repeated as in NumPy. `docs/operators/mul.md`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let column = Tensor::from_elements(&[2, 1], &[1i32, 10])?;
    /// let row = Tensor::from_elements(&[3], &[1i32, 2, 3])?;
    /// assert_eq!(column.mul(&row)?.elements::<i32>(), Some(&[1, 2, 3, 10, 20, 30][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    mul, mul_: Mul, MulInPlace;
    /// `out[i…] = self[…] + other[…]`, as [`Tensor::mul`]. bool is OR. `docs/operators/add.md`, for this method and those below.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let column = Tensor::from_elements(&[2, 1], &[1i32, 10])?;
    /// let row = Tensor::from_elements(&[3], &[1i32, 2, 3])?;
    /// assert_eq!(column.add(&row)?.elements::<i32>(), Some(&[2, 3, 4, 11, 12, 13][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    add, add_: Add, AddInPlace;
    /// `out[i…] = self[…] − other[…]`. bool has no difference.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let column = Tensor::from_elements(&[2, 1], &[1i32, 10])?;
    /// let row = Tensor::from_elements(&[3], &[1i32, 2, 3])?;
    /// assert_eq!(column.sub(&row)?.elements::<i32>(), Some(&[0, -1, -2, 9, 8, 7][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    sub, sub_: Sub, SubInPlace;
    /// `out[i…]` is the larger of `self[…]` and `other[…]`: NaN wins, and −0 < +0. bool is OR.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let column = Tensor::from_elements(&[2, 1], &[1i32, 10])?;
    /// let row = Tensor::from_elements(&[3], &[1i32, 2, 3])?;
    /// assert_eq!(column.maximum(&row)?.elements::<i32>(), Some(&[1, 2, 3, 10, 10, 10][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    maximum, maximum_: Maximum, MaximumInPlace;
    /// `out[i…]` is the smaller of `self[…]` and `other[…]`: NaN wins, and −0 < +0. bool is AND.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let column = Tensor::from_elements(&[2, 1], &[1i32, 10])?;
    /// let row = Tensor::from_elements(&[3], &[1i32, 2, 3])?;
    /// assert_eq!(column.minimum(&row)?.elements::<i32>(), Some(&[1, 1, 1, 1, 2, 3][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    minimum, minimum_: Minimum, MinimumInPlace;
    /// `out[i…] = self[…] / other[…]`; `rounding` makes the quotient whole. Integers need one. bool has no quotient.
    ///
    /// ```
    /// use scatterwise::{Rounding, Tensor};
    /// let x = Tensor::from_elements(&[3], &[-7i32, 7, 9])?;
    /// let two = Tensor::from_elements(&[], &[2i32])?;
    /// assert_eq!(x.div(&two, Some(Rounding::Floor))?.elements::<i32>(), Some(&[-4, 3, 4][..]));
    /// assert!(x.div(&two, None).is_err());
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    div, div_: Div, DivInPlace, rounding;
}

/// [`Tensor::mul`] as a part of operator `op`. Errors name `op`.
pub(crate) fn product(op: Op, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    combined(op, Binary::Multiply, x, y)
}

/// An operation on two tensors as a part of operator `op`, by NumPy's rule. Errors name `op`.
pub(crate) fn combined(op: Op, binary: Binary, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    activated(op, binary, None, x, y)
}

/// [`combined`], with an activation of each result, which takes the dtype.
pub(crate) fn activated(
    op: Op,
    binary: Binary,
    act: Option<Activation>,
    x: &Tensor,
    y: &Tensor,
) -> Result<Tensor> {
    let plan = BroadcastPlan::of(op, binary, x.operand(), y.operand())?;
    backend::elementwise(&plan.with_activation(act), x, y)
}

/// [`product`] for tensors of any rank. Above the highest rank of `product`, y must have the shape of x, or one element.
pub(crate) fn product_of_any_rank(op: Op, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    if x.shape.rank() <= MAX_OP_RANK {
        return product(op, x, y);
    }
    let flat = |tensor: &Tensor| tensor.reshape(&[tensor.size()]);
    product(op, &flat(x)?, &flat(y)?)?.reshape(x.shape.dims())
}

/// The integer whose elements have as many bits as those of a float.
pub(crate) fn integer_of(dtype: DType) -> DType {
    match dtype.size() {
        2 => DType::Int16,
        4 => DType::Int32,
        _ => DType::Int64,
    }
}
