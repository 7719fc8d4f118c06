//! What operators on groups need of a device, and how their calls enter it.

use std::rc::Rc;

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::Value;
use crate::engine::backend::backend;
use crate::engine::cpu::Cpu;
use crate::index::{Index, IndexBackend};
use crate::plan::{Addressing, Op, Sum, Update};
use crate::segments::backend::{RowScatter, Rows};
use crate::{DType, Result, Storage, Tensor};

backend! {
    pub(crate) trait GroupsBackend: IndexBackend {
        /// `ScatterBackend::scatter` of a maximum or minimum. For each element of the table, returns the coordinate in the plan's colliding
        /// loop of the entry that won, as int64: the first of equal ones, the first NaN if there is one; −1 where the old value stayed. The old value
        /// competes if `update.include_self` says so, and wins ties.
        fn scatter_argmax(
            &self,
            plan: &Addressing,
            dtype: DType,
            update: Update,
            table: &mut Rc<Self::Buffer>,
            index: &Self::Index<'_>,
            value: Value<&Self::Buffer>,
        ) -> Result<Self::Buffer>;

        /// `GatherBackend::gather` with the fill value 0, then `ElementwiseBackend::elementwise` of x and what was gathered. Both have one shape.
        fn with_gathered(
            &self,
            plans: (&Addressing, &BroadcastPlan),
            dtype: DType,
            x: &Self::Buffer,
            table: &Self::Buffer,
            index: &Self::Index<'_>,
        ) -> Result<Self::Buffer>;

        /// Whether the device has a pass for [`GroupsBackend::spmm`] of such a call, whose sums are ordered. If not, the call is made of others. `keeps_order`: later calls
        /// use the order of the rows again.
        fn has_spmm(
            &self,
            for_rows: &Addressing,
            dtype: DType,
            update: Update,
            has_values: bool,
            keeps_order: bool,
        ) -> bool;

        /// A sparse matrix times a dense one: `out[rows[e]] ∘= values[e] · dense[columns[e]]` for each entry e, in order, without a row for each
        /// entry in memory. The first plan scatters rows into the result, and the second one gathers rows of `dense`. An entry that one of
        /// the two indices drops is left out; but only `rows` may drop any unless `update` is single. Each row of the result begins with +0,
        /// or as `update` says. Without values each is 1.
        fn spmm(
            &self,
            plans: [&Addressing; 2],
            dtype: DType,
            update: Update,
            indices: [&Self::Index<'_>; 2],
            values: Option<&Self::Buffer>,
            dense: &Self::Buffer,
        ) -> Result<Self::Buffer>;
    }
}

/// [`GroupsBackend::spmm`] on the device of `dense`; `None` if the device has no pass for it. The plans and indices are those of the rows and of the columns.
pub(crate) fn spmm(
    plans: [&Addressing; 2],
    update: Update,
    [rows, columns]: [&Index; 2],
    values: Option<&Tensor>,
    dense: &Tensor,
) -> Result<Option<Storage>> {
    const OP: Op = Op::Spmm;
    where_it_is!(OP.name(), &dense.storage, |backend, data| {
        // Asked before anything is uploaded.
        let keeps_order = matches!(rows, Index::Prepared(_)) && rows.is_ready();
        if update.sum == Sum::Exact
            || !backend.has_spmm(plans[0], dense.dtype, update, values.is_some(), keeps_order)
        {
            return Ok(None);
        }
        let (rows, columns) = (backend.index(plans[0], rows)?, backend.index(plans[1], columns)?);
        let values = values.map(|values| backend.operand(OP, "values", values)).transpose()?;
        let out = backend.spmm(plans, dense.dtype, update, [&rows, &columns], values.as_deref(), data)?;
        Ok(Some(out.into()))
    })
}

/// `scatter` of a maximum or minimum; returns the argmax ([`GroupsBackend::scatter_argmax`]).
pub(crate) fn scatter_argmax(
    plan: &Addressing,
    update: Update,
    table: &mut Tensor,
    index: &Index,
    value: Value<&Tensor>,
) -> Result<Storage> {
    let dtype = table.dtype;
    where_it_is!(plan.op().name(), &mut table.storage, |backend, table| {
        let index = backend.index(plan, index)?;
        let value = backend.value(plan, value)?;
        Ok(backend.scatter_argmax(plan, dtype, update, table, &index, value.as_deref())?.into())
    })
}

/// [`Rows::combine`] of a maximum or minimum; returns the rows that won, or `None` if no segment has elements.
pub(crate) fn row_winners(
    rows: &Rows<'_>,
    update: Update,
    out: &mut Tensor,
    data: &Tensor,
) -> Result<Option<Storage>> {
    let dtype = out.dtype;
    Ok(match &mut out.storage {
        Storage::Host(out) => {
            let data = Cpu.operand(Op::SegmentReduce, "data", data)?;
            Some(Cpu.segment_argmax(rows.checked()?, dtype, update, out, data)?.into())
        }
        Storage::Device(out) => match rows.on_gpu(dtype, out, data)? {
            Some(RowScatter { gpu, plan, index, data }) => {
                let winners = gpu.scatter_argmax(&plan, dtype, update, out, &index, Value::Buffer(&data))?;
                Some(winners.into())
            }
            None => None,
        },
    })
}

/// Combines x with what a gather collects, on the device of the table: see [`GroupsBackend::with_gathered`].
pub(crate) fn with_gathered(
    plans: (&Addressing, &BroadcastPlan),
    x: &Tensor,
    table: &Tensor,
    index: &Index,
) -> Result<Tensor> {
    let op = plans.0.op();
    let storage: Storage = where_it_is!(op.name(), &table.storage, |backend, data| {
        let index = backend.index(plans.0, index)?;
        let x = backend.operand(op, "src", x)?;
        backend.with_gathered(plans, table.dtype, &x, data, &index)?.into()
    });
    Ok(Tensor::from_storage(plans.1.out_shape().clone(), table.dtype, storage))
}
