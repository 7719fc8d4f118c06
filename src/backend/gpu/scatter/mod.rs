//! Scatters and scans: the choice of a strategy, the orders that it needs, the passes.

pub(crate) mod commuting;
pub(crate) mod exact;
pub(crate) mod order;
pub(crate) mod parts;
pub(crate) mod scan;
pub(crate) mod segments;
pub(crate) mod strategy;
pub(crate) mod ways;
pub(crate) mod winners;
