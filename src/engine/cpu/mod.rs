//! The engine of the CPU: how jobs run, and the loops, operations and vectors that the kernels of all families share.
//!
//! The `cpu` of a family checks, allocates and returns errors. Then it runs jobs of its `kernels`, which do none of that. It dispatches on
//! dtype and reduce once per call, outside the loops.

#[cfg(test)]
pub(crate) mod cuts;
pub(crate) mod kernels;
pub(crate) mod parts;
pub(crate) mod run;
#[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
pub(crate) mod threads;

pub(crate) use crate::engine::cpu::parts::is_any_order;
pub(crate) use crate::engine::cpu::run::Cpu;

use crate::engine::backend::Backend;
use crate::host::HostBuffer;

impl Backend for Cpu {
    type Buffer = HostBuffer;
}
