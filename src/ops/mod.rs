//! The public operators: arguments → plan → backend. No loops and no rules of their own.

mod call;
mod gather;
mod multiply;
mod prepared;
mod scatter;
mod trace;

pub use call::{Scatter, Source};
pub use gather::Gather;
pub use multiply::elementwise_mul;
pub use prepared::IndexPlan;
pub use scatter::{scatter_mul, scatter_mul_at};
pub use trace::{Read, Step};

use crate::backend::{Index, IndexState};
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{Addressing, Op};
use crate::storage::Storage;
use crate::tensor::Tensor;
#[cfg(feature = "webgpu")]
use crate::{
    context::Device,
    error::{Error, ErrorClass, ErrorCode},
};

/// The index in host memory, for a table that is there too.
fn host_index<'a>(plan: &Addressing, index: &'a Tensor) -> Result<Index<'a, HostBuffer>> {
    let buffer = host_buffer(plan.op(), plan.index_name(), index)?;
    Ok(Index { buffer, dtype: index.dtype, state: IndexState::Unchecked })
}

/// An operand in host memory, for a table that is there too.
#[cfg_attr(not(feature = "webgpu"), allow(unused_variables, reason = "every tensor is in host memory then"))]
fn host_buffer<'a>(op: Op, argument: &'static str, operand: &'a Tensor) -> Result<&'a HostBuffer> {
    match &operand.storage {
        Storage::Host(buffer) => Ok(buffer),
        #[cfg(feature = "webgpu")]
        Storage::Device(_) => Err(wrong_device(op.name(), argument)),
    }
}

/// The error for an operand that would have to come from the GPU, which cannot be waited for here.
#[cfg(feature = "webgpu")]
fn wrong_device(op: &'static str, argument: &'static str) -> Error {
    let (there, device) = (Device::WebGpu.name(), Device::Cpu.name());
    let text = format!(
        "{argument} lives on {there} and self on {device}: await {argument}.to('{device}'), or move self with \
         await self.to('{there}')"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text).argument(argument)
}

/// Operands brought to the GPU where the table is.
#[cfg(feature = "webgpu")]
mod device {
    use std::rc::Rc;

    use super::*;
    use crate::backend::cpu;
    use crate::backend::gpu::{DeviceBuffer, Gpu};
    use crate::dtype::DType;
    use crate::plan::RangeVerdict;

    /// A checked-or-not index on the GPU.
    pub(super) struct DeviceIndex {
        buffer: Rc<DeviceBuffer>,
        dtype: DType,
        state: IndexState,
    }

    impl DeviceIndex {
        /// The index for a call on `gpu`. One that is on the CPU, or whose range is known, is checked now.
        pub(super) fn new(gpu: &Rc<Gpu>, plan: &Addressing, index: &Tensor) -> Result<Self> {
            let op = plan.op().name();
            match &index.storage {
                Storage::Host(buffer) => {
                    // Positions fit 32 bits: of an int64 index half the bytes travel.
                    let positions = cpu::normalise(plan, buffer, index.dtype)?;
                    let buffer = Rc::new(gpu.upload(op, bytemuck::cast_slice(&positions))?);
                    Ok(Self { buffer, dtype: DType::Int32, state: IndexState::Positions })
                }
                Storage::Device(buffer) => {
                    let verdict = index.ranges.as_ref().map(|ranges| plan.range_verdict(ranges));
                    if let Some(RangeVerdict::Bad(at, value)) = verdict {
                        return Err(plan.index_error(at, value));
                    }
                    gpu.own(op, buffer)?;
                    let known = verdict == Some(RangeVerdict::Fine);
                    let state = if known { IndexState::Checked } else { IndexState::Unchecked };
                    Ok(Self { buffer: buffer.clone(), dtype: index.dtype, state })
                }
            }
        }

        /// Positions that were uploaded before.
        pub(super) fn positions(buffer: Rc<DeviceBuffer>) -> Self {
            Self { buffer, dtype: DType::Int32, state: IndexState::Positions }
        }

        pub(super) fn get(&self) -> Index<'_, DeviceBuffer> {
            Index { buffer: &self.buffer, dtype: self.dtype, state: self.state }
        }
    }

    /// A data operand for a call on `gpu`.
    pub(super) fn buffer(gpu: &Rc<Gpu>, op: Op, operand: &Tensor) -> Result<Rc<DeviceBuffer>> {
        match &operand.storage {
            Storage::Host(buffer) => Ok(Rc::new(gpu.upload(op.name(), buffer.bytes())?)),
            Storage::Device(buffer) => gpu.own(op.name(), buffer).map(|()| buffer.clone()),
        }
    }
}
