//! Operations on two tensors, on handles. `boundary/operators.rs` says what the parameters are.

use wasm_bindgen::prelude::*;

use crate::boundary::{attempt, operator, table, wire};
use crate::elementwise::{aligned, broadcast, broadcast_in_place};
use crate::plan::{Activation, Page};

/// An operation on two tensors. Returns the handle of the result. `elementwise_mul` and its siblings align y with x from dimension
/// `axis` on, or at the end for -1; then they apply the activation; any other number means none. `mul` and its siblings align as NumPy
/// does. They and all other operators ignore both parameters; `rounding` is that of a quotient.
#[wasm_bindgen]
pub fn elementwise(op: u32, x: u32, y: u32, axis: f64, activation: u32, rounding: u32) -> u32 {
    attempt(|| {
        let (x, y) = (table::tensor(x)?, table::tensor(y)?);
        let op = operator(op)?;
        let out = match op.page() {
            Page::ElementwiseMul => {
                let act = Activation::ALL.get(activation as usize).copied();
                aligned(op, &x, &y, axis as i64, act)?
            }
            _ => broadcast(op, &x, &y, wire::rounding(rounding))?,
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
            broadcast_in_place(operator, x, &other, wire::rounding(rounding)).map(|()| true)
        })
    })
}
