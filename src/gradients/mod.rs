//! Gradients of `sum(op(self, …) · cotangent)` with respect to each operand. There is no tape: each gradient is built from other
//! calls, so its sums are ordered, and it has the same bits on every device. `docs/operators/vjp.md` has the formulas.
//!
//! The *cotangent* is the gradient of the rest of the program with respect to the operator's result. A function without an `Errors`
//! section returns the errors of its calls.

pub(crate) mod activation;
pub(crate) mod backend;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod cpu;
pub(crate) mod dims;
pub(crate) mod elementwise;
pub(crate) mod gather;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
#[cfg(feature = "group_by")]
pub(crate) mod group_by;
pub(crate) mod kernels;
#[cfg(feature = "masks")]
pub(crate) mod masks;
pub(crate) mod pair;
pub(crate) mod scatter;
pub(crate) mod segment;
#[cfg(feature = "groups")]
pub(crate) mod softmax;
#[cfg(feature = "groups")]
pub(crate) mod spmm;

use crate::plan::{Op, dtype_mismatch, value_error};
use crate::{DType, ErrorCode, Result, Scalar, Shape, Tensor, dispatch};

/// The operator of the calls inside gradients. It has the least strict rules.
const OP: Op = Op::Vjp;

/// [`cotangent_of`] for a result with the dtype of `table`.
fn cotangent_for(cotangent: &Tensor, table: &Tensor, shape: &Shape) -> Result<Tensor> {
    cotangent_of(cotangent, table, shape, table.dtype)
}

/// The cotangent on the device of `table`, the tensor that the operator was called on. `shape` and `dtype` are those of the operator's
/// result.
fn cotangent_of(cotangent: &Tensor, table: &Tensor, shape: &Shape, dtype: DType) -> Result<Tensor> {
    if cotangent.dtype != dtype {
        let text = format!(
            "cotangent has dtype {} and the result {dtype} (cotangent.astype('{dtype}'))",
            cotangent.dtype
        );
        return Err(dtype_mismatch(OP, "cotangent", cotangent.dtype, text));
    }
    if cotangent.shape.dims() == [0] && shape.size() == 0 {
        // From JavaScript's `[]`, which says nothing of its other dimensions.
        return dispatch::to_device_of(OP.name(), "cotangent", &cotangent.reshape(shape.dims())?, table);
    }
    if cotangent.shape != *shape {
        let text =
            format!("cotangent has shape {} and the result {shape}; they must be equal", cotangent.shape);
        return Err(value_error(OP, ErrorCode::ShapeMismatch, "cotangent", text)
            .shape("cotangent", cotangent.shape.dims())
            .shape("result", shape.dims()));
    }
    dispatch::to_device_of(OP.name(), "cotangent", cotangent, table)
}

/// Refuses an operand without a floating-point dtype, because it has no gradient. Errors name it `argument`.
fn require_float(op: Op, argument: &'static str, operand: &Tensor) -> Result<()> {
    let dtype = operand.dtype;
    if dtype.is_float() {
        return Ok(());
    }
    let text = format!(
        "{argument} has dtype {dtype}, and only floating-point numbers have gradients, because a small change of one \
         changes the result a little ({argument}.astype('float32'))"
    );
    Err(dtype_mismatch(op, argument, dtype, text))
}

/// On the device of `like`.
fn filled(like: &Tensor, shape: &Shape, value: Scalar, dtype: DType) -> Result<Tensor> {
    let made = Tensor::filled(OP.name(), "value", shape.clone(), value, dtype)?;
    dispatch::on_device_of(OP.name(), like, made)
}

fn zeros_like(tensor: &Tensor) -> Result<Tensor> {
    filled(tensor, &tensor.shape, Scalar::Int(0), tensor.dtype)
}

fn flat(tensor: &Tensor) -> Result<Tensor> {
    tensor.reshape(&[tensor.size()])
}
