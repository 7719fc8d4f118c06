//! `bincount`, `histogram` and `histogramdd`, on handles.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::operators::operator;
use crate::boundary::{table, wire};
use crate::error::Result;
use crate::ops::{self, Bins, Weights};
use crate::tensor::Tensor;

thread_local! {
    /// The columns of the next call of `histogram`, as `divide_column` described them.
    static COLUMNS: RefCell<Vec<Column>> = const { RefCell::new(Vec::new()) };
    /// The edges of the last call that JavaScript has not taken yet. Those of the first column are last.
    static EDGES: RefCell<Vec<Tensor>> = const { RefCell::new(Vec::new()) };
}

/// The division of one column of the samples into bins. It holds no tensor, because its call may never come.
struct Column {
    /// The handle of the edges, or 0.
    edges: u32,
    /// The number of bins, if the column has no edges.
    count: f64,
    /// The ends of the range, if the column has one. With edges, the range is checked but has no effect.
    range: Option<[f64; 2]>,
}

/// The tensor of a handle; `None` for 0.
fn tensor(handle: u32) -> Result<Option<Tensor>> {
    if handle == 0 { Ok(None) } else { table::tensor(handle).map(Some) }
}

/// Weights, with exact or ordered sums.
fn weights(values: Option<&Tensor>, exact: bool) -> Option<Weights<'_>> {
    values.map(|values| Weights { values, sum: wire::sum(exact) })
}

/// Counts how often each number occurs in the tensor `x`, or sums the weights of its occurrences. Returns the handle of at least
/// `minlength` counts. `exact` makes the sums of weights exact.
#[wasm_bindgen]
pub fn bincount(x: u32, weights_handle: u32, minlength: f64, exact: bool) -> u32 {
    attempt(|| {
        let values = tensor(weights_handle)?;
        let weights = weights(values.as_ref(), exact);
        table::keep(ops::bincount(&table::tensor(x)?, weights, minlength as i64)?)
    })
}

/// Describes the division of column `at` for the next call of `histogram`: by the edges with the handle `edges`, or, if this is 0,
/// into `count` bins. The range is `low` to `high` if `has_range`. Columns are described in order, from 0 on. Columns from `at` on
/// are dropped first: an earlier call that failed has left them.
#[wasm_bindgen]
pub fn divide_column(at: u32, edges: u32, count: f64, has_range: bool, low: f64, high: f64) {
    COLUMNS.with_borrow_mut(|columns| {
        columns.truncate(at as usize);
        columns.push(Column { edges, count, range: has_range.then_some([low, high]) });
    });
}

/// Counts the samples of the tensor `x`, or sums their weights, in the bins of the `count` columns that `divide_column` described.
/// `density` turns the counts into a density. `exact` makes the sums of weights exact. `op` is the number of `histogram` or
/// `histogramdd`. Returns the handle of the counts. `histogram_edges` then returns the handles of the edges.
#[wasm_bindgen]
pub fn histogram(op: u32, x: u32, weights_handle: u32, density: bool, count: u32, exact: bool) -> u32 {
    attempt(|| {
        let mut columns = Vec::new();
        for Column { edges, count, range } in COLUMNS.take().iter().take(count as usize) {
            let bins = tensor(*edges)?.map_or(Bins::Count(*count as i64), Bins::Edges);
            columns.push((bins, *range));
        }
        let values = tensor(weights_handle)?;
        let weights = weights(values.as_ref(), exact);
        let (hist, mut edges) = ops::count(operator(op)?, &table::tensor(x)?, &columns, weights, density)?;
        edges.reverse();
        EDGES.take();
        let handle = table::keep(hist)?;
        EDGES.set(edges);
        Ok(handle)
    })
}

/// The handle of the next column's edges of the last call, from the first column on; 0 after the last. If the edges cannot be kept,
/// the edges of the later columns are dropped.
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
