//! Tensors that move to another device, or read the same bits as another dtype.

use crate::dispatch::operands::wrong_device;
use crate::engine::gpu::{DeviceBuffer, OnDevice, require_gpu};
use crate::plan::ValueRanges;
use crate::{DType, Device, HostBuffer, Result, Storage, Tensor};

/// Data that nothing else shares yet. Nothing is known of its values.
impl From<DeviceBuffer> for Storage {
    fn from(buffer: DeviceBuffer) -> Self {
        Self::Device(OnDevice::new(buffer, None))
    }
}

/// The tensor `made` on the device of `other`. `made` is on the CPU, or there already.
pub(crate) fn on_device_of(op: &'static str, other: &Tensor, made: Tensor) -> Result<Tensor> {
    if other.device() == Device::Cpu { Ok(made) } else { upload(op, &made) }
}

/// An operand for a call on the tensor `other`, on the device of `other`. It is uploaded if necessary.
pub(crate) fn to_device_of(
    op: &'static str,
    argument: &'static str,
    operand: &Tensor,
    other: &Tensor,
) -> Result<Tensor> {
    match (&operand.storage, &other.storage) {
        (Storage::Host(_), Storage::Host(_)) => Ok(operand.clone()),
        (Storage::Device(_), Storage::Host(_)) => Err(wrong_device(op, argument)),
        (_, Storage::Device(_)) => upload(op, operand),
    }
}

/// The same bits as elements of another dtype of the same size. Nothing is copied or converted.
pub(crate) fn reinterpret(tensor: &Tensor, dtype: DType) -> Tensor {
    debug_assert_eq!(tensor.dtype.size(), dtype.size());
    let storage = match &tensor.storage {
        Storage::Host(buffer) => Storage::Host(buffer.clone()),
        Storage::Device(data) => Storage::Device(data.reinterpreted()),
    };
    Tensor::from_storage(tensor.shape.clone(), dtype, storage)
}

pub(crate) fn upload(op: &'static str, tensor: &Tensor) -> Result<Tensor> {
    match &tensor.storage {
        Storage::Host(buffer) => {
            let data = require_gpu(op)?.upload(op, buffer.bytes())?;
            let storage = Storage::Device(OnDevice::new(data, facts_of(tensor.dtype, buffer)));
            Ok(Tensor::from_storage(tensor.shape.clone(), tensor.dtype, storage))
        }
        Storage::Device(_) => Ok(tensor.clone()),
    }
}

/// The range of integers. The tensor may become an index, or its values may be counted, and values on a GPU cannot be read without
/// waiting.
fn facts_of(dtype: DType, buffer: &HostBuffer) -> Option<ValueRanges> {
    match dtype {
        // An index may hold tuples, so each column has its range.
        DType::Int32 => ValueRanges::of(buffer.elements::<i32>()),
        DType::Int64 => ValueRanges::of(buffer.elements::<i64>()),
        // These dtypes are no index, but their values may be counted.
        DType::Int8 => ValueRanges::ends_of(buffer.elements::<i8>()),
        DType::Uint8 => ValueRanges::ends_of(buffer.elements::<u8>()),
        DType::Int16 => ValueRanges::ends_of(buffer.elements::<i16>()),
        DType::Uint16 => ValueRanges::ends_of(buffer.elements::<u16>()),
        DType::Uint32 => ValueRanges::ends_of(buffer.elements::<u32>()),
        // Counting converts uint64 to int64 bit by bit first, so the range is that of int64.
        DType::Uint64 => ValueRanges::ends_of(buffer.elements::<i64>()),
        DType::Bool | DType::Float16 | DType::Bfloat16 | DType::Float32 | DType::Float64 => None,
    }
}

/// The tensor in host memory; the tensor itself if it is there. A download from a GPU has the values at the time of the call,
/// without later writes. The future does not hold the tensor: while two tensors hold a `GPUBuffer` of the caller's, no call can
/// write to it.
pub(crate) fn download(op: &'static str, tensor: &Tensor) -> impl Future<Output = Result<Tensor>> + use<> {
    let begun = match &tensor.storage {
        Storage::Host(_) => Ok(tensor.clone()),
        Storage::Device(data) => Err((tensor.shape.clone(), tensor.dtype, data.read(op))),
    };
    async move {
        match begun {
            Ok(tensor) => Ok(tensor),
            Err((shape, dtype, read)) => Ok(Tensor::from_buffer(shape, dtype, read.await?)),
        }
    }
}
