//! Edges of bins in host memory.

use crate::convert::cpu::from_numbers;
use crate::error::Result;
use crate::histograms::plan::uniform_edges::UniformEdges;
use crate::host::HostBuffer;
use crate::plan::op::Op;

pub(crate) fn edges(op: Op, edges: &UniformEdges) -> Result<HostBuffer> {
    from_numbers(op.name(), edges.count(), edges.dtype(), &mut |first, run| {
        for (slot, edge) in run.iter_mut().zip(first..) {
            *slot = edges.at(edge);
        }
    })
}
