//! The gathers. `boundary/operators.rs` says what the parameters are.

use wasm_bindgen::prelude::*;

use crate::boundary::{Arguments, Table, attempt, facts, operator, scalar, table};
use crate::gather::Gather;
use crate::plan::Op;
use crate::{Result, Scalar, Tensor};

fn gather_of(
    table: &Table,
    op: Op,
    (form, dim, index, mode): (u32, f64, u32, u32),
    (kind, fill): (u32, f64),
) -> Result<Gather> {
    let target = table.target((form, dim), index)?;
    Ok(Gather { op, target, mode: facts::mode(mode), fill_value: scalar(kind, fill) })
}

/// A gather from `tensor`. Returns the handle of the result. If the mode drops index values that are out of range, their results
/// are the scalar, `kind` and `fill`.
#[wasm_bindgen]
pub fn gather(op: u32, tensor: u32, form: u32, dim: f64, index: u32, mode: u32, kind: u32, fill: f64) -> u32 {
    attempt(|| {
        let op = operator(op)?;
        table::with(|table| {
            let gather = gather_of(table, op, (form, dim, index, mode), (kind, fill))?;
            let out = gather.run(table.tensor(tensor)?)?;
            table.keep(out)
        })
    })
}

/// The tensor and the call for the parameters of [`gather`] as arguments.
pub(crate) fn read_gather(op: Op, arguments: &mut Arguments) -> Result<(Tensor, Gather)> {
    let tensor = arguments.tensor()?;
    let place = (arguments.word(), arguments.number(), arguments.word(), arguments.word());
    let fill = (arguments.word(), arguments.number());
    Ok((tensor, table::with(|table| gather_of(table, op, place, fill))?))
}

/// The tensor of a call of `take_along_dim`, the call, and the tensor that it reads.
pub(crate) fn read_take_along_dim(op: Op, arguments: &mut Arguments) -> Result<(Tensor, Gather, Tensor)> {
    let (tensor, index, dim) = (arguments.tensor()?, arguments.tensor()?, arguments.optional_integer());
    let (source, target) = tensor.along_broadcast(&index, dim)?;
    let (mode, fill_value) = (arguments.mode(), arguments.scalar().unwrap_or(Scalar::Int(0)));
    Ok((tensor, Gather { op, target, mode, fill_value }, source))
}

pub(crate) fn take_along_dim(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (_, gather, source) = read_take_along_dim(op, arguments)?;
    table::keep(gather.run(&source)?)
}
