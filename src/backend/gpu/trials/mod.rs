//! Trials of the adapter: what it computes, compared with the CPU.

pub(crate) mod probe;
pub(crate) mod products;
