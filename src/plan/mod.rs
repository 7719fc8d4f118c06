//! Plans: everything about a call that can be known without looking at tensor data.
//!
//! The validation of arguments is here, but for segments, gradients, alpha and the conversion of updates, whose rules are beside their
//! operators (`ops/segment.rs`, `backend/segments.rs`, `ops/vjp/`, `ops/call.rs`). A plan has private fields and checked constructors
//! only, so a plan that exists can be run: the kernels of every backend rely on that and never reject.

mod activation;
mod arguments;
mod bincount;
mod broadcast;
mod histogram;
mod index;
mod op;
mod reduce;
mod rules;

pub use activation::Activation;
pub use arguments::{Addressed, Arguments, Operand};
pub(crate) use bincount::BincountPlan;
pub use broadcast::{BroadcastLoop, BroadcastPlan};
pub(crate) use histogram::{Division, HistogramPlan, UniformEdges, count_dtype, round};
pub(crate) use index::IndexFacts;
pub use index::{Addressing, Component, Loop, OutOfRange, Row};
pub(crate) use op::Page;
pub use op::{Op, Rule};
pub use reduce::{Factor, Mean, NdReduce, Reduce, Reduction, Sum, Update};
#[cfg(target_arch = "wasm32")]
pub(crate) use rules::MASK;
#[cfg(feature = "webgpu")]
pub(crate) use {histogram::NoEdges, rules::MOST_ENTRIES};
