//! `vjp`: gradients, on handles.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::error::Result;
use crate::js::facts::attempt;
use crate::js::operators::{operator, reading, writing};
use crate::js::table;
use crate::ops::elementwise_mul_vjp;
use crate::plan::{Activation, Op};
use crate::tensor::Tensor;

thread_local! {
    /// That of the other operand of the last call, until JavaScript asks for it.
    static SECOND: RefCell<Option<Tensor>> = const { RefCell::new(None) };
}

/// The handle of the first gradient. Where there is no room for it, the second is not kept either.
fn keep_both(first: Tensor, second: Option<Tensor>) -> Result<u32> {
    SECOND.take();
    let handle = table::keep(first)?;
    SECOND.set(second);
    Ok(handle)
}

/// The gradients of a scatter, whose numbers are those of `trace_scatter`; the handle of self's.
#[wasm_bindgen]
pub fn scatter_vjp(
    op: u32,
    update: u32,
    tensor: u32,
    cotangent: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    src: u32,
    kind: u32,
    value: f64,
) -> u32 {
    attempt(|| {
        let gradients = table::with(|all| {
            let call = writing(all, (op, update), (form, dim, index, mode), src, (kind, value))?;
            call.vjp(all.tensor(tensor)?, all.tensor(cotangent)?)
        })?;
        keep_both(gradients.table, gradients.src)
    })
}

/// The gradient of a gather with respect to `tensor`, whose numbers are those of `gather`; its handle.
#[wasm_bindgen]
pub fn gather_vjp(
    op: u32,
    tensor: u32,
    cotangent: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    kind: u32,
    fill: f64,
) -> u32 {
    attempt(|| {
        table::keep(table::with(|all| {
            let gather = reading(all, op, (form, dim, index, mode), (kind, fill))?;
            gather.vjp(all.tensor(tensor)?, all.tensor(cotangent)?)
        })?)
    })
}

/// The gradients of a product; the handle of x's.
#[wasm_bindgen]
pub fn multiply_vjp(op: u32, x: u32, y: u32, cotangent: u32, axis: f64, activation: u32) -> u32 {
    attempt(|| {
        let (x, y, cotangent) = (table::tensor(x)?, table::tensor(y)?, table::tensor(cotangent)?);
        let act = Activation::ALL.get(activation as usize).copied();
        let [for_x, for_y] = match operator(op)? {
            Op::ElementwiseMul => elementwise_mul_vjp(&x, &y, axis as i64, act, &cotangent)?,
            _ => x.mul_vjp(&y, &cotangent)?,
        };
        keep_both(for_x, Some(for_y))
    })
}

/// The second gradient of the last call; its handle.
#[wasm_bindgen]
pub fn second_gradient() -> u32 {
    attempt(|| SECOND.take().map_or(Ok(0), table::keep))
}
