//! An index on the CPU: its check, and its values as positions.

pub(crate) mod checked;
pub(crate) mod elements;
pub(crate) mod index;
pub(crate) mod split;
