//! Histograms: what is counted, how each column of the samples is divided into bins, and which edges the bins have.

use std::slice;

use crate::dtype::DType;
use crate::error::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::plan::{Op, Operand};
use crate::scalar::Scalar;
use crate::shape::{MAX_OP_RANK, Shape, list};

/// How a column of samples is to be divided.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Division<'a> {
    /// This number of bins of equal width.
    Uniform(i64),
    /// Bins between these edges.
    Edges(Operand<'a>),
}

/// Why a range has no edges of bins of equal width.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NoEdges {
    /// A sample is NaN or infinite.
    NotFinite(f64),
    /// The range is wider than the largest number.
    TooWide,
    /// There are more bins than numbers in the range.
    TooMany,
}

/// A call of `histogram` or `histogramdd`, checked but for what depends on values.
#[derive(Debug, Clone)]
pub(crate) struct HistogramPlan {
    op: Op,
    dtype: DType,
    columns: usize,
    samples: usize,
    out_shape: Shape,
    out_dtype: DType,
}

/// The dtype that the CPU counts samples in, before the counts become `out`: uint32 where no count can be larger and the places are so few
/// that converting them costs next to nothing, because loops over elements of four bytes are faster.
pub(crate) fn count_dtype(samples: usize, places: usize, out: DType) -> DType {
    if u32::try_from(samples).is_ok() && places <= samples / 8 { DType::Uint32 } else { out }
}

pub(super) fn error(op: Op, code: ErrorCode, argument: &'static str, text: String) -> Error {
    Error::new(ErrorClass::Value, code, op.name(), text).argument(argument)
}

pub(super) fn wrong_value(op: Op, argument: &'static str, text: String) -> Error {
    error(op, ErrorCode::InvalidArgument, argument, text)
}

pub(super) fn wrong_dtype(op: Op, argument: &'static str, dtype: DType, text: String) -> Error {
    Error::new(ErrorClass::Type, ErrorCode::UnsupportedDtype, op.name(), text).word(argument, dtype.name())
}

impl HistogramPlan {
    /// The plan of samples that are divided like this, a column each.
    ///
    /// # Errors
    /// `TypeError` for bool samples; `ValueError` for ranks and sizes, for a number of bins below 1, and for a range whose ends are not finite and in order.
    pub(crate) fn new(
        op: Op,
        x: Operand<'_>,
        weights: Option<Operand<'_>>,
        divisions: &[(Division<'_>, Option<[f64; 2]>)],
    ) -> Result<Self> {
        let [name, _] = op.operand_names();
        if x.dtype == DType::Bool {
            let text = format!("{name} has dtype bool, which has no order: {name}.astype('uint8')");
            return Err(wrong_dtype(op, name, x.dtype, text));
        }
        let (columns, samples, of_samples) = match (op, x.shape.dims()) {
            (Op::Histogramdd, &[ref samples, columns]) => (columns, *samples, slice::from_ref(samples)),
            (Op::Histogramdd, dims) => {
                let text = format!(
                    "sample has rank {} (shape {}); it needs rank 2, a row for each sample and a column for each \
                     coordinate (sample.reshape([n, 1]) for one)",
                    dims.len(),
                    x.shape
                );
                return Err(error(op, ErrorCode::RankMismatch, name, text).shape(name, dims));
            }
            (_, dims) => (1, x.shape.size(), dims),
        };
        if columns == 0 || columns > MAX_OP_RANK {
            let text = format!("{name} {} has {columns} columns; 1 to {MAX_OP_RANK} are supported", x.shape);
            return Err(error(op, ErrorCode::RankLimit, name, text).shape(name, x.shape.dims()));
        }
        let count = divisions.len();
        if count != columns {
            let text = format!("{name} {} has {columns} columns, and bins or range {count} entries", x.shape);
            return Err(error(op, ErrorCode::ShapeMismatch, "bins", text).shape(name, x.shape.dims()));
        }
        weights.map_or(Ok(()), |weights| check_weights(op, weights.shape, of_samples, (name, x.shape)))?;
        let mut sizes = [0; MAX_OP_RANK];
        for (size, &(division, range)) in sizes.iter_mut().zip(divisions) {
            *size = bins(op, division)?;
            range.map_or(Ok(()), |range| check_range(op, range))?;
        }
        let sizes = sizes.get(..columns).unwrap_or_default();
        let out_shape = Shape::new(op.name(), sizes).ok();
        // One more place takes what is outside, and every position fits 32 bits.
        let Some(out_shape) = out_shape.filter(|shape| u32::try_from(shape.size() + 1).is_ok()) else {
            let text = format!("{} are more bins than can be counted in one call", list(sizes));
            return Err(error(op, ErrorCode::InvalidShape, "bins", text));
        };
        let counts = if op == Op::Histogramdd { DType::Float64 } else { DType::Int64 };
        let out_dtype = weights.map_or(counts, |weights| weights.dtype);
        Ok(Self { op, dtype: x.dtype, columns, samples, out_shape, out_dtype })
    }

    /// The operator.
    pub(crate) fn op(&self) -> Op {
        self.op
    }

    /// The dtype of the samples.
    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    /// How many samples there are.
    pub(crate) fn samples(&self) -> usize {
        self.samples
    }

    /// How many numbers a sample has.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// A size for each column: its bins.
    pub(crate) fn out_shape(&self) -> &Shape {
        &self.out_shape
    }

    /// int64 for counts (of `histogramdd` float64), else the dtype of the weights.
    pub(crate) fn out_dtype(&self) -> DType {
        self.out_dtype
    }

    /// The edges of a column from a range that was given as numbers: computed in float64. Those of `histogram` are then rounded to
    /// the dtype of the samples.
    ///
    /// # Errors
    /// `ValueError` where float64 has no such edges, or where `histogram`'s would not rise.
    pub(crate) fn edges_of_range(&self, column: usize, [low, high]: [f64; 2]) -> Result<UniformEdges> {
        let rounded = self.dtype.is_float() && self.op != Op::Histogramdd;
        self.edges(column, [low, high], DType::Float64, if rounded { self.dtype } else { DType::Float64 })
    }

    /// The dtype of edges that follow from the samples, to which each operation is rounded: that of floats, of integers float64.
    pub(crate) fn extent_dtype(&self) -> DType {
        if self.dtype.is_float() { self.dtype } else { DType::Float64 }
    }

    /// The edges of a column from its smallest and largest sample.
    ///
    /// # Errors
    /// As for [`HistogramPlan::edges_of_range`], and where a sample is NaN or infinite.
    pub(crate) fn edges_of_extent(&self, column: usize, ends: [f64; 2]) -> Result<UniformEdges> {
        let own = self.extent_dtype();
        if let Some(&end) = ends.iter().find(|end| !end.is_finite()) {
            return Err(self.no_edges_of_extent(column, NoEdges::NotFinite(end)));
        }
        self.edges(column, ends, own, own)
    }

    fn edges(&self, column: usize, ends: [f64; 2], steps: DType, dtype: DType) -> Result<UniformEdges> {
        let bins = self.bins(column);
        let edges = UniformEdges::new(ends, bins, steps, dtype);
        if !edges.step.is_finite() {
            return Err(self.no_edges(column, steps, NoEdges::TooWide));
        }
        if ![0, bins].map(|at| edges.at(at)).into_iter().all(f64::is_finite) {
            return Err(self.no_edges(column, dtype, NoEdges::TooWide));
        }
        let rise = |at: usize| {
            let [one, next] = [at, at + 1].map(|at| edges.at(at));
            one < next || one == next && !self.must_rise()
        };
        if !(0..bins).all(rise) {
            return Err(self.no_edges(column, dtype, NoEdges::TooMany));
        }
        Ok(edges)
    }

    /// How many bins a column has.
    pub(crate) fn bins(&self, column: usize) -> usize {
        self.out_shape.dims().get(column).copied().unwrap_or(1)
    }

    /// Whether edges of bins of equal width must differ from each other.
    pub(crate) fn must_rise(&self) -> bool {
        self.op == Op::Histogram
    }

    /// The error for edges that do not follow from the samples.
    pub(crate) fn no_edges_of_extent(&self, column: usize, why: NoEdges) -> Error {
        self.no_edges(column, self.extent_dtype(), why)
    }

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
            NoEdges::TooWide => {
                let text = format!(
                    "the range is wider than the largest {dtype}, or ends beyond it: give a smaller one"
                );
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

    /// Checks edges that were given, as float64.
    ///
    /// # Errors
    /// `ValueError` where one is NaN or less than the one before; or where float64 could not compare them with the samples.
    pub(crate) fn check_edges(&self, column: usize, dtype: DType, edges: &[f64]) -> Result<()> {
        // Only integers of 64 bits have neighbours that are one float64.
        let is_wide = |dtype: DType| !dtype.is_float() && dtype.size() == 8;
        let most =
            if is_wide(dtype) && is_wide(self.dtype) { 9_007_199_254_740_992.0 } else { f64::INFINITY };
        let mut before = f64::NEG_INFINITY;
        for (at, &edge) in edges.iter().enumerate() {
            let what = if edge.is_nan() {
                "not a number"
            } else if edge < before {
                "less than the edge before it"
            } else if most.is_finite() && edge.abs() >= most {
                "beyond 2^53, where edges have to be floats: bins.astype('float64')"
            } else {
                before = edge;
                continue;
            };
            let position = if self.op == Op::Histogramdd { vec![column, at] } else { vec![at] };
            let text = format!("bins{} is {}, {what}", list(&position), Scalar::Float(edge));
            let found = wrong_value(self.op, "bins", text);
            return Err(found.value(FactValue::Float(edge)).position(position));
        }
        Ok(())
    }
}

/// The number of bins of a column.
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
            let text = "bins has dtype bool; edges are numbers: bins.astype('uint8')".into();
            Err(wrong_dtype(op, "bins", edges.dtype, text))
        }
        Division::Edges(edges) => match *edges.shape.dims() {
            [len] if len > 0 => Ok(len - 1),
            _ => {
                let text =
                    format!("bins has shape {}; edges have one dimension, and at least one", edges.shape);
                Err(error(op, ErrorCode::ShapeMismatch, "bins", text).shape("bins", edges.shape.dims()))
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

/// Checks that there is a weight for each sample; `samples` is the shape that weights must have.
pub(super) fn check_weights(
    op: Op,
    weights: &Shape,
    samples: &[usize],
    (name, x): (&'static str, &Shape),
) -> Result<()> {
    if weights.dims() == samples {
        return Ok(());
    }
    let text = format!(
        "weights has shape {weights}; it must be {}, a weight for each sample of {name} {x}",
        list(samples)
    );
    Err(error(op, ErrorCode::ShapeMismatch, "weights", text)
        .shape(name, x.dims())
        .shape("weights", weights.dims()))
}

/// Edges of bins of equal width: `low + i · ((high − low) / bins)`, and `high` for the last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UniformEdges {
    low: f64,
    high: f64,
    width: f64,
    step: f64,
    bins: usize,
    /// The dtype that each operation is rounded to.
    steps: DType,
    dtype: DType,
}

impl UniformEdges {
    fn new([low, high]: [f64; 2], bins: usize, steps: DType, dtype: DType) -> Self {
        let round = |value| round(value, steps);
        let (low, high) = if low == high { (round(low - 0.5), round(high + 0.5)) } else { (low, high) };
        let width = round(high - low);
        let step = round(width / round(bins as f64));
        Self { low, high, width, step, bins, steps, dtype }
    }

    /// How many edges there are.
    pub(crate) fn count(&self) -> usize {
        self.bins + 1
    }

    /// The dtype of the edges.
    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    /// An edge.
    pub(crate) fn at(&self, edge: usize) -> f64 {
        if edge == self.bins {
            return round(self.high, self.dtype);
        }
        let rounded = |value| round(value, self.steps);
        let at = rounded(edge as f64);
        // Where the width of a bin is rounded to 0, NumPy takes the edge's share of the whole range.
        let from_low = match self.step {
            0.0 => rounded(at / rounded(self.bins as f64)) * self.width,
            step => at * step,
        };
        round(rounded(self.low + rounded(from_low)), self.dtype)
    }
}

/// The nearest value of a floating-point dtype. Rounding a result of float64 once more gives what one operation in that dtype gives:
/// float64 has more than twice its bits.
pub(crate) fn round(value: f64, dtype: DType) -> f64 {
    Scalar::load(Scalar::Float(value).cast(dtype), dtype).as_f64()
}
