//! Statistics of values in bins: a pass finds the position of each sample, and a scatter takes the values there.

use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::Gpu;
use crate::engine::{Masked, Value};
use crate::error::Result;
use crate::histograms::plan::binned::{BinnedPlan, Statistic};
use crate::host::HostBuffer;
use crate::plan::reduce::{Reduction, Sum, Update};
use crate::scalar::{Scalar, store};

impl Gpu {
    /// `Backend::binned_statistic`. The edges of the columns follow each other.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn binned_statistic(
        self: &Rc<Self>,
        plan: &BinnedPlan,
        edges: &DeviceBuffer,
        samples: Masked<'_, DeviceBuffer>,
        values: Option<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let (bins, statistic) = (plan.bins(), plan.statistic());
        let (op, dtype, places, rows) = (bins.op(), bins.out_dtype(), bins.places(), plan.rows());
        let len = rows * places * dtype.size();
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
            let counts = self.count_in_bins(plan, edges, samples)?;
            if rows == 1 {
                return Ok(counts);
            }
            // Each row has the same counts.
            (0..rows).for_each(|row| counts.copy_to(&empty, row * counts.len()));
            return Ok(empty);
        };
        let positions = self.positions_in_bins(bins, edges, samples)?;
        // The first value of a bin replaces what is there; an exact sum begins with 0.
        let update = match statistic {
            Statistic::Mean => Reduction::Mean.update(false),
            Statistic::Min | Statistic::Max => Update { include_self: false, ..statistic.reduce().into() },
            Statistic::Sum | Statistic::Count => statistic.reduce().into(),
        };
        let sum = if plan.is_exact() { Sum::Exact } else { Sum::Ordered };
        let update = Update { sum, ..update };
        self.scatter_at(op, (rows, places), dtype, empty, &positions, Value::Buffer(values), update)
    }

    /// How many samples each bin has, as float64.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn count_in_bins(
        self: &Rc<Self>,
        plan: &BinnedPlan,
        edges: &DeviceBuffer,
        samples: Masked<'_, DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        debug_assert_eq!(plan.bins().out_dtype(), DType::Float64, "the dtype of counts");
        self.histogram(plan.bins(), edges, samples, None)
    }
}
