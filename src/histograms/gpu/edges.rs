//! Edges of bins that a GPU computes or checks: from the smallest and the largest sample, by integer code for float64.

use std::ops::Deref;
use std::rc::Rc;

use crate::convert::backend::ConvertBackend;
use crate::engine::Masked;
use crate::engine::gpu::shaders::pass::{CheckEdges, Edges, MinMax, Search};
use crate::engine::gpu::{DeviceBuffer, Fault, Format, Gpu, Pass, Samples, ShaderKey, float_bits};
use crate::histograms::backend::HistogramsOnGpu;
use crate::histograms::gpu::flat_bins::{flip, samples_dtype};
use crate::histograms::plan::histogram::{HistogramPlan, NoEdges, WrongEdge};
use crate::plan::Op;
use crate::{DType, Error, Result, Scalar};

/// Numbers, or pairs, that a workgroup reduces to one pair: `TILE` of `shaders/histograms/min_max.wgsl`.
const TILE: usize = 4096;

impl HistogramsOnGpu for Rc<Gpu> {
    fn check_edges(&self, plan: &HistogramPlan, column: usize, edges: &DeviceBuffer, dtype: DType) {
        let count = edges.len() / dtype.size();
        if dtype == DType::Float64 {
            let slot = self.take_slot(wrong_edge(plan.clone(), column));
            let params = CheckEdges { edges: count as u32 };
            self.pass(Pass::CheckEdges, &params).slot(slot).src(edges).record_check(count);
            return;
        }
        let format = Format::of(dtype);
        let params = Search { edge: format, element: format, edge_count: count as u32, step: 0, is_right: 0 };
        let plan = plan.clone();
        let slot = self.take_slot(move |Fault { first, value, .. }| {
            let edge = Scalar::load(value, dtype).as_f64();
            (first != 0).then(|| plan.wrong_edge(column, !first as usize, edge, WrongEdge::Decreases))
        });
        self.pass(Pass::SearchCheck, &params).slot(slot).index(edges).record_check(count);
    }
}

impl Gpu {
    /// The edges of column number `column`, from its smallest and largest number. The edges are float64. If such edges do not
    /// exist, the status slot `slot` gets the reason, and the edges are NaN; but if two edges are merely equal, they stay.
    pub(crate) fn edges_of_column(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        samples: Masked<'_, DeviceBuffer>,
        column: usize,
        slot: u32,
    ) -> Result<DeviceBuffer> {
        let pair = self.min_max(plan, samples, column)?;
        let bins = plan.bins(column);
        let edges = DeviceBuffer::unfilled(self, plan.op().name(), "the edges", 8 * (bins + 1))?;
        let [exponent_bits, fraction_bits] = float_bits(plan.min_max_dtype());
        let params = Edges {
            bins: bins as u32,
            exponent_bits,
            fraction_bits,
            must_rise: plan.must_rise().into(),
            column: column as u32,
        };
        let key = ShaderKey::doubles(Pass::Edges);
        self.pass(key, &params).slot(slot).dst(&edges).src(&pair).record(bins + 1);
        Ok(edges)
    }

    /// The smallest and the largest number of a column that the mask keeps, as a pair of float64; 0 and 1 if it keeps none. The column has at
    /// least one sample. Each dispatch reduces every tile of numbers or pairs to one pair, until one pair is left.
    fn min_max(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        samples: Masked<'_, DeviceBuffer>,
        column: usize,
    ) -> Result<DeviceBuffer> {
        let (kind, dtype) = (Samples::of(plan.dtype()), samples_dtype(plan));
        let mut count = plan.samples();
        let mut pairs: Option<DeviceBuffer> = None;
        loop {
            let tiles = count.div_ceil(TILE);
            let is_last = tiles == 1;
            let bytes = if is_last { 2 * dtype.size() } else { 2 * kind.key_bytes() * tiles };
            let made = DeviceBuffer::unfilled(self, plan.op().name(), "the range", bytes)?;
            let params = MinMax {
                count: count as u32,
                first: column as u32,
                stride: plan.columns() as u32,
                is_first: pairs.is_none().into(),
                element_bits: if is_last { 8 * dtype.size() as u32 } else { 0 },
                flip: flip(dtype),
                has_mask: samples.mask.is_some().into(),
                one: (Scalar::Int(1).cast(dtype) << (64 - 8 * dtype.size()) >> 32) as u32,
            };
            let pass = self.pass(Pass::MinMax(kind), &params).index(samples.mask).dst(&made);
            pass.src(pairs.as_ref().unwrap_or(samples.numbers)).record_groups(tiles);
            if is_last {
                return match dtype {
                    DType::Float64 => Ok(made),
                    _ => self.convert(plan.op().name(), dtype, DType::Float64, &made),
                };
            }
            (count, pairs) = (tiles, Some(made));
        }
    }

    /// The edges of all columns as float64, one column after the other, in one buffer.
    pub(crate) fn joined(
        self: &Rc<Self>,
        op: Op,
        columns: &[impl Deref<Target = DeviceBuffer>],
    ) -> Result<DeviceBuffer> {
        let len = columns.iter().map(|edges| edges.len()).sum();
        let all = DeviceBuffer::unfilled(self, op.name(), "the edges", len)?;
        let mut offset = 0;
        for edges in columns.iter().map(Deref::deref) {
            edges.copy_to(&all, offset);
            offset += edges.len();
        }
        Ok(all)
    }
}

/// The error for what `shaders/histograms/check_edges.wgsl` found in the edges of a column. The last word is the reason.
fn wrong_edge(plan: HistogramPlan, column: usize) -> impl Fn(Fault) -> Option<Error> {
    move |Fault { first, value, last }| {
        let why = match last {
            1 => WrongEdge::NotANumber,
            _ => WrongEdge::Decreases,
        };
        (first != 0).then(|| plan.wrong_edge(column, !first as usize, f64::from_bits(value), why))
    }
}

/// The error for what `shaders/histograms/edges.wgsl` found. The last word is the column's number plus one.
pub(crate) fn no_edges(plan: HistogramPlan) -> impl Fn(Fault) -> Option<Error> {
    move |Fault { first, value, last }| {
        let why = match first {
            1 => NoEdges::NotFinite(f64::from_bits(value)),
            2 => NoEdges::TooWide,
            _ => NoEdges::TooMany,
        };
        (last != 0).then(|| plan.no_edges_of_min_max(last as usize - 1, why))
    }
}
