//! The jobs of winners and sparse products.

pub(crate) mod spmm;
pub(crate) mod winners;
