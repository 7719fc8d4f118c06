//! The backends that run plans.
//!
//! A backend gets a plan, which is valid by construction, and buffers. It refuses only an index *value* (a GPU also a zero divisor that
//! only the GPU knows), and it does so before it writes the first byte. `dispatch` chooses the backend by the storage of the tensors.

pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub mod gpu;
#[cfg(not(feature = "webgpu"))]
#[path = "gpu_none.rs"]
pub mod gpu;

use crate::segments::plan::CheckedSegments;

use std::ops::Deref;
use std::rc::Rc;

use crate::dims::plan::DimsPlan;
use crate::dtype::DType;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::error::Result;
use crate::histograms::plan::binned::BinnedPlan;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::plan::index::addressing::Addressing;
use crate::plan::op::Op;
use crate::plan::reduce::{Reduce, Update};
use crate::scalar::Bits;
use crate::sort::plan::{SearchPlan, SortPlan};

/// The values that a scatter applies.
#[derive(Clone, Copy)]
pub enum Value<B> {
    /// The elements that the plan addresses as values, in the table's dtype.
    Buffer(B),
    /// One element, which is applied to every addressed element.
    Scalar(Bits),
}

impl<B: Deref> Value<B> {
    /// Borrows the buffer.
    #[inline(always)]
    pub(crate) fn as_deref(&self) -> Value<&B::Target> {
        match self {
            Self::Buffer(buffer) => Value::Buffer(buffer),
            Self::Scalar(bits) => Value::Scalar(*bits),
        }
    }
}

/// Samples, and which of them count.
pub struct Masked<'a, B> {
    /// The numbers of all samples.
    pub numbers: &'a B,
    /// For each sample, whether it counts: a bool. `None` if all count.
    pub mask: Option<&'a B>,
}

impl<'a, B> Masked<'a, B> {
    /// Samples with their mask.
    pub(crate) fn new(mask: Option<&'a B>, numbers: &'a B) -> Self {
        Self { numbers, mask }
    }
}

impl<B> Clone for Masked<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Masked<'_, B> {}

/// The groups of equal elements of a tensor, in the order of their values. All are int64.
pub struct Groups<B> {
    /// The first element of each group.
    pub(crate) index: B,
    /// The group of each element.
    pub(crate) inverse: B,
    /// The number of elements of each group.
    pub(crate) counts: B,
    /// The number of groups.
    pub(crate) count: GroupCount<B>,
}

/// The number of groups of equal elements.
#[allow(unreachable_pub, reason = "it is in a public trait")]
pub enum GroupCount<B> {
    /// On the CPU.
    Known(usize),
    #[cfg_attr(not(feature = "webgpu"), expect(dead_code, reason = "the CPU knows it"))]
    /// On a GPU, as one int64. `index` and `counts` then have a place for each element, and `index` is 0 behind the last group.
    Unread(B),
}

/// The methods of every backend. Their contract: the result has the bits of the sequential loop over index entries in row-major order.
/// The loop computes in the given dtype, which all operands except the index have. If any index value is out of range, nothing is
/// written, and the result is an `IndexError`: at once, or on a GPU at the next read. The other errors are `RuntimeError`: memory is
/// exhausted, or the device does not support the activation for this dtype.
pub trait Backend {
    /// Tensor data on this backend.
    type Buffer;
    /// The index of a scatter or gather, with its known bounds.
    type Index<'a>;

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

    /// [`Backend::scatter`] of a maximum or minimum. For each element of the table, returns the coordinate in the plan's meeting loop of the
    /// entry that won, as int64: the first of equal ones, the first NaN if there is one; −1 where the old value stayed. The old value
    /// competes if `update.include_self` says so, and wins ties.
    fn scatter_winners(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<Self::Buffer>,
        index: &Self::Index<'_>,
        value: Value<&Self::Buffer>,
    ) -> Result<Self::Buffer>;

    /// Collects one row of the table for each index entry, in the order of the plan's loops. In the row of a dropped entry each element
    /// is `fill`.
    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &Self::Buffer,
        index: &Self::Index<'_>,
        fill: Bits,
    ) -> Result<Self::Buffer>;

    /// [`Backend::gather`] with the fill value 0, then [`Backend::elementwise`] of x and what was gathered. Both have one shape.
    fn with_gathered(
        &self,
        plans: (&Addressing, &BroadcastPlan),
        dtype: DType,
        x: &Self::Buffer,
        table: &Self::Buffer,
        index: &Self::Index<'_>,
    ) -> Result<Self::Buffer> {
        self.elementwise(plans.1, dtype, x, &self.gather(plans.0, dtype, table, index, 0)?)
    }

    /// Two results with an element for each value. The first has the combination of the values before it that go to the same element of
    /// the table, in row-major order of the index. The second has that of the values behind it, from the last one back. Each combination
    /// begins with the neutral element. A value that no entry uses gets 0.
    fn scan_both_ways(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        index: &Self::Index<'_>,
        values: &Self::Buffer,
    ) -> Result<[Self::Buffer; 2]>;

    /// A sparse matrix times a dense one: `out[rows[e]] ∘= values[e] · dense[columns[e]]` for each entry e, in order, without a row for each
    /// entry in memory. The first plan scatters rows into the result, and the second one gathers rows of `dense`. An entry that one of
    /// the two indices drops is left out; but only `rows` may drop any unless `update` is single. Each row of the result begins with +0,
    /// or as `update` says. Without values each is 1. `None` if the backend has no pass for such a call.
    fn spmm(
        &self,
        plans: [&Addressing; 2],
        dtype: DType,
        update: Update,
        indices: [&Self::Index<'_>; 2],
        values: Option<&Self::Buffer>,
        dense: &Self::Buffer,
    ) -> Result<Option<Self::Buffer>>;

    /// Combines the row of each segment in `out` with the segment's rows of `data`, in order. `out` has the starting row of each segment.
    /// That row always counts: `update.include_self` is true.
    fn combine_segments(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<Self::Buffer>,
        data: &Self::Buffer,
    ) -> Result<()>;

    /// [`Backend::combine_segments`] of a maximum or minimum. For each element of `out`, returns the row of data that won, as
    /// [`Backend::scatter_winners`] does. `update.include_self` says whether the starting row competes; a segment without rows keeps it.
    fn segment_winners(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<Self::Buffer>,
        data: &Self::Buffer,
    ) -> Result<Self::Buffer>;

    /// Combines x and y as the plan aligns them, rounds or wraps each result in the dtype, and applies the plan's activation. The
    /// activation may give other bits on a GPU, as `Activation::gpu_ulps` says. x and y are the operands in the order of the call: a plan
    /// may exchange them ([`BroadcastPlan::operands`]). The caller has checked integer divisors in host memory: none is zero.
    fn elementwise(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &Self::Buffer,
        y: &Self::Buffer,
    ) -> Result<Self::Buffer>;

    /// [`Backend::elementwise`] into x. The result has the shape of x. It is written in place if nothing else shares x, else into a new
    /// buffer, which then replaces x.
    fn elementwise_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<Self::Buffer>,
        y: &Self::Buffer,
    ) -> Result<()>;

    /// Converts each element to another dtype, as [`Scalar::cast`](crate::Scalar::cast) defines it. `op` is the name of the calling
    /// operator, for errors.
    fn convert(
        &self,
        op: &'static str,
        from: DType,
        to: DType,
        buffer: &Self::Buffer,
    ) -> Result<Self::Buffer>;

    /// Reduces elements along dimensions. The plan has results, and each has terms. Sums of floats are exact, and no order changes any
    /// bit.
    fn reduce_dims(&self, plan: &DimsPlan, data: &Self::Buffer) -> Result<Self::Buffer>;

    /// The edges of bins of equal width for each of these columns of the samples, from the column's smallest number to its largest, in
    /// the plan's `extent_dtype`. There must be a sample; if the mask keeps none, the range is 0 to 1. On a GPU, 64-bit integers have
    /// become float64.
    ///
    /// # Errors
    /// `ValueError` if such edges do not exist; on a GPU, at the next read.
    fn edges_of_extent(
        &self,
        plan: &HistogramPlan,
        samples: Masked<'_, Self::Buffer>,
        columns: &[usize],
    ) -> Result<Vec<Self::Buffer>>;

    /// Counts the samples in the places of the plan, or adds their weights as [`HistogramPlan::update`] says. `edges` has the edges of each
    /// column's bins, as float64. `weights` has one element for each sample, in the dtype of the result. On a GPU, samples that are 64-bit
    /// integers have become float64.
    fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = Self::Buffer>],
        samples: Masked<'_, Self::Buffer>,
        weights: Option<&Self::Buffer>,
    ) -> Result<Self::Buffer>;

    /// The statistic of each row of values in the places of the plan's bins, one row after the other. `edges` and `samples` are those of
    /// [`Backend::histogram`]. `values` are there unless the statistic is a count, in the dtype of the result.
    fn binned_statistic(
        &self,
        plan: &BinnedPlan,
        edges: &[impl Deref<Target = Self::Buffer>],
        samples: Masked<'_, Self::Buffer>,
        values: Option<&Self::Buffer>,
    ) -> Result<Self::Buffer>;

    /// Divides the histogram of each group by the widths of the bins and by its sum, in float64. `dtype` is the histogram's. The edges are
    /// float64; widths are rounded to `edges_dtype` if that is a float.
    fn density(
        &self,
        op: Op,
        hist: (&Self::Buffer, DType),
        edges: (&Self::Buffer, DType),
    ) -> Result<Self::Buffer>;

    /// The positions of the elements of each row of a plan in their order, int64, in the shape of the tensor. Equal elements keep their
    /// order.
    fn argsort(&self, plan: &SortPlan, data: &Self::Buffer) -> Result<Self::Buffer>;

    /// The groups of equal elements. The plan has one row.
    fn groups(&self, plan: &SortPlan, data: &Self::Buffer) -> Result<Groups<Self::Buffer>>;

    /// How many of the sorted edges are before each element of x, int64.
    ///
    /// # Errors
    /// `ValueError` for edges that are not sorted; on a GPU, at the next read.
    fn search(&self, plan: &SearchPlan, edges: &Self::Buffer, x: &Self::Buffer) -> Result<Self::Buffer>;
}
