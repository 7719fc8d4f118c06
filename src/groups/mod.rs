//! Operators on groups of entries: argmax, softmax and logsumexp, sparse products.

pub(crate) mod argmax;
pub(crate) mod backend;
#[cfg(all(target_arch = "wasm32", feature = "groups"))]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;
pub(crate) mod plan;
pub(crate) mod skipped;
pub(crate) mod softmax;
pub(crate) mod spmm;
