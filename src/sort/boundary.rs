//! Sorts, distinct elements and searches, on handles.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::second::keep_both;
use crate::boundary::table;
use crate::plan::op::Op;
use crate::tensor::Tensor;

thread_local! {
    /// The results of the last `unique` that JavaScript has not taken yet, the next one last.
    static RESULTS: RefCell<Vec<Tensor>> = const { RefCell::new(Vec::new()) };
}

/// The order of the elements of `tensor` along `dim`. Returns the handle of the positions.
#[wasm_bindgen]
pub fn argsort(tensor: u32, dim: f64, is_descending: bool) -> u32 {
    attempt(|| table::keep(table::tensor(tensor)?.argsort(dim as i64, is_descending)?))
}

/// The elements of `tensor` in their order along `dim`. Returns their handle; the positions wait for `second_result`.
#[wasm_bindgen]
pub fn sort(tensor: u32, dim: f64, is_descending: bool) -> u32 {
    attempt(|| {
        let sorted = table::tensor(tensor)?.sort(dim as i64, is_descending)?;
        keep_both(sorted.values, Some(sorted.indices))
    })
}

/// The distinct elements of `x`. Returns the handle of the values. `unique_next` then returns those of index, inverse and counts, and on a
/// GPU that of the number of values, to which `first_elements` shortens values, index and counts.
#[wasm_bindgen]
pub fn unique(x: u32) -> u32 {
    attempt(|| {
        let all = crate::sort::unique(&table::tensor(x)?)?;
        RESULTS.take();
        let handle = table::keep(all.values)?;
        RESULTS.set(all.count.into_iter().chain([all.counts, all.inverse, all.index]).collect());
        Ok(handle)
    })
}

/// The handle of the next result of the last `unique`; 0 after the last. If it cannot be kept, the later ones are dropped.
#[wasm_bindgen]
pub fn unique_next() -> u32 {
    attempt(|| {
        let handle = RESULTS.with_borrow_mut(Vec::pop).map_or(Ok(0), table::keep);
        if handle.is_err() {
            RESULTS.take();
        }
        handle
    })
}

/// The first `count` elements of a result of `unique`. Returns their handle.
#[wasm_bindgen]
pub fn first_elements(tensor: u32, count: f64) -> u32 {
    attempt(|| table::keep(table::tensor(tensor)?.first(Op::Unique, count as usize)?))
}

/// The number of `edges` before each element of `x`, or behind equal edges if `is_right`. Returns the handle of the result.
#[wasm_bindgen]
pub fn searchsorted(edges: u32, x: u32, is_right: bool) -> u32 {
    attempt(|| table::keep(crate::sort::searchsorted(&table::tensor(edges)?, &table::tensor(x)?, is_right)?))
}
