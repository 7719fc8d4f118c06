//! Kernels of masks.

pub(crate) mod compare;
pub(crate) mod rows;
