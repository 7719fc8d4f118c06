//! Plans: everything about a call that does not depend on tensor data.
//!
//! Plans validate arguments, with five exceptions that are validated beside their operators: segments, gradients, alpha, the
//! conversion of updates, and the dtype and shapes of exact sums (`segments/mod.rs`, `segments/plan.rs`, `ops/vjp/`,
//! `scatter/call.rs`, `exact/exact_sum.rs`). A plan has private fields and checked constructors only, so every plan that exists can run.
//! The kernels of every backend rely on that and never reject.

pub(crate) mod activation;
pub(crate) mod arguments;
pub(crate) mod axis;
pub(crate) mod binary;
pub(crate) mod index;
pub(crate) mod op;
pub(crate) mod reduce;
pub(crate) mod rules;
