//! The bins of columns, and samples with their edges.

use crate::histograms::backend;
use crate::histograms::backend::{check_edges, insert_edges_of_min_max};
use crate::histograms::places;
use crate::histograms::plan::histogram::{Division, HistogramPlan};
use crate::{DType, Device, Result, Tensor};

/// How a column of samples is divided into bins.
#[derive(Clone)]
pub enum Bins {
    /// This number of bins of equal width.
    Count(i64),
    /// Bins between these edges, which must not decrease. They may be on a GPU if the samples are.
    Edges(Tensor),
}

impl From<i64> for Bins {
    fn from(count: i64) -> Self {
        Self::Count(count)
    }
}
impl From<&Tensor> for Bins {
    fn from(edges: &Tensor) -> Self {
        Self::Edges(edges.clone())
    }
}

impl Bins {
    fn division(&self) -> Division<'_> {
        match self {
            Self::Count(count) => Division::Uniform(*count),
            Self::Edges(edges) => Division::Edges(edges.operand()),
        }
    }
}

/// The plan's form of the bins and ranges of columns.
pub(crate) fn divisions(columns: &[(Bins, Option<[f64; 2]>)]) -> Vec<(Division<'_>, Option<[f64; 2]>)> {
    columns.iter().map(|(bins, range)| (bins.division(), *range)).collect()
}

/// Samples with the edges of their bins.
pub(crate) struct Binned {
    /// The samples as their device compares them.
    pub(crate) samples: Tensor,
    /// The edges of each column, as the caller gets them.
    pub(crate) edges: Vec<Tensor>,
    /// What the samples are compared with, as float64: the edges, or those between places.
    pub(crate) numbers: Vec<Tensor>,
}

impl Binned {
    pub(crate) fn new(
        plan: &HistogramPlan,
        x: &Tensor,
        mask: Option<&Tensor>,
        columns: &[(Bins, Option<[f64; 2]>)],
    ) -> Result<Self> {
        let op = plan.op().name();
        // `open` are the columns whose edges come from the samples.
        let (mut edges, mut open, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        // The columns whose samples are places among their edges.
        let (mut places, mut x) = (Vec::new(), x.clone());
        for (column, bins) in columns.iter().enumerate() {
            match known_edges(plan, &x, column, bins)? {
                Some(known) => edges.push(known),
                None => open.push(column),
            }
        }
        for (column, (bins, _)) in columns.iter().enumerate() {
            if let Bins::Edges(given) = bins
                && places::are_needed(plan, column, given)?
            {
                x = places::with_places(plan, &x, column, given)?;
                places.push(column);
            }
        }
        // Integers of 64 bits are compared as float64. The CPU converts while it counts.
        let is_converted = x.device() != Device::Cpu && !x.dtype.is_float() && x.dtype.size() == 8;
        let samples = if is_converted { x.convert(op, DType::Float64)? } else { x.clone() };
        insert_edges_of_min_max(plan, &samples, mask, &open, &mut edges)?;
        for (column, own) in edges.iter().enumerate() {
            numbers.push(match places.contains(&column) {
                true => places::edges(plan, column)?,
                false => own.convert(op, DType::Float64)?,
            });
        }
        Ok(Self { samples, edges, numbers })
    }
}

/// The edges of a column: the given edges, or those of a given range. `None` if the edges come from the samples.
fn known_edges(
    plan: &HistogramPlan,
    x: &Tensor,
    column: usize,
    (bins, range): &(Bins, Option<[f64; 2]>),
) -> Result<Option<Tensor>> {
    let op = plan.op();
    if let Bins::Edges(given) = bins {
        let numbers = given.convert(op.name(), DType::Float64)?;
        check_edges(plan, column, (given, &numbers), x)?;
        return Ok(Some(given.clone()));
    }
    // As in NumPy, an empty set of samples has the range 0 to 1.
    let range_of_none = (plan.samples() == 0).then_some([0.0, 1.0]);
    let Some(range) = range.or(range_of_none) else { return Ok(None) };
    backend::edges(op, &plan.edges_of_range(column, range)?).map(Some)
}
