//! The jobs of exact sums.

pub(crate) mod bins;
pub(crate) mod quotient;
pub(crate) mod sums;
pub(crate) mod terms;
