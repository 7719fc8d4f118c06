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
//! Features, both on by default: `webgpu` is the GPU backend, `allocator` a small global allocator for WebAssembly, which a
//! program with one of its own leaves out. The map of the crate is in `docs/ARCHITECTURE.md`.

pub mod backend;
pub mod context;
mod dtype;
mod error;
#[cfg(target_arch = "wasm32")]
mod js;
mod lod;
mod ops;
mod plan;
mod shape;
mod storage;
mod tensor;

pub use context::Device;
pub use dtype::{DType, Promotion, Scalar};
pub use error::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result};
pub use lod::Lod;
pub use ops::{
    Gather, PreparedIndex, Read, Scatter, Source, Step, elementwise_mul, scatter_mul, scatter_mul_at,
};
pub use plan::{
    Activation, BroadcastLoop, BroadcastPlan, Component, IndexPlan, IndexRange, Loop, Op, Operand,
    RangeVerdict, Reduce, Row, Rule,
};
pub use shape::{MAX_OP_RANK, MAX_RANK, Shape};
pub use storage::{HostBuffer, host_bytes};
pub use tensor::{Item, Tensor};
