//! The operators, on handles.

use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::facts::attempt;
use crate::js::table::{self, Index};
use crate::js::tensors::scalar;
use crate::js::wire::{self, ALONG, TUPLES};
use crate::ops::{Gather, Scatter, Source};
use crate::plan::{Activation, Op, Reduce};
use crate::tensor::Tensor;

pub(super) fn operator(number: u32) -> Result<Op> {
    let unknown = || Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, "Tensor", "no such operator");
    wire::op(number).ok_or_else(unknown)
}

/// A scatter whose operands have no tensor to write to yet.
pub(super) fn scatter_of<'a>(
    op: Op,
    (form, dim): (u32, f64),
    index: &'a Index,
    src: Source<'a>,
    reduce: Reduce,
) -> Scatter<'a> {
    match index {
        Index::Plan(plan) => Scatter::Planned { op, plan, src, reduce },
        Index::Tensor(index) if form == ALONG => Scatter::Along { op, dim: dim as i64, index, src, reduce },
        Index::Tensor(indices) if form == TUPLES => Scatter::Tuples { op, indices, updates: src },
        Index::Tensor(indices) => Scatter::Rows { indices, updates: src },
    }
}

pub(super) fn gather_of(op: Op, (form, dim): (u32, f64), index: &Index) -> Gather<'_> {
    match index {
        Index::Plan(plan) => Gather::Planned { op, plan },
        Index::Tensor(index) if form == ALONG => Gather::Along { dim: dim as i64, index },
        Index::Tensor(indices) => Gather::Tuples { indices },
    }
}

/// A scatter of a tensor into `target`; whether it was done.
#[wasm_bindgen]
pub fn scatter(op: u32, reduce: u32, target: u32, form: u32, dim: f64, index: u32, src: u32) -> bool {
    attempt(|| {
        table::with(|table| {
            // Shared, not moved: where an operand is the target, what is written then is a copy.
            let (index, src) = (table.index(index)?, table.tensor(src)?.clone());
            let scatter =
                scatter_of(operator(op)?, (form, dim), &index, Source::Tensor(&src), wire::reduce(reduce));
            scatter.run(table.tensor_mut(target)?).map(|()| true)
        })
    })
}

/// The same of a scalar.
#[wasm_bindgen]
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
    attempt(|| {
        table::with(|table| {
            let (index, src) = (table.index(index)?, Source::Scalar(scalar(kind, value)));
            let scatter = scatter_of(operator(op)?, (form, dim), &index, src, wire::reduce(reduce));
            scatter.run(table.tensor_mut(target)?).map(|()| true)
        })
    })
}

/// A gather; the handle of the result.
#[wasm_bindgen]
pub fn gather(op: u32, target: u32, form: u32, dim: f64, index: u32) -> u32 {
    attempt(|| {
        table::with(|table| {
            let index = table.index(index)?;
            let out = gather_of(operator(op)?, (form, dim), &index).run(table.tensor(target)?)?;
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
        let out: Tensor = match operator(op)? {
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
