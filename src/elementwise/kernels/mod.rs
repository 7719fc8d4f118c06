//! The jobs of operations on two tensors, and of activations.

pub(crate) mod activate;
pub(crate) mod binary;
pub(crate) mod elementwise;
pub(crate) mod exponential;
pub(crate) mod pairs;
