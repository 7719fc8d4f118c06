//! What reductions of segments need of a device, and how their calls enter it.

use std::rc::Rc;

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::dtype::DType;
use crate::engine::backend::{Backend, Value, backend};
use crate::engine::gpu::{DeviceBuffer, Gpu};
use crate::error::Result;
use crate::index::backend::IndexBackend;
use crate::index::gpu;
use crate::plan::index::addressing::Addressing;
use crate::plan::op::Op;
use crate::plan::reduce::{Reduce, Update};
use crate::scalar::Bits;
use crate::scatter::backend::ScatterBackend;
use crate::segments::plan::{CheckedSegments, GivenSegments};
use crate::storage::Storage;
use crate::tensor::Tensor;

backend! {
    pub(crate) trait SegmentsOnGpu: IndexBackend {
        /// `Gpu::index_of_segments` for lengths or offsets on this device, which the next read refuses if they are wrong. Then the index is not
        /// used. `None` if there is nothing to scatter.
        fn index_of_given(
            &self,
            given: &GivenSegments,
            values: &Self::Buffer,
            dtype: DType,
        ) -> Result<Option<(Addressing, Self::Index<'static>)>>;
    }
}

backend! {
    pub(crate) trait SegmentsBackend: Backend {
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
    }
}

/// Combines each row of `out` with the rows of `data` in its segment, in order. `out` has one row for each segment, with the start
/// value of the segment, and is on the device of `data`. `update` must include the row of `out` as self.
pub(crate) fn combine_segments(
    segments: &CheckedSegments,
    update: Update,
    out: &mut Tensor,
    data: &Tensor,
) -> Result<()> {
    const OP: Op = Op::SegmentReduce;
    let dtype = out.dtype;
    where_it_is!(OP.name(), &mut out.storage, |backend, out| {
        let data = backend.operand(OP, "data", data)?;
        backend.combine_segments(segments, dtype, update, out, &data)
    })
}

/// How to find the rows that win, beside the largest or smallest elements: the groups know it.
pub(crate) trait FindWinners {
    /// [`combine_segments`], and the rows of the winners.
    fn checked(
        &self,
        segments: &CheckedSegments,
        update: Update,
        out: &mut Tensor,
        data: &Tensor,
    ) -> Result<Storage>;

    /// The same on a GPU, as a scatter of rows by the numbers of their segments.
    fn given(
        &self,
        gpu: &Rc<Gpu>,
        call: (&Addressing, DType, Update),
        out: &mut Rc<DeviceBuffer>,
        index: &gpu::Index,
        data: Value<&DeviceBuffer>,
    ) -> Result<Storage>;
}

/// [`combine_segments`] by lengths or offsets on the GPU of `data`. `begin` replaces the start value of each row whose segment has
/// rows; `None` leaves what `out` holds. Returns the winners, if any segment has elements.
pub(crate) fn combine_given_segments(
    (given, values): (&GivenSegments, &Tensor),
    (update, winners): (Update, Option<&dyn FindWinners>),
    begin: Option<Bits>,
    out: &mut Tensor,
    data: &Tensor,
) -> Result<Option<Storage>> {
    const OP: Op = Op::SegmentReduce;
    let dtype = out.dtype;
    let Storage::Device(out) = &mut out.storage else { return Ok(None) };
    let gpu = &out.gpu();
    let (values, data) = (gpu.operand(OP, given.form.name(), values)?, gpu.operand(OP, "data", data)?);
    let Some((plan, index)) = gpu.index_of_given(given, &values, dtype)? else { return Ok(None) };
    if let Some(begin) = begin {
        gpu.scatter(&plan, dtype, Reduce::Replace.into(), out, &index, Value::Scalar(begin))?;
    }
    let data = Value::Buffer(&*data);
    match winners {
        Some(winners) => winners.given(gpu, (&plan, dtype, update), out, &index, data).map(Some),
        None => gpu.scatter(&plan, dtype, update, out, &index, data).map(|()| None),
    }
}
