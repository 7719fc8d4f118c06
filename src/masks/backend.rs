//! What masks need of a device, and how their calls enter it.

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::engine::Backend;
use crate::engine::backend::backend;
use crate::masks::plan::choose::ChoosePlan;
use crate::masks::plan::compare::ComparePlan;
use crate::masks::plan::positions::PositionsPlan;
use crate::{Result, Storage, Tensor};

/// Positions of elements.
pub(crate) struct Found<B> {
    pub(crate) positions: B,
    /// How many positions there are. A GPU that was given no size has a place for each element.
    pub(crate) len: usize,
    /// On a GPU for each of so many tiles how many positions are in those before it, and at last how many there are.
    pub(crate) sums: Option<(B, usize)>,
}

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

        /// The positions of the elements that are not 0.
        fn positions(&self, plan: &PositionsPlan, x: &Self::Buffer) -> Result<Found<Self::Buffer>>;
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

/// The positions of the elements of x that are not 0, on its device.
pub(crate) fn positions(plan: &PositionsPlan, x: &Tensor) -> Result<Found<Storage>> {
    where_it_is!(plan.op().name(), &x.storage, |backend, x| {
        let Found { positions, len, sums } = backend.positions(plan, x)?;
        Ok(Found { positions: positions.into(), len, sums: sums.map(|(sums, tiles)| (sums.into(), tiles)) })
    })
}
