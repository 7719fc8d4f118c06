//! Masks: comparisons, and operations on truth values.

pub(crate) mod backend;
#[cfg(all(target_arch = "wasm32", feature = "masks"))]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;
pub(crate) mod plan;
pub(crate) mod positions;

use crate::masks::plan::check_truth;
use crate::masks::plan::choose::ChoosePlan;
use crate::masks::plan::compare::ComparePlan;
use crate::plan::Op;
use crate::{DType, Result, Scalar, Shape, Tensor, elementwise};

/// Compares x with y by the comparison that is the operator.
fn compared(op: Op, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let plan = ComparePlan::new(op, x.operand(), y.operand())?;
    let storage = backend::compare(&plan, x, y)?;
    Ok(Tensor::from_storage(plan.shape().clone(), DType::Bool, storage))
}

/// Combines truth values: a product of bools is AND, a sum is OR.
fn combined(op: Op, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let [first, second] = op.operand_names();
    check_truth(op, first, x.dtype)?;
    check_truth(op, second, y.dtype)?;
    elementwise::broadcast(op, x, y, None)
}

/// `out[…]` is `x[…]` where the mask is true, else `y[…]`, bit for bit. All three are repeated as in NumPy; x and y have one dtype.
/// `docs/operators/masks.md`.
///
/// # Errors
/// Those of the operator's page.
///
/// ```
/// use scatterwise::{Tensor, choose};
/// let x = Tensor::from_elements(&[3], &[1i32, -2, 3])?;
/// let zero = Tensor::from_elements(&[], &[0i32])?;
/// assert_eq!(choose(&x.gt(&zero)?, &x, &zero)?.elements::<i32>(), Some(&[1, 0, 3][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn choose(mask: &Tensor, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let plan = ChoosePlan::new(mask.operand(), x.operand(), y.operand())?;
    let storage = backend::choose(&plan, mask, x, y)?;
    Ok(Tensor::from_storage(plan.shape().clone(), x.dtype, storage))
}

/// Declares methods on two tensors.
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident: $run:ident $op:ident;)*) => {
        impl Tensor {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// Those of the operator's page.
            pub fn $name(&self, other: &Self) -> Result<Self> {
                $run(Op::$op, self, other)
            }
        )*}
    };
}

methods! {
    /// `out[i…] = self[…] < other[…]` as bool; either side is repeated as in NumPy. Numbers of different dtypes are compared by their values,
    /// and a NaN on either side is false. `docs/operators/masks.md`, for this method and those below.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let x = Tensor::from_elements(&[3], &[1i32, 2, 3])?;
    /// let y = Tensor::from_elements(&[], &[2.5f32])?;
    /// assert_eq!(x.lt(&y)?.bytes(), Some(&[1, 1, 0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    lt: compared Lt;
    /// `out[i…] = self[…] ≤ other[…]`.
    le: compared Le;
    /// `out[i…] = self[…] > other[…]`.
    gt: compared Gt;
    /// `out[i…] = self[…] ≥ other[…]`.
    ge: compared Ge;
    /// `out[i…] = self[…] = other[…]`. −0 equals 0.
    eq: compared Eq;
    /// `out[i…] = self[…] ≠ other[…]`, true for a NaN on either side.
    ne: compared Ne;
    /// `out[i…]` is whether both truth values are true.
    logical_and: combined LogicalAnd;
    /// `out[i…]` is whether one of both truth values is true.
    logical_or: combined LogicalOr;
}

impl Tensor {
    /// Whether each element is NaN; false for integers and bool.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn isnan(&self) -> Result<Self> {
        compared(Op::IsNan, self, self) // only a NaN is not itself
    }

    /// Whether each truth value is false.
    ///
    /// # Errors
    /// `TypeError` for another dtype than bool.
    pub fn logical_not(&self) -> Result<Self> {
        let op = Op::LogicalNot;
        check_truth(op, "self", self.dtype)?;
        let no = Self::filled(op.name(), "value", Shape::scalar(), Scalar::Bool(false), DType::Bool)?;
        compared(op, self, &no)
    }
}
