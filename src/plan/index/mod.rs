//! Scatters and gathers.

mod addressing;
mod errors;
mod facts;
mod lower;
mod mode;

pub use addressing::{Addressing, Loop, Row};
pub(crate) use facts::IndexFacts;
pub use mode::{Component, IndexMode, OutOfRange};
