//! Where a tensor's data is: in host memory or on a device.

use std::rc::Rc;

use crate::engine::gpu::OnDevice;
use crate::host;
use crate::{HostBuffer, Result};

/// A tensor's data, on the tensor's device. A clone shares the data; a write copies shared data first.
#[derive(Clone)]
pub(crate) enum Storage {
    /// In host memory.
    Host(Rc<HostBuffer>),
    /// In GPU memory.
    Device(OnDevice),
}

/// Data that nothing else shares yet.
impl From<HostBuffer> for Storage {
    fn from(buffer: HostBuffer) -> Self {
        Self::Host(Rc::new(buffer))
    }
}

impl Storage {
    pub(crate) fn as_host(&self) -> Option<&HostBuffer> {
        match self {
            Self::Host(buffer) => Some(buffer),
            Self::Device(_) => None,
        }
    }

    /// The data in host memory for writing; shared data is copied first. `None` on a GPU.
    pub(crate) fn as_host_mut(&mut self, op: &'static str) -> Result<Option<&mut HostBuffer>> {
        match self {
            Self::Host(buffer) => host::unshare(op, buffer).map(Some),
            Self::Device(_) => Ok(None),
        }
    }
}

/// A `GPUBuffer` of the caller's belongs to one tensor only. If two tensors shared it, a write to one would go to a copy, and the
/// caller's buffer would not change.
#[cfg(target_arch = "wasm32")]
impl Storage {
    /// Whether the data is in a `GPUBuffer` of the caller's, and another tensor or plan has it too.
    pub(crate) fn is_borrowed_twice(&self) -> bool {
        match self {
            Self::Host(_) => false,
            Self::Device(data) => data.is_borrowed() && data.is_shared(),
        }
    }

    /// Whether both have their data in the same `GPUBuffer` of the caller's. WebGPU lets no pass read from a buffer and write to
    /// it.
    pub(crate) fn borrows_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Device(one), Self::Device(other)) => one.borrows_same(other),
            (Self::Host(_), _) | (_, Self::Host(_)) => false,
        }
    }

    #[cfg(feature = "webgpu")]
    pub(crate) fn as_device(&self) -> Option<&OnDevice> {
        match self {
            Self::Host(_) => None,
            Self::Device(data) => Some(data),
        }
    }

    /// The data, for a tensor or a plan that keeps it; a copy if [`Storage::is_borrowed_twice`].
    pub(crate) fn owned(self, op: &'static str) -> Result<Self> {
        match &self {
            Self::Device(data) if data.is_borrowed() && data.is_shared() => Ok(data.duplicate(op)?.into()),
            Self::Host(_) | Self::Device(_) => Ok(self),
        }
    }
}
