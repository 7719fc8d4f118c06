//! Trials of the adapter: its results compared with the CPU's.

pub(crate) mod probe;
