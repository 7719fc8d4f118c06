//! What scatters need of a device, and how their calls enter it.

use std::rc::Rc;

use crate::dispatch::operands::{Operands, first_zero};
use crate::dispatch::where_it_is;
use crate::engine::Value;
use crate::engine::backend::backend;
use crate::index::{Index, IndexBackend};
use crate::plan::{Addressing, Reduce, Update};
use crate::{DType, Result, Tensor};

backend! {
    pub trait ScatterBackend: IndexBackend {
        /// Applies the values to the table as `update` says: in place if nothing else shares the table, else to a copy, which then replaces
        /// it. The caller has checked integers in host memory: no divisor is zero.
        fn scatter(
            &self,
            plan: &Addressing,
            dtype: DType,
            update: Update,
            table: &mut Rc<Self::Buffer>,
            index: &Self::Index<'_>,
            value: Value<&Self::Buffer>,
        ) -> Result<()>;
    }
}

/// Applies the values to the table, on the device of the table. If other tensors share its data, the table gets a copy first.
pub(crate) fn scatter_into(
    plan: &Addressing,
    update: Update,
    table: &mut Tensor,
    index: &Index,
    value: Value<&Tensor>,
) -> Result<()> {
    let dtype = table.dtype;
    where_it_is!(plan.op().name(), &mut table.storage, |backend, table| {
        check_divisors(plan, dtype, update, &value)?;
        // Errors about the index come first on every device.
        let index = backend.index(plan, index)?;
        let value = backend.value(plan, value)?;
        backend.scatter(plan, dtype, update, table, &index, value.as_deref())
    })
}

/// Refuses a zero among integer divisors. Divisors in GPU memory pass, because the GPU checks them itself.
pub(crate) fn check_divisors(
    plan: &Addressing,
    dtype: DType,
    update: Update,
    value: &Value<&Tensor>,
) -> Result<()> {
    if update.reduce != Reduce::Divide || dtype.is_float() {
        return Ok(());
    }
    let source = match value {
        Value::Scalar(0) => return Err(plan.divisor_error(0)),
        Value::Scalar(_) => return Ok(()),
        Value::Buffer(source) => source,
    };
    first_zero(source).map_or(Ok(()), |at| Err(plan.divisor_error(at)))
}
