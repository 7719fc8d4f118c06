//! Scatter, gather and broadcasting multiply, with the same bits on the GPU and on the CPU.
//!
//! A scatter is defined as the sequential loop over index entries in row-major order, in the tensor's own
//! dtype. Every backend returns that loop's bits, duplicates included, and checks every index value
//! before it writes a byte.
//!
//! ```
//! use scatterwise::{Reduce, Tensor};
//! let mut t = Tensor::zeros(&[4], scatterwise::DType::Int32)?;
//! let index = Tensor::from_elements(&[3], &[1, 3, -3])?;
//! t.scatter_add_(0, &index, 10)?;
//! assert_eq!(t.elements::<i32>(), Some(&[0, 20, 0, 10][..]));
//!
//! let bad = Tensor::from_elements(&[3], &[0, 1, 4])?;
//! let error = t.scatter_(0, &bad, 7, Reduce::Replace).unwrap_err();
//! assert_eq!(error.position_fact(), Some(&[2][..]));
//! assert_eq!(t.elements::<i32>(), Some(&[0, 20, 0, 10][..]), "nothing was written");
//! # Ok::<(), scatterwise::Error>(())
//! ```
//!
//! Features: `webgpu`, on by default, is the GPU backend; `families`, on by default, stands for the features of all families of operators, which
//! `Cargo.toml` lists; `npm`, off by default, serves the npm package: a global allocator with a reserve, and error texts in which
//! JavaScript writes the numbers. The map of the crate is in `docs/ARCHITECTURE.md`.

// The library's own tests run natively. Without this line wasm-pack would also compile them for browsers, with the whole library.
#![cfg(not(all(test, target_arch = "wasm32")))]
#![cfg_attr(
    not(feature = "webgpu"),
    allow(unreachable_code, unused_variables, unused_mut, reason = "nothing is on a GPU then")
)]
#![cfg_attr(
    not(feature = "families"),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        reason = "what families share, and what only absent ones use"
    )
)]
#![cfg_attr(
    target_arch = "wasm32",
    allow(
        unreachable_pub,
        reason = "wasm-bindgen exports public items only, and Rust users have no use for these"
    ),
    allow(clippy::too_many_arguments, reason = "numbers are all that crosses to JavaScript")
)]

#[cfg(all(target_arch = "wasm32", feature = "npm"))]
mod allocator;
#[cfg(any(target_arch = "wasm32", test))]
mod boundary;
mod context;
mod convert;
mod create;
#[cfg(feature = "dims")]
mod dims;
mod dispatch;
mod dtype;
mod elementwise;
mod engine;
mod error;
mod exact;
mod gather;
#[cfg(feature = "gradients")]
mod gradients;
#[cfg(feature = "group_by")]
mod group_by;
mod groups;
mod histograms;
mod host;
mod index;
mod masks;
mod plan;
#[cfg(test)]
#[cfg(feature = "families")]
mod ranges;
mod scalar;
mod scatter;
mod segments;
mod shape;
mod sort;
#[cfg(feature = "webgpu")]
mod start;
mod storage;
mod tensor;
#[cfg(feature = "trace")]
mod trace;
mod words;

#[doc(hidden)]
pub mod testing;

pub(crate) use crate::host::{HostBuffer, SPARE, UninitBuffer, reserved, unshare};
pub(crate) use crate::scalar::{Bits, load, store, to_odd};
pub(crate) use crate::shape::{Dims, MAX_OP_RANK, MAX_RANK, PerDim, list};
pub(crate) use crate::storage::Storage;
pub(crate) use crate::tensor::{check_whole, fit};

pub use crate::context::Device;
#[cfg(feature = "dims")]
pub use crate::dims::plan::Along;
pub use crate::dtype::{DType, Promotion};
pub use crate::elementwise::{
    activate, elementwise_add, elementwise_div, elementwise_max, elementwise_min, elementwise_mul,
    elementwise_sub,
};
#[cfg(feature = "webgpu")]
pub use crate::engine::gpu::{AdapterFacts, Gpu, current_gpu, stop_gpu};
pub use crate::error::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result};
#[cfg(feature = "exact")]
pub use crate::exact::exact_sum::ExactSum;
pub use crate::gather::Gather;
#[cfg(all(feature = "gradients", feature = "group_by"))]
pub use crate::gradients::group_by::group_reduce_vjp;
#[cfg(all(feature = "gradients", feature = "masks"))]
pub use crate::gradients::masks::{choose_vjp, compress_vjp};
#[cfg(feature = "gradients")]
pub use crate::gradients::pair::{activate_vjp, broadcast_vjp, elementwise_vjp};
#[cfg(feature = "gradients")]
pub use crate::gradients::scatter::ScatterGradients;
#[cfg(feature = "gradients")]
pub use crate::gradients::segment::segment_reduce_vjp;
#[cfg(all(feature = "gradients", feature = "groups"))]
pub use crate::gradients::softmax::{scatter_logsumexp_vjp, scatter_softmax_vjp};
#[cfg(all(feature = "gradients", feature = "groups"))]
pub use crate::gradients::spmm::SpmmGradients;
#[cfg(feature = "group_by")]
pub use crate::group_by::plan::GroupStatistic;
#[cfg(feature = "group_by")]
pub use crate::group_by::statistics::GroupOptions;
#[cfg(feature = "group_by")]
pub use crate::group_by::{Groups, group_by};
#[cfg(feature = "groups")]
pub use crate::groups::softmax::{scatter_logsumexp, scatter_softmax};
#[cfg(feature = "groups")]
pub use crate::groups::spmm::Spmm;
#[cfg(feature = "histograms")]
pub use crate::histograms::bin_codes::bin_codes;
pub use crate::histograms::bincount::bincount;
#[cfg(feature = "histograms")]
pub use crate::histograms::binned_statistic::binned_statistic;
#[cfg(feature = "histograms")]
pub use crate::histograms::bins::Bins;
#[cfg(feature = "histograms")]
pub use crate::histograms::histogram::{histogram, histogramdd};
pub use crate::histograms::options::{CountOptions, Weights};
pub use crate::histograms::plan::bincount::Length;
#[cfg(feature = "histograms")]
pub use crate::histograms::plan::binned::Statistic;
#[cfg(feature = "webgpu")]
pub use crate::start::{DeviceOptions, PowerPreference, start_gpu};

#[cfg(feature = "groups")]
pub use crate::groups::argmax::segment_winners;
pub use crate::index::index_plan::IndexPlan;
pub use crate::index::target::{Source, Target};
#[cfg(feature = "masks")]
pub use crate::masks::choose;
#[cfg(feature = "masks")]
pub use crate::masks::positions::{Positions, compress, flatnonzero};
pub use crate::plan::activation::Activation;
pub use crate::plan::binary::{Binary, Rounding};
pub use crate::plan::index::mode::{IndexMode, OutOfRange};
pub use crate::plan::op::Op;
pub use crate::plan::reduce::{Factor, Mean, NdReduce, Reduce, Reduction, Sum, Update};
pub use crate::scalar::Scalar;
pub use crate::scatter::call::Scatter;
pub use crate::scatter::{
    scatter_add, scatter_div, scatter_max, scatter_min, scatter_mul, scatter_sub, scatter_update,
};
#[cfg(feature = "segments")]
pub use crate::segments::{Segments, segment_reduce};
pub use crate::shape::Shape;
#[cfg(feature = "sort")]
pub use crate::sort::{Sorted, Unique, searchsorted, unique};
pub use crate::tensor::{Item, Tensor};
#[cfg(feature = "trace")]
pub use crate::trace::{Read, Step};
