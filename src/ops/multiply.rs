//! `elementwise_mul`, `mul` and `mul_`.

use crate::dispatch;
use crate::error::Result;
use crate::plan::{Activation, BroadcastPlan, Op};
use crate::shape::MAX_OP_RANK;
use crate::tensor::Tensor;

/// `out[i…] = act(x[i…] · y[…])`, with y's dimensions aligned to those of x from `axis` on.
///
/// - y's shape, without its trailing 1s, must be a contiguous run of x's shape that starts at dimension `axis`. −1 means rank(x) −
///   rank(y), and here y's trailing 1s count. Equal shapes fit for every `axis`, and one element (all sizes 1, or no dimensions)
///   fits every x. The result has x's shape; ranks 0 to 8.
/// - x and y have the same dtype, any of the thirteen. Integers wrap, bool is AND, floats are rounded to the dtype before `act`.
/// - `act` is applied to each product in the same pass. [`Activation`] lists the activations and their dtypes.
/// - CPU and GPU give the same bits without `act`, and with every `act` whose [`Activation::gpu_ulps`] is 0.
///
/// # Errors
/// `ValueError` for `axis`, ranks above 8 and shapes. If NumPy's rule would broadcast the shapes, the error says so:
/// [`Tensor::mul`] takes them. `TypeError` if the dtypes differ or `act` does not take them. `RuntimeError` if a GPU does not
/// support `act` for the dtype.
///
/// Source: Paddle, `paddle.fluid.layers.elementwise_mul`.
///
/// ```
/// use scatterwise::{Activation, Tensor, elementwise_mul};
/// let x = Tensor::from_elements(&[2, 3], &[1.0f32, -2.0, 3.0, -4.0, 5.0, -6.0])?;
/// let y = Tensor::from_elements(&[2], &[10.0f32, 100.0])?;
/// let out = elementwise_mul(&x, &y, 0, Some(Activation::Relu))?;
/// assert_eq!(out.elements::<f32>(), Some(&[10.0, 0.0, 30.0, 0.0, 500.0, 0.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn elementwise_mul(x: &Tensor, y: &Tensor, axis: i64, act: Option<Activation>) -> Result<Tensor> {
    dispatch::multiply(
        &BroadcastPlan::along_axis(Op::ElementwiseMul, x.operand(), y.operand(), axis, act)?,
        x,
        y,
    )
}

impl Tensor {
    /// `out[i…] = self[…] · other[…]`; either side is repeated as in NumPy.
    ///
    /// The shapes are aligned at the right; in each dimension the sizes are equal, or one of them is 1 or
    /// missing. Ranks 0 to 8; the same dtype on both sides, any of the thirteen. Integers wrap, bool is AND.
    /// CPU and GPU give the same bits.
    ///
    /// # Errors
    /// `ValueError` for ranks and shapes, `TypeError` if the dtypes differ.
    ///
    /// Source: NumPy, `numpy.multiply`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let column = Tensor::from_elements(&[2, 1], &[1i32, 10])?;
    /// let row = Tensor::from_elements(&[3], &[1i32, 2, 3])?;
    /// assert_eq!(column.mul(&row)?.elements::<i32>(), Some(&[1, 2, 3, 10, 20, 30][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn mul(&self, other: &Self) -> Result<Self> {
        product(Op::Mul, self, other)
    }

    /// [`Tensor::mul`] in place: the result must have self's shape. `other` may share data with `self`.
    ///
    /// # Errors
    /// As for [`Tensor::mul`], and `ValueError` if the result would have another shape. A call that fails writes nothing.
    pub fn mul_(&mut self, other: &Self) -> Result<()> {
        let plan = BroadcastPlan::both_sides(Op::MulInPlace, self.operand(), other.operand())?;
        dispatch::multiply_in_place(&plan, self, other)
    }
}

/// [`Tensor::mul`] as a part of operator `op`. Errors name `op`.
pub(super) fn product(op: Op, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    dispatch::multiply(&BroadcastPlan::both_sides(op, x.operand(), y.operand())?, x, y)
}

/// [`product`] for tensors of any rank. Above the highest rank of `product`, y must have the shape of x, or one element.
pub(super) fn product_of_any_rank(op: Op, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    if x.shape.rank() <= MAX_OP_RANK {
        return product(op, x, y);
    }
    let flat = |tensor: &Tensor| tensor.reshape(&[tensor.size()]);
    product(op, &flat(x)?, &flat(y)?)?.reshape(x.shape.dims())
}
