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
//! Features: `webgpu`, on by default, is the GPU backend; `npm`, off by default, serves the npm package: a global allocator with a
//! reserve, and error texts in which JavaScript writes the numbers. The map of the crate is in `docs/ARCHITECTURE.md`.

// The library's own tests run natively. Without this line wasm-pack would also compile them for browsers, with the whole library.
#![cfg(not(all(test, target_arch = "wasm32")))]

#[cfg(all(target_arch = "wasm32", feature = "npm"))]
mod allocator;
mod backend;
#[cfg(any(target_arch = "wasm32", test))]
mod boundary;
mod context;
mod dispatch;
mod dtype;
mod error;
mod exact;
mod host;
mod ops;
mod plan;
mod scalar;
mod shape;
mod storage;
mod tensor;

#[doc(hidden)]
pub mod testing;

#[cfg(feature = "webgpu")]
pub use backend::gpu::{AdapterFacts, DeviceOptions, Gpu, PowerPreference, current_gpu, start_gpu, stop_gpu};
pub use context::Device;
pub use dtype::{DType, Promotion};
pub use error::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result};
pub use ops::{
    Bins, CountOptions, ExactSum, Gather, IndexPlan, Read, Scatter, ScatterGradients, Segments, Sorted,
    Source, Spmm, SpmmGradients, Step, Target, Unique, Weights, activate, activate_vjp, bincount,
    binned_statistic, broadcast_vjp, elementwise_add, elementwise_div, elementwise_max, elementwise_min,
    elementwise_mul, elementwise_sub, elementwise_vjp, histogram, histogramdd, scatter_add, scatter_div,
    scatter_logsumexp, scatter_logsumexp_vjp, scatter_max, scatter_min, scatter_mul, scatter_softmax,
    scatter_softmax_vjp, scatter_sub, scatter_update, searchsorted, segment_reduce, segment_reduce_vjp,
    segment_winners, unique,
};
pub use plan::{
    Activation, Along, Binary, Factor, IndexMode, Length, Mean, NdReduce, Op, OutOfRange, Reduce, Reduction,
    Rounding, Statistic, Sum, Update,
};
pub use scalar::Scalar;
pub use shape::Shape;
pub use tensor::{Item, Tensor};
