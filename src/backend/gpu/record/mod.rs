//! Recording work and submitting it in batches.

pub(crate) mod pace;
pub(crate) mod recorder;
pub(crate) mod uploads;
