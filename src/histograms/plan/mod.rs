//! What the operators that count allow, and what their calls lower to.

pub(crate) mod bincount;
pub(crate) mod binned;
pub(crate) mod counting;
pub(crate) mod histogram;
pub(crate) mod uniform_edges;
