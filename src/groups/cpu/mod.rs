//! Winners and sparse products on the CPU.

pub(crate) mod spmm;
pub(crate) mod winners;
