//! `vjp`: gradients, by the arguments of the operator. Behind them stand the cotangent, and whether sums in the gradients are exact, which is
//! for gathers and operations on two tensors.

use crate::Result;
use crate::boundary::{Arguments, Run, keep_all, table, wire};
use crate::dims::boundary::DimsCall;
use crate::gather::boundary::{read_gather, read_take_along_dim};
#[cfg(feature = "groups")]
use crate::gradients::softmax::{scatter_logsumexp_vjp, scatter_softmax_vjp};
use crate::plan::{Activation, Op, Page};
use crate::scatter::boundary::ScatterCall;
use crate::segments::boundary::SegmentCall;

/// What computes the gradients of an operator; `None` for one without gradients.
pub(crate) fn vjp_of(op: Op) -> Option<Run> {
    Some(match op.page() {
        Page::Slices if op == Op::IndexSelect => gather,
        Page::Scatter | Page::ScatterAdd | Page::ScatterReduce | Page::Rows | Page::Slices => scatter,
        Page::Gather if op == Op::TakeAlongDim => take_along_dim,
        Page::Gather => gather,
        Page::ElementwiseMul | Page::Mul => pair,
        Page::Segments => segment_reduce,
        Page::Dims => reduce_dims,
        #[cfg(feature = "masks")]
        Page::Where if op == Op::Where => choose,
        #[cfg(feature = "masks")]
        Page::Compress => compress,
        #[cfg(feature = "group_by")]
        Page::GroupBy if op == Op::GroupReduce => group_reduce,
        #[cfg(feature = "groups")]
        Page::Groups => softmax,
        #[cfg(feature = "groups")]
        Page::Spmm => spmm,
        _ => return None,
    })
}

/// The gradient with respect to the table, and that with respect to the source if it is a tensor.
fn scatter(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (call, target) = table::with(|table| {
        let ScatterCall { call, target, .. } = ScatterCall::read(table, op, arguments)?;
        Ok((call, table.tensor(target)?.clone()))
    })?;
    let gradients = call.vjp(&target, &arguments.tensor()?)?;
    keep_all(gradients.table, gradients.src.into_iter().collect())
}

fn gather(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let ((tensor, gather), cotangent) = (read_gather(op, arguments)?, arguments.tensor()?);
    table::keep(gather.vjp(&tensor, &cotangent, arguments.sum())?)
}

fn take_along_dim(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let ((tensor, gather, source), cotangent) = (read_take_along_dim(op, arguments)?, arguments.tensor()?);
    let gradient = gather.vjp(&source, &cotangent, arguments.sum())?;
    table::keep(gradient.reshape(tensor.shape().dims())?)
}

/// The gradients of an operation on two tensors with respect to both; of an activation with respect to x.
fn pair(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (x, y, axis) = (arguments.tensor()?, arguments.tensor()?, arguments.integer());
    let act = Activation::ALL.get(arguments.word() as usize).copied();
    let rounding = wire::rounding(arguments.word());
    let (cotangent, sum) = (arguments.tensor()?, arguments.sum());
    if let (Op::Activate, Some(act)) = (op, act) {
        return table::keep(crate::gradients::pair::activate_vjp(&x, act, &cotangent)?);
    }
    let [for_x, for_y] = match op.page() {
        Page::ElementwiseMul => {
            crate::gradients::pair::elementwise_vjp(op, &x, &y, axis, act, &cotangent, sum)?
        }
        _ => crate::gradients::pair::broadcast_vjp(op, &x, &y, rounding, &cotangent, sum)?,
    };
    keep_all(for_x, vec![for_y])
}

fn segment_reduce(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let call = SegmentCall::read(arguments)?;
    let gradient = crate::gradients::segment::segment_reduce_vjp(
        &call.data,
        call.reduction,
        call.segments(),
        call.initial,
        &arguments.tensor()?,
    )?;
    table::keep(gradient)
}

fn reduce_dims(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let DimsCall { tensor, along, dims, keepdim, dtype } = DimsCall::read(op, arguments)?;
    table::keep(tensor.reduce_vjp(along, dims.as_deref(), keepdim, dtype, &arguments.tensor()?)?)
}

#[cfg(feature = "groups")]
fn softmax(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (src, index, dim) = (arguments.tensor()?, arguments.tensor()?, arguments.integer());
    let (size, ignored) = (arguments.size(), arguments.mode().ignored);
    let run = if op == Op::ScatterLogsumexp { scatter_logsumexp_vjp } else { scatter_softmax_vjp };
    table::keep(run(&src, &index, dim, ignored, size, &arguments.tensor()?)?)
}

/// The gradient with respect to the dense matrix, and that with respect to the values if there are any.
#[cfg(feature = "groups")]
fn spmm(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (call, dense) = crate::groups::boundary::read_spmm(arguments)?;
    let gradients = call.vjp(&dense, &arguments.tensor()?)?;
    keep_all(gradients.dense, gradients.values.into_iter().collect())
}

/// The gradients with respect to x and y.
#[cfg(feature = "masks")]
fn choose(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (mask, x, y) = (arguments.tensor()?, arguments.tensor()?, arguments.tensor()?);
    let (cotangent, sum) = (arguments.tensor()?, arguments.sum());
    let [for_x, for_y] = crate::gradients::masks::choose_vjp(&mask, &x, &y, &cotangent, sum)?;
    keep_all(for_x, vec![for_y])
}

#[cfg(feature = "masks")]
fn compress(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (mask, x, dim) = (arguments.tensor()?, arguments.tensor()?, arguments.integer());
    table::keep(crate::gradients::masks::compress_vjp(&mask, &x, dim, &arguments.tensor()?)?)
}

/// The gradient with respect to the values, of one statistic.
#[cfg(feature = "group_by")]
fn group_reduce(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    use crate::group_by::plan::GroupStatistic;
    let (groups, values, statistics, options) = crate::group_by::boundary::read_statistics(arguments)?;
    let statistic = statistics.first().copied().unwrap_or(GroupStatistic::Count);
    let cotangent = arguments.tensor()?;
    let run = crate::gradients::group_by::group_reduce_vjp;
    table::keep(run(&groups, &values, statistic, &options, &cotangent)?)
}
