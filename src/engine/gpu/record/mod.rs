//! Records work and submits it in batches.

pub(crate) mod budget;
pub(crate) mod recorder;
pub(crate) mod uploads;
