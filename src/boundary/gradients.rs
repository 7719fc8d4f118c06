//! `vjp`: gradients, on handles.
//!
//! `operators.rs` explains the parameters of the exported functions. `cotangent` is the handle of the gradient with respect to the
//! operator's result. `exact` makes sums in gradients exact.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::operators::{gather_of, operator, scatter_of};
use crate::boundary::{table, wire};
use crate::error::Result;
use crate::ops::elementwise_mul_vjp;
use crate::plan::{Activation, Op};
use crate::tensor::Tensor;

thread_local! {
    /// The second gradient of the last call, until JavaScript asks for it.
    static SECOND: RefCell<Option<Tensor>> = const { RefCell::new(None) };
}

/// Puts the first gradient into the table and returns its handle. The second waits for `second_gradient`, and replaces an unused
/// one of an earlier call. If the first cannot be kept, the second is dropped.
fn keep_both(first: Tensor, second: Option<Tensor>) -> Result<u32> {
    SECOND.take();
    let handle = table::keep(first)?;
    SECOND.set(second);
    Ok(handle)
}

/// The gradients of a scatter into `tensor`. The other parameters are those of `scatter`. Returns the handle of the gradient with
/// respect to `tensor`. The second gradient is that with respect to `src`, if `src` is a tensor.
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
            let call = scatter_of(all, (op, update), (form, dim, index, mode), src, (kind, value))?;
            call.vjp(all.tensor(tensor)?, all.tensor(cotangent)?)
        })?;
        keep_both(gradients.table, gradients.src)
    })
}

/// The gradient of a gather with respect to `tensor`. The other parameters are those of `gather`. Returns its handle.
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
    exact: bool,
) -> u32 {
    attempt(|| {
        table::keep(table::with(|all| {
            let gather = gather_of(all, op, (form, dim, index, mode), (kind, fill))?;
            gather.vjp(all.tensor(tensor)?, all.tensor(cotangent)?, wire::sum(exact))
        })?)
    })
}

/// The gradients of a product. The parameters are those of `multiply`. Returns the handle of the gradient with respect to x. The
/// second gradient is that with respect to y.
#[wasm_bindgen]
pub fn multiply_vjp(op: u32, x: u32, y: u32, cotangent: u32, axis: f64, activation: u32, exact: bool) -> u32 {
    attempt(|| {
        let (x, y, cotangent) = (table::tensor(x)?, table::tensor(y)?, table::tensor(cotangent)?);
        let act = Activation::ALL.get(activation as usize).copied();
        let [for_x, for_y] = match operator(op)? {
            Op::ElementwiseMul => {
                elementwise_mul_vjp(&x, &y, axis as i64, act, &cotangent, wire::sum(exact))?
            }
            _ => x.mul_vjp(&y, &cotangent, wire::sum(exact))?,
        };
        keep_both(for_x, Some(for_y))
    })
}

/// The handle of the second gradient of the last scatter or product. JavaScript can ask for it once. 0 if no second gradient
/// exists, or after a failure.
#[wasm_bindgen]
pub fn second_gradient() -> u32 {
    attempt(|| SECOND.take().map_or(Ok(0), table::keep))
}
