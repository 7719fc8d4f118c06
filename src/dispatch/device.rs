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

/// [`dispatch::scatter`](crate::dispatch::scatter) into a table on a GPU. Operands in host memory are uploaded; the work is recorded, and
/// runs later.
///
/// # Errors
/// As there; an index value or a divisor that only the GPU knows is reported by the next read.
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
    let values; // declared here, because `value` borrows it
    let mut divisors = None;
    let value = match value {
        Value::Buffer(tensor) => {
            // Integers in host memory were checked above. Those on the GPU are checked there, and an error needs their shape.
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

/// Copies data from host memory to the GPU device, and notes the range of integers, since the tensor may be an index, or be counted: values
/// on a GPU cannot be looked at without waiting.
///
/// # Errors
/// `RuntimeError` where there is no GPU device, or no memory on it.
pub(super) fn upload(op: &'static str, dtype: DType, buffer: &HostBuffer) -> Result<OnDevice> {
    let device = context::gpu(op)?.upload(op, buffer.bytes())?;
    let facts = match dtype {
        // An index may hold tuples, so each of their columns has a range.
        DType::Int32 => IndexFacts::of(buffer.elements::<i32>()),
        DType::Int64 => IndexFacts::of(buffer.elements::<i64>()),
        // These are no index, but may be counted.
        DType::Int8 => IndexFacts::ends_of(buffer.elements::<i8>()),
        DType::Uint8 => IndexFacts::ends_of(buffer.elements::<u8>()),
        DType::Int16 => IndexFacts::ends_of(buffer.elements::<i16>()),
        DType::Uint16 => IndexFacts::ends_of(buffer.elements::<u16>()),
        DType::Uint32 => IndexFacts::ends_of(buffer.elements::<u32>()),
        // Read as int64, to which it is converted bit by bit before it is counted.
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
    /// What is kept with a prepared index whose values are known in host memory; `None` for every other index.
    kept: Option<Rc<Uploaded>>,
}

impl DeviceIndex {
    /// The index for a call on `gpu`. One that is in host memory, or whose range was noted, is checked now, unless that
    /// was done before or its mode is not `Raise`.
    ///
    /// # Errors
    /// `IndexError` for a value that is known to be out of range; `RuntimeError` for an index on an earlier device, or whose buffer cannot
    /// be used, and when memory is exhausted.
    pub(super) fn new(gpu: &Rc<Gpu>, plan: &Addressing, index: Index<'_>) -> Result<Self> {
        let index = match index {
            Index::Tensor(index) => index.clone(),
            Index::Prepared(values) => match values.uploaded(gpu, plan)? {
                OnGpu::Known(kept) => {
                    let (positions, state) = (kept.positions.clone(), positions_state(kept.drops));
                    return Ok(Self::of_positions(positions, state, Some(kept)));
                }
                // It is treated like an index that was not prepared.
                OnGpu::Unknown(index, OutOfRange::Raise) => index,
                OnGpu::Unknown(index, mode) => {
                    let buffer = operand(gpu, plan.op(), &index)?;
                    let positions = gpu.resolve(plan, &buffer, index.dtype, mode)?;
                    let state = positions_state(mode == OutOfRange::Drop);
                    return Ok(Self::of_positions(Rc::new(positions), state, None));
                }
            },
        };
        let op = plan.op().name();
        match &index.storage {
            Storage::Host(buffer) => {
                // Checked and uploaded as positions, which fit 32 bits: half the bytes of an int64 index.
                let positions = cpu::normalise(plan, buffer, index.dtype)?;
                let positions = gpu.upload(op, bytemuck::cast_slice(&positions))?;
                Ok(Self::of_positions(Rc::new(positions), IndexState::Positions, None))
            }
            Storage::Device(buffer) => {
                let is_checked = buffer.facts().map_or(Ok(false), |facts| facts.check(plan))?;
                gpu.check_buffer(op, buffer)?;
                let state = if is_checked { IndexState::Checked } else { IndexState::Unchecked };
                Ok(Self { buffer: Rc::clone(buffer), dtype: index.dtype, state, kept: None })
            }
        }
    }

    /// An index that was turned into one position per entry, of 32 bits.
    fn of_positions(buffer: Rc<DeviceBuffer>, state: IndexState, kept: Option<Rc<Uploaded>>) -> Self {
        Self { buffer, dtype: DType::Int32, state, kept }
    }

    /// The index as a backend takes it.
    pub(super) fn as_index(&self) -> backend::Index<'_, DeviceBuffer> {
        backend::Index { buffer: &self.buffer, dtype: self.dtype, state: self.state }
    }

    /// The orders that are kept with a prepared index; `None` for every other one.
    pub(super) fn orders(&self) -> Option<&Orders> {
        self.kept.as_ref().map(|kept| &kept.orders)
    }
}

/// The state of positions. `drops`: entries that are out of range are left out, and marked among the positions.
fn positions_state(drops: bool) -> IndexState {
    if drops { IndexState::Partial } else { IndexState::Positions }
}

/// The data of an operand for a call on `gpu`, uploaded where it is in host memory.
///
/// # Errors
/// `RuntimeError` where it is on an earlier device, where its buffer cannot be used, and when memory is exhausted.
pub(super) fn operand(gpu: &Rc<Gpu>, op: Op, operand: &Tensor) -> Result<Rc<DeviceBuffer>> {
    match &operand.storage {
        Storage::Host(buffer) => Ok(Rc::new(gpu.upload(op.name(), buffer.bytes())?)),
        Storage::Device(buffer) => gpu.check_buffer(op.name(), buffer).map(|()| Rc::clone(buffer)),
    }
}

/// The error for an operand on the GPU of a call on the CPU: reading it back would mean to wait, which a call does not.
pub(super) fn wrong_device(op: &'static str, argument: &'static str) -> Error {
    let (there, here) = (Device::WebGpu.name(), Device::Cpu.name());
    let text = match argument {
        // Only a trace reads self on the CPU, wherever it is.
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
