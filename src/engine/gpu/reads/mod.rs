//! Reads data back from the device.

pub(crate) mod readback;
pub(crate) mod settle;
pub(crate) mod staging;
