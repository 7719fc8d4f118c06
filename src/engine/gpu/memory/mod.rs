//! Allocates device memory, and keeps free buffers.

pub(crate) mod allocate;
pub(crate) mod pool;
