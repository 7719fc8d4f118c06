//! The operations on two elements.

use crate::DType;
use crate::words::words;

words! {
    /// How a quotient becomes a whole number. A quotient of floats is first rounded to its dtype.
    Rounding
    /// Toward zero.
    Trunc = "trunc";
    /// Down.
    Floor = "floor";
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
}
