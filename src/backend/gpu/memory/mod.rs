//! Allocating device memory, and keeping what is free.

pub(crate) mod allocate;
pub(crate) mod pool;
