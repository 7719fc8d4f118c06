//! The operators, on handles.

use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::facts::attempt;
use crate::js::table::{self, Table};
use crate::js::tensors::scalar;
use crate::js::wire;
use crate::ops::{Gather, Scatter, Source};
use crate::plan::{Activation, Op};

pub(super) fn operator(number: u32) -> Result<Op> {
    let unknown = || Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, "Tensor", "no such operator");
    wire::op(number).ok_or_else(unknown)
}

/// A scatter of a tensor into `target`; whether it was done.
#[wasm_bindgen]
pub fn scatter(op: u32, reduce: u32, target: u32, form: u32, dim: f64, index: u32, src: u32) -> bool {
    attempt(|| {
        table::with(|table| {
            let src = Source::from(table.tensor(src)?);
            run(table, (op, reduce, target), (form, dim, index), src)
        })
    })
}

/// The same of a scalar.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments, reason = "numbers are all that crosses")]
pub fn scatter_scalar(
    op: u32,
    reduce: u32,
    target: u32,
    form: u32,
    dim: f64,
    index: u32,
    kind: u32,
    value: f64,
) -> bool {
    let src = Source::Scalar(scalar(kind, value));
    attempt(|| table::with(|table| run(table, (op, reduce, target), (form, dim, index), src)))
}

fn run(
    table: &mut Table,
    (op, reduce, into): (u32, u32, u32),
    (form, dim, index): (u32, f64, u32),
    src: Source,
) -> Result<bool> {
    let target = table.target((form, dim), index)?;
    let scatter = Scatter { op: operator(op)?, target, src, reduce: wire::reduce(reduce) };
    scatter.run(table.tensor_mut(into)?).map(|()| true)
}

/// A gather; the handle of the result.
#[wasm_bindgen]
pub fn gather(op: u32, tensor: u32, form: u32, dim: f64, index: u32) -> u32 {
    attempt(|| {
        table::with(|table| {
            let gather = Gather { op: operator(op)?, target: table.target((form, dim), index)? };
            let out = gather.run(table.tensor(tensor)?)?;
            table.keep(out)
        })
    })
}

/// The product of two tensors by the alignment of the operator; the handle of the result.
#[wasm_bindgen]
pub fn multiply(op: u32, x: u32, y: u32, axis: f64, activation: u32) -> u32 {
    attempt(|| {
        let (x, y) = (table::tensor(x)?, table::tensor(y)?);
        let act = Activation::ALL.get(activation as usize).copied();
        let out = match operator(op)? {
            Op::ElementwiseMul => crate::ops::elementwise_mul(&x, &y, axis as i64, act)?,
            _ => x.mul(&y)?,
        };
        table::keep(out)
    })
}

/// The same into x.
#[wasm_bindgen]
pub fn multiply_in_place(x: u32, y: u32) -> bool {
    attempt(|| {
        table::with(|table| {
            let y = table.tensor(y)?.clone();
            table.tensor_mut(x)?.mul_(&y).map(|()| true)
        })
    })
}
