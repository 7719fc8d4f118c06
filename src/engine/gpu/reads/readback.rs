//! Reads data back from the GPU.

use std::rc::Rc;

use crate::engine::gpu::device::device_lost;
use crate::engine::gpu::{Cause, DATA, DeviceBuffer, Gpu, Staging};
use crate::{HostBuffer, Result};

const START: usize = DATA as usize;

/// Bytes from a read-back.
pub struct Mapped {
    // Declared before `_staging`, so dropped first: the drop of `_staging` unmaps the buffer.
    view: wgpu::BufferView,
    len: usize,
    _staging: Staging,
}

impl Mapped {
    /// The bytes. In a browser this first copies them into WebAssembly's memory.
    pub fn bytes(&self) -> &[u8] {
        self.view.get(START..START + self.len).unwrap_or_default()
    }

    /// The mapped bytes themselves, for JavaScript to copy from.
    #[cfg(target_arch = "wasm32")]
    pub fn array(&self) -> js_sys::Uint8Array {
        self.view.as_uint8array().subarray(START as u32, (START + self.len) as u32)
    }
}

impl Gpu {
    /// Submits everything recorded and waits for its end.
    ///
    /// # Errors
    /// Those of [`DeviceBuffer::map`].
    pub async fn sync(self: &Rc<Self>) -> Result<()> {
        self.alive("sync")?;
        // A read of no data: it waits and looks for errors like every read.
        let mut staging = Staging::copy_of(self, "sync", None, 0)?;
        self.receive("sync", &mut staging).await
    }

    /// Submits everything recorded, waits until the data is mapped, and makes sure that the batch computed the data.
    async fn receive(self: &Rc<Self>, op: &'static str, staging: &mut Staging) -> Result<()> {
        self.flush();
        let is_mapped = staging.map().await;
        // Reports a waiting error before the errors that follow from it.
        self.settle(op).await?;
        let batch = staging.batch;
        if is_mapped && !staging.is_finished() && self.dropped.cause_of(batch).is_none() {
            // A device may report its loss a little later.
            self.hear_of_loss(op).await?;
            // Another read may have reported the same during the wait.
            if self.dropped.cause_of(batch).is_none() {
                // A batch did not run to its end, and the host does not know which. Every batch after the last one that certainly ended
                // is unreliable.
                self.drop_batches(self.dropped.finished() + 1, Cause::Unfinished);
            }
        }
        match self.dropped.cause_of(batch) {
            Some(cause) => Err(cause.error(op)),
            None if !is_mapped => Err(device_lost(op, "a buffer could not be read")),
            None => Ok(()),
        }
    }
}

impl DeviceBuffer {
    /// The bytes as they are now: work that is recorded later does not change them. This call records the copy at once. The first poll
    /// of the future submits it, so reads that start together share a submission.
    ///
    /// # Errors
    /// The first deferred error that was not reported yet; `device-lost`; `out-of-memory` without memory for the copy. If this batch or
    /// an earlier one is unreliable, its cause: `work-lost`, `out-of-memory` or `unreliable-arithmetic`.
    pub fn map(&self, op: &'static str) -> impl Future<Output = Result<Mapped>> + use<> {
        let (gpu, len) = (self.gpu(), self.len());
        let staging = self.usable(op).and_then(|()| {
            let staging = Staging::copy_of(&gpu, op, Some(self.raw()), len)?;
            // The caller may write to its own buffer right after this call.
            #[cfg(target_arch = "wasm32")]
            if self.is_borrowed() {
                gpu.flush();
            }
            Ok(staging)
        });
        async move {
            let mut staging = staging?;
            gpu.receive(op, &mut staging).await?;
            let view = staging.view().ok_or_else(|| device_lost(op, "a buffer could not be read"))?;
            Ok(Mapped { view, len, _staging: staging })
        }
    }

    /// [`DeviceBuffer::map`] into host memory.
    ///
    /// # Errors
    /// Those of `map`; `out-of-memory` if the host has no memory for the bytes.
    pub fn read(&self, op: &'static str) -> impl Future<Output = Result<HostBuffer>> + use<> {
        let mapped = self.map(op);
        async move { HostBuffer::copy_of(op, mapped.await?.bytes()) }
    }
}
