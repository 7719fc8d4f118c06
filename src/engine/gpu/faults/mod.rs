//! Faults of the device, and how the host detects them.

pub(crate) mod dropped;
pub(crate) mod events;
pub(crate) mod pending;
pub(crate) mod status;
pub(crate) mod verified;
