//! Reading back from the device.

pub(crate) mod readback;
pub(crate) mod staging;
