//! The operators that count on the CPU.

use std::ops::Deref;

use crate::convert::kernels::to_numbers;
use crate::engine::Masked;
use crate::engine::cpu::Cpu;
use crate::histograms::backend::HistogramsBackend;
use crate::histograms::kernels::histogram::Finder;
use crate::histograms::plan::binned::{BinnedPlan, Statistic};
use crate::histograms::plan::histogram::HistogramPlan;
use crate::histograms::plan::uniform_edges::round;
use crate::plan::Op;
use crate::{DType, HostBuffer, PerDim, Result};

pub(crate) mod binned;
pub(crate) mod edges;
pub(crate) mod histogram;

impl HistogramsBackend for Cpu {
    fn edges_of_min_max(
        &self,
        plan: &HistogramPlan,
        samples: Masked<'_, HostBuffer>,
        columns: &[usize],
    ) -> Result<Vec<HostBuffer>> {
        let mut made = Vec::new();
        for &column in columns {
            let ends = self.min_max(plan, samples, column);
            made.push(edges::edges(plan.op(), &plan.edges_of_min_max(column, ends)?)?);
        }
        Ok(made)
    }

    fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = HostBuffer>],
        x: Masked<'_, HostBuffer>,
        weights: Option<&HostBuffer>,
    ) -> Result<HostBuffer> {
        let edges = &as_numbers(edges);
        let samples = x.numbers.bytes();
        self.with_finder(plan, edges, x, &mut |finder| {
            let (op, out) = (plan.op().name(), plan.out_dtype());
            match weights {
                Some(weights) => self.add_weights(op, out, plan.update(), finder, samples, weights.bytes()),
                None => self.count_samples(op, out, finder, samples, None),
            }
        })
    }

    fn binned_statistic(
        &self,
        plan: &BinnedPlan,
        edges: &[impl Deref<Target = HostBuffer>],
        x: Masked<'_, HostBuffer>,
        values: Option<&HostBuffer>,
    ) -> Result<HostBuffer> {
        let edges = &as_numbers(edges);
        let bins = plan.bins();
        let (op, dtype, samples) = (bins.op().name(), bins.out_dtype(), x.numbers.bytes());
        let row_len = bins.samples() * dtype.size();
        let values = values.map(HostBuffer::bytes).unwrap_or_default();
        let row_of = |row: usize| values.get(row * row_len..(row + 1) * row_len).unwrap_or_default();
        let one_row = |finder: &Finder<'_>, row: usize| match plan.statistic() {
            Statistic::Count => self.count_samples(op, dtype, finder, samples, None),
            Statistic::Sum | Statistic::Mean => {
                self.add_weights(op, dtype, plan.update(), finder, samples, row_of(row))
            }
            Statistic::Min | Statistic::Max => self.extremes(plan, finder, samples, row_of(row)),
        };
        self.with_finder(bins, edges, x, &mut |finder| {
            if plan.rows() == 1 {
                return one_row(finder, 0);
            }
            let mut out = HostBuffer::zeroed(op, plan.out_shape().size() * dtype.size())?;
            let size = (bins.flat_bins() * dtype.size()).max(1);
            let mut counts = None;
            for (row, slots) in out.bytes_mut().chunks_exact_mut(size).enumerate() {
                // Each row has the same counts.
                let made = match counts.take() {
                    Some(counts) => counts,
                    None => one_row(finder, row)?,
                };
                slots.copy_from_slice(made.bytes().get(..size).unwrap_or_default());
                counts = Some(made).filter(|_| plan.statistic() == Statistic::Count);
            }
            Ok(out)
        })
    }

    fn bin_codes(
        &self,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = HostBuffer>],
        x: Masked<'_, HostBuffer>,
    ) -> Result<HostBuffer> {
        let mut codes = HostBuffer::zeroed(plan.op().name(), plan.samples() * size_of::<u32>())?;
        let edges = &as_numbers(edges);
        self.with_finder(plan, edges, x, &mut |finder| {
            finder.write(x.numbers.bytes(), codes.elements_mut());
            Ok(std::mem::take(&mut codes))
        })
    }

    fn density(
        &self,
        op: Op,
        (hist, dtype): (&HostBuffer, DType),
        (edges, edges_dtype): (&HostBuffer, DType),
    ) -> Result<HostBuffer> {
        let (op, edges) = (op.name(), edges.elements::<f64>());
        let mut out = HostBuffer::zeroed(op, hist.bytes().len() / dtype.size() * 8)?;
        let values = out.elements_mut::<f64>();
        to_numbers(dtype, hist.bytes(), values);
        let width_dtype = if edges_dtype.is_float() { edges_dtype } else { DType::Float64 };
        for values in values.chunks_mut(edges.len().saturating_sub(1).max(1)) {
            let sum: f64 = values.iter().fold(0.0, |sum, &value| sum + value);
            for (value, (&one, &next)) in values.iter_mut().zip(edges.iter().zip(edges.iter().skip(1))) {
                *value = *value / round(next - one, width_dtype) / sum;
            }
        }
        Ok(out)
    }
}

fn as_numbers(edges: &[impl Deref<Target = HostBuffer>]) -> PerDim<&[f64]> {
    let mut numbers = PerDim::new();
    for edges in edges {
        numbers.push(edges.elements());
    }
    numbers
}
