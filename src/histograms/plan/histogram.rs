//! Histograms: the counted samples, the division of each column into bins, and the edges of the bins.
//!
//! `column` is the number of a column of the samples, from 0 on. The samples of `histogram` are one column. A range is its two
//! ends, the lower one first.

use std::slice;

use crate::histograms::plan::counting::{Counted, Groups};
use crate::histograms::plan::uniform_edges::UniformEdges;
use crate::plan::getters::getters;
use crate::plan::{Op, Operand, Reduce, Sum, Update, value_error, wrong_dtype, wrong_value};
use crate::{Allowed, DType, Error, ErrorCode, FactValue, MAX_OP_RANK, Result, Scalar, Shape, list};

/// How to divide a column of samples.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Division<'a> {
    /// This number of bins of equal width.
    Uniform(i64),
    /// Bins between these edges.
    Edges(Operand<'a>),
}

/// Why a range cannot be divided into bins of equal width.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NoEdges {
    /// The range comes from the samples, and this sample is NaN or infinite.
    NotFinite(f64),
    /// The width of the range is beyond the largest number of the dtype in which the edges are computed.
    TooWide,
    /// An end of the range is beyond the largest number of the dtype of the edges.
    Beyond,
    /// The dtype has too few numbers within the range for the edges to differ.
    TooMany,
}

/// Why a given edge is refused.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WrongEdge {
    NotANumber,
    Decreases,
}

/// A checked call of `histogram` or `histogramdd`, or the bins of `binned_statistic` and `bin_codes`. Only conditions on values are still unchecked.
#[derive(Debug, Clone)]
pub(crate) struct HistogramPlan {
    op: Op,
    /// The dtype of the samples.
    dtype: DType,
    /// A sample has a number in each.
    columns: usize,
    samples: usize,
    groups: Groups,
    /// The number of bins of each column.
    bins: Shape,
    /// The dimensions of the groups, then a dimension for each column, whose size is its number of bins.
    out_shape: Shape,
    /// The one that the caller chose, else that of the weights. Without weights it is int64 for `histogram`, else float64.
    out_dtype: DType,
    /// How weights are summed.
    sum: Sum,
}

/// The dtype in which the CPU counts samples in `flat_bins` counters, one for each element of the result. The counts are then
/// converted to `out`. Loops over elements of four bytes are faster, so this is uint32 if every count fits it, and if there are at
/// least eight times as many samples as bins: the conversion then costs next to nothing. Otherwise it is `out` itself, unless that is
/// a float dtype that does not hold every count.
pub(crate) fn count_dtype(samples: usize, flat_bins: usize, out: DType) -> DType {
    let is_inexact = out.is_float() && out != DType::Float64;
    match u32::try_from(samples) {
        Ok(_) if is_inexact || flat_bins <= samples / 8 => DType::Uint32,
        Err(_) if is_inexact => DType::Int64,
        _ => out,
    }
}

impl HistogramPlan {
    /// `divisions` has an entry for each column: its division, and the range of its bins of equal width. The range is `None` if it comes from
    /// the samples.
    pub(crate) fn new(
        op: Op,
        x: Operand<'_>,
        counted: &Counted<'_>,
        divisions: &[(Division<'_>, Option<[f64; 2]>)],
    ) -> Result<Self> {
        let [name, _] = op.operand_names();
        if x.dtype == DType::Bool {
            let text = format!("{name} has dtype bool, which has no order: {name}.astype('uint8')");
            return Err(wrong_dtype(op, name, x.dtype, text));
        }
        // `weights_dims` is the shape that weights and mask must have. A sample of `histogramdd` is a row of x.
        let (columns, samples, weights_dims) = match (op, x.shape.dims()) {
            (Op::Histogram, dims) => (1, x.shape.size(), dims),
            (Op::BinnedStatistic | Op::BinCodes, [samples]) => (1, *samples, slice::from_ref(samples)),
            // Nothing says how many columns a `[]` has.
            (_, dims @ [0]) => (divisions.len(), 0, dims),
            (_, &[ref samples, columns]) => (columns, *samples, slice::from_ref(samples)),
            (_, dims) => {
                let text = format!(
                    "sample has rank {} (shape {}); it needs rank 2, a row for each sample and a column for each \
                     coordinate (sample.reshape([n, 1]) for one)",
                    dims.len(),
                    x.shape
                );
                return Err(value_error(op, ErrorCode::RankMismatch, name, text).shape(name, dims));
            }
        };
        if columns == 0 || columns > MAX_OP_RANK {
            let text = format!("{name} {} has {columns} columns; 1 to {MAX_OP_RANK} are supported", x.shape);
            return Err(value_error(op, ErrorCode::RankLimit, name, text).shape(name, x.shape.dims()));
        }
        let count = divisions.len();
        if count != columns {
            let text = format!("{name} {} has {columns} columns, and bins or range {count} entries", x.shape);
            return Err(value_error(op, ErrorCode::ShapeMismatch, "bins", text).shape(name, x.shape.dims()));
        }
        counted.check(op, weights_dims, (name, x.shape))?;
        let (groups, mut dims) = Groups::new(op, x.shape, counted.dim)?;
        let mut sizes = [0; MAX_OP_RANK];
        for (size, &(division, range)) in sizes.iter_mut().zip(divisions) {
            *size = bins(op, division)?;
            range.map_or(Ok(()), |range| check_range(op, range))?;
        }
        let sizes = sizes.get(..columns).unwrap_or_default();
        dims.extend_from_slice(sizes);
        let shape = |dims: &[usize]| Shape::new(op.name(), dims).ok();
        // One more bin takes the samples outside all bins, and every position must fit 32 bits.
        let out_shape = shape(&dims).filter(|shape| u32::try_from(shape.size() + 1).is_ok());
        let (Some(out_shape), Some(bins)) = (out_shape, shape(sizes)) else {
            let text = format!("{} are more bins than can be counted in one call", list(&dims));
            return Err(value_error(op, ErrorCode::InvalidShape, "bins", text));
        };
        let counts = if op == Op::Histogram { DType::Int64 } else { DType::Float64 };
        let of_weights = counted.weights.map_or(counts, |weights| weights.dtype);
        let (dtype, sum) = (x.dtype, counted.sum);
        let out_dtype = counted.dtype.unwrap_or(of_weights);
        Ok(Self { op, dtype, columns, samples, groups, bins, out_shape, out_dtype, sum })
    }

    pub(crate) fn with_dtype(self, out_dtype: DType) -> Self {
        Self { out_dtype, ..self }
    }

    getters! {
        pub(crate) op: Op, dtype: DType, columns: usize, samples: usize, groups: Groups, out_dtype: DType;
        out_shape: &Shape
    }

    pub(crate) fn update(&self) -> Update {
        Update { sum: self.sum, ..Reduce::Add.into() }
    }

    /// How many bins each group of samples has.
    pub(crate) fn flat_bins(&self) -> usize {
        self.bins.size()
    }

    /// The edges of a column from a range of given numbers. They are computed in float64. The edges of `histogram` are then rounded
    /// to the dtype of the samples, if that is a float.
    pub(crate) fn edges_of_range(&self, column: usize, [low, high]: [f64; 2]) -> Result<UniformEdges> {
        let is_rounded = self.dtype.is_float() && self.op == Op::Histogram;
        let dtype = if is_rounded { self.dtype } else { DType::Float64 };
        self.edges(column, [low, high], DType::Float64, dtype)
    }

    /// The dtype of edges whose range comes from the samples: that of the samples if they are floats, else float64. Each operation
    /// is rounded to it.
    pub(crate) fn min_max_dtype(&self) -> DType {
        if self.dtype.is_float() { self.dtype } else { DType::Float64 }
    }

    /// The edges of a column between `ends`, its smallest and its largest sample.
    pub(crate) fn edges_of_min_max(&self, column: usize, ends: [f64; 2]) -> Result<UniformEdges> {
        let own = self.min_max_dtype();
        if let Some(&end) = ends.iter().find(|end| !end.is_finite()) {
            return Err(self.no_edges_of_min_max(column, NoEdges::NotFinite(end)));
        }
        self.edges(column, ends, own, own)
    }

    /// The edges of a column between `ends`. Each operation is rounded to the dtype `rounding`, then each edge to `dtype`.
    fn edges(&self, column: usize, ends: [f64; 2], rounding: DType, dtype: DType) -> Result<UniformEdges> {
        let bins = self.bins(column);
        let edges = UniformEdges::new(ends, bins, rounding, dtype);
        // The width overflows the dtype of the operations; an end overflows the dtype of the edges.
        if !edges.step.is_finite() {
            return Err(self.no_edges(column, rounding, NoEdges::TooWide));
        }
        if ![0, bins].map(|at| edges.at(at)).into_iter().all(f64::is_finite) {
            return Err(self.no_edges(column, dtype, NoEdges::Beyond));
        }
        let mut begin = edges.at(0);
        let is_in_order = |bin: usize| {
            let end = edges.at(bin + 1);
            let is_in_order = begin < end || begin == end && !self.must_rise();
            begin = end;
            is_in_order
        };
        if !(0..bins).all(is_in_order) {
            return Err(self.no_edges(column, dtype, NoEdges::TooMany));
        }
        Ok(edges)
    }

    pub(crate) fn bins(&self, column: usize) -> usize {
        self.bins.dims().get(column).copied().unwrap_or(1)
    }

    /// Whether each edge of bins of equal width must be larger than the edge before. `histogramdd` also allows equal edges.
    pub(crate) fn must_rise(&self) -> bool {
        self.op == Op::Histogram
    }

    pub(crate) fn no_edges_of_min_max(&self, column: usize, why: NoEdges) -> Error {
        self.no_edges(column, self.min_max_dtype(), why)
    }

    /// The error for a column without edges of equal width. `dtype` is the dtype that cannot hold the edges or their computation.
    fn no_edges(&self, column: usize, dtype: DType, why: NoEdges) -> Error {
        let [name, _] = self.op.operand_names();
        match why {
            NoEdges::NotFinite(end) => {
                let text = format!(
                    "{name} holds {}, and a range that is not given goes from the smallest value to the largest: give a \
                     finite range",
                    Scalar::Float(end)
                );
                wrong_value(self.op, name, text).value(FactValue::Float(end))
            }
            // A range that is given is divided in float64.
            NoEdges::TooWide if dtype != DType::Float64 => {
                let text = format!(
                    "the range of {name} is wider than the largest {dtype}, in which its edges are computed: give it as \
                     range, whose edges are computed in float64"
                );
                wrong_value(self.op, name, text)
            }
            NoEdges::TooWide => {
                let text = "the range is wider than the largest float64: give a smaller one";
                wrong_value(self.op, "range", text)
            }
            NoEdges::Beyond => {
                let text = format!("the range ends beyond the largest {dtype}: give a smaller one");
                wrong_value(self.op, "range", text)
            }
            NoEdges::TooMany => {
                let bins = self.bins(column);
                let text = format!(
                    "bins is {bins}, and the range has not so many {dtype} numbers: take fewer bins or a larger range"
                );
                wrong_value(self.op, "bins", text).value(FactValue::Int(bins as i64))
            }
        }
    }

    /// The error for given edge number `at`.
    pub(crate) fn wrong_edge(&self, column: usize, at: usize, edge: f64, why: WrongEdge) -> Error {
        let what = match why {
            WrongEdge::NotANumber => "not a number",
            WrongEdge::Decreases => "less than the edge before it",
        };
        let position = if self.op == Op::Histogram { vec![at] } else { vec![column, at] };
        let text = format!("bins{} is {}, {what}", list(&position), Scalar::Float(edge));
        wrong_value(self.op, "bins", text).value(FactValue::Float(edge)).position(position)
    }

    /// Checks edges that the caller gave. `edges` are their values as float64.
    pub(crate) fn check_edges(&self, column: usize, edges: &[f64]) -> Result<()> {
        let mut before = f64::NEG_INFINITY;
        for (at, &edge) in edges.iter().enumerate() {
            let why = if edge.is_nan() {
                WrongEdge::NotANumber
            } else if edge < before {
                WrongEdge::Decreases
            } else {
                before = edge;
                continue;
            };
            return Err(self.wrong_edge(column, at, edge, why));
        }
        Ok(())
    }
}

fn bins(op: Op, division: Division<'_>) -> Result<usize> {
    match division {
        Division::Uniform(bins) => match usize::try_from(bins) {
            Ok(count) if count > 0 => Ok(count),
            _ => {
                let found =
                    wrong_value(op, "bins", format!("bins is {bins}; it must be from 1 to {}", u32::MAX));
                Err(found.value(FactValue::Int(bins)).allowed(Allowed::Range(1, u32::MAX.into())))
            }
        },
        Division::Edges(edges) if edges.dtype == DType::Bool => {
            let text = "bins has dtype bool; edges are numbers: bins.astype('uint8')";
            Err(wrong_dtype(op, "bins", edges.dtype, text))
        }
        Division::Edges(edges) => match *edges.shape.dims() {
            [len] if len > 0 => Ok(len - 1),
            _ => {
                let text =
                    format!("bins has shape {}; edges have one dimension, and at least one", edges.shape);
                Err(value_error(op, ErrorCode::ShapeMismatch, "bins", text).shape("bins", edges.shape.dims()))
            }
        },
    }
}

fn check_range(op: Op, range: [f64; 2]) -> Result<()> {
    let [low, high] = range;
    let (value, what) = match range.iter().find(|end| !end.is_finite()) {
        Some(&end) => (end, "and both ends must be finite"),
        None if low > high => (high, "which is less than its first end"),
        None => return Ok(()),
    };
    let text = format!("range holds {}, {what}", Scalar::Float(value));
    Err(wrong_value(op, "range", text).value(FactValue::Float(value)))
}
