//! The backends that run plans.
//!
//! A backend gets a plan, which is valid by construction, and buffers. It refuses nothing but an index *value* (a GPU also a zero
//! divisor that only it knows), and that before the first byte is written. `dispatch` chooses the backend by the storage of the tensors.

pub mod cpu;
#[cfg(feature = "webgpu")]
pub mod gpu;
#[cfg(not(feature = "webgpu"))]
#[path = "gpu_none.rs"]
pub mod gpu;
mod segments;

pub(crate) use segments::{CheckedSegments, SegmentForm};

use std::ops::Deref;
use std::rc::Rc;

use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{Addressing, BroadcastPlan, HistogramPlan, Op, Reduce, Update};
use crate::scalar::Bits;

/// What a scatter applies.
#[derive(Clone, Copy)]
pub enum Value<B> {
    /// The elements that the plan addresses as values, of the table's dtype.
    Buffer(B),
    /// One element, which is applied to every element that is addressed.
    Scalar(Bits),
}

impl<B: Deref> Value<B> {
    /// The same without owning it.
    #[inline(always)]
    pub(crate) fn as_deref(&self) -> Value<&B::Target> {
        match self {
            Self::Buffer(buffer) => Value::Buffer(buffer),
            Self::Scalar(bits) => Value::Scalar(*bits),
        }
    }
}

/// What every backend does. The contract, for each method: the result has the bits of the sequential
/// loop over index entries in row-major order, in the given dtype, which all operands but the index have; if any
/// index value is out of range, nothing is written. That is an `IndexError`, at once or (on a GPU) at the next read.
/// The other errors are `RuntimeError`: memory is exhausted, or the device does not do the activation for this dtype.
pub trait Backend {
    /// Tensor data on this backend.
    type Buffer;
    /// The index of a scatter or gather, with what is known of it.
    type Index<'a>;

    /// Applies the values to the table as `update` says: in place where nothing else shares the table, else to a copy, which
    /// then replaces it. Integers in host memory were checked before they got here: none is a divisor of zero.
    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<Self::Buffer>,
        index: &Self::Index<'_>,
        value: Value<&Self::Buffer>,
    ) -> Result<()>;

    /// Collects one row of the table per index entry that the plan goes through, in the order of its loops. An entry that is left out
    /// has a row of which each element is `fill`.
    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &Self::Buffer,
        index: &Self::Index<'_>,
        fill: Bits,
    ) -> Result<Self::Buffer>;

    /// Two results with an element for each value. The first has the combination of the values before it, in row-major order of the index,
    /// that go to the same element of the table; the second that of the values behind it, from the last one back. Each combination begins
    /// with the neutral element. The element is 0 for values that no entry uses.
    fn scan_both_ways(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        index: &Self::Index<'_>,
        values: &Self::Buffer,
    ) -> Result<[Self::Buffer; 2]>;

    /// Combines the row of each segment in `out` with the segment's rows of `data`, in order. `out` has a row for each segment, which
    /// holds what that segment starts from and always counts: `update.include_self` is not looked at.
    fn combine_segments(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<Self::Buffer>,
        data: &Self::Buffer,
    ) -> Result<()>;

    /// Multiplies x and y as the plan aligns them, rounds or wraps each product in the dtype, and applies
    /// the plan's activation to it, of which a GPU may give other bits, as `Activation::gpu_ulps` says. x and y are the operands of the
    /// call, in its order: a plan may exchange them ([`BroadcastPlan::operands`]).
    fn multiply(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &Self::Buffer,
        y: &Self::Buffer,
    ) -> Result<Self::Buffer>;

    /// [`Backend::multiply`] into x, whose shape the result has: in place where nothing else shares x, else into a new buffer,
    /// which then replaces it.
    fn multiply_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<Self::Buffer>,
        y: &Self::Buffer,
    ) -> Result<()>;

    /// The elements in another dtype, each as [`Scalar::cast`](crate::Scalar::cast) defines it. `op` is the
    /// name of the operator that asks, which errors carry.
    fn convert(
        &self,
        op: &'static str,
        from: DType,
        to: DType,
        buffer: &Self::Buffer,
    ) -> Result<Self::Buffer>;

    /// The edges of bins of equal width for each of these columns of the samples, from the column's smallest number to its largest, in the
    /// plan's `extent_dtype`. There is a sample; on a GPU samples are float64.
    ///
    /// # Errors
    /// `ValueError` where there are no such edges, on a GPU with the next read.
    fn edges_of_extent(
        &self,
        plan: &HistogramPlan,
        samples: &Self::Buffer,
        columns: &[usize],
    ) -> Result<Vec<Self::Buffer>>;

    /// Counts the samples in the places of the plan, or adds their weights, in order. `edges` are those of the bins of each column, as
    /// float64; `weights` has an element for each sample, in the dtype of the result. On a GPU samples are float64.
    fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = Self::Buffer>],
        samples: &Self::Buffer,
        weights: Option<&Self::Buffer>,
    ) -> Result<Self::Buffer>;

    /// A histogram of one column, of `dtype`, divided by the widths of the bins and by its sum, as float64. The edges are float64; a
    /// width is rounded to `edges_dtype` where that is a float.
    fn density(
        &self,
        op: Op,
        hist: (&Self::Buffer, DType),
        edges: (&Self::Buffer, DType),
    ) -> Result<Self::Buffer>;
}
