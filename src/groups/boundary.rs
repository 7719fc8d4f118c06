//! Winners, softmax of groups and sparse products, on handles. `boundary/operators.rs` says what the parameters are.

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::operators::{operator, reduction_by, size_of};
use crate::boundary::second::keep_both;
use crate::boundary::table::Table;
use crate::boundary::tensors::scalar;
use crate::boundary::{facts, table, wire};
use crate::error::Result;
use crate::groups::softmax::{scatter_logsumexp, scatter_softmax};
use crate::groups::spmm::Spmm;
use crate::plan::op::Op;
use crate::scatter::boundary::scatter_call;
use crate::segments::boundary::segments_of;

/// [`scatter`](crate::scatter::boundary::scatter) of a maximum or minimum. Returns the handle of the positions of the winners.
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

/// [`segment_reduce`](crate::segments::boundary::segment_reduce) by a maximum or minimum. Returns the handle of the
/// result; the rows of the winners wait for `second_result`.
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
        let (out, winners) = crate::groups::winners::segment_winners(&data, reduction, segments, initial)?;
        keep_both(out, Some(winners))
    })
}

/// A product of a sparse matrix and the tensor `dense`. `rows` and `columns` are handles of tensors or plans; `values` is 0 if each value is
/// 1. `size` is the number of rows; NaN if the rows tell it. `reduction` and `exact` are as for `segment_reduce`. Returns the handle of
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
pub(crate) fn spmm_of(
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

/// `scatter_softmax` or `scatter_logsumexp` along `dim`; `size` is NaN if it was left out. `mode` is
/// that of the index of `scatter_softmax`: it says only what is ignored. Returns the handle of the result.
#[wasm_bindgen]
pub fn groups(op: u32, src: u32, index: u32, mode: u32, dim: f64, size: f64) -> u32 {
    attempt(|| {
        let (src, index) = (table::tensor(src)?, table::tensor(index)?);
        table::keep(match operator(op)? {
            Op::ScatterLogsumexp => scatter_logsumexp(&src, &index, dim as i64, size_of(size))?,
            _ => scatter_softmax(&src, &index, dim as i64, facts::mode(mode).ignored)?,
        })
    })
}
