//! Trials of the adapter: what it computes, compared with the CPU.

pub(crate) mod canary;
pub(crate) mod probe;
