//! Recording work and submitting it in batches.

pub(crate) mod counts;
pub(crate) mod engine;
pub(crate) mod pace;
pub(crate) mod uploads;
