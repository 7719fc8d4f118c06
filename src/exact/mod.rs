//! Exact sums. An accumulator keeps every bit of every term, and is rounded once, when it is read. Integer addition is associative, so no
//! order of the terms and no division into parts can change a bit of the result.
//!
//! Nothing here knows of tensors or devices. `docs/EXACT_SUM.md` specifies the bytes.

mod bytes;
mod limbs;
mod number;
mod quick;
mod round;
#[cfg(feature = "webgpu")]
mod signed;

pub use bytes::{Parts, write};
pub(crate) use limbs::{MOST_LIMBS, MOST_TERMS, Unit, add, add_single, carry, merge};
pub use number::ExactNumber;
pub(crate) use number::Kind;
pub(crate) use quick::quick_single;
pub(crate) use round::round;
