//! Broadcasting multiplies.

pub(crate) mod geometry;
pub(crate) mod record;
