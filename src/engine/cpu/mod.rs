//! The CPU backend.
//!
//! These files check, allocate and return errors. Then they run jobs of the `kernels`, which do none of that. Each file dispatches on
//! dtype and reduce once per call, outside the loops.

#[cfg(test)]
pub(crate) mod cuts;
pub(crate) mod kernels;
pub(crate) mod parts;
pub(crate) mod run;
#[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
pub(crate) mod threads;

use crate::engine::backend::Backend;
use crate::engine::cpu::run::Cpu;
use crate::host::HostBuffer;

impl Backend for Cpu {
    type Buffer = HostBuffer;
}
