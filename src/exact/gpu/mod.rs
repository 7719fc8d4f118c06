//! Exact sums on a GPU.

pub(crate) mod parts;
pub(crate) mod scatter;

pub(crate) use crate::exact::gpu::parts::ExactSums;
