//! The operators, on handles.
//!
//! The parameters of the exported functions, here and in `trace.rs` and `gradients.rs`:
//!
//! - `op`, `update`, `form`, `mode`, `kind`, `reduction` and `activation` are numbers that stand for words: see `wire.rs`.
//! - `target`, `tensor`, `index`, `src`, `data`, `segments`, `x` and `y` are handles. `index` may be the handle of a plan.
//! - `form`, `dim` and `index` say where a call writes or reads: see `Table::target`.
//! - `kind` with `value`, `initial` or `fill` is one scalar: see `tensors::scalar`.
//!
//! A call that fails returns 0 or false, and keeps the facts of its error: see `attempt`. For the speed of small calls, functions
//! are inlined and errors are created out of line.

use wasm_bindgen::prelude::*;

use crate::boundary::facts::{self, attempt};
use crate::boundary::second::keep_both;
use crate::boundary::table::{self, Table};
use crate::boundary::tensors::{block_dims, scalar};
use crate::boundary::wire::{self, SCALAR};
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::ops::{Gather, Scatter, Segments, Source, Spmm};
use crate::plan::{Activation, Along, Factor, Op, Page, Reduction};
use crate::scalar::{Scalar, load};
use crate::tensor::Tensor;

/// The operator of a number; a TypeError if no operator has the number.
#[inline(always)]
pub(super) fn operator(number: u32) -> Result<Op> {
    wire::op(number).ok_or_else(no_operator)
}

/// The error for a number without an operator.
#[cold]
#[inline(never)]
fn no_operator() -> Error {
    Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, "Tensor", "no such operator")
}

/// A scatter into `target`. The source is the tensor `src` times the scalar, or the scalar alone if `src` is 0. `update` says how
/// each value combines with the value in `target`. Returns whether it succeeded.
#[wasm_bindgen]
pub fn scatter(
    op: u32,
    update: u32,
    target: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    src: u32,
    kind: u32,
    value: f64,
) -> bool {
    attempt(|| {
        table::with(|table| {
            // Borrowed, not moved: a move of this size calls `memory.copy`.
            let call = scatter_of(table, (op, update), (form, dim, index, mode), src, (kind, value));
            let Ok(call) = &call else { return call.map(|_| false) };
            call.run(table.written(wire::call_name(op), target, [index, src])?).map(|()| true)
        })
    })
}

/// [`scatter`] of a maximum or minimum. Returns the handle of the positions of the winners.
#[wasm_bindgen]
pub fn scatter_winners(
    op: u32,
    update: u32,
    target: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    src: u32,
    kind: u32,
    value: f64,
) -> u32 {
    attempt(|| {
        let winners = table::with(|table| {
            let call = scatter_call(table, (op, update), (form, dim, index, mode), src, (kind, value))?;
            call.run_for_winners(table.written(wire::call_name(op), target, [index, src])?)
        })?;
        table::keep(winners)
    })
}

/// The call for the parameters of [`scatter`].
#[inline(always)]
fn scatter_of(
    table: &Table,
    (op, update): (u32, u32),
    (form, dim, index, mode): (u32, f64, u32, u32),
    src: u32,
    (kind, value): (u32, f64),
) -> Result<Scatter> {
    let op = operator(op)?;
    let (mode, target) = (facts::mode(mode), table.target((form, dim), index)?);
    if update & SCALAR != 0 {
        let (alpha, src) = (scalar(kind, value), Source::Scalar(scalar_of(table.tensor(src)?)));
        let update = wire::update(update).0;
        return Ok(Scatter { op, target, src, factor: Factor::alpha(alpha), update, mode });
    }
    let ((update, factor), number) = (wire::update(update), scalar(kind, value));
    // Only index_add multiplies a tensor by a scalar, its alpha, and the factor of its update is 1. For all other operators the
    // scalar is 1.
    let (src, factor) = match (src, Factor::alpha(number)) {
        (0, _) => (Source::Scalar(number), factor),
        (src, Factor::One) => (table.tensor(src)?.into(), factor),
        (src, alpha) => (table.tensor(src)?.into(), alpha),
    };
    Ok(Scatter { op, target, src, factor, update, mode })
}

/// [`scatter_of`] as a function: for gradients and traces, which a copy of the code would hardly make faster.
#[inline(never)]
pub(super) fn scatter_call(
    table: &Table,
    update: (u32, u32),
    place: (u32, f64, u32, u32),
    src: u32,
    number: (u32, f64),
) -> Result<Scatter> {
    scatter_of(table, update, place, src, number)
}

/// The number in a tensor of one element in host memory; 0 for any other tensor, which JavaScript does not send.
#[inline(never)]
fn scalar_of(tensor: &Tensor) -> Scalar {
    tensor.bytes().map_or(Scalar::Int(0), |bytes| Scalar::load(load(bytes), tensor.dtype()))
}

/// The call for the parameters of [`gather`].
pub(super) fn gather_of(
    table: &Table,
    op: u32,
    (form, dim, index, mode): (u32, f64, u32, u32),
    (kind, fill): (u32, f64),
) -> Result<Gather> {
    let op = operator(op)?;
    let target = table.target((form, dim), index)?;
    Ok(Gather { op, target, mode: facts::mode(mode), fill_value: scalar(kind, fill) })
}

/// A gather from `tensor`. Returns the handle of the result. If the mode drops index values that are out of range, their results
/// are the scalar, `kind` and `fill`.
#[wasm_bindgen]
pub fn gather(op: u32, tensor: u32, form: u32, dim: f64, index: u32, mode: u32, kind: u32, fill: f64) -> u32 {
    attempt(|| {
        table::with(|table| {
            let gather = gather_of(table, op, (form, dim, index, mode), (kind, fill))?;
            let out = gather.run(table.tensor(tensor)?)?;
            table.keep(out)
        })
    })
}

/// A gather along `dim` whose index is broadcast to the other dimensions of `tensor`. If `dim` is NaN, it is a gather by a flat
/// index from the flat tensor. `index` is never a plan. Returns the handle of the result.
#[wasm_bindgen]
pub fn take_along_dim(tensor: u32, dim: f64, index: u32, mode: u32, kind: u32, fill: f64) -> u32 {
    attempt(|| {
        let (tensor, index) = (table::tensor(tensor)?, table::tensor(index)?);
        let (source, gather) = take_along_dim_of(&tensor, dim, &index, mode, (kind, fill))?;
        table::keep(gather.run(&source)?)
    })
}

/// The call for the parameters of [`take_along_dim`], and the tensor that it reads.
pub(super) fn take_along_dim_of(
    tensor: &Tensor,
    dim: f64,
    index: &Tensor,
    mode: u32,
    (kind, fill): (u32, f64),
) -> Result<(Tensor, Gather)> {
    let dim = (!dim.is_nan()).then_some(dim as i64);
    let (source, target) = tensor.along_broadcast(index, dim)?;
    let (mode, fill_value) = (facts::mode(mode), scalar(kind, fill));
    Ok((source, Gather { op: Op::TakeAlongDim, target, mode, fill_value }))
}

/// Reduces segments of `data`. The tensor `segments` has their offsets or their lengths. If `has_initial`, each segment begins with
/// the scalar, `kind` and `initial`. `exact` makes sums of floats exact. Returns the handle of the result.
#[wasm_bindgen]
pub fn segment_reduce(
    data: u32,
    reduction: u32,
    are_offsets: bool,
    segments: u32,
    has_initial: bool,
    kind: u32,
    initial: f64,
    exact: bool,
) -> u32 {
    let initial = has_initial.then(|| scalar(kind, initial));
    attempt(|| {
        let (data, segments) = (table::tensor(data)?, table::tensor(segments)?);
        let (reduction, segments) = segments_of(reduction, are_offsets, &segments);
        table::keep(crate::ops::segment_reduce(&data, reduction, wire::sum(exact), segments, initial)?)
    })
}

/// [`segment_reduce`] by a maximum or minimum. Returns the handle of the result; the rows of the winners wait for `second_result`.
#[wasm_bindgen]
pub fn segment_winners(
    data: u32,
    reduction: u32,
    are_offsets: bool,
    segments: u32,
    has_initial: bool,
    kind: u32,
    initial: f64,
) -> u32 {
    let initial = has_initial.then(|| scalar(kind, initial));
    attempt(|| {
        let (data, segments) = (table::tensor(data)?, table::tensor(segments)?);
        let (reduction, segments) = segments_of(reduction, are_offsets, &segments);
        let (out, winners) = crate::ops::segment_winners(&data, reduction, segments, initial)?;
        keep_both(out, Some(winners))
    })
}

/// The reduction of a number, and the segments of a tensor.
pub(super) fn segments_of(reduction: u32, are_offsets: bool, segments: &Tensor) -> (Reduction, Segments<'_>) {
    let segments = if are_offsets { Segments::Offsets(segments) } else { Segments::Lengths(segments) };
    (reduction_by(reduction), segments)
}

/// A product of a sparse matrix and the tensor `dense`. `rows` and `columns` are handles of tensors or plans; `values` is 0 if each value is
/// 1. `size` is the number of rows; NaN if the rows tell it. `reduction` and `exact` are as for [`segment_reduce`]. Returns the handle of
/// the result.
#[wasm_bindgen]
pub fn spmm(
    rows: u32,
    columns: u32,
    values: u32,
    dense: u32,
    size: f64,
    reduction: u32,
    exact: bool,
    mode: u32,
) -> u32 {
    attempt(|| {
        table::with(|table| {
            let call = spmm_of(table, [rows, columns, values], size, (reduction, exact), mode)?;
            let out = call.run(table.tensor(dense)?)?;
            table.keep(out)
        })
    })
}

/// The call for the parameters of [`spmm`].
pub(super) fn spmm_of(
    table: &Table,
    [rows, columns, values]: [u32; 3],
    size: f64,
    (reduction, exact): (u32, bool),
    mode: u32,
) -> Result<Spmm> {
    const FIRST: (u32, f64) = (wire::SLICES, 0.0);
    Ok(Spmm {
        rows: table.target(FIRST, rows)?,
        columns: table.target(FIRST, columns)?,
        values: if values == 0 { None } else { Some(table.tensor(values)?.clone()) },
        size: (!size.is_nan()).then_some(size as usize),
        reduction: reduction_by(reduction),
        sum: wire::sum(exact),
        mode: facts::mode(mode),
    })
}

/// The reduction of a number.
fn reduction_by(number: u32) -> Reduction {
    // JavaScript sends no other number, but nothing here may panic.
    Reduction::ALL.get(number as usize).copied().unwrap_or(Reduction::Sum)
}

/// `scatter_softmax` or `scatter_logsumexp` along `dim`; `size` is NaN if it was left out. `mode` is
/// that of the index of `scatter_softmax`: it says only what is ignored. Returns the handle of the result.
#[wasm_bindgen]
pub fn groups(op: u32, src: u32, index: u32, mode: u32, dim: f64, size: f64) -> u32 {
    attempt(|| {
        let (src, index) = (table::tensor(src)?, table::tensor(index)?);
        table::keep(match operator(op)? {
            Op::ScatterLogsumexp => crate::ops::scatter_logsumexp(&src, &index, dim as i64, size_of(size))?,
            _ => crate::ops::scatter_softmax(&src, &index, dim as i64, facts::mode(mode).ignored)?,
        })
    })
}

/// The size that a caller gave; `None` for NaN.
pub(super) fn size_of(size: f64) -> Option<usize> {
    (!size.is_nan()).then_some(size as usize)
}

/// Reduces dimensions of `tensor`: the `count` dims in the block, or all of them for `ALL_DIMS`. `dtype` is that to which elements are
/// converted first; any other number means none. Returns the handle of the result.
#[wasm_bindgen]
pub fn reduce_dims(op: u32, tensor: u32, count: u32, keepdim: bool, dtype: u32) -> u32 {
    attempt(|| {
        let (along, dims) = reduction_of(op, count)?;
        let dtype = DType::ALL.get(dtype as usize).copied();
        table::keep(table::tensor(tensor)?.reduce_dims(along, dims.as_deref(), keepdim, dtype)?)
    })
}

/// The reduction of an operator, and the dims in the block.
pub(super) fn reduction_of(op: u32, count: u32) -> Result<(Along, Option<Vec<i64>>)> {
    let op = operator(op)?;
    let along = Along::ALL.iter().find(|along| along.op() == op).ok_or_else(no_operator)?;
    Ok((*along, (count != wire::ALL_DIMS).then(|| block_dims(count).collect())))
}

/// An operation on two tensors. Returns the handle of the result. `elementwise_mul` and its siblings align y with x from dimension
/// `axis` on, or at the end for -1; then they apply the activation; any other number means none. `mul` and its siblings align as NumPy
/// does, and ignore both parameters; `rounding` is that of a quotient.
#[wasm_bindgen]
pub fn elementwise(op: u32, x: u32, y: u32, axis: f64, activation: u32, rounding: u32) -> u32 {
    attempt(|| {
        let (x, y) = (table::tensor(x)?, table::tensor(y)?);
        let op = operator(op)?;
        let out = match op.page() {
            Page::ElementwiseMul => {
                let act = Activation::ALL.get(activation as usize).copied();
                crate::ops::aligned(op, &x, &y, axis as i64, act)?
            }
            _ => crate::ops::broadcast(op, &x, &y, wire::rounding(rounding))?,
        };
        table::keep(out)
    })
}

/// An operation on two tensors that writes its result into x (`mul_` and its siblings). Returns whether it succeeded.
#[wasm_bindgen]
pub fn elementwise_in_place(op: u32, x: u32, y: u32, rounding: u32) -> bool {
    attempt(|| {
        let operator = operator(op)?;
        table::with(|table| {
            let other = table.tensor(y)?.clone();
            let x = table.written(operator.name(), x, [y, 0])?;
            crate::ops::broadcast_in_place(operator, x, &other, wire::rounding(rounding)).map(|()| true)
        })
    })
}
