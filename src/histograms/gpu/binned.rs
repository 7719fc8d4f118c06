//! Statistics of values in bins: a pass finds the position of each sample, and a scatter takes the values there.

use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::backend::Masked;
use crate::engine::gpu::{DeviceBuffer, Gpu};
use crate::error::Result;
use crate::histograms::backend::HistogramsBackend;
use crate::histograms::plan::binned::BinnedPlan;

impl Gpu {
    /// How many samples each bin has, as float64.
    pub(crate) fn count_in_bins(
        self: &Rc<Self>,
        plan: &BinnedPlan,
        edges: &DeviceBuffer,
        samples: Masked<'_, DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        debug_assert_eq!(plan.bins().out_dtype(), DType::Float64, "the dtype of counts");
        self.histogram(plan.bins(), &[edges], samples, None)
    }
}
