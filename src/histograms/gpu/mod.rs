//! Counts samples into bins.
//!
//! Counts are atomic additions. With weights, a pass writes the bin of each sample, and a scatter adds the weights there, in order or
//! exactly.

use std::ops::Deref;
use std::rc::Rc;

use crate::convert::backend::ConvertBackend;
use crate::engine::gpu::shaders::pass::Density;
use crate::engine::gpu::{DeviceBuffer, Gpu, Pass, ShaderKey, float_bits};
use crate::engine::{Masked, Value};
use crate::histograms::backend::HistogramsBackend;
use crate::histograms::gpu::edges::no_edges;
use crate::histograms::gpu::flat_bins::Found;
use crate::histograms::plan::binned::BinnedPlan;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::index::gpu::Index;
use crate::plan::{Op, Reduce};
use crate::{DType, HostBuffer, Result, Scalar, store};

pub(crate) mod count;
pub(crate) mod edges;
pub(crate) mod flat_bins;
pub(crate) mod sums;

impl HistogramsBackend for Rc<Gpu> {
    fn edges_of_min_max(
        &self,
        plan: &HistogramPlan,
        samples: Masked<'_, DeviceBuffer>,
        columns: &[usize],
    ) -> Result<Vec<DeviceBuffer>> {
        let slot = self.take_slot(no_edges(plan.clone()));
        let made = columns.iter().map(|&column| {
            let edges = self.edges_of_column(plan, samples, column, slot)?;
            match plan.min_max_dtype() {
                DType::Float64 => Ok(edges),
                dtype => self.convert(plan.op().name(), DType::Float64, dtype, &edges),
            }
        });
        made.collect()
    }

    fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = DeviceBuffer>],
        samples: Masked<'_, DeviceBuffer>,
        weights: Option<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let (op, flat_bins, out) = (plan.op(), plan.out_shape().size(), plan.out_dtype());
        if plan.samples() == 0 {
            return DeviceBuffer::new(self, op.name(), "the result", flat_bins * out.size());
        }
        if samples.mask.is_some() || plan.groups().count != 1 {
            let positions = self.positions_in_bins(plan, edges, samples)?;
            return self.add_at(
                op,
                flat_bins,
                positions,
                weights.map(|weights| (weights, plan.update())),
                out,
            );
        }
        let Some(weights) = weights else {
            let counts = DeviceBuffer::new(self, op.name(), "the counts", 4 * flat_bins)?;
            self.find_bins(plan, edges, samples.numbers, Found::Counts, &counts)?;
            return self.convert(op.name(), DType::Uint32, out, &counts);
        };
        // A pass cannot write to the buffer that it reads, and weights are bound as if it did.
        if out.size() == 4 && !out.is_float() && !weights.is_same(samples.numbers) {
            let sums = DeviceBuffer::new(self, op.name(), "the result", flat_bins * out.size())?;
            self.find_bins(plan, edges, samples.numbers, Found::Sums(weights), &sums)?;
            return Ok(sums);
        }
        let positions = DeviceBuffer::unfilled(self, op.name(), "the places of samples", 4 * plan.samples())?;
        self.find_bins(plan, edges, samples.numbers, Found::Bins, &positions)?;
        // An extra last place takes the weights outside of all bins. Then it is dropped.
        let positions = Index::positions(Rc::new(positions), false, None);
        let mut sums = self.add_at(op, flat_bins + 1, positions, Some((weights, plan.update())), out)?;
        sums.truncate(flat_bins * out.size());
        Ok(sums)
    }

    fn binned_statistic(
        &self,
        plan: &BinnedPlan,
        edges: &[impl Deref<Target = DeviceBuffer>],
        samples: Masked<'_, DeviceBuffer>,
        values: Option<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let (bins, statistic) = (plan.bins(), plan.statistic());
        let (op, dtype, flat_bins, rows) = (bins.op(), bins.out_dtype(), bins.flat_bins(), plan.rows());
        let len = rows * flat_bins * dtype.size();
        let empty = if statistic.is_nan_of_none() {
            let nan = Scalar::Float(f64::NAN).cast(dtype);
            let mut all = HostBuffer::zeroed(op.name(), len)?;
            all.bytes_mut().chunks_exact_mut(dtype.size()).for_each(|element| store(element, nan));
            self.upload(op.name(), all.bytes())?
        } else {
            DeviceBuffer::new(self, op.name(), "the result", len)?
        };
        if bins.samples() == 0 || len == 0 {
            return Ok(empty);
        }
        let Some(values) = values else {
            let counts = self.histogram(bins, edges, samples, None)?;
            if rows == 1 {
                return Ok(counts);
            }
            // Each row has the same counts.
            (0..rows).for_each(|row| counts.copy_to(&empty, row * counts.len()));
            return Ok(empty);
        };
        let positions = self.positions_in_bins(bins, edges, samples)?;
        self.scatter_at(op, (rows, flat_bins), dtype, empty, &positions, Value::Buffer(values), plan.update())
    }

    fn bin_codes(
        &self,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = DeviceBuffer>],
        samples: Masked<'_, DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let op = plan.op().name();
        let codes = DeviceBuffer::unfilled(self, op, "the result", 4 * plan.samples())?;
        if plan.samples() > 0 {
            self.find_bins(plan, edges, samples.numbers, Found::Positions, &codes)?;
        }
        Ok(codes)
    }

    fn density(
        &self,
        op: Op,
        (hist, dtype): (&DeviceBuffer, DType),
        (edges, edges_dtype): (&DeviceBuffer, DType),
    ) -> Result<DeviceBuffer> {
        let len = hist.len() / dtype.size();
        let bins = edges.len() / DType::Float64.size() - 1;
        let values = self.convert(op.name(), dtype, DType::Float64, hist)?;
        if len == 0 {
            return Ok(values);
        }
        // The sum in order is a scatter that adds every count to the bin of its group.
        let groups: Vec<u32> = (0..len).map(|at| (at / bins) as u32).collect();
        let groups = self.upload(op.name(), bytemuck::cast_slice(&groups))?;
        let groups = Index::positions(Rc::new(groups), false, None);
        let sum = self.add_at(op, len / bins, groups, Some((&values, Reduce::Add.into())), DType::Float64)?;
        let [exponent_bits, fraction_bits] = float_bits(edges_dtype);
        let params = Density { exponent_bits, fraction_bits, bins: bins as u32 };
        let pass = self.pass(ShaderKey::doubles(Pass::Density), &params);
        pass.index(edges).dst(&values).src(&sum).record(len);
        Ok(values)
    }
}
