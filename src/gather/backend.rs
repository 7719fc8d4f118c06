//! What gathers need of a device, and how their calls enter it.

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::engine::backend::backend;
use crate::index::{Index, IndexBackend};
use crate::plan::Addressing;
use crate::{Bits, DType, Result, Storage, Tensor};

backend! {
    pub(crate) trait GatherBackend: IndexBackend {
        /// Collects one row of the table for each index entry, in the order of the plan's loops. In the row of a skipped entry each element
        /// is `fill`.
        fn gather(
            &self,
            plan: &Addressing,
            dtype: DType,
            table: &Self::Buffer,
            index: &Self::Index<'_>,
            fill: Bits,
        ) -> Result<Self::Buffer>;
    }
}

/// Collects the elements that the index names, on the device of the table. `fill` is the result of an entry that the index drops
/// because it is out of range.
pub(crate) fn gather_from(plan: &Addressing, table: &Tensor, index: &Index, fill: Bits) -> Result<Storage> {
    where_it_is!(plan.op().name(), &table.storage, |backend, data| {
        let index = backend.index(plan, index)?;
        Ok(backend.gather(plan, table.dtype, data, &index, fill)?.into())
    })
}
