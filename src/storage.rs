//! Where a tensor's data is: in host memory or on a device.

use std::rc::Rc;

use crate::error::Result;
use crate::host::{self, HostBuffer};
#[cfg(feature = "webgpu")]
use crate::{backend::gpu::DeviceBuffer, plan::IndexFacts};

/// A tensor's data on the device where it lives. Cloning shares it; writing copies it first when shared.
#[derive(Clone)]
pub(crate) enum Storage {
    /// In host memory.
    Host(Rc<HostBuffer>),
    /// In GPU memory.
    #[cfg(feature = "webgpu")]
    Device(OnDevice),
}

impl Storage {
    /// Data in host memory that nothing shares yet.
    pub(crate) fn host(buffer: HostBuffer) -> Self {
        Self::Host(Rc::new(buffer))
    }

    /// Data in GPU memory that nothing shares yet. Nothing is known of its values.
    #[cfg(feature = "webgpu")]
    pub(crate) fn device(buffer: DeviceBuffer) -> Self {
        Self::Device(OnDevice { buffer: Rc::new(buffer), facts: None })
    }

    /// The data in host memory; `None` on a GPU.
    pub(crate) fn as_host(&self) -> Option<&HostBuffer> {
        match self {
            Self::Host(buffer) => Some(buffer),
            #[cfg(feature = "webgpu")]
            Self::Device(_) => None,
        }
    }

    /// Whether the data is in a `GPUBuffer` that belongs to the caller, and another tensor or plan has it too.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn is_borrowed_twice(&self) -> bool {
        match self {
            Self::Host(_) => false,
            #[cfg(feature = "webgpu")]
            Self::Device(on_device) => on_device.is_borrowed() && Rc::strong_count(&on_device.buffer) > 1,
        }
    }

    /// Whether the data of both is in the same `GPUBuffer` of the caller's, from which two tensors were made. WebGPU lets no pass read from
    /// a buffer and write to it.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn borrows_same(&self, other: &Self) -> bool {
        match (self, other) {
            #[cfg(feature = "webgpu")]
            (Self::Device(one), Self::Device(other)) => one.buffer.borrows_same(&other.buffer),
            _ => false,
        }
    }

    /// The data, for a tensor or a plan that keeps it; a copy of it where [`Storage::is_borrowed_twice`]. A `GPUBuffer` of the caller's
    /// belongs to one tensor only: if it were shared, writing to that tensor would put a copy in its place, and the caller's would not
    /// change.
    ///
    /// # Errors
    /// `RuntimeError` where there is no memory for the copy.
    #[cfg(target_arch = "wasm32")]
    #[cfg_attr(
        not(feature = "webgpu"),
        expect(unused_variables, reason = "only a GPU's buffers are borrowed")
    )]
    pub(crate) fn owned(self, op: &'static str) -> Result<Self> {
        match &self {
            #[cfg(feature = "webgpu")]
            Self::Device(on_device) if self.is_borrowed_twice() => on_device.duplicate(op).map(Self::device),
            _ => Ok(self),
        }
    }

    /// The data in host memory for writing, copied first where it is shared; `None` on a GPU.
    pub(crate) fn as_host_mut(&mut self, op: &'static str) -> Result<Option<&mut HostBuffer>> {
        match self {
            Self::Host(buffer) => host::unshare(op, buffer).map(Some),
            #[cfg(feature = "webgpu")]
            Self::Device(_) => Ok(None),
        }
    }
}

/// Data in GPU memory, and what is known of its values where it may be an index. For data in host memory [`HostBuffer`] keeps this
/// itself.
#[cfg(feature = "webgpu")]
#[derive(Clone)]
pub(crate) struct OnDevice {
    buffer: Rc<DeviceBuffer>,
    facts: Option<Rc<IndexFacts>>,
}

#[cfg(feature = "webgpu")]
impl OnDevice {
    /// Data that was uploaded, with what was seen of its values then; `None` where nothing was looked at.
    pub(crate) fn uploaded(buffer: DeviceBuffer, facts: Option<IndexFacts>) -> Self {
        Self { buffer: Rc::new(buffer), facts: facts.map(Rc::new) }
    }

    /// What is known of the values; `None` where they were not looked at, and once the data was lent for writing.
    pub(crate) fn facts(&self) -> Option<&IndexFacts> {
        self.facts.as_deref()
    }

    /// The data for writing, which makes the facts void. Where it is shared, the one who writes puts a copy in its place first.
    pub(crate) fn buffer_mut(&mut self) -> &mut Rc<DeviceBuffer> {
        self.facts = None;
        &mut self.buffer
    }

    /// The same bits as elements of another dtype, of which nothing is known.
    pub(crate) fn reinterpreted(&self) -> Self {
        Self { buffer: self.buffer.clone(), facts: None }
    }
}

#[cfg(feature = "webgpu")]
impl std::ops::Deref for OnDevice {
    type Target = Rc<DeviceBuffer>;

    fn deref(&self) -> &Rc<DeviceBuffer> {
        &self.buffer
    }
}
