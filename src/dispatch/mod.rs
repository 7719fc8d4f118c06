//! Runs plans where the tensors are. This is the one place that looks at which device holds what: the operators above know
//! nothing of devices, and the backends below nothing of tensors.
//!
//! The plan of a call was made for its tensors: shapes and dtypes fit, which is not checked again. `op` is the operator, and `argument` the
//! name of an operand, for errors.

#![cfg_attr(not(feature = "webgpu"), allow(unused_variables, reason = "every tensor is in host memory then"))]

#[cfg(feature = "webgpu")]
mod device;
mod histogram;
mod index;
mod segments;

pub(crate) use histogram::{density, edges, ends, histogram, insert_edges_of_extent, require_on_cpu};
pub(crate) use index::IndexValues;
pub(crate) use segments::combine_segments;

use std::rc::Rc;

use crate::backend::cpu::{CheckedIndex, Cpu, Fetch, Write};
use crate::backend::{self, Backend, IndexState, Value};
use crate::context::Device;
#[cfg(feature = "webgpu")]
use crate::dispatch::device::{DeviceIndex, operand};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{Addressing, BroadcastPlan, Op, OutOfRange, Reduce, Update};
use crate::scalar::{Bits, load};
use crate::storage::Storage;
use crate::tensor::Tensor;

/// The index of a call.
#[derive(Clone, Copy)]
pub(crate) enum Index<'a> {
    /// Values to be checked.
    Tensor(&'a Tensor),
    /// Those of an index that was prepared.
    Prepared(&'a IndexValues),
}

/// Applies the values to the table, on the device where the table is. Where other tensors share its data, it gets a copy first.
///
/// # Errors
/// `IndexError` for an index value, and `ValueError` for a zero that integers are divided by, both on a GPU possibly later;
/// `RuntimeError` for operands that the device cannot have, for a lost device and data on it that cannot be used, and for exhausted
/// memory. Nothing was written then.
pub(crate) fn scatter(
    plan: &Addressing,
    update: Update,
    table: &mut Tensor,
    index: Index<'_>,
    value: Value<'_, Tensor>,
) -> Result<()> {
    let dtype = table.dtype;
    match &mut table.storage {
        Storage::Host(buffer) => {
            check_divisors(plan, dtype, update, &value)?;
            let value = host_value(plan, value)?;
            match index {
                Index::Tensor(index) => {
                    Cpu.scatter(plan, dtype, update, buffer, host_index(plan, index)?, value)
                }
                Index::Prepared(index) => {
                    let positions = index.positions(plan.op().name())?;
                    Cpu.scatter_at(plan, dtype, update, buffer, &positions, value)
                }
            }
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => device::scatter(plan, dtype, update, buffer, index, value),
    }
}

/// Collects what the index names, on the device where the table is. `fill` is what the result holds for an entry that is left out, because
/// it is out of range and the mode of the index drops it.
///
/// # Errors
/// As for [`scatter`], without the `ValueError`.
pub(crate) fn gather(plan: &Addressing, table: &Tensor, index: Index<'_>, fill: Bits) -> Result<Storage> {
    match &table.storage {
        Storage::Host(buffer) => {
            let out = match index {
                Index::Tensor(index) => {
                    Cpu.gather(plan, table.dtype, buffer, host_index(plan, index)?, fill)?
                }
                Index::Prepared(index) => {
                    let positions = index.positions(plan.op().name())?;
                    Cpu.gather_at(plan, table.dtype, buffer, &positions, fill)?
                }
            };
            Ok(Storage::host(out))
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => {
            let gpu = buffer.gpu();
            buffer.usable(plan.op().name())?;
            let index = DeviceIndex::new(&gpu, plan, index)?;
            gpu.gather(plan, table.dtype, buffer, index.as_index(), fill).map(Storage::device)
        }
    }
}

/// Two results with an element for each element of `values`, the source of a scatter by `plan`. The first has the combination, by `reduce`,
/// of the values before it that go to the same element of the table; the second that of the values behind it, from the last one back. Each
/// combination begins with the neutral element; for a value that no entry uses it is 0. The gradient of a scatter that multiplies is made
/// of them: the two together have all values but the one itself. The work is done on the device where the values are.
///
/// # Errors
/// As for [`scatter`], without the `ValueError`.
pub(crate) fn scan_both_ways(
    plan: &Addressing,
    reduce: Reduce,
    index: Index<'_>,
    values: &Tensor,
) -> Result<[Storage; 2]> {
    let dtype = values.dtype;
    match &values.storage {
        Storage::Host(buffer) => {
            let positions = positions(plan, index)?;
            Ok(Cpu.scan_both_ways(plan, dtype, reduce, &positions, buffer)?.map(Storage::host))
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => {
            let gpu = buffer.gpu();
            buffer.usable(plan.op().name())?;
            let index = DeviceIndex::new(&gpu, plan, index)?;
            let made = gpu.scan_both_ways(plan, dtype, reduce, &index.as_index(), index.orders(), buffer)?;
            Ok(made.map(Storage::device))
        }
    }
}

/// Multiplies x and y, the operands in the order of the call; the plan says which of them it repeats. On the GPU where one of them is
/// there, else on the CPU.
///
/// # Errors
/// `RuntimeError` when the device does not do the activation for the dtype, is lost or cannot have an operand, or memory is exhausted.
pub(crate) fn multiply(plan: &BroadcastPlan, x: &Tensor, y: &Tensor) -> Result<Tensor> {
    let storage = match (&x.storage, &y.storage) {
        (Storage::Host(x_buffer), Storage::Host(y_buffer)) => {
            Storage::host(Cpu.multiply(plan, x.dtype, x_buffer, y_buffer)?)
        }
        #[cfg(feature = "webgpu")]
        (Storage::Device(on_gpu), _) | (_, Storage::Device(on_gpu)) => {
            let (gpu, op) = (on_gpu.gpu(), plan.op());
            gpu.alive(op.name())?;
            let (x_buffer, y_buffer) = (operand(&gpu, op, x)?, operand(&gpu, op, y)?);
            Storage::device(gpu.multiply(plan, x.dtype, &x_buffer, &y_buffer)?)
        }
    };
    Ok(Tensor::from_storage(plan.out_shape().clone(), x.dtype, storage))
}

/// Multiplies x by y, on the device where x is.
///
/// # Errors
/// As for [`multiply`], and where y would have to come from a GPU.
pub(crate) fn multiply_in_place(plan: &BroadcastPlan, x: &mut Tensor, y: &Tensor) -> Result<()> {
    let dtype = x.dtype;
    match &mut x.storage {
        Storage::Host(buffer) => {
            let [_, name] = plan.op().operand_names();
            Cpu.multiply_in_place(plan, dtype, buffer, host_buffer(plan.op(), name, y)?)
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => {
            let (gpu, op) = (buffer.gpu(), plan.op());
            buffer.usable(op.name())?;
            let y = operand(&gpu, op, y)?;
            gpu.multiply_in_place(plan, dtype, buffer.buffer_mut(), &y)
        }
    }
}

/// The elements in another dtype, on the device where they are. Where no bit changes, the data is shared.
///
/// # Errors
/// `RuntimeError` when memory is exhausted, the GPU device is lost, or data on it cannot be used.
pub(crate) fn convert(op: &'static str, tensor: &Tensor, to: DType) -> Result<Tensor> {
    let from = tensor.dtype;
    if from.keeps_bits_as(to) {
        return Ok(reinterpret(tensor, to));
    }
    let storage = match &tensor.storage {
        Storage::Host(buffer) => Storage::host(Cpu.convert(op, from, to, buffer)?),
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => {
            buffer.usable(op)?;
            Storage::device(buffer.gpu().convert(op, from, to, buffer)?)
        }
    };
    Ok(Tensor::from_storage(tensor.shape.clone(), to, storage))
}

/// The tensor `made`, which is on the CPU or already there, on the device where `other` is.
///
/// # Errors
/// As for [`upload`].
pub(crate) fn beside(op: &'static str, other: &Tensor, made: Tensor) -> Result<Tensor> {
    if other.device() == Device::Cpu { Ok(made) } else { upload(op, &made) }
}

/// An operand for a call on the tensor `other`, on the device where that is: uploaded if need be.
///
/// # Errors
/// As for [`upload`]; `wrong-device` where it would have to come from a GPU.
pub(crate) fn to_device_of(
    op: &'static str,
    argument: &'static str,
    operand: &Tensor,
    other: &Tensor,
) -> Result<Tensor> {
    match (&operand.storage, &other.storage) {
        (Storage::Host(_), Storage::Host(_)) => Ok(operand.clone()),
        #[cfg(feature = "webgpu")]
        (Storage::Device(_), Storage::Host(_)) => Err(device::wrong_device(op, argument)),
        #[cfg(feature = "webgpu")]
        (_, Storage::Device(_)) => beside(op, other, operand.clone()),
    }
}

/// The same bits as elements of another dtype of the same size, by which nothing is copied or converted.
pub(crate) fn reinterpret(tensor: &Tensor, dtype: DType) -> Tensor {
    debug_assert_eq!(tensor.dtype.size(), dtype.size());
    let storage = match &tensor.storage {
        Storage::Host(buffer) => Storage::Host(buffer.clone()),
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => Storage::Device(buffer.reinterpreted()),
    };
    Tensor::from_storage(tensor.shape.clone(), dtype, storage)
}

/// The tensor on the GPU, without waiting; itself where it is there.
///
/// # Errors
/// `RuntimeError` when there is no GPU device, or no memory on it.
pub(crate) fn upload(op: &'static str, tensor: &Tensor) -> Result<Tensor> {
    match &tensor.storage {
        #[cfg(feature = "webgpu")]
        Storage::Host(buffer) => {
            let storage = Storage::Device(device::upload(op, tensor.dtype, buffer)?);
            Ok(Tensor::from_storage(tensor.shape.clone(), tensor.dtype, storage))
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(_) => Ok(tensor.clone()),
        #[cfg(not(feature = "webgpu"))]
        Storage::Host(_) => Err(crate::context::no_gpu(op)),
    }
}

/// The tensor on that device; itself where it already is there. From a GPU comes what the tensor holds when the call is made, and not what
/// is written to it while the call waits.
///
/// # Errors
/// To a GPU as for [`upload`]; from one those of `DeviceBuffer::read`.
pub(crate) async fn transfer(op: &'static str, tensor: &Tensor, device: Device) -> Result<Tensor> {
    match (&tensor.storage, device) {
        (Storage::Host(_), Device::Cpu) => Ok(tensor.clone()),
        (_, Device::WebGpu) => upload(op, tensor),
        #[cfg(feature = "webgpu")]
        (Storage::Device(buffer), Device::Cpu) => {
            Ok(Tensor::from_buffer(tensor.shape.clone(), tensor.dtype, buffer.read(op).await?))
        }
    }
}

/// A scatter into a copy of the table: every write in order, and the data of the copy. In host memory only.
///
/// # Errors
/// As for [`scatter`].
pub(crate) fn trace_scatter(
    plan: &Addressing,
    update: Update,
    table: &Tensor,
    index: Index<'_>,
    value: Value<'_, Tensor>,
) -> Result<(Vec<Write>, HostBuffer)> {
    check_divisors(plan, table.dtype, update, &value)?;
    let value = host_value(plan, value)?;
    let positions = positions(plan, index)?;
    let buffer = host_buffer(plan.op(), "self", table)?;
    Cpu.trace(plan, table.dtype, update, buffer, &positions, value)
}

/// A gather: every read in order, and the data of the result. In host memory only.
///
/// # Errors
/// As for [`gather`].
pub(crate) fn trace_gather(
    plan: &Addressing,
    table: &Tensor,
    index: Index<'_>,
    fill: Bits,
) -> Result<(Vec<Fetch>, HostBuffer)> {
    let buffer = host_buffer(plan.op(), "self", table)?;
    let positions = positions(plan, index)?;
    Cpu.trace_gather(plan, table.dtype, buffer, &positions, fill)
}

/// The positions that the values of an index mean, each checked; they were checked before where the index is prepared.
///
/// # Errors
/// `IndexError` for a value that is out of range; `RuntimeError` where the values are on a GPU, and when memory is exhausted.
fn positions(plan: &Addressing, index: Index<'_>) -> Result<Rc<CheckedIndex>> {
    match index {
        Index::Tensor(index) => {
            let buffer = host_buffer(plan.op(), plan.index_name(), index)?;
            Ok(Rc::new(CheckedIndex::new(plan, buffer, index.dtype, OutOfRange::Raise)?))
        }
        Index::Prepared(index) => index.positions(plan.op().name()),
    }
}

/// Refuses a zero among the divisors of integers. Divisors in GPU memory pass: the GPU checks those itself.
///
/// # Errors
/// `ValueError` (`zero-divisor`) with the position of the first.
fn check_divisors(plan: &Addressing, dtype: DType, update: Update, value: &Value<'_, Tensor>) -> Result<()> {
    if update.reduce != Reduce::Divide || dtype.is_float() {
        return Ok(());
    }
    let source = match value {
        Value::Scalar(0) => return Err(plan.divisor_error(None)),
        Value::Scalar(_) => return Ok(()),
        Value::Buffer(source) => source,
    };
    let Some(buffer) = source.storage.as_host() else { return Ok(()) };
    let zero = buffer.bytes().chunks_exact(dtype.size()).position(|element| load(element) == 0);
    zero.map_or(Ok(()), |at| Err(plan.divisor_error(Some((&source.shape, at)))))
}

/// The index of a call on a table in host memory.
///
/// # Errors
/// `RuntimeError` (`wrong-device`) where it is on a GPU.
fn host_index<'a>(plan: &Addressing, index: &'a Tensor) -> Result<backend::Index<'a, HostBuffer>> {
    let buffer = host_buffer(plan.op(), plan.index_name(), index)?;
    Ok(backend::Index { buffer, dtype: index.dtype, state: IndexState::Unchecked })
}

/// The source of a call on a table in host memory.
///
/// # Errors
/// `RuntimeError` (`wrong-device`) where it is on a GPU.
fn host_value<'a>(plan: &Addressing, value: Value<'a, Tensor>) -> Result<Value<'a, HostBuffer>> {
    match value {
        Value::Buffer(tensor) => host_buffer(plan.op(), plan.source_name(), tensor).map(Value::Buffer),
        Value::Scalar(bits) => Ok(Value::Scalar(bits)),
    }
}

/// The data of an operand, for a call that runs on the CPU; a trace asks for its table too.
///
/// # Errors
/// `RuntimeError` (`wrong-device`) where it is on a GPU.
#[inline(always)]
fn host_buffer<'a>(op: Op, argument: &'static str, operand: &'a Tensor) -> Result<&'a HostBuffer> {
    match &operand.storage {
        Storage::Host(buffer) => Ok(buffer),
        #[cfg(feature = "webgpu")]
        Storage::Device(_) => Err(device::wrong_device(op.name(), argument)),
    }
}
