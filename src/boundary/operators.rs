//! What the exported functions of the families share. Their parameters:
//!
//! - `op`, `update`, `form`, `mode`, `kind` and `activation` are numbers that stand for words: see `wire.rs`.
//! - `target`, `tensor`, `index`, `src`, `x` and `y` are handles. `index` may be the handle of a plan.
//! - `form`, `dim` and `index` say where a call writes or reads: see `Table::target`.
//! - `kind` with `value` or `fill` is one scalar: see `tensors::scalar`.
//!
//! A call that fails returns 0 or false, and keeps the facts of its error: see `attempt`. For the speed of small calls, functions
//! are inlined and errors are created out of line.

use crate::boundary::{Arguments, wire};
use crate::plan::Op;
use crate::{Error, ErrorClass, ErrorCode, Result};

/// What a verb does for an operator, by its arguments. Returns the handle of the first result.
pub(crate) type Run = fn(Op, &mut Arguments) -> Result<u32>;

/// The operator of a number; a TypeError if no operator has the number.
#[inline(always)]
pub(crate) fn operator(number: u32) -> Result<Op> {
    wire::op(number).ok_or_else(no_operator)
}

#[cold]
#[inline(never)]
pub(crate) fn no_operator() -> Error {
    Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, "Tensor", "no such operator")
}
