//! `bincount`, `histogram` and `histogramdd`, on handles.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::error::Result;
use crate::js::facts::attempt;
use crate::js::operators::operator;
use crate::js::table;
use crate::ops::{self, Bins};
use crate::plan::Op;
use crate::shape::MAX_RANK;
use crate::tensor::Tensor;

thread_local! {
    /// What was told of the columns ahead of a call.
    static BINS: RefCell<Vec<Bins>> = const { RefCell::new(Vec::new()) };
    static RANGES: RefCell<Vec<Option<[f64; 2]>>> = const { RefCell::new(Vec::new()) };
    /// The edges of the last call, the first column's at the end.
    static EDGES: RefCell<Vec<Tensor>> = const { RefCell::new(Vec::new()) };
}

/// Sets the entry, and forgets those behind it, which an earlier call may have left.
fn put<T>(list: &mut Vec<T>, at: u32, entry: T) {
    list.truncate(at as usize);
    list.push(entry);
}

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

/// Says how a column is divided: by the edges of a handle, or where that is 0 into so many bins.
#[wasm_bindgen]
pub fn divide(at: u32, edges: u32, count: f64) -> bool {
    attempt(|| {
        let bins = if edges == 0 { Bins::Count(count as i64) } else { Bins::Edges(table::tensor(edges)?) };
        BINS.with_borrow_mut(|list| put(list, at, bins));
        Ok(true)
    })
}

/// Says which range a column has, if any.
#[wasm_bindgen]
pub fn limit(at: u32, is_given: bool, low: f64, high: f64) {
    RANGES.with_borrow_mut(|list| put(list, at, is_given.then_some([low, high])));
}

/// Counts; the handle of the counts. So many entries were told of bins and of ranges: `is_shared` says that the one of bins is that of
/// every column, and no ranges are none for every column. `histogram_edges` hands out the edges.
#[wasm_bindgen]
pub fn histogram(
    op: u32,
    x: u32,
    weights_handle: u32,
    density: bool,
    is_shared: bool,
    bins: u32,
    ranges: u32,
) -> u32 {
    attempt(|| {
        let (op, x, weights) = (operator(op)?, table::tensor(x)?, weights(weights_handle)?);
        let (mut divisions, mut limits) = (BINS.take(), RANGES.take());
        divisions.truncate(bins as usize);
        limits.truncate(ranges as usize);
        let columns = if op == Op::Histogramdd { x.shape().dims().get(1).copied().unwrap_or(1) } else { 1 };
        // More columns than these are refused.
        let columns = columns.min(MAX_RANK);
        if let Some(bins) = divisions.first().cloned().filter(|_| is_shared) {
            divisions.resize(columns, bins);
        }
        if limits.is_empty() {
            limits.resize(columns, None);
        }
        let (hist, mut edges) = ops::count(op, &x, &divisions, &limits, weights.as_ref(), density)?;
        edges.reverse();
        EDGES.set(edges);
        table::keep(hist)
    })
}

/// The handle of the next column's edges.
#[wasm_bindgen]
pub fn histogram_edges() -> u32 {
    attempt(|| EDGES.with_borrow_mut(Vec::pop).map_or(Ok(0), table::keep))
}
