//! Exact sums. An accumulator keeps every bit of every term, and is rounded once, when it is read. Integer addition is associative, so no
//! order of the terms and no division into parts can change a bit of the result.
//!
//! `arithmetic` knows no tensors and no devices. `docs/EXACT_SUM.md` specifies the bytes.

pub(crate) mod arithmetic;
pub(crate) mod backend;
#[cfg(all(target_arch = "wasm32", feature = "exact"))]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "exact")]
pub(crate) mod exact_sum;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
#[cfg(not(feature = "webgpu"))]
#[path = "gpu_none.rs"]
pub(crate) mod gpu;
pub(crate) mod kernels;

pub(crate) use crate::exact::arithmetic::bytes::write;
