//! Records work and submits it in batches.

pub(crate) mod pace;
pub(crate) mod recorder;
pub(crate) mod uploads;
