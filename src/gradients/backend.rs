//! What gradients need of a device, and how their calls enter it.

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::engine::backend::backend;
use crate::index::{Index, IndexBackend};
use crate::plan::{Addressing, Reduce};
use crate::{DType, Result, Storage, Tensor};

backend! {
    pub(crate) trait ScanBackend: IndexBackend {
        /// Two results with an element for each value. The first has the combination of the values before it that go to the same element of
        /// the table, in row-major order of the index. The second has that of the values after it, from the last one back. Each combination
        /// begins with the neutral element. A value that no entry uses gets 0.
        fn scan_both_ways(
            &self,
            plan: &Addressing,
            dtype: DType,
            reduce: Reduce,
            index: &Self::Index<'_>,
            values: &Self::Buffer,
        ) -> Result<[Self::Buffer; 2]>;
    }
}

/// Two results, each with an element for each element of `values`, the source of a scatter by `plan`: see
/// [`ScanBackend::scan_both_ways`]. The gradient of a scatter that multiplies needs them: together, the two have every value of a slot
/// but the element's own. The work runs on the device of the values.
pub(crate) fn scan_both_ways(
    plan: &Addressing,
    reduce: Reduce,
    index: &Index,
    values: &Tensor,
) -> Result<[Storage; 2]> {
    where_it_is!(plan.op().name(), &values.storage, |backend, data| {
        let index = backend.index(plan, index)?;
        let scans = backend.scan_both_ways(plan, values.dtype, reduce, &index, data)?;
        Ok(scans.map(Storage::from))
    })
}
