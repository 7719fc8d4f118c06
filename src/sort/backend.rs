//! What sorts and searches need of a device, and how their calls enter it.

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::engine::backend::backend;
use crate::engine::cpu::Cpu;
use crate::engine::{Backend, Groups};
use crate::sort::plan::{SearchPlan, SortPlan};
use crate::{DType, HostBuffer, Result, Storage, Tensor};

backend! {
    pub(crate) trait SortBackend: Backend {
        /// The positions of the elements of each row of a plan in their order, int64, in the shape of the tensor. Equal elements keep their
        /// order.
        fn argsort(&self, plan: &SortPlan, data: &Self::Buffer) -> Result<Self::Buffer>;

        /// The groups of equal elements. The plan has one row.
        fn groups(&self, plan: &SortPlan, data: &Self::Buffer) -> Result<Groups<Self::Buffer>>;

        /// How many of the sorted edges are before each element of x, int64. Edges that are not sorted are a `ValueError`, on a GPU
        /// at the next read.
        fn search(&self, plan: &SearchPlan, edges: &Self::Buffer, x: &Self::Buffer) -> Result<Self::Buffer>;
    }
}

/// The position and the bits of the first edge that is less than the one before it.
pub(crate) fn first_unsorted(edges: &HostBuffer, dtype: DType) -> Option<(usize, u64)> {
    Cpu.first_unsorted(edges, dtype)
}

/// How many edges are before each element of x. It runs on the GPU if one operand is there, else on the CPU.
pub(crate) fn search(plan: &SearchPlan, edges: &Tensor, x: &Tensor) -> Result<Storage> {
    let here = if let Storage::Device(_) = &x.storage { x } else { edges };
    let [edges_name, x_name] = SearchPlan::OP.operand_names();
    where_it_is!(SearchPlan::OP.name(), &here.storage, |backend, here| {
        let mut plan = plan.clone();
        if let (Storage::Host(edges), Storage::Device(_)) = (&edges.storage, &x.storage) {
            Cpu.check_sorted(&plan, edges)?;
            plan = plan.checked();
        }
        let edges = backend.operand(SearchPlan::OP, edges_name, edges)?;
        let x = backend.operand(SearchPlan::OP, x_name, x)?;
        Ok(backend.search(&plan, &edges, &x)?.into())
    })
}

/// The first `len` bytes of data, in memory of their own.
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
