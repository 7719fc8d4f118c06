//! JavaScript's `IndexPlan`: an index prepared once, used for many calls.

use wasm_bindgen::prelude::*;

use crate::boundary::facts;
use crate::boundary::wire::{ALONG, IS_OF_TUPLES, SLICES, UPDATES};
use crate::boundary::{attempt, block_shape, set_dims, set_word, table};
use crate::{IndexPlan, Tensor};

/// Prepares an index for tensors of the shape whose `rank` sizes are in the block. Returns the handle of the plan. `call` is the
/// number of the call that errors name. `form`, `dim` and `mode` are as for a scatter, but TUPLES ignores `dim`. `index` is the
/// handle of a tensor.
#[wasm_bindgen]
pub fn plan(call: u32, form: u32, rank: u32, dim: f64, index: u32, mode: u32) -> u32 {
    attempt(|| {
        let (shape, index) = (block_shape(call, rank)?, table::tensor(index)?);
        // A plan outlives the call, and a GPUBuffer of the caller's belongs to one tensor only. So the plan gets a copy of such a
        // buffer.
        let index = Tensor { storage: index.storage.owned("IndexPlan")?, ..index };
        let (dims, mode) = (shape.dims(), facts::mode(mode));
        let plan = match form {
            ALONG => IndexPlan::along_with(dims, dim as i64, &index, mode)?,
            SLICES => IndexPlan::select(dims, dim as i64, &index, mode)?,
            _ => IndexPlan::nd_with(dims, &index, mode)?,
        };
        table::keep_plan(plan)
    })
}

/// Puts the shape of a plan, the number of its updates and whether its index holds tuples into the block. Does nothing if the plan
/// does not exist.
#[wasm_bindgen]
pub fn describe_plan(handle: u32) {
    if let Ok(plan) = table::plan(handle) {
        set_dims(plan.shape());
        set_word(UPDATES, plan.updates() as u32);
        set_word(IS_OF_TUPLES, plan.is_of_tuples().into());
    }
}

/// Whether two updates of a plan have the same slot: 1 for no, 2 for yes, 0 after a failure.
#[wasm_bindgen]
pub fn plan_duplicates(handle: u32) -> u32 {
    attempt(|| Ok(1 + u32::from(table::plan(handle)?.has_duplicates()?)))
}

#[wasm_bindgen]
pub fn plan_counts(handle: u32) -> u32 {
    attempt(|| table::keep(table::plan(handle)?.counts()?))
}

/// Whether every index value of a plan is known, so that a wait returns at once. False if the plan does not exist.
#[wasm_bindgen]
pub fn plan_is_ready(handle: u32) -> bool {
    table::plan(handle).is_ok_and(|plan| plan.is_ready())
}
