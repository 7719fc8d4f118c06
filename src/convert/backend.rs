//! What conversions need of a device, and how their calls enter it.

use crate::dispatch::transfer::reinterpret;
use crate::dispatch::where_it_is;
use crate::engine::Backend;
use crate::engine::backend::backend;
use crate::{DType, Result, Tensor};

backend! {
    pub(crate) trait ConvertBackend: Backend {
        /// Converts each element to another dtype, as [`Scalar::cast`](crate::Scalar::cast) defines it. `op` is the name of the calling
        /// operator, for errors.
        fn convert(
            &self,
            op: &'static str,
            from: DType,
            to: DType,
            buffer: &Self::Buffer,
        ) -> Result<Self::Buffer>;
    }
}

/// The elements in another dtype, on the same device. If no bit changes, the result shares the data.
pub(crate) fn convert(op: &'static str, tensor: &Tensor, to: DType) -> Result<Tensor> {
    let from = tensor.dtype;
    if from.keeps_bits_as(to) {
        return Ok(reinterpret(tensor, to));
    }
    let storage =
        where_it_is!(op, &tensor.storage, |backend, data| backend.convert(op, from, to, data)?.into());
    Ok(Tensor::from_storage(tensor.shape.clone(), to, storage))
}

/// [`convert`] for data in host memory that is not yet a tensor.
#[cfg(target_arch = "wasm32")]
pub(crate) fn convert_host(
    op: &'static str,
    from: DType,
    to: DType,
    data: &crate::host::HostBuffer,
) -> Result<crate::host::HostBuffer> {
    crate::engine::cpu::run::Cpu.convert(op, from, to, data)
}
