//! How an update is combined with the value that is already there.

use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::Op;

/// What a scatter does with each update. Updates are applied in row-major order of the index, one
/// after the other, in the tensor's own dtype.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reduce {
    /// The update takes the place of the value; of several, the last one stays.
    Replace,
    /// The update is added. Integers wrap; bool is OR.
    Add,
    /// The value is multiplied by the update. Integers wrap; bool is AND.
    Multiply,
}

impl Reduce {
    /// Every mode.
    pub const ALL: &'static [Self] = &[Self::Replace, Self::Add, Self::Multiply];

    /// The words that the `reduce` option takes. Its absence means replace.
    pub const NAMES: &'static [&'static str] = &["add", "multiply"];

    /// The mode of that name.
    ///
    /// # Errors
    /// `ValueError` (`unknown-reduce`) for any other word; case matters.
    ///
    /// ```
    /// use scatterwise::{Op, Reduce};
    /// assert_eq!(Reduce::from_name(Op::ScatterInPlace, "add"), Ok(Reduce::Add));
    /// assert!(Reduce::from_name(Op::ScatterInPlace, "sum").is_err());
    /// ```
    pub fn from_name(op: Op, name: &str) -> Result<Self> {
        match name {
            "add" => Ok(Self::Add),
            "multiply" => Ok(Self::Multiply),
            _ => {
                let text =
                    format!("reduce is '{name}'; it must be 'add' or 'multiply', or left out to replace");
                Err(Error::new(ErrorClass::Value, ErrorCode::UnknownReduce, op.name(), text).not_among(
                    "reduce",
                    name,
                    Self::NAMES,
                ))
            }
        }
    }
}
