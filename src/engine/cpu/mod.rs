//! The CPU backend.
//!
//! These files check, allocate and return errors. Then they run jobs of the `kernels`, which do none of that. Each file dispatches on
//! dtype and reduce once per call, outside the loops.

#[cfg(test)]
pub(crate) mod cuts;
pub(crate) mod kernels;
pub(crate) mod parts;
#[cfg(test)]
pub(crate) mod ranges;
pub(crate) mod run;
#[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
pub(crate) mod threads;

use std::borrow::Cow;
use std::ops::Deref;
use std::rc::Rc;

use crate::dims::plan::DimsPlan;
use crate::dtype::DType;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::{Backend, Groups, Masked, Value};
use crate::error::Result;
use crate::histograms::plan::binned::BinnedPlan;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::histograms::plan::uniform_edges::UniformEdges;
use crate::host::HostBuffer;
use crate::index::cpu::index::CallIndex;
use crate::plan::index::addressing::Addressing;
use crate::plan::index::mode::OutOfRange;
use crate::plan::op::Op;
use crate::plan::reduce::{Reduce, Update};
use crate::scalar::Bits;
use crate::segments::plan::CheckedSegments;
use crate::shape::PerDim;
use crate::sort::plan::{SearchPlan, SortPlan};

use crate::engine::cpu::run::Cpu;
use crate::index::cpu::checked::CheckedIndex;
use crate::index::cpu::index::normalise;

/// The index of a scatter or gather.
pub(crate) enum Index<'a> {
    /// Values of int32 or int64. The call checks them, unless an earlier one has noted bounds on the buffer that fit.
    Given(&'a HostBuffer, DType),
    /// Positions that were checked for the call's plan, or for a plan with at most as many positions.
    Checked(Rc<CheckedIndex>),
}

impl Index<'_> {
    /// A checked position for each entry of the index, or [`DROPPED`].
    ///
    /// # Errors
    /// As for [`normalise`].
    pub(crate) fn positions<'a>(&'a self, plan: &'a Addressing) -> Result<Cow<'a, [u32]>> {
        match self {
            Self::Given(index, dtype) => normalise(plan, index, *dtype),
            Self::Checked(positions) => Ok(Cow::Borrowed(positions.values())),
        }
    }

    /// The positions of the values, each checked.
    ///
    /// # Errors
    /// `IndexError` for a value that is out of range; `RuntimeError` when memory is exhausted.
    pub(crate) fn checked(&self, plan: &Addressing) -> Result<Rc<CheckedIndex>> {
        match self {
            Self::Checked(positions) => Ok(positions.clone()),
            Self::Given(index, dtype) => {
                Ok(Rc::new(CheckedIndex::new(plan, index, *dtype, OutOfRange::Raise)?))
            }
        }
    }
}

impl Backend for Cpu {
    type Buffer = HostBuffer;
    type Index<'a> = Index<'a>;

    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        index: &Index<'_>,
        value: Value<&HostBuffer>,
    ) -> Result<()> {
        let (index, index_dtype) = match *index {
            Index::Checked(ref positions) => {
                return self.scatter_at(plan, dtype, update, table, positions, value);
            }
            Index::Given(index, dtype) => (index, dtype),
        };
        if update.is_exact(dtype) {
            let positions = normalise(plan, index, index_dtype)?;
            return self.scatter_exact(plan, dtype, update, table, &positions, value);
        }
        if !update.is_single() {
            // The index is walked more than once, so compute its positions once.
            let positions = CheckedIndex::new(plan, index, index_dtype, OutOfRange::Raise)?;
            return self.scatter_at(plan, dtype, update, table, &positions, value);
        }
        let index = &CallIndex::new(plan, index, index_dtype);
        self.scatter_once(plan, dtype, update.reduce, table, index, value)
    }

    fn scatter_winners(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        index: &Index<'_>,
        value: Value<&HostBuffer>,
    ) -> Result<HostBuffer> {
        self.scatter_winners(plan, dtype, update, table, index, value)
    }

    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        index: &Index<'_>,
        fill: Bits,
    ) -> Result<HostBuffer> {
        match *index {
            Index::Checked(ref positions) => self.gather_at(plan, dtype, table, positions, fill),
            Index::Given(index, index_dtype) => {
                self.gather_by(dtype, table, &CallIndex::new(plan, index, index_dtype))
            }
        }
    }

    fn with_gathered(
        &self,
        plans: (&Addressing, &BroadcastPlan),
        dtype: DType,
        x: &HostBuffer,
        table: &HostBuffer,
        index: &Index<'_>,
    ) -> Result<HostBuffer> {
        self.with_gathered(plans, dtype, x, table, index)
    }

    fn scan_both_ways(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        index: &Index<'_>,
        values: &HostBuffer,
    ) -> Result<[HostBuffer; 2]> {
        self.scan_both_ways(plan, dtype, reduce, &*index.checked(plan)?, values)
    }

    fn spmm(
        &self,
        plans: [&Addressing; 2],
        dtype: DType,
        update: Update,
        [rows, columns]: [&Index<'_>; 2],
        values: Option<&HostBuffer>,
        dense: &HostBuffer,
    ) -> Result<Option<HostBuffer>> {
        if update.is_exact(dtype) {
            return Ok(None);
        }
        let indices = [&*rows.checked(plans[0])?, &*columns.checked(plans[1])?];
        self.spmm(plans, dtype, update, indices, values, dense).map(Some)
    }

    fn combine_segments(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<HostBuffer>,
        data: &HostBuffer,
    ) -> Result<()> {
        self.combine_segments(segments, dtype, update, out, data)
    }

    fn segment_winners(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<HostBuffer>,
        data: &HostBuffer,
    ) -> Result<HostBuffer> {
        self.segment_winners(segments, dtype, update, out, data)
    }

    fn elementwise(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &HostBuffer,
        y: &HostBuffer,
    ) -> Result<HostBuffer> {
        self.elementwise_new(plan, dtype, x, y)
    }

    fn elementwise_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<HostBuffer>,
        y: &HostBuffer,
    ) -> Result<()> {
        self.elementwise_over(plan, dtype, x, y)
    }

    fn convert(&self, op: &'static str, from: DType, to: DType, buffer: &HostBuffer) -> Result<HostBuffer> {
        crate::convert::cpu::convert(op, from, to, buffer)
    }

    fn reduce_dims(&self, plan: &DimsPlan, data: &HostBuffer) -> Result<HostBuffer> {
        self.reduce_dims(plan, data)
    }

    fn edges_of_extent(
        &self,
        plan: &HistogramPlan,
        samples: Masked<'_, HostBuffer>,
        columns: &[usize],
    ) -> Result<Vec<HostBuffer>> {
        let mut made = Vec::new();
        for &column in columns {
            let ends = self.extent(plan, samples, column);
            made.push(edges(plan.op(), &plan.edges_of_extent(column, ends)?)?);
        }
        Ok(made)
    }

    fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = HostBuffer>],
        samples: Masked<'_, HostBuffer>,
        weights: Option<&HostBuffer>,
    ) -> Result<HostBuffer> {
        self.histogram(plan, &as_numbers(edges), samples, weights)
    }

    fn binned_statistic(
        &self,
        plan: &BinnedPlan,
        edges: &[impl Deref<Target = HostBuffer>],
        samples: Masked<'_, HostBuffer>,
        values: Option<&HostBuffer>,
    ) -> Result<HostBuffer> {
        self.binned_statistic(plan, &as_numbers(edges), samples, values)
    }

    fn density(
        &self,
        op: Op,
        hist: (&HostBuffer, DType),
        (edges, edges_dtype): (&HostBuffer, DType),
    ) -> Result<HostBuffer> {
        self.density(op.name(), hist, (edges.elements(), edges_dtype))
    }

    fn argsort(&self, plan: &SortPlan, data: &HostBuffer) -> Result<HostBuffer> {
        self.argsort(plan, data)
    }

    fn groups(&self, plan: &SortPlan, data: &HostBuffer) -> Result<Groups<HostBuffer>> {
        self.groups(plan, data)
    }

    fn search(&self, plan: &SearchPlan, edges: &HostBuffer, x: &HostBuffer) -> Result<HostBuffer> {
        self.search(plan, edges, x)
    }
}

/// The edges of each column as numbers.
fn as_numbers(edges: &[impl Deref<Target = HostBuffer>]) -> PerDim<&[f64]> {
    let mut numbers = PerDim::new();
    for edges in edges {
        numbers.push(edges.elements());
    }
    numbers
}

/// Edges of bins of equal width.
///
/// # Errors
/// `RuntimeError` when memory is exhausted.
pub(crate) fn edges(op: Op, edges: &UniformEdges) -> Result<HostBuffer> {
    crate::convert::cpu::from_numbers(op.name(), edges.count(), edges.dtype(), &mut |first, run| {
        for (slot, edge) in run.iter_mut().zip(first..) {
            *slot = edges.at(edge);
        }
    })
}
