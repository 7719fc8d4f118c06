//! `bincount`, `histogram` and `histogramdd`, on handles.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::error::Result;
use crate::js::facts::attempt;
use crate::js::operators::operator;
use crate::js::table;
use crate::ops::{self, Bins};
use crate::tensor::Tensor;

thread_local! {
    /// What was told of the columns ahead of a call.
    static COLUMNS: RefCell<Vec<Column>> = const { RefCell::new(Vec::new()) };
    /// The edges of the last call, the first column's at the end.
    static EDGES: RefCell<Vec<Tensor>> = const { RefCell::new(Vec::new()) };
}

/// How a column is divided: the handle of its edges, or 0; the number of its bins, where there are no edges; and its range, if it has one. No
/// tensor is held, because the call may never come.
type Column = (u32, f64, Option<[f64; 2]>);

/// The weights of a call; 0 stands for none.
fn weights(handle: u32) -> Result<Option<Tensor>> {
    if handle == 0 { Ok(None) } else { table::tensor(handle).map(Some) }
}

#[wasm_bindgen]
pub fn bincount(x: u32, weights_handle: u32, minlength: f64) -> u32 {
    attempt(|| {
        let weights = weights(weights_handle)?;
        table::keep(ops::bincount(&table::tensor(x)?, weights.as_ref(), minlength as i64)?)
    })
}

/// Says how column `at` is divided: by the edges of a handle, or where that is 0 into `count` bins; and its range, if it has one. Columns
/// behind it, which a call that failed has left, are forgotten.
#[wasm_bindgen]
pub fn divide(at: u32, edges: u32, count: f64, has_range: bool, low: f64, high: f64) {
    COLUMNS.with_borrow_mut(|columns| {
        columns.truncate(at as usize);
        columns.push((edges, count, has_range.then_some([low, high])));
    });
}

/// Counts the values of `count` columns, which `divide` has described, and returns the handle of the counts. `histogram_edges` hands out the
/// edges.
#[wasm_bindgen]
pub fn histogram(op: u32, x: u32, weights_handle: u32, density: bool, count: u32) -> u32 {
    attempt(|| {
        let mut columns = COLUMNS.take();
        columns.truncate(count as usize);
        let bins = |(edges, count, range): Column| match edges {
            0 => Ok((Bins::Count(count as i64), range)),
            edges => Ok((Bins::Edges(table::tensor(edges)?), range)),
        };
        let columns = columns.into_iter().map(bins).collect::<Result<Vec<_>>>()?;
        let weights = weights(weights_handle)?;
        let (hist, mut edges) =
            ops::count(operator(op)?, &table::tensor(x)?, &columns, weights.as_ref(), density)?;
        edges.reverse();
        EDGES.take();
        let handle = table::keep(hist)?;
        EDGES.set(edges);
        Ok(handle)
    })
}

/// The handle of the next column's edges. Where there is no room for it, those of the others are not kept either.
#[wasm_bindgen]
pub fn histogram_edges() -> u32 {
    attempt(|| {
        let handle = EDGES.with_borrow_mut(Vec::pop).map_or(Ok(0), table::keep);
        if handle.is_err() {
            EDGES.take();
        }
        handle
    })
}
