//! What masks need of a device, and how their calls enter it.

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::engine::Backend;
use crate::engine::backend::backend;
use crate::masks::plan::choose::ChoosePlan;
use crate::masks::plan::compare::ComparePlan;
use crate::{Result, Storage, Tensor};

backend! {
    pub(crate) trait MaskBackend: Backend {
        /// Compares x with y, the operands in the order of the call, as the plan aligns them: a byte for each element of the result.
        fn compare(&self, plan: &ComparePlan, x: &Self::Buffer, y: &Self::Buffer) -> Result<Self::Buffer>;

        /// x where the mask is true, else y, as the plan aligns them, with their bits.
        fn choose(
            &self,
            plan: &ChoosePlan,
            mask: &Self::Buffer,
            x: &Self::Buffer,
            y: &Self::Buffer,
        ) -> Result<Self::Buffer>;
    }
}

/// Compares x with y. It runs on the GPU if one operand is there, else on the CPU.
pub(crate) fn compare(plan: &ComparePlan, x: &Tensor, y: &Tensor) -> Result<Storage> {
    let (op, [x_name, y_name]) = (plan.op(), plan.op().operand_names());
    let here = if let Storage::Device(_) = &x.storage { x } else { y };
    where_it_is!(op.name(), &here.storage, |backend, here| {
        let (x, y) = (backend.operand(op, x_name, x)?, backend.operand(op, y_name, y)?);
        Ok(backend.compare(plan, &x, &y)?.into())
    })
}

/// Chooses between x and y. It runs on the GPU if one operand is there, else on the CPU.
pub(crate) fn choose(plan: &ChoosePlan, mask: &Tensor, x: &Tensor, y: &Tensor) -> Result<Storage> {
    let op = ChoosePlan::OP;
    let on_device = [mask, x, y].into_iter().find(|tensor| matches!(tensor.storage, Storage::Device(_)));
    where_it_is!(op.name(), &on_device.unwrap_or(mask).storage, |backend, here| {
        let mask = backend.operand(op, "mask", mask)?;
        let (x, y) = (backend.operand(op, "x", x)?, backend.operand(op, "y", y)?);
        Ok(backend.choose(plan, &mask, &x, &y)?.into())
    })
}
