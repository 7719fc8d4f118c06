//! `vjp` of operators on groups, on handles.

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::operators::{operator, size_of};
use crate::boundary::second::keep_both;
use crate::boundary::{facts, table};
use crate::gradients::softmax::{scatter_logsumexp_vjp, scatter_softmax_vjp};
use crate::groups::boundary::spmm_of;
use crate::plan::op::Op;

/// The gradient of `scatter_softmax` or `scatter_logsumexp`. The parameters are those of `groups`. Returns its handle.
#[wasm_bindgen]
pub fn groups_vjp(op: u32, src: u32, cotangent: u32, index: u32, mode: u32, dim: f64, size: f64) -> u32 {
    attempt(|| {
        let (src, index, cotangent) = (table::tensor(src)?, table::tensor(index)?, table::tensor(cotangent)?);
        let (dim, size) = (dim as i64, size_of(size));
        table::keep(match operator(op)? {
            Op::ScatterLogsumexp => scatter_logsumexp_vjp(&src, &index, dim, size, &cotangent)?,
            _ => scatter_softmax_vjp(&src, &index, dim, facts::mode(mode).ignored, &cotangent)?,
        })
    })
}

/// The gradients of `spmm`. The other parameters are those of `spmm`. Returns the handle of the gradient with respect to `dense`. The
/// second gradient is that with respect to `values`, if there are any.
#[wasm_bindgen]
pub fn spmm_vjp(
    rows: u32,
    columns: u32,
    values: u32,
    dense: u32,
    cotangent: u32,
    size: f64,
    reduction: u32,
    exact: bool,
    mode: u32,
) -> u32 {
    attempt(|| {
        let gradients = table::with(|all| {
            let call = spmm_of(all, [rows, columns, values], size, (reduction, exact), mode)?;
            call.vjp(all.tensor(dense)?, all.tensor(cotangent)?)
        })?;
        keep_both(gradients.dense, gradients.values)
    })
}
