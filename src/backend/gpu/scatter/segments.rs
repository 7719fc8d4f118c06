//! Reductions of neighbouring rows: a scatter whose index holds each row's segment number.

use std::rc::Rc;

use crate::backend::gpu::buffer::DeviceBuffer;
use crate::backend::gpu::device::Gpu;
use crate::backend::gpu::index::Index;
use crate::backend::{CheckedSegments, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{Addressed, Addressing, Arguments, Op, Operand, Update};
use crate::shape::Shape;

const OP: Op = Op::SegmentReduce;

impl Gpu {
    /// `Backend::combine_segments`.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn combine_segments(
        self: &Rc<Self>,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<DeviceBuffer>,
        data: &DeviceBuffer,
    ) -> Result<()> {
        let shape = |dims: &[usize]| Shape::new(OP.name(), dims);
        let (count, rows, row) = (segments.ends().len(), segments.rows(), segments.row());
        let (table, src, index) = (shape(&[count, row])?, shape(&[rows, row])?, shape(&[rows])?);
        let [table, src] = [&table, &src].map(|shape| Operand { shape, dtype });
        let index = Operand { shape: &index, dtype: DType::Int32 };
        let form = Addressed::Slices(0);
        let plan = Addressing::scatter(&Arguments { op: OP, form, table, index, src: Some(src) })?;
        let numbers = self.upload(OP.name(), numbers(segments)?.bytes())?;
        let is_distinct = segments.lengths().all(|length| length <= 1);
        let index = Index::positions(Rc::new(numbers), false, is_distinct);
        self.scatter(&plan, dtype, update, out, &index, Value::Buffer(data))
    }
}

/// The segment number of each row, one word each.
///
/// # Errors
/// `RuntimeError` when memory is exhausted.
fn numbers(segments: &CheckedSegments) -> Result<HostBuffer> {
    let mut numbers = HostBuffer::zeroed(OP.name(), 4 * segments.rows())?;
    let mut rest = numbers.elements_mut::<u32>();
    for (number, length) in (0..).zip(segments.lengths()) {
        let (segment, behind) = rest.split_at_mut(length as usize);
        segment.fill(number);
        rest = behind;
    }
    Ok(numbers)
}
