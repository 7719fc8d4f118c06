//! The public operators: arguments → plan → dispatch. Kernels are in the backends, and most rules in the plans.

#[cfg(target_arch = "wasm32")]
pub(crate) mod array;
mod bincount;
mod binned_statistic;
mod bins;
mod call;
mod convert;
mod count_options;
mod create;
mod dims;
mod elementwise;
mod exact_sum;
mod gather;
mod histogram;
mod index_plan;
mod recent_plans;
mod reduce;
mod rows;
mod scatter;
mod segment;
mod slices;
mod softmax;
mod sort;
mod spmm;
mod target;
mod trace;
mod vjp;

pub use bincount::bincount;
#[cfg(target_arch = "wasm32")]
pub(crate) use bincount::count_integers;
pub use binned_statistic::binned_statistic;
pub use bins::Bins;
pub use call::Scatter;
pub use count_options::{CountOptions, Weights};
pub use elementwise::{
    activate, elementwise_add, elementwise_div, elementwise_max, elementwise_min, elementwise_mul,
    elementwise_sub,
};
#[cfg(target_arch = "wasm32")]
pub(crate) use elementwise::{aligned, broadcast, broadcast_in_place};
pub use exact_sum::ExactSum;
pub use gather::Gather;
#[cfg(target_arch = "wasm32")]
pub(crate) use histogram::count;
pub use histogram::{histogram, histogramdd};
pub use index_plan::IndexPlan;
pub use rows::{scatter_add, scatter_div, scatter_max, scatter_min, scatter_sub, scatter_update};
pub use scatter::scatter_mul;
pub use segment::{Segments, segment_reduce, segment_winners};
pub use softmax::{scatter_logsumexp, scatter_softmax};
pub use sort::{Sorted, Unique, searchsorted, unique};
pub use spmm::Spmm;
pub use target::{Source, Target};
pub use trace::{Read, Step};
pub use vjp::{
    ScatterGradients, SpmmGradients, activate_vjp, broadcast_vjp, elementwise_vjp, scatter_logsumexp_vjp,
    scatter_softmax_vjp, segment_reduce_vjp,
};
