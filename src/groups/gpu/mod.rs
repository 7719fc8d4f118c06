//! Winners and sparse products on a GPU.

pub(crate) mod spmm;
pub(crate) mod winners;
