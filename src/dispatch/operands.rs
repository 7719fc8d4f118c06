//! The operands of a call, as the backend that runs it takes them.

use std::ops::Deref;
use std::rc::Rc;

use crate::engine::Value;
use crate::engine::cpu::Cpu;
use crate::engine::gpu::{DeviceBuffer, Gpu};
use crate::index::cpu::CallIndex;
use crate::index::{Index, IndexBackend, cpu, gpu, values_on_gpu};
use crate::plan::{Addressing, Op};
use crate::{Device, Error, ErrorClass, ErrorCode, HostBuffer, Result, Storage, Tensor};

/// A backend that takes operands from any device.
pub(crate) trait Operands: IndexBackend {
    type Operand<'a>: Deref<Target = Self::Buffer>;

    fn operand<'a>(&self, op: Op, argument: &'static str, operand: &'a Tensor) -> Result<Self::Operand<'a>>;

    /// The index of a call. For a call on a GPU, values that are in host memory and unchecked are checked now, and so is a range that the
    /// upload cached. A call on the CPU checks an index in host memory while it runs.
    fn index<'a>(&self, plan: &'a Addressing, index: &'a Index) -> Result<Self::Index<'a>>;

    /// The values that a scatter applies.
    #[inline(always)]
    fn value<'a>(&self, plan: &Addressing, value: Value<&'a Tensor>) -> Result<Value<Self::Operand<'a>>> {
        Ok(match value {
            Value::Buffer(tensor) => Value::Buffer(self.operand(plan.op(), plan.source_name(), tensor)?),
            Value::Scalar(bits) => Value::Scalar(bits),
        })
    }
}

/// A call on the CPU takes nothing from a GPU: a read-back would block, and calls never block.
impl Operands for Cpu {
    type Operand<'a> = &'a HostBuffer;

    #[inline(always)]
    fn operand<'a>(&self, op: Op, argument: &'static str, operand: &'a Tensor) -> Result<&'a HostBuffer> {
        match &operand.storage {
            Storage::Host(buffer) => Ok(buffer),
            Storage::Device(_) => Err(wrong_device(op.name(), argument)),
        }
    }

    #[inline(always)]
    fn index<'a>(&self, plan: &'a Addressing, index: &'a Index) -> Result<cpu::Index<'a>> {
        match index {
            Index::Given(index) => {
                let buffer = self.operand(plan.op(), plan.index_name(), index)?;
                Ok(cpu::Index::Given(CallIndex::new(plan, buffer, index.dtype)))
            }
            Index::Prepared(facts) => Ok(cpu::Index::Checked(facts.checked(plan.op().name())?)),
        }
    }
}

/// Operands in host memory are uploaded.
impl Operands for Rc<Gpu> {
    type Operand<'a> = Rc<DeviceBuffer>;

    fn operand(&self, op: Op, _: &'static str, operand: &Tensor) -> Result<Rc<DeviceBuffer>> {
        match &operand.storage {
            Storage::Host(buffer) => Ok(Rc::new(self.upload(op.name(), buffer.bytes())?)),
            Storage::Device(data) => self.check_buffer(op.name(), data).map(|()| Rc::clone(data)),
        }
    }

    fn index(&self, plan: &Addressing, index: &Index) -> Result<gpu::Index> {
        let index = match index {
            Index::Given(index) => index,
            Index::Prepared(facts) => return facts.on_gpu(self, plan),
        };
        match &index.storage {
            Storage::Host(buffer) => {
                // Checked, and uploaded as positions. These fit 32 bits: half the bytes of an int64 index.
                let positions = CallIndex::new(plan, buffer, index.dtype).all()?;
                let positions = self.upload(plan.op().name(), bytemuck::cast_slice(&positions))?;
                Ok(gpu::Index::positions(Rc::new(positions), false, None))
            }
            Storage::Device(data) => values_on_gpu(self, plan, data, index.dtype),
        }
    }
}

/// The error for a call on the CPU with an operand on the GPU.
pub(crate) fn wrong_device(op: &'static str, argument: &'static str) -> Error {
    let (there, here) = (Device::WebGpu.name(), Device::Cpu.name());
    let text = match argument {
        // Only a trace reads self on the CPU when self is on a GPU.
        "self" => {
            format!("self lives on {there}, and a trace runs on the CPU: await self.to('{here}') first")
        }
        _ => format!(
            "{argument} lives on {there} and self on {here}: await {argument}.to('{here}'), or move self with \
             await self.to('{there}')"
        ),
    };
    Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text).argument(argument)
}

/// The row-major position of the first zero among integers; `None` if they are on a GPU.
pub(crate) fn first_zero(tensor: &Tensor) -> Option<usize> {
    let buffer = tensor.storage.as_host()?;
    match tensor.dtype.size() {
        1 => buffer.elements::<u8>().iter().position(|&element| element == 0),
        2 => buffer.elements::<u16>().iter().position(|&element| element == 0),
        4 => buffer.elements::<u32>().iter().position(|&element| element == 0),
        _ => buffer.elements::<u64>().iter().position(|&element| element == 0),
    }
}
