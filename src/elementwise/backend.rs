//! What operations on two tensors need of a device, and how their calls enter it.

use std::rc::Rc;

use crate::dispatch::operands::{Operands, first_zero};
use crate::dispatch::where_it_is;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::Backend;
use crate::engine::backend::backend;
use crate::{DType, Result, Storage, Tensor};

backend! {
    pub trait ElementwiseBackend: Backend {
        /// Combines x and y as the plan aligns them, rounds or wraps each result in the dtype, and applies the plan's activation. The
        /// activation may give other bits on a GPU, as `Activation::gpu_ulps` says. x and y are the operands in the order of the call: a plan
        /// may exchange them ([`BroadcastPlan::operands`]). The caller has checked integer divisors in host memory: none is zero.
        fn elementwise(
            &self,
            plan: &BroadcastPlan,
            dtype: DType,
            x: &Self::Buffer,
            y: &Self::Buffer,
        ) -> Result<Self::Buffer>;

        /// [`ElementwiseBackend::elementwise`] into x. The result has the shape of x. It is written in place if nothing else shares x, else into a new
        /// buffer, which then replaces x.
        fn elementwise_in_place(
            &self,
            plan: &BroadcastPlan,
            dtype: DType,
            x: &mut Rc<Self::Buffer>,
            y: &Self::Buffer,
        ) -> Result<()>;
    }
}

/// Combines x and y, the operands in the order of the call; the plan says which of them it repeats. It runs on the GPU if one
/// operand is there, else on the CPU.
pub(crate) fn elementwise(plan: &BroadcastPlan, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let (op, [x_name, y_name]) = (plan.op(), plan.op().operand_names());
    let here = if let Storage::Device(_) = &x.storage { x } else { y };
    check_second(plan, y)?;
    let storage: Storage = where_it_is!(op.name(), &here.storage, |backend, here| {
        let (x_data, y_data) = (backend.operand(op, x_name, x)?, backend.operand(op, y_name, y)?);
        backend.elementwise(plan, x.dtype, &x_data, &y_data)?.into()
    });
    Ok(Tensor::from_storage(plan.out_shape().clone(), x.dtype, storage))
}

pub(crate) fn elementwise_in_place(plan: &BroadcastPlan, x: &mut Tensor, y: &Tensor) -> Result<()> {
    let (dtype, [_, name]) = (x.dtype, plan.op().operand_names());
    check_second(plan, y)?;
    where_it_is!(plan.op().name(), &mut x.storage, |backend, x| {
        let y = backend.operand(plan.op(), name, y)?;
        backend.elementwise_in_place(plan, dtype, x, &y)
    })
}

/// Refuses a zero in y, the second operand, if the plan divides integers by it. A y in GPU memory passes, because the GPU checks it
/// itself.
fn check_second(plan: &BroadcastPlan, y: &Tensor) -> Result<()> {
    let zero = if plan.binary().refuses_zeros(y.dtype) { first_zero(y) } else { None };
    zero.map_or(Ok(()), |at| Err(plan.divisor_error(at)))
}
