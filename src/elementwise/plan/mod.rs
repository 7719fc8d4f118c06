//! How two tensors broadcast, and the loops that a call lowers to.

pub(crate) mod alignment;
pub(crate) mod broadcast;
