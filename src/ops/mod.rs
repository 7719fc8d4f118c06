//! The public operators: arguments → plan → backend. No loops and no rules of their own.

mod gather;
mod multiply;
mod scatter;

pub use multiply::elementwise_mul;
pub use scatter::Source;

use crate::backend::Index;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::{IndexPlan, Op};
use crate::tensor::Tensor;
use crate::{context::Device, storage::HostBuffer, storage::Storage};

/// The index in host memory, for a table that is there too.
fn host_index(op: Op, index: &Tensor) -> Result<Index<'_, HostBuffer>> {
    Ok(Index { buffer: host_buffer(op, "index", index)?, dtype: index.dtype, checked: false })
}

/// An operand in host memory, for a table that is there too.
fn host_buffer<'a>(op: Op, argument: &'static str, operand: &'a Tensor) -> Result<&'a HostBuffer> {
    match &operand.storage {
        Storage::Host(buffer) => Ok(buffer),
        #[cfg(feature = "webgpu")]
        Storage::Device(_) => Err(wrong_device(op.name(), argument, operand.device())),
    }
}

/// The error for an operand that would have to come from the GPU, which cannot be waited for here.
fn wrong_device(op: &'static str, argument: &'static str, device: Device) -> Error {
    let (there, device) = (device.name(), Device::Cpu.name());
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

    /// A checked-or-not index on the GPU.
    pub(super) struct DeviceIndex {
        buffer: Rc<DeviceBuffer>,
        dtype: DType,
        checked: bool,
    }

    impl DeviceIndex {
        /// The index for a call on `gpu`. One that is on the CPU, or whose range is known, is checked now.
        pub(super) fn new(gpu: &Rc<Gpu>, plan: &IndexPlan, index: &Tensor) -> Result<Self> {
            let op = plan.op().name();
            match &index.storage {
                Storage::Host(buffer) => {
                    // Checked values fit 32 bits, so that half the bytes travel for an int64 index.
                    let positions = cpu::normalise(plan, buffer, index.dtype)?;
                    let buffer = Rc::new(gpu.upload(op, bytemuck::cast_slice(&positions))?);
                    Ok(Self { buffer, dtype: DType::Int32, checked: true })
                }
                Storage::Device(buffer) => {
                    if let Some((entry, value)) = index.range.and_then(|range| plan.range_fault(range)) {
                        return Err(plan.index_error(entry, value));
                    }
                    gpu.own(op, buffer)?;
                    Ok(Self { buffer: buffer.clone(), dtype: index.dtype, checked: index.range.is_some() })
                }
            }
        }

        pub(super) fn get(&self) -> Index<'_, DeviceBuffer> {
            Index { buffer: &self.buffer, dtype: self.dtype, checked: self.checked }
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
