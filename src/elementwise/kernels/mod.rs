//! The jobs of operations on two tensors, and of activations.

pub(crate) mod activate;
pub(crate) mod binary;
pub(crate) mod elementwise;
#[cfg(feature = "activations")]
pub(crate) mod exponential;
pub(crate) mod pairs;
pub(crate) mod short_runs;
#[cfg_attr(not(feature = "activations"), path = "transcendental_none.rs")]
pub(crate) mod transcendental;
