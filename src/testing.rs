//! Items for the tests and benchmarks of this repository, beside the public API. None of them is stable.

pub use crate::backend::gpu;
pub use crate::backend::{Backend, Value, cpu};
pub use crate::exact::{ExactNumber, Parts as ExactParts, write as write_exact};
pub use crate::host::{HostBuffer, host_bytes};
pub use crate::plan::{
    Addressed, Addressing, Arguments, BroadcastLoop, BroadcastPlan, Component, Loop, Operand, Row, Rule,
};
pub use crate::shape::{MAX_OP_RANK, MAX_RANK};
