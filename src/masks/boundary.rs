//! Masks, by their arguments.

use crate::boundary::arguments::on_cpu;
use crate::boundary::{Arguments, keep_all, table};
use crate::masks::plan::positions::{check_compress, check_mask};
use crate::masks::positions::{Positions, positions_of, select};
use crate::plan::Op;
use crate::{DType, Result, Scalar, masks};

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

pub(crate) fn flatnonzero(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let x = on_cpu(op, "x", arguments.tensor()?)?;
    let (size, fill) = (arguments.size(), Scalar::Float(arguments.number()));
    let is_short = arguments.dtype() == Some(DType::Int32);
    let size = size.map(|size| (size, fill));
    keep_positions(positions_of(op, &x, size, is_short)?)
}

fn keep_positions(Positions { positions, count }: Positions) -> Result<u32> {
    keep_all(positions, count.into_iter().collect())
}

/// One step of `compress`: checks x and returns it; without x the positions of the mask; without the mask the slices of x at positions.
pub(crate) fn compress(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let Some(mask) = arguments.optional_tensor()? else {
        let (x, dim) = (arguments.tensor()?, arguments.integer());
        return table::keep(select(op, &arguments.tensor()?, &x, dim)?);
    };
    let mask = on_cpu(op, "mask", mask)?;
    let Some(x) = arguments.optional_tensor()? else {
        check_mask(op, mask.operand())?;
        return keep_positions(positions_of(op, &mask, None, true)?);
    };
    let x = on_cpu(op, "x", x)?;
    check_compress(op, mask.operand(), x.operand(), arguments.integer())?;
    table::keep(x)
}
