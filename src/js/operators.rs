//! The operators, on handles.

use wasm_bindgen::prelude::*;

use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::facts::attempt;
use crate::js::table::{self, Table};
use crate::js::tensors::scalar;
use crate::js::wire;
use crate::ops::{Call, Gather, Given, Segments};
use crate::plan::{Activation, Factor, Op, Reduction};

#[inline(always)]
pub(super) fn operator(number: u32) -> Result<Op> {
    wire::op(number).ok_or_else(no_operator)
}

#[cold]
#[inline(never)]
fn no_operator() -> Error {
    Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, "Tensor", "no such operator")
}

/// A scatter into `target`: of the tensor `src` times the scalar, or of the scalar where `src` is 0. Whether it was done.
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
            table.update(target, [index, src], |table, target| {
                writing(table, (op, update), (form, dim, index, mode), src, (kind, value))?
                    .run(target)
                    .map(|()| true)
            })
        })
    })
}

/// The scatter that numbers say.
#[inline(always)]
pub(super) fn writing(
    table: &Table,
    (op, update): (u32, u32),
    (form, dim, index, mode): (u32, f64, u32, u32),
    src: u32,
    (kind, value): (u32, f64),
) -> Result<Call<'_>> {
    let op = operator(op)?;
    let (mode, place) = (wire::mode(mode), table.place(op, (form, dim), index)?);
    let ((update, factor), number) = (wire::update(update), scalar(kind, value));
    let (src, factor) = match src {
        0 => (Given::Scalar(number), factor),
        src if number.as_f64() == 1.0 => (Given::Tensor(table.tensor(src)?), factor),
        src => (Given::Tensor(table.tensor(src)?), Factor::Alpha(number)),
    };
    Ok(Call { op, place, src, factor, update, mode })
}

/// The gather that numbers say: `form`, `dim` and `index` its place, as [`Table::place`] reads them, `kind` and `fill` its fill value, as
/// [`scalar`] does.
pub(super) fn reading(
    table: &Table,
    op: u32,
    (form, dim, index, mode): (u32, f64, u32, u32),
    (kind, fill): (u32, f64),
) -> Result<Gather> {
    let op = operator(op)?;
    let target = table.place(op, (form, dim), index)?.into();
    Ok(Gather { op, target, mode: wire::mode(mode), fill_value: scalar(kind, fill) })
}

/// A gather; the handle of the result.
#[wasm_bindgen]
pub fn gather(op: u32, tensor: u32, form: u32, dim: f64, index: u32, mode: u32, kind: u32, fill: f64) -> u32 {
    attempt(|| {
        table::with(|table| {
            let gather = reading(table, op, (form, dim, index, mode), (kind, fill))?;
            let out = gather.run(table.tensor(tensor)?)?;
            table.keep(out)
        })
    })
}

/// A gather whose index broadcasts, or of the flat tensor where `dim` is NaN; the handle of the result.
#[wasm_bindgen]
pub fn take_along_dim(tensor: u32, dim: f64, index: u32, mode: u32, kind: u32, fill: f64) -> u32 {
    attempt(|| {
        let (tensor, index) = (table::tensor(tensor)?, table::tensor(index)?);
        let dim = (!dim.is_nan()).then_some(dim as i64);
        let (table, target) = tensor.along_broadcast(&index, dim)?;
        let (mode, fill_value) = (wire::mode(mode), scalar(kind, fill));
        table::keep(Gather { op: Op::TakeAlongDim, target, mode, fill_value }.run(&table)?)
    })
}

/// Segments of `data`, whose ends are `offsets` or `lengths`; the handle of the result.
#[wasm_bindgen]
pub fn segment_reduce(
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
        let segments = if are_offsets { Segments::Offsets(&segments) } else { Segments::Lengths(&segments) };
        let reduction = Reduction::ALL.get(reduction as usize).copied().unwrap_or(Reduction::Sum);
        table::keep(crate::ops::segment_reduce(&data, reduction, segments, initial)?)
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
        table::with(|table| table.update(x, [y, y], |table, x| x.mul_(table.tensor(y)?).map(|()| true)))
    })
}
