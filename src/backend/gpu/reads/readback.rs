//! Reading data back from the GPU.

use crate::backend::gpu::buffer::padded;
use crate::backend::gpu::reads::staging::{DATA, Staging};
use crate::backend::gpu::{DeviceBuffer, device_lost};
use crate::error::Result;
use crate::host::HostBuffer;

/// [`DATA`] as a place in a slice: the bytes before it hold the count of what has run.
const START: usize = DATA as usize;

/// Bytes that were read back.
pub struct Mapped {
    // Declared before `_staging`, whose drop unmaps the buffer.
    view: wgpu::BufferView,
    len: usize,
    _staging: Staging,
}

impl Mapped {
    /// The bytes. In a browser this copies them into WebAssembly's memory first.
    pub fn bytes(&self) -> &[u8] {
        self.view.get(START..START + self.len).unwrap_or_default()
    }

    /// The mapped bytes themselves, for JavaScript to copy from.
    #[cfg(target_arch = "wasm32")]
    pub fn array(&self) -> js_sys::Uint8Array {
        self.view.as_uint8array().subarray(START as u32, (START + self.len) as u32)
    }
}

impl DeviceBuffer {
    /// The bytes as they are now: work that is recorded later does not change what the future yields. The copy is
    /// recorded at once and submitted when the future is first polled, so that reads started together share a
    /// submission.
    ///
    /// # Errors
    /// The first deferred error that was not reported yet; `device-lost`; `out-of-memory` where there is no memory for the copy; and
    /// where the batch, or an earlier one, did not run to its end or cannot be relied on, the error of that: `work-lost`,
    /// `out-of-memory` or `unreliable-arithmetic`.
    pub fn map(&self, op: &'static str) -> impl Future<Output = Result<Mapped>> + use<> {
        let (gpu, len) = (self.gpu(), self.len());
        let staging = self.usable(op).and_then(|()| {
            let staging = Staging::new(&gpu, op, len)?;
            gpu.copy(self.raw(), staging.raw(), DATA, padded(len));
            // The caller may write to a buffer of its own right after this call.
            #[cfg(target_arch = "wasm32")]
            if self.is_borrowed() {
                gpu.flush();
            }
            Ok(staging)
        });
        async move {
            let mut staging = staging?;
            staging.receive(op, padded(len)).await?;
            let view = staging.view(padded(len));
            let view = view.ok_or_else(|| device_lost(op, "a buffer could not be read"))?;
            Ok(Mapped { view, len, _staging: staging })
        }
    }

    /// [`DeviceBuffer::map`] into host memory.
    ///
    /// # Errors
    /// Those of `map`, and `out-of-memory` where the host has no memory for the bytes.
    pub fn read(&self, op: &'static str) -> impl Future<Output = Result<HostBuffer>> + use<> {
        let mapped = self.map(op);
        async move { HostBuffer::copy_of(op, mapped.await?.bytes()) }
    }
}
