//! The gathers, on handles. `boundary/operators.rs` says what the parameters are.

use wasm_bindgen::prelude::*;

use crate::boundary::facts;
use crate::boundary::facts::attempt;
use crate::boundary::operators::operator;
use crate::boundary::table;
use crate::boundary::table::Table;
use crate::boundary::tensors::scalar;
use crate::error::Result;
use crate::gather::Gather;
use crate::plan::op::Op;
use crate::tensor::Tensor;

/// The call for the parameters of [`gather`].
pub(crate) fn gather_of(
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
pub(crate) fn take_along_dim_of(
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
