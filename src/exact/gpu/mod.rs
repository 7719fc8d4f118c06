//! Exact sums on a GPU.

pub(crate) mod parts;
pub(crate) mod scatter;
