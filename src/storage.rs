//! Where a tensor's data is: in host memory or on a device.

use std::rc::Rc;

use crate::host::HostBuffer;

/// A tensor's data on the device where it lives. Cloning shares it; writing copies it first when shared.
#[derive(Clone)]
pub(crate) enum Storage {
    /// In host memory.
    Host(Rc<HostBuffer>),
    /// In GPU memory.
    #[cfg(feature = "webgpu")]
    Device(Rc<crate::backend::gpu::DeviceBuffer>),
}
