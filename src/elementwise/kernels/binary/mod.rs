//! The operations on two tensors, as loops over pairs of elements.
//!
//! An operation is a table with a row for each kind of arithmetic, as in `engine/cpu/kernels/reduce/`; [`pairs`] names the table. The
//! operations that a scatter also has take its tables, except where these have no loops with vectors.

pub(crate) mod divide;
#[cfg(feature = "loops")]
pub(crate) mod shift;
pub(crate) mod subtract;
pub(crate) mod table;

use half::{bf16, f16};

use crate::DType;
use crate::elementwise::kernels::pairs::Pairs;
use crate::engine::cpu::kernels::{Maximum, Minimum, reduce};
use crate::plan::{Binary, Reduce, Rounding};
use divide::{Divide, FloorDivide};
use subtract::Subtract;

/// The loops of an operation on a dtype. Quotients of floats are not rounded to whole numbers here.
pub(crate) fn pairs(binary: Binary, dtype: DType) -> Pairs {
    match binary {
        Binary::Add => reduce::loops(Reduce::Add, dtype).pairs(),
        Binary::Multiply => reduce::loops(Reduce::Multiply, dtype).pairs(),
        Binary::Subtract => Subtract::pairs(dtype),
        Binary::Divide(Some(Rounding::Floor)) if !dtype.is_float() => FloorDivide::pairs(dtype),
        Binary::Divide(_) => Divide::pairs(dtype),
        Binary::Maximum => match dtype {
            DType::Float16 => Pairs::commuting::<f16, Maximum>(),
            DType::Bfloat16 => Pairs::commuting::<bf16, Maximum>(),
            _ => reduce::loops(Reduce::Maximum, dtype).pairs(),
        },
        Binary::Minimum => match dtype {
            DType::Float16 => Pairs::commuting::<f16, Minimum>(),
            DType::Bfloat16 => Pairs::commuting::<bf16, Minimum>(),
            _ => reduce::loops(Reduce::Minimum, dtype).pairs(),
        },
    }
}
