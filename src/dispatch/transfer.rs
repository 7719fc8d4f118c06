//! Tensors that move from one device to another, or that take the bits of another.

use crate::backend::gpu::{self, DeviceBuffer, OnDevice};
use crate::context::Device;
use crate::dispatch::operands::wrong_device;
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::IndexFacts;
use crate::storage::Storage;
use crate::tensor::Tensor;

/// Data that nothing shares yet. Nothing is known of its values.
impl From<DeviceBuffer> for Storage {
    fn from(buffer: DeviceBuffer) -> Self {
        Self::Device(OnDevice::new(buffer, None))
    }
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
        (Storage::Device(_), Storage::Host(_)) => Err(wrong_device(op, argument)),
        (_, Storage::Device(_)) => upload(op, operand),
    }
}

/// The same bits as elements of another dtype of the same size, by which nothing is copied or converted.
pub(crate) fn reinterpret(tensor: &Tensor, dtype: DType) -> Tensor {
    debug_assert_eq!(tensor.dtype.size(), dtype.size());
    let storage = match &tensor.storage {
        Storage::Host(buffer) => Storage::Host(buffer.clone()),
        Storage::Device(data) => Storage::Device(data.reinterpreted()),
    };
    Tensor::from_storage(tensor.shape.clone(), dtype, storage)
}

/// The tensor on the GPU, without waiting; itself where it is there.
///
/// # Errors
/// `RuntimeError` when there is no GPU device, or no memory on it.
pub(crate) fn upload(op: &'static str, tensor: &Tensor) -> Result<Tensor> {
    match &tensor.storage {
        Storage::Host(buffer) => {
            let data = gpu::require_gpu(op)?.upload(op, buffer.bytes())?;
            let storage = Storage::Device(OnDevice::new(data, facts_of(tensor.dtype, buffer)));
            Ok(Tensor::from_storage(tensor.shape.clone(), tensor.dtype, storage))
        }
        Storage::Device(_) => Ok(tensor.clone()),
    }
}

/// The range of integers, since the tensor may be an index, or be counted: values on a GPU cannot be looked at without waiting.
fn facts_of(dtype: DType, buffer: &HostBuffer) -> Option<IndexFacts> {
    match dtype {
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
    }
}

/// The tensor in host memory; itself where it is there. From a GPU comes what it holds when the call is made, and not what is written to
/// it while the call waits. The future does not hold the tensor: a `GPUBuffer` of the caller's that two tensors hold could not be written
/// to meanwhile.
///
/// # Errors
/// Those of `DeviceBuffer::read`.
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
