//! Calls on a GPU: their operands are brought there first.

use std::rc::Rc;

use crate::backend::cpu;
use crate::backend::gpu::{DeviceBuffer, Gpu, Known, Orders};
use crate::backend::{self, IndexState, Value};
use crate::context::{self, Device};
use crate::dispatch::index::{OnGpu, Uploaded};
use crate::dispatch::{Index, check_divisors};
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::HostBuffer;
use crate::plan::{Addressing, IndexFacts, Op, OutOfRange, Reduce, Update};
use crate::storage::{OnDevice, Storage};
use crate::tensor::Tensor;

pub(super) fn scatter(
    plan: &Addressing,
    dtype: DType,
    update: Update,
    table: &mut OnDevice,
    index: Index<'_>,
    value: Value<'_, Tensor>,
) -> Result<()> {
    let (gpu, op) = (table.gpu(), plan.op());
    table.usable(op.name())?;
    check_divisors(plan, dtype, update, &value)?;
    let index = DeviceIndex::new(&gpu, plan, index)?;
    let values;
    let mut divisors = None;
    let value = match value {
        Value::Buffer(tensor) => {
            if update.reduce == Reduce::Divide && !dtype.is_float() && tensor.storage.as_host().is_none() {
                divisors = Some(&tensor.shape);
            }
            values = operand(&gpu, op, tensor)?;
            Value::Buffer(&*values)
        }
        Value::Scalar(bits) => Value::Scalar(bits),
    };
    let known = Known { orders: index.orders(), divisors };
    gpu.scatter_with(plan, dtype, update, table.buffer_mut(), index.as_index(), known, value)
}

pub(super) fn upload(op: &'static str, dtype: DType, buffer: &HostBuffer) -> Result<OnDevice> {
    let device = context::gpu(op)?.upload(op, buffer.bytes())?;
    let facts = match dtype {
        DType::Int32 => IndexFacts::of(buffer.elements::<i32>()),
        DType::Int64 => IndexFacts::of(buffer.elements::<i64>()),
        DType::Int8 => IndexFacts::ends_of(buffer.elements::<i8>()),
        DType::Uint8 => IndexFacts::ends_of(buffer.elements::<u8>()),
        DType::Int16 => IndexFacts::ends_of(buffer.elements::<i16>()),
        DType::Uint16 => IndexFacts::ends_of(buffer.elements::<u16>()),
        DType::Uint32 => IndexFacts::ends_of(buffer.elements::<u32>()),
        // As the int64 index that it becomes before it is counted.
        DType::Uint64 => IndexFacts::ends_of(buffer.elements::<i64>()),
        DType::Bool | DType::Float16 | DType::Bfloat16 | DType::Float32 | DType::Float64 => None,
    };
    Ok(OnDevice::uploaded(device, facts))
}

/// The index of one call on a device.
pub(super) struct DeviceIndex {
    buffer: Rc<DeviceBuffer>,
    dtype: DType,
    state: IndexState,
    /// What is kept with a prepared index, whose values are known to be right.
    kept: Option<Rc<Uploaded>>,
}

impl DeviceIndex {
    /// The index for a call on `gpu`. It is checked now if its values are on the CPU, or if facts about them are known.
    pub(super) fn new(gpu: &Rc<Gpu>, plan: &Addressing, index: Index<'_>) -> Result<Self> {
        let index = match index {
            Index::Tensor(index) => index.clone(),
            Index::Prepared(values) => match values.uploaded(gpu, plan)? {
                OnGpu::Known(kept) => {
                    let positions = kept.positions.clone();
                    return Ok(Self::positions(positions, kept.drops, Some(kept)));
                }
                OnGpu::Unknown(index, OutOfRange::Raise) => index,
                OnGpu::Unknown(index, mode) => {
                    let buffer = operand(gpu, plan.op(), &index)?;
                    let positions = gpu.resolve(plan, &buffer, index.dtype, mode)?;
                    return Ok(Self::positions(Rc::new(positions), mode == OutOfRange::Drop, None));
                }
            },
        };
        let op = plan.op().name();
        match &index.storage {
            Storage::Host(buffer) => {
                // Positions fit 32 bits: of an int64 index half the bytes travel.
                let positions = cpu::normalise(plan, buffer, index.dtype)?;
                Ok(Self::positions(Rc::new(gpu.upload(op, bytemuck::cast_slice(&positions))?), false, None))
            }
            Storage::Device(buffer) => {
                let is_checked = buffer.facts().map_or(Ok(false), |facts| facts.check(plan))?;
                gpu.own(op, buffer)?;
                let state = if is_checked { IndexState::Checked } else { IndexState::Unchecked };
                Ok(Self { buffer: Rc::clone(buffer), dtype: index.dtype, state, kept: None })
            }
        }
    }

    fn positions(buffer: Rc<DeviceBuffer>, drops: bool, kept: Option<Rc<Uploaded>>) -> Self {
        let state = if drops { IndexState::Partial } else { IndexState::Positions };
        Self { buffer, dtype: DType::Int32, state, kept }
    }

    pub(super) fn as_index(&self) -> backend::Index<'_, DeviceBuffer> {
        backend::Index { buffer: &self.buffer, dtype: self.dtype, state: self.state }
    }

    /// The orders that are kept with a prepared index.
    pub(super) fn orders(&self) -> Option<&Orders> {
        self.kept.as_ref().map(|kept| &kept.orders)
    }
}

/// A data operand for a call on `gpu`.
pub(super) fn operand(gpu: &Rc<Gpu>, op: Op, operand: &Tensor) -> Result<Rc<DeviceBuffer>> {
    match &operand.storage {
        Storage::Host(buffer) => Ok(Rc::new(gpu.upload(op.name(), buffer.bytes())?)),
        Storage::Device(buffer) => gpu.own(op.name(), buffer).map(|()| Rc::clone(buffer)),
    }
}

/// The error for an operand that would have to come from the GPU, which cannot be waited for here.
pub(super) fn wrong_device(op: &'static str, argument: &'static str) -> Error {
    let (there, device) = (Device::WebGpu.name(), Device::Cpu.name());
    let text = format!(
        "{argument} lives on {there} and self on {device}: await {argument}.to('{device}'), or move self with \
         await self.to('{there}')"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text).argument(argument)
}
