//! Kernels of masks.

pub(crate) mod choose;
pub(crate) mod compare;
pub(crate) mod positions;
pub(crate) mod rows;
