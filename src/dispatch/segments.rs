//! Reductions of neighbouring rows: on the device where the rows are.

use crate::backend::CheckedSegments;
use crate::backend::cpu::Cpu;
use crate::dispatch::host_buffer;
use crate::error::Result;
use crate::plan::{Op, Update};
use crate::storage::Storage;
use crate::tensor::Tensor;
#[cfg(feature = "webgpu")]
use crate::{
    backend::Value,
    dispatch::{Index, IndexValues, device},
    dtype::DType,
    plan::{Addressed, Addressing, Arguments, Operand, OutOfRange},
    shape::Shape,
};

/// Combines each row of `out` with the rows of `data` that belong to its segment, in order. `out` has one row for each segment, with the
/// value that the segment starts from, and is on the same device as `data`; `update` must include it as self. A GPU does this by a scatter,
/// whose index has the number of the segment of each row.
///
/// # Errors
/// `RuntimeError` when memory is exhausted, a GPU is lost, or data on it cannot be used.
pub(crate) fn combine_segments(
    segments: &CheckedSegments,
    update: Update,
    out: &mut Tensor,
    data: &Tensor,
) -> Result<()> {
    const OP: Op = Op::SegmentReduce;
    let dtype = out.dtype;
    match &mut out.storage {
        Storage::Host(buffer) => {
            Cpu.combine_segments(segments, dtype, update, buffer, host_buffer(OP, "data", data)?)
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => {
            let shape = |dims: &[usize]| Shape::new(OP.name(), dims);
            let numbers = Tensor::from_buffer(shape(&[segments.rows()])?, DType::Int32, segments.numbers()?);
            let (table, rows) = (
                shape(&[segments.ends().len(), segments.row()])?,
                shape(&[segments.rows(), segments.row()])?,
            );
            let operand = |shape| Operand { shape, dtype };
            let (form, table, src) = (Addressed::Slices(0), operand(&table), Some(operand(&rows)));
            let lowered =
                Addressing::scatter(&Arguments { op: OP, form, table, index: numbers.operand(), src })?;
            let index = IndexValues::new(lowered.clone(), &numbers, OutOfRange::Raise)?;
            device::scatter(&lowered, dtype, update, buffer, Index::Prepared(&index), Value::Buffer(data))
        }
    }
}
