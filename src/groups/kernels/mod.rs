//! The jobs of argmax and sparse products.

pub(crate) mod argmax;
pub(crate) mod spmm;
