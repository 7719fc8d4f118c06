//! Edges of bins in host memory.

use crate::convert::cpu::from_numbers;
use crate::histograms::plan::uniform_edges::UniformEdges;
use crate::plan::Op;
use crate::{HostBuffer, Result};

pub(crate) fn edges(op: Op, edges: &UniformEdges) -> Result<HostBuffer> {
    from_numbers(op.name(), edges.count(), edges.dtype(), &mut |first, run| {
        for (slot, edge) in run.iter_mut().zip(first..) {
            *slot = edges.at(edge);
        }
    })
}
