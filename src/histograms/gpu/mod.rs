//! Counts samples into bins.
//!
//! Counts are atomic additions. With weights, a pass writes the place of each sample, and a scatter adds the weights there, in order or
//! exactly.

pub(crate) mod binned;
pub(crate) mod edges;
pub(crate) mod places;
pub(crate) mod samples;
pub(crate) mod sums;
pub(crate) mod tally;

use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::dispatch::Bindings;
use crate::engine::gpu::shaders::kernel::ShaderKey;
use crate::engine::gpu::shaders::params::parts::{Head, float_bits};
use crate::engine::gpu::shaders::params::{Density, NEVER_FAILS};
use crate::engine::gpu::shaders::pass::Pass;
use crate::engine::{Backend, Masked};
use crate::error::Result;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::plan::op::Op;
use crate::plan::reduce::Reduce;

impl Gpu {
    /// Counts the samples in each bin, or adds their weights as [`HistogramPlan::update`] says, in the plan's dtype. The edges are float64;
    /// those of the columns follow each other.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn histogram(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        edges: &DeviceBuffer,
        samples: Masked<'_, DeviceBuffer>,
        weights: Option<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let (op, places, out) = (plan.op(), plan.out_shape().size(), plan.out_dtype());
        if plan.samples() == 0 {
            return DeviceBuffer::new(self, op.name(), "the result", places * out.size());
        }
        if samples.mask.is_some() || plan.groups().count != 1 {
            let positions = self.positions_in_bins(plan, edges, samples)?;
            return self.add_at(op, places, positions, weights.map(|weights| (weights, plan.update())), out);
        }
        let Some(weights) = weights else {
            let counts = DeviceBuffer::new(self, op.name(), "the counts", 4 * places)?;
            self.find_bins(plan, edges, samples.numbers, true, &counts)?;
            return self.convert(op.name(), DType::Uint32, out, &counts);
        };
        let positions = DeviceBuffer::unfilled(self, op.name(), "the places of samples", 4 * plan.samples())?;
        self.find_bins(plan, edges, samples.numbers, false, &positions)?;
        // An extra last place takes the weights outside of all bins. Then it is dropped.
        let mut sums = self.sums(op, (places + 1, out), Rc::new(positions), weights, plan.update())?;
        sums.truncate(places * out.size());
        Ok(sums)
    }

    /// A histogram divided by the widths of the bins and by its sum, as float64: see `Cpu::density`. `dtype` is that of `hist`. The
    /// edges are float64. If `edges_dtype` is a float, the differences of edges are rounded to it.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn density(
        self: &Rc<Self>,
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
        // The sum in order is a scatter that adds every count to the place of its group.
        let groups: Vec<u32> = (0..len).map(|at| (at / bins) as u32).collect();
        let groups = self.upload(op.name(), bytemuck::cast_slice(&groups))?;
        let sum =
            self.sums(op, (len / bins, DType::Float64), Rc::new(groups), &values, Reduce::Add.into())?;
        let [exponent_bits, fraction_bits] = float_bits(edges_dtype);
        let params =
            Density { head: Head::new(len, NEVER_FAILS), exponent_bits, fraction_bits, bins: bins as u32 };
        let bindings = Bindings { index: Some(edges), dst: Some(&values), src: Some(&sum) };
        self.dispatch(ShaderKey::doubles(Pass::Density), params, &bindings);
        Ok(values)
    }
}
