//! Scatters on a GPU: the strategies, and which one a call takes.

pub(crate) mod commuting;
pub(crate) mod lists;
pub(crate) mod order;
pub(crate) mod strategy;
pub(crate) mod traversal;
