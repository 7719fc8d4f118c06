//! Operations on two tensors.

pub(crate) mod geometry;
pub(crate) mod record;
