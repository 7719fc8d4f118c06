//! 64-bit integers among edges that are 64-bit integers too.
//!
//! Samples and edges are compared as float64, in which neighbours beyond 2^53 are one number. So a search finds the place of each sample among
//! the edges, by their values. Places take the place of samples, and numbers between them that of edges: the bins are the same.

use crate::elementwise::broadcast;
use crate::histograms::plan::histogram::{HistogramPlan, WrongEdge};
use crate::plan::{Op, Reduce};
use crate::scatter::call::Scatter;
use crate::sort::backend::first_unsorted;
use crate::sort::plan::SearchPlan;
use crate::sort::search_by;
use crate::{DType, Result, Scalar, Shape, Storage, Target, Tensor, dispatch};

/// From here on float64 does not tell integers apart.
const INDISTINCT: u64 = 1 << f64::MANTISSA_DIGITS;

/// Whether samples and edges are 64-bit integers.
pub(crate) fn are_wide(plan: &HistogramPlan, edges: &Tensor) -> bool {
    let is_wide = |dtype: DType| !dtype.is_float() && dtype.size() == 8;
    is_wide(edges.dtype) && is_wide(plan.dtype())
}

/// Whether samples have to be replaced by their places among these edges: both are 64-bit integers, and float64 may not hold the edges. It holds
/// smaller ones, and then it tells every sample from them. Refuses edges that decrease, by their values.
pub(crate) fn are_needed(plan: &HistogramPlan, column: usize, edges: &Tensor) -> Result<bool> {
    if !are_wide(plan, edges) {
        return Ok(false);
    }
    let Storage::Host(buffer) = &edges.storage else { return Ok(true) };
    if let Some((at, edge)) = first_unsorted(buffer, edges.dtype) {
        let edge = Scalar::load(edge, edges.dtype).as_f64();
        return Err(plan.wrong_edge(column, at, edge, WrongEdge::Decreases));
    }
    let (edges, is_signed) = (buffer.elements::<u64>(), edges.dtype == DType::Int64);
    let is_large = |&bits: &u64| (if is_signed { (bits as i64).unsigned_abs() } else { bits }) >= INDISTINCT;
    Ok(edges.first().is_some_and(is_large) || edges.last().is_some_and(is_large))
}

/// The samples with their places among `edges` in one column: 0 and the number of edges for a sample outside all bins, else the number of its bin
/// plus one. In their dtype.
pub(crate) fn with_places(
    plan: &HistogramPlan,
    samples: &Tensor,
    column: usize,
    edges: &Tensor,
) -> Result<Tensor> {
    if plan.columns() == 1 {
        return places(plan, samples, column, edges);
    }
    let at = Tensor::from_elements(&[1], &[column as i32])?;
    let own = places(plan, &samples.index_select(1, &at)?, column, edges)?;
    let mut replaced = samples.clone();
    Scatter::new(Op::IndexCopy, Target::slices(1, &at), own.into(), Reduce::Replace).run(&mut replaced)?;
    Ok(replaced)
}

fn places(plan: &HistogramPlan, samples: &Tensor, column: usize, edges: &Tensor) -> Result<Tensor> {
    let op = plan.op().name();
    let last =
        Tensor::filled(op, "bins", Shape::scalar(), Scalar::Int(plan.bins(column) as i128), DType::Int64)?;
    let last = dispatch::on_device_of(op, samples, last)?;
    // Behind equal edges, but for the last edge, which is in the last bin.
    let search = |is_right| {
        let plan = SearchPlan::new(edges.operand(), samples.operand(), is_right)?;
        search_by(&plan.checked(), edges, samples)
    };
    let (behind, before) = (search(true)?, search(false)?);
    let before = broadcast(Op::Maximum, &before, &last, None)?;
    broadcast(Op::Minimum, &behind, &before, None)?.convert(op, samples.dtype)
}

/// The edges between the places of a column, as float64.
pub(crate) fn edges(plan: &HistogramPlan, column: usize) -> Result<Tensor> {
    let edges: Vec<f64> = (0..=plan.bins(column)).map(|bin| bin as f64 + 0.5).collect();
    Tensor::from_elements(&[edges.len()], &edges)
}
