//! Sorts and searches.

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::engine::cpu::run::Cpu;
use crate::engine::{Backend, GroupCount, Groups};
use crate::error::Result;
use crate::host::HostBuffer;
use crate::sort::plan::{SearchPlan, SortPlan};
use crate::storage::Storage;
use crate::tensor::Tensor;

/// The positions of the elements of each row in their order, on the device of the tensor.
///
/// # Errors
/// `RuntimeError` when memory is exhausted, the GPU device is lost, or data on it is unusable.
pub(crate) fn argsort(plan: &SortPlan, tensor: &Tensor) -> Result<Storage> {
    where_it_is!(plan.op().name(), &tensor.storage, |backend, data| {
        Ok(Backend::argsort(backend, plan, data)?.into())
    })
}

/// The groups of equal elements of a tensor, on its device.
///
/// # Errors
/// As for [`argsort`].
pub(crate) fn groups(plan: &SortPlan, tensor: &Tensor) -> Result<Groups<Storage>> {
    where_it_is!(plan.op().name(), &tensor.storage, |backend, data| {
        let Groups { index, inverse, counts, count } = Backend::groups(backend, plan, data)?;
        Ok(Groups {
            index: index.into(),
            inverse: inverse.into(),
            counts: counts.into(),
            count: match count {
                GroupCount::Known(count) => GroupCount::Known(count),
                GroupCount::Unread(count) => GroupCount::Unread(count.into()),
            },
        })
    })
}

/// How many edges are before each element of x. It runs on the GPU if one operand is there, else on the CPU.
///
/// # Errors
/// `ValueError` for edges that are not sorted; for edges on a GPU it comes with the next read. `RuntimeError` as for [`argsort`].
pub(crate) fn search(plan: &SearchPlan, edges: &Tensor, x: &Tensor) -> Result<Storage> {
    let here = if let Storage::Device(_) = &x.storage { x } else { edges };
    let [edges_name, x_name] = SearchPlan::OP.operand_names();
    where_it_is!(SearchPlan::OP.name(), &here.storage, |backend, here| {
        if let (Storage::Host(edges), Storage::Device(_)) = (&edges.storage, &x.storage) {
            Cpu.check_sorted(plan, edges)?;
        }
        let edges = backend.operand(SearchPlan::OP, edges_name, edges)?;
        let x = backend.operand(SearchPlan::OP, x_name, x)?;
        Ok(Backend::search(backend, plan, &edges, &x)?.into())
    })
}

/// The first `len` bytes of data, in memory of their own.
///
/// # Errors
/// `RuntimeError` when memory is exhausted, the GPU device is lost, or data on it is unusable.
pub(crate) fn first(op: &'static str, storage: &Storage, len: usize) -> Result<Storage> {
    match storage {
        Storage::Host(buffer) => {
            Ok(HostBuffer::copy_of(op, buffer.bytes().get(..len).unwrap_or_default())?.into())
        }
        Storage::Device(data) => {
            data.usable(op)?;
            Ok(data.first(op, len)?.into())
        }
    }
}
