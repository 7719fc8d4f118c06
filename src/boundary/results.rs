//! Calls with several results: the first is returned, the others wait for `next_result`.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

#[cfg(any(feature = "masks", feature = "sort"))]
use crate::boundary::operator;
use crate::boundary::wire::RESULTS;
use crate::boundary::{attempt, set_word, table};
use crate::{Result, Tensor};

thread_local! {
    /// The results that JavaScript has not taken yet, the next one last.
    static WAITING: RefCell<Vec<Tensor>> = const { RefCell::new(Vec::new()) };
}

/// Puts the first result into the table and returns its handle, and their number into the block. The others replace those that an earlier
/// call has left; if the first cannot be kept, they are dropped.
pub(crate) fn keep_all(first: Tensor, mut others: Vec<Tensor>) -> Result<u32> {
    others.reverse();
    WAITING.take();
    set_word(RESULTS, 1 + others.len() as u32);
    let handle = table::keep(first)?;
    WAITING.set(others);
    Ok(handle)
}

/// The handle of the next result. The last call that had several results keeps them here. 0 if none is left, or after a failure.
#[wasm_bindgen]
pub fn next_result() -> u32 {
    attempt(|| WAITING.with_borrow_mut(Vec::pop).map_or(Ok(0), table::keep))
}

/// The first `count` elements of a result whose number was read. Returns their handle.
#[cfg(any(feature = "masks", feature = "sort"))]
#[wasm_bindgen]
pub fn first_elements(op: u32, tensor: u32, count: f64) -> u32 {
    attempt(|| table::keep(table::tensor(tensor)?.first(operator(op)?, count as usize)?))
}
