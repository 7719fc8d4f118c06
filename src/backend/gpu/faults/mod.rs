//! What goes wrong on the device, and how the host finds out.

pub(crate) mod dropped;
pub(crate) mod events;
pub(crate) mod pending;
pub(crate) mod status;
pub(crate) mod trust;
