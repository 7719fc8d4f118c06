//! The backends that run plans.
//!
//! A backend gets a plan, which is valid by construction, and buffers. It refuses nothing but an index *value* (a GPU also a zero
//! divisor that only it knows), and that before the first byte is written. `dispatch` chooses the backend by the storage of the tensors.

pub mod cpu;
#[cfg(feature = "webgpu")]
pub mod gpu;
mod segments;

pub(crate) use segments::{CheckedSegments, SegmentForm};

use std::rc::Rc;

use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{Addressing, BroadcastPlan, Update};
use crate::scalar::Bits;

/// What a scatter applies.
pub enum Value<'a, B> {
    /// The elements that the plan addresses as values, of the table's dtype.
    Buffer(&'a B),
    /// One element, which is applied to every element that is addressed.
    Scalar(Bits),
}

/// The index of a scatter or gather.
pub struct Index<'a, B> {
    /// Its data, row-major.
    pub buffer: &'a B,
    /// int32 or int64.
    pub dtype: DType,
    /// What is known of its values.
    pub state: IndexState,
}

/// What is known of the values of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexState {
    /// Nothing.
    Unchecked,
    /// Every value is in range.
    Checked,
    /// It was checked and turned into one position per entry.
    Positions,
    /// The same, with `DROPPED` in the place of entries that are left out.
    Partial,
}

/// What every backend does. The contract, for each method: the result has the bits of the sequential
/// loop over index entries in row-major order, in the given dtype, which all operands but the index have; if any
/// index value is out of range, nothing is written. That is an `IndexError`, at once or (on a GPU) at the next read.
/// The other errors are `RuntimeError`: memory is exhausted, or the device does not do the activation for this dtype.
pub trait Backend {
    /// Tensor data on this backend.
    type Buffer;

    /// Applies the values to the table as `update` says: in place where nothing else shares the table, else to a copy, which
    /// then replaces it. No divisor of integers may be zero, which `dispatch` sees to.
    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<Self::Buffer>,
        index: Index<'_, Self::Buffer>,
        value: Value<'_, Self::Buffer>,
    ) -> Result<()>;

    /// Collects one row of the table per index entry that the plan goes through, in the order of its loops. An entry that is left out
    /// ([`IndexState::Partial`]) has a row of which each element is `fill`.
    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &Self::Buffer,
        index: Index<'_, Self::Buffer>,
        fill: Bits,
    ) -> Result<Self::Buffer>;

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
}
