//! Plans: everything about a call that does not depend on tensor data.
//!
//! Plans validate arguments, with five exceptions that are validated beside their operators: segments, gradients, alpha, the
//! conversion of updates, and the dtype and shapes of exact sums (`ops/segment.rs`, `backend/segments.rs`, `ops/vjp/`,
//! `ops/call.rs`, `ops/exact_sum.rs`). A plan has private fields and checked constructors only, so every plan that exists can run.
//! The kernels of every backend rely on that and never reject.

mod activation;
mod alignment;
mod arguments;
mod binary;
mod bincount;
mod binned;
mod broadcast;
mod counting;
mod dims;
mod histogram;
mod index;
mod op;
mod reduce;
mod rules;
mod sort;
mod uniform_edges;

pub use activation::Activation;
pub use arguments::{Addressed, Arguments, Operand};
pub use binary::{Binary, Rounding};
pub(crate) use bincount::BincountPlan;
pub use bincount::Length;
pub(crate) use binned::BinnedPlan;
pub use binned::Statistic;
pub use broadcast::{BroadcastLoop, BroadcastPlan};
pub(crate) use counting::{Counted, Groups};
pub use dims::Along;
pub(crate) use dims::{Axis, DimsPlan};
pub(crate) use histogram::{Division, HistogramPlan, count_dtype};
pub(crate) use index::IndexFacts;
pub use index::{Addressing, Component, IndexMode, Loop, OutOfRange, Row};
pub(crate) use op::Page;
pub use op::{Op, Rule};
pub(crate) use reduce::Gradient;
pub use reduce::{Factor, Mean, NdReduce, Reduce, Reduction, Sum, Update};
#[cfg(target_arch = "wasm32")]
pub(crate) use rules::MASK;
pub(crate) use sort::{KeyFormat, SearchPlan, SortPlan};
pub(crate) use uniform_edges::{UniformEdges, round};
#[cfg(feature = "webgpu")]
pub(crate) use {histogram::NoEdges, histogram::WrongEdge, rules::MOST_ENTRIES};
