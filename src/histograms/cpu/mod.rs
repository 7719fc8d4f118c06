//! The operators that count on the CPU.

pub(crate) mod binned;
pub(crate) mod histogram;
