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
    /// The columns of the next call of `histogram`, as `divide_column` has described them.
    static COLUMNS: RefCell<Vec<Column>> = const { RefCell::new(Vec::new()) };
    /// The edges of the last call that were not handed out yet, those of the first column last.
    static EDGES: RefCell<Vec<Tensor>> = const { RefCell::new(Vec::new()) };
}

/// How one column of the samples is divided into bins. It holds no tensor, because the call that it is for may never come.
struct Column {
    /// The handle of the edges, or 0.
    edges: u32,
    /// The number of bins where there are no edges.
    count: f64,
    /// The ends of the range, if it has one. Beside edges they are checked and have no effect.
    range: Option<[f64; 2]>,
}

/// The tensor of a handle; 0 stands for none.
fn tensor(handle: u32) -> Result<Option<Tensor>> {
    if handle == 0 { Ok(None) } else { table::tensor(handle).map(Some) }
}

/// Weights, whose sums are exact or ordered.
fn weights(values: Option<&Tensor>, exact: bool) -> Option<Weights<'_>> {
    values.map(|values| Weights { values, sum: wire::sum(exact) })
}

/// Counts how often each number occurs in the tensor `x`, or adds up the weights of its occurrences. Returns the handle of the counts, of
/// which there are at least `minlength`. `exact`: whether sums of weights are exact.
#[wasm_bindgen]
pub fn bincount(x: u32, weights_handle: u32, minlength: f64, exact: bool) -> u32 {
    attempt(|| {
        let values = tensor(weights_handle)?;
        let weights = weights(values.as_ref(), exact);
        table::keep(ops::bincount(&table::tensor(x)?, weights, minlength as i64)?)
    })
}

/// Says how column `at` is divided in the next call of `histogram`: by the edges of the handle `edges`, or if that is 0 into `count` bins; and
/// if `has_range`, from `low` to `high`. Columns are described in order, from 0 on. Columns that are there from `at` on are dropped first:
/// an earlier call that failed has left them unused.
#[wasm_bindgen]
pub fn divide_column(at: u32, edges: u32, count: f64, has_range: bool, low: f64, high: f64) {
    COLUMNS.with_borrow_mut(|columns| {
        columns.truncate(at as usize);
        columns.push(Column { edges, count, range: has_range.then_some([low, high]) });
    });
}

/// Counts the samples of the tensor `x`, or adds up their weights, in the bins of the `count` columns that `divide_column` has described.
/// If `density`, makes a density of that; `exact`: whether sums of weights are exact. `op` is the number of `histogram` or `histogramdd`. Returns the handle of the counts;
/// `histogram_edges` then returns those of the edges.
#[wasm_bindgen]
pub fn histogram(op: u32, x: u32, weights_handle: u32, density: bool, count: u32, exact: bool) -> u32 {
    attempt(|| {
        let mut columns = COLUMNS.take();
        columns.truncate(count as usize);
        let bins = |Column { edges, count, range }: Column| match edges {
            0 => Ok((Bins::Count(count as i64), range)),
            edges => Ok((Bins::Edges(table::tensor(edges)?), range)),
        };
        let columns = columns.into_iter().map(bins).collect::<Result<Vec<_>>>()?;
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

/// The handle of the edges of the next column of the last call, beginning with the first; 0 if there is none. If it cannot be kept, the
/// edges of the columns after it are dropped.
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
