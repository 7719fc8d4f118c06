//! `histogram`, `histogramdd` and `binned_statistic`, on handles.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::operators::operator;
use crate::boundary::table;
use crate::error::Result;
use crate::histograms::bins::Bins;
use crate::histograms::boundary::{Counted, tensor};
use crate::histograms::plan::binned::Statistic;
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

/// The first `count` columns that `divide_column` described.
fn take_columns(count: u32) -> Result<Vec<(Bins, Option<[f64; 2]>)>> {
    let mut columns = Vec::new();
    for Column { edges, count, range } in COLUMNS.take().iter().take(count as usize) {
        let bins = tensor(*edges)?.map_or(Bins::Count(*count as i64), Bins::Edges);
        columns.push((bins, *range));
    }
    Ok(columns)
}

/// Keeps a result, and its edges for [`histogram_edges`]. Returns the handle of the result.
fn keep_with_edges((result, mut edges): (Tensor, Vec<Tensor>)) -> Result<u32> {
    edges.reverse();
    EDGES.take();
    let handle = table::keep(result)?;
    EDGES.set(edges);
    Ok(handle)
}

/// Counts the samples of the tensor `x`, or sums their weights, in the bins of the `count` columns that `divide_column` described.
/// `density` turns the counts into a density. `exact` makes the sums of weights exact. The other options are those of [`Counted::new`].
/// `op` is the number of `histogram` or `histogramdd`. Returns the handle of the counts. `histogram_edges` then returns the handles of the
/// edges.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments, reason = "only numbers cross")]
pub fn histogram(
    op: u32,
    x: u32,
    weights: u32,
    mask: u32,
    density: bool,
    count: u32,
    dim: f64,
    dtype: u32,
    exact: bool,
) -> u32 {
    attempt(|| {
        let columns = take_columns(count)?;
        let counted = Counted::new(weights, mask, dim, dtype, exact)?;
        let options = counted.options();
        keep_with_edges(crate::histograms::histogram::count(
            operator(op)?,
            &table::tensor(x)?,
            &columns,
            &options,
            density,
        )?)
    })
}

/// The statistic of a number in the bins of the `count` columns that `divide_column` described. `values` and `mask` are handles, 0 for none.
/// Returns the handle of the result. `histogram_edges` then returns the handles of the edges.
#[wasm_bindgen]
pub fn binned_statistic(sample: u32, values: u32, mask: u32, statistic: u32, count: u32) -> u32 {
    attempt(|| {
        let columns = take_columns(count)?;
        let (values, mask) = (tensor(values)?, tensor(mask)?);
        let statistic = Statistic::ALL.get(statistic as usize).copied().unwrap_or(Statistic::Count);
        let sample = table::tensor(sample)?;
        keep_with_edges(crate::histograms::binned_statistic::binned_statistic(
            &sample,
            values.as_ref(),
            statistic,
            &columns,
            mask.as_ref(),
        )?)
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
