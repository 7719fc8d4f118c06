//! What the exported functions of the families share. Their parameters:
//!
//! - `op`, `update`, `form`, `mode`, `kind`, `reduction` and `activation` are numbers that stand for words: see `wire.rs`.
//! - `target`, `tensor`, `index`, `src`, `data`, `segments`, `x` and `y` are handles. `index` may be the handle of a plan.
//! - `form`, `dim` and `index` say where a call writes or reads: see `Table::target`.
//! - `kind` with `value`, `initial` or `fill` is one scalar: see `tensors::scalar`.
//!
//! A call that fails returns 0 or false, and keeps the facts of its error: see `attempt`. For the speed of small calls, functions
//! are inlined and errors are created out of line.

use crate::boundary::wire;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::op::Op;
use crate::plan::reduce::Reduction;

/// The operator of a number; a TypeError if no operator has the number.
#[inline(always)]
pub(crate) fn operator(number: u32) -> Result<Op> {
    wire::op(number).ok_or_else(no_operator)
}

/// The error for a number without an operator.
#[cold]
#[inline(never)]
pub(crate) fn no_operator() -> Error {
    Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, "Tensor", "no such operator")
}

/// The reduction of a number.
pub(crate) fn reduction_by(number: u32) -> Reduction {
    // JavaScript sends no other number, but nothing here may panic.
    Reduction::ALL.get(number as usize).copied().unwrap_or(Reduction::Sum)
}

/// The size that a caller gave; `None` for NaN.
pub(crate) fn size_of(size: f64) -> Option<usize> {
    (!size.is_nan()).then_some(size as usize)
}
