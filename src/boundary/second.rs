//! Calls with two results: the first is returned, the second waits for `second_result`.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::table;
use crate::error::Result;
use crate::tensor::Tensor;

thread_local! {
    /// The second result of the last call that has two, until JavaScript asks for it.
    static SECOND: RefCell<Option<Tensor>> = const { RefCell::new(None) };
}

/// Puts the first result into the table and returns its handle. The second waits for `second_result`, and replaces an unused
/// one of an earlier call. If the first cannot be kept, the second is dropped.
pub(crate) fn keep_both(first: Tensor, second: Option<Tensor>) -> Result<u32> {
    SECOND.take();
    let handle = table::keep(first)?;
    SECOND.set(second);
    Ok(handle)
}

/// The handle of the second result of the last call that has two: gradients, or values and winners. JavaScript can ask for it once. 0 if no
/// second result exists, or after a failure.
#[wasm_bindgen]
pub fn second_result() -> u32 {
    attempt(|| SECOND.take().map_or(Ok(0), table::keep))
}
