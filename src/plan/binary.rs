//! The operations on two elements.

use crate::dtype::DType;
use crate::error::{Allowed, Error, ErrorClass, ErrorCode, Result};
use crate::plan::op::Op;

/// How a quotient becomes a whole number. A quotient of floats is first rounded to its dtype.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Toward zero.
    Trunc,
    /// Down.
    Floor,
}

impl Rounding {
    /// Every rounding.
    pub const ALL: &'static [Self] = &[Self::Trunc, Self::Floor];
    /// The words of `div`'s option, in the same order.
    pub const NAMES: &'static [&'static str] = &["trunc", "floor"];
}

/// An operation on two elements of a dtype. Integers wrap. Each operation of floats is rounded once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Binary {
    /// The sum; of bool the OR.
    Add,
    /// The difference. bool has none.
    Subtract,
    /// The product; of bool the AND.
    Multiply,
    /// The quotient, then rounded to a whole number if the call says so. bool has none. Integers always have a rounding.
    Divide(Option<Rounding>),
    /// The larger of both: IEEE 754-2019 `maximum`, so that NaN wins and −0 < +0. bool is OR.
    Maximum,
    /// The smaller of both: IEEE 754-2019 `minimum`, so that NaN wins and −0 < +0. bool is AND.
    Minimum,
}

impl Binary {
    /// Every operation.
    pub const ALL: &'static [Self] = &[
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide(None),
        Self::Divide(Some(Rounding::Trunc)),
        Self::Divide(Some(Rounding::Floor)),
        Self::Maximum,
        Self::Minimum,
    ];

    /// The method of a tensor, for errors.
    pub const fn method(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "sub",
            Self::Multiply => "mul",
            Self::Divide(_) => "div",
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
        }
    }

    /// Whether an exchange of the operands keeps the result's bits; one NaN may take the place of another.
    pub(crate) const fn commutes(self) -> bool {
        match self {
            Self::Add | Self::Multiply | Self::Maximum | Self::Minimum => true,
            Self::Subtract | Self::Divide(_) => false,
        }
    }

    /// Whether a second operand that has a zero is refused.
    pub(crate) const fn refuses_zeros(self, dtype: DType) -> bool {
        matches!(self, Self::Divide(_)) && !dtype.is_float()
    }

    /// Refuses a dtype without the operation.
    ///
    /// # Errors
    /// `TypeError`: bool has no difference and no quotient, and a quotient of integers needs a rounding.
    pub(super) fn check_dtype(self, op: Op, dtype: DType) -> Result<()> {
        let first = op.operand_names()[0];
        let no = |what| format!("bool has no {what} (make {first} an integer by {first}.astype('int32'))");
        let text = match (self, dtype) {
            (Self::Subtract, DType::Bool) => no("subtraction"),
            (Self::Divide(_), DType::Bool) => no("division"),
            (Self::Divide(None), _) if !dtype.is_float() => {
                let text = format!(
                    "a quotient of {dtype} needs rounding: 'trunc' or 'floor' ({first}.astype('float32') has fractions)"
                );
                return Err(Error::new(ErrorClass::Type, ErrorCode::MissingArgument, op.name(), text)
                    .argument("rounding")
                    .allowed(Allowed::Words(Rounding::NAMES)));
            }
            _ => return Ok(()),
        };
        Err(Error::new(ErrorClass::Type, ErrorCode::DtypeMismatch, op.name(), text).word(first, dtype.name()))
    }
}
