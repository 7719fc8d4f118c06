//! The same elements in another dtype, or on another device.

pub(crate) mod backend;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;

use crate::{DType, Device, Result, Tensor, dispatch};

impl Tensor {
    /// The elements converted to another dtype. To an integer: integers wrap, fractions are cut, floats
    /// beyond the range become its nearest end, NaN becomes 0. To a float: rounded to nearest even.
    /// To bool: whether different from 0.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted or the GPU device is lost.
    pub fn astype(&self, dtype: DType) -> Result<Self> {
        self.convert("Tensor.astype", dtype)
    }

    /// [`Tensor::astype`] on behalf of `op`. If no bit changes, the result shares the data.
    pub(crate) fn convert(&self, op: &'static str, dtype: DType) -> Result<Self> {
        if dtype == self.dtype {
            return Ok(self.clone());
        }
        backend::convert(op, self, dtype)
    }

    /// The tensor on that device. A tensor that is already there is returned itself (shared).
    ///
    /// # Errors
    /// `RuntimeError` when the device is not available, lost, or out of memory. A read from a GPU also returns the first deferred
    /// error that no read has reported yet, such as an `IndexError`.
    pub async fn to(&self, device: Device) -> Result<Self> {
        match device {
            Device::Cpu => dispatch::download("Tensor.to", self).await,
            Device::WebGpu => self.upload(),
        }
    }

    /// The tensor on the CPU, on behalf of `op`; the tensor itself if it is there. The future does not hold the tensor.
    #[cfg(all(target_arch = "wasm32", feature = "webgpu"))]
    pub(crate) fn download_for(&self, op: &'static str) -> impl Future<Output = Result<Self>> + use<> {
        dispatch::download(op, self)
    }

    /// A host tensor on the GPU, without waiting. A GPU tensor is returned itself.
    ///
    /// # Errors
    /// `RuntimeError` when there is no GPU device, or no memory on it.
    pub fn upload(&self) -> Result<Self> {
        self.upload_for("Tensor.to")
    }

    /// [`Tensor::upload`] on behalf of `op`.
    pub(crate) fn upload_for(&self, op: &'static str) -> Result<Self> {
        dispatch::upload(op, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorCode;

    #[test]
    fn who_asks_for_an_upload_is_named() {
        // No test of the library itself starts a device.
        let error = Tensor::zeros(&[2], DType::Int8).and_then(|zeros| zeros.upload_for("Tensor.zeros"));
        let error = error.err().unwrap();
        assert_eq!((error.op(), error.code()), ("Tensor.zeros", ErrorCode::DeviceUnavailable));
    }
}
