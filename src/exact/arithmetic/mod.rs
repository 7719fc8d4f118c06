//! The arithmetic of an accumulator: integers alone, without tensors and devices.

pub(crate) mod bytes;
pub(crate) mod limbs;
pub(crate) mod number;
pub(crate) mod round;
#[cfg(feature = "webgpu")]
pub(crate) mod signed;
