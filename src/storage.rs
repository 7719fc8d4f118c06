//! Where a tensor's data is: in host memory or on a device.

use std::rc::Rc;

use crate::backend::gpu::OnDevice;
use crate::error::Result;
use crate::host::{self, HostBuffer};

/// A tensor's data on the device where it lives. Cloning shares it; writing copies it first when shared.
#[derive(Clone)]
pub(crate) enum Storage {
    /// In host memory.
    Host(Rc<HostBuffer>),
    /// In GPU memory.
    Device(OnDevice),
}

/// Data that nothing shares yet.
impl From<HostBuffer> for Storage {
    fn from(buffer: HostBuffer) -> Self {
        Self::Host(Rc::new(buffer))
    }
}

impl Storage {
    /// The data in host memory; `None` on a GPU.
    pub(crate) fn as_host(&self) -> Option<&HostBuffer> {
        match self {
            Self::Host(buffer) => Some(buffer),
            Self::Device(_) => None,
        }
    }

    /// The data in host memory for writing, copied first where it is shared; `None` on a GPU.
    pub(crate) fn as_host_mut(&mut self, op: &'static str) -> Result<Option<&mut HostBuffer>> {
        match self {
            Self::Host(buffer) => host::unshare(op, buffer).map(Some),
            Self::Device(_) => Ok(None),
        }
    }
}

/// A `GPUBuffer` of the caller's belongs to one tensor only: if it were shared, writing to that tensor would put a copy in its place, and
/// the caller's buffer would not change.
#[cfg(target_arch = "wasm32")]
impl Storage {
    /// Whether the data is in a `GPUBuffer` of the caller's, and another tensor or plan has it too.
    pub(crate) fn is_borrowed_twice(&self) -> bool {
        match self {
            Self::Host(_) => false,
            Self::Device(data) => data.is_borrowed() && data.is_shared(),
        }
    }

    /// Whether the data of both is in the same `GPUBuffer` of the caller's, from which two tensors were made. WebGPU lets no pass read from
    /// a buffer and write to it.
    pub(crate) fn borrows_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Device(one), Self::Device(other)) => one.borrows_same(other),
            (Self::Host(_), _) | (_, Self::Host(_)) => false,
        }
    }

    /// The data in GPU memory; `None` in host memory.
    #[cfg(feature = "webgpu")]
    pub(crate) fn as_device(&self) -> Option<&OnDevice> {
        match self {
            Self::Host(_) => None,
            Self::Device(data) => Some(data),
        }
    }

    /// The data, for a tensor or a plan that keeps it; a copy of it where [`Storage::is_borrowed_twice`].
    ///
    /// # Errors
    /// `RuntimeError` where there is no memory for the copy.
    pub(crate) fn owned(self, op: &'static str) -> Result<Self> {
        match &self {
            Self::Device(data) if data.is_borrowed() && data.is_shared() => Ok(data.duplicate(op)?.into()),
            Self::Host(_) | Self::Device(_) => Ok(self),
        }
    }
}
