//! Scatters and gathers.

pub(crate) mod addressing;
pub(crate) mod errors;
pub(crate) mod facts;
pub(crate) mod lower;
pub(crate) mod mode;
