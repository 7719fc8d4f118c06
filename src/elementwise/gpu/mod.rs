//! Operations on two tensors on a GPU.

pub(crate) mod geometry;
pub(crate) mod record;
pub(crate) mod trials;
