//! Sorts, distinct elements and searches, by their arguments.

use crate::Result;
use crate::boundary::arguments::{as_dtype, on_cpu};
use crate::boundary::{Arguments, keep_all, table};
use crate::plan::Op;

pub(crate) fn run(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let operand = arguments.tensor()?;
    let positions = |tensor, dtype| as_dtype(op, tensor, dtype);
    match op {
        Op::Argsort => {
            let order = operand.argsort(arguments.integer(), arguments.flag())?;
            table::keep(positions(order, arguments.dtype())?)
        }
        Op::Sort => {
            let sorted = operand.sort(arguments.integer(), arguments.flag())?;
            keep_all(sorted.values, vec![positions(sorted.indices, arguments.dtype())?])
        }
        Op::Unique | Op::UniqueSync => {
            let operand = on_cpu(op, "x", operand)?;
            let (all, dtype) = (crate::sort::unique_by(op, &operand)?, arguments.dtype());
            let lists = [all.index, all.inverse, all.counts].map(|list| positions(list, dtype));
            keep_all(all.values, lists.into_iter().chain(all.count.map(Ok)).collect::<Result<_>>()?)
        }
        _ => {
            let x = arguments.tensor()?;
            let found = crate::sort::searchsorted(&operand, &x, arguments.flag())?;
            table::keep(positions(found, arguments.dtype())?)
        }
    }
}
