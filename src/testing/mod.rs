//! Items for the tests and benchmarks of this repository, beside the public API. None of them is stable.

#[cfg(feature = "webgpu")]
#[doc(hidden)]
pub mod hooks;

/// The GPU.
#[cfg(feature = "webgpu")]
pub mod gpu {
    pub use crate::engine::gpu::buffer::DeviceBuffer;
    pub use crate::engine::gpu::device::{AdapterFacts, Gpu};
    pub use crate::engine::gpu::shaders::arithmetic::Arithmetic;
    pub use crate::start::{DeviceOptions, PowerPreference};
    pub use crate::testing::hooks as testing;
}

pub use crate::elementwise::backend::ElementwiseBackend;
pub use crate::elementwise::plan::broadcast::{BroadcastLoop, BroadcastPlan};
pub use crate::engine::backend::Value;
pub use crate::exact::arithmetic::bytes::{Parts as ExactParts, write as write_exact};
pub use crate::exact::arithmetic::number::ExactNumber;
pub use crate::host::{HostBuffer, host_bytes};
#[cfg(feature = "webgpu")]
pub use crate::index::gpu::Index as GpuIndex;
pub use crate::plan::arguments::{Addressed, Arguments, Operand};
pub use crate::plan::index::addressing::{Addressing, Loop, Row};
pub use crate::plan::index::mode::Component;
pub use crate::plan::op::Rule;
pub use crate::scatter::backend::ScatterBackend;
pub use crate::shape::{MAX_OP_RANK, MAX_RANK};
