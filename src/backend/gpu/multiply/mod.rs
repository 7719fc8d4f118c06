//! Broadcasting multiplies.

pub(crate) mod geometry;
