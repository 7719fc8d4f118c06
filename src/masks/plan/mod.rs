//! What calls on masks mean.

pub(crate) mod choose;
pub(crate) mod compare;
pub(crate) mod positions;

use crate::plan::{Op, wrong_dtype};
use crate::{DType, Result};

/// Refuses an operand of truth values that is of another dtype.
pub(crate) fn check_truth(op: Op, name: &'static str, dtype: DType) -> Result<()> {
    if dtype == DType::Bool {
        return Ok(());
    }
    let text =
        format!("{name} has dtype {dtype}; it must be bool ({name}.ne(0) is true where {name} is not 0)");
    Err(wrong_dtype(op, name, dtype, text))
}
