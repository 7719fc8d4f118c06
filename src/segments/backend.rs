//! What reductions of segments need of a device, and how their calls enter it.

use std::rc::Rc;

use crate::dispatch::operands::Operands;
use crate::engine::Value;
use crate::engine::backend::backend;
use crate::engine::cpu::Cpu;
use crate::engine::gpu::{DeviceBuffer, Gpu, OnDevice};
use crate::index::{IndexBackend, gpu};
use crate::plan::{Addressing, Op, Reduce, Update};
use crate::scatter::backend::ScatterBackend;
use crate::segments::plan::{CheckedSegments, GivenSegments};
use crate::{Bits, DType, Result, Storage, Tensor};

const OP: Op = Op::SegmentReduce;

backend! {
    /// What reductions of segments need of a GPU alone, which scatters rows by the numbers of their segments.
    pub(crate) trait SegmentsOnGpu: IndexBackend {
        /// The scatter of rows into their segments: its plan, and its index.
        fn index_of_segments(
            &self,
            segments: &CheckedSegments,
            dtype: DType,
        ) -> Result<(Addressing, Self::Index<'static>)>;

        /// The same for lengths or offsets on this device, which the next read refuses if they are wrong. Then the index is not
        /// used. `None` if there is nothing to scatter.
        fn index_of_given(
            &self,
            given: &GivenSegments,
            values: &Self::Buffer,
            dtype: DType,
        ) -> Result<Option<(Addressing, Self::Index<'static>)>>;
    }
}

pub(crate) enum Rows<'a> {
    Checked(CheckedSegments),
    /// Lengths or offsets on a GPU, and the start value of each segment that has rows; `None` leaves what the result holds.
    Given(GivenSegments, &'a Tensor, Option<Bits>),
}

/// A scatter of rows into their segments.
pub(crate) struct RowScatter {
    pub(crate) gpu: Rc<Gpu>,
    pub(crate) plan: Addressing,
    pub(crate) index: gpu::Index,
    pub(crate) data: Rc<DeviceBuffer>,
}

impl Rows<'_> {
    /// The segments for the CPU, which must have their lengths or offsets.
    pub(crate) fn checked(&self) -> Result<&CheckedSegments> {
        match self {
            Self::Checked(segments) => Ok(segments),
            Self::Given(given, ..) => Err(given.on_gpu()),
        }
    }

    /// The scatter on the GPU of `out`; `None` if no segment has elements.
    pub(crate) fn on_gpu(
        &self,
        dtype: DType,
        out: &mut OnDevice,
        data: &Tensor,
    ) -> Result<Option<RowScatter>> {
        out.usable(OP.name())?;
        let gpu = out.gpu();
        let (plan, index, data) = match self {
            Self::Checked(segments) => {
                let data = gpu.operand(OP, "data", data)?;
                let (plan, index) = gpu.index_of_segments(segments, dtype)?;
                (plan, index, data)
            }
            Self::Given(given, values, begin) => {
                let values = gpu.operand(OP, given.form.name(), values)?;
                let data = gpu.operand(OP, "data", data)?;
                let Some((plan, index)) = gpu.index_of_given(given, &values, dtype)? else { return Ok(None) };
                if let Some(begin) = *begin {
                    gpu.scatter(&plan, dtype, Reduce::Replace.into(), out, &index, Value::Scalar(begin))?;
                }
                (plan, index, data)
            }
        };
        Ok(Some(RowScatter { gpu, plan, index, data }))
    }

    /// Combines each row of `out` with the rows of `data` in its segment, in order. `out` has one row for each segment, with the start
    /// value of the segment, and is on the device of `data`. `update` must include the row of `out` as self. What is wrong with lengths or
    /// offsets on a GPU comes with the next read.
    pub(crate) fn combine(&self, update: Update, out: &mut Tensor, data: &Tensor) -> Result<()> {
        let dtype = out.dtype;
        match &mut out.storage {
            Storage::Host(out) => {
                let data = Cpu.operand(OP, "data", data)?;
                Cpu.combine_segments(self.checked()?, dtype, update, out, data)
            }
            Storage::Device(out) => match self.on_gpu(dtype, out, data)? {
                Some(RowScatter { gpu, plan, index, data }) => {
                    gpu.scatter(&plan, dtype, update, out, &index, Value::Buffer(&data))
                }
                None => Ok(()),
            },
        }
    }
}
