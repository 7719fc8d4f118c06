//! The devices that run plans: the CPU, and GPUs. Nothing here knows an operator.
//!
//! A backend gets a plan, which is valid by construction, and buffers. It refuses only an index *value* (a GPU also a zero divisor that
//! only the GPU knows), and it does so before it writes the first byte. `dispatch` chooses the backend by the storage of the tensors.

pub(crate) mod backend;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
#[cfg(not(feature = "webgpu"))]
#[path = "gpu_none.rs"]
pub(crate) mod gpu;

pub(crate) use crate::engine::backend::{Backend, GroupCount, Groups, Masked, Value};
