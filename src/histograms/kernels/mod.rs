//! The jobs that find bins and count samples in them.

pub(crate) mod bins;
pub(crate) mod histogram;
