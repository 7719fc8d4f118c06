//! Argmax, softmax of groups and sparse products, by their arguments.

use crate::boundary::{Arguments, keep_all, table, wire};
use crate::groups::softmax::{scatter_logsumexp, scatter_softmax};
use crate::groups::spmm::Spmm;
use crate::plan::Op;
use crate::scatter::boundary::ScatterCall;
use crate::segments::boundary::SegmentCall;
use crate::{Result, Tensor};

/// [`scatter`](crate::scatter::boundary::scatter) of a maximum or minimum. Returns the handle of the argmax.
pub(crate) fn scatter_argmax(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let argmax = table::with(|table| {
        let ScatterCall { call, target, operands } = ScatterCall::read(table, op, arguments)?;
        call.run_for_winners(table.written(op.name(), target, operands)?)
    })?;
    table::keep(argmax)
}

/// The result of `segment_reduce` by a maximum or minimum, and the argmax.
pub(crate) fn segment_winners(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let call = SegmentCall::read(arguments)?;
    let (out, argmax) =
        crate::groups::argmax::segment_winners(&call.data, call.reduction, call.segments(), call.initial)?;
    keep_all(out, vec![argmax])
}

/// A call of `spmm`, and its dense matrix.
pub(crate) fn read_spmm(arguments: &mut Arguments) -> Result<(Spmm, Tensor)> {
    const FIRST: (u32, f64) = (wire::SLICES, 0.0);
    let (rows, columns) = (arguments.word(), arguments.word());
    let (values, dense) = (arguments.optional_tensor()?, arguments.tensor()?);
    let (rows, columns) =
        table::with(|table| Ok((table.target(FIRST, rows)?, table.target(FIRST, columns)?)))?;
    let (size, reduction) = (arguments.size(), arguments.reduction());
    let (sum, mode) = (arguments.sum(), arguments.mode());
    Ok((Spmm { rows, columns, values, size, reduction, sum, mode }, dense))
}

pub(crate) fn spmm(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (call, dense) = read_spmm(arguments)?;
    table::keep(call.run(&dense)?)
}

/// `scatter_softmax` and `scatter_logsumexp`.
pub(crate) fn softmax(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (src, index, dim) = (arguments.tensor()?, arguments.tensor()?, arguments.integer());
    let (size, ignored) = (arguments.size(), arguments.mode().ignored);
    let run = if op == Op::ScatterLogsumexp { scatter_logsumexp } else { scatter_softmax };
    table::keep(run(&src, &index, dim, ignored, size)?)
}
