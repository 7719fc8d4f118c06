//! Sorts of rows, groups of equal elements, and searches in sorted edges.

pub(crate) mod counting;
pub(crate) mod groups;
pub(crate) mod keys;
pub(crate) mod radix;
pub(crate) mod rows;
pub(crate) mod search;
