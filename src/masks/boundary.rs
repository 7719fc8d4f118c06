//! Masks, by their arguments.

use crate::boundary::{Arguments, table};
use crate::plan::Op;
use crate::{Result, masks};

pub(crate) fn run(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let x = arguments.tensor()?;
    table::keep(match op {
        Op::Where => {
            let (chosen, other) = (arguments.tensor()?, arguments.tensor()?);
            masks::choose(&x, &chosen, &other)?
        }
        Op::IsNan => x.isnan()?,
        Op::LogicalNot => x.logical_not()?,
        Op::LogicalAnd | Op::LogicalOr => masks::combined(op, &x, &arguments.tensor()?)?,
        _ => masks::compared(op, &x, &arguments.tensor()?)?,
    })
}
