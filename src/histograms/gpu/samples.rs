//! Samples, as passes compare them.

use crate::dtype::DType;
use crate::engine::gpu::shaders::layout::Samples;
use crate::histograms::plan::histogram::HistogramPlan;

/// The dtype of the samples on the device: 64-bit integers were converted to float64.
pub(crate) fn samples_dtype(plan: &HistogramPlan) -> DType {
    if Samples::of(plan.dtype()) == Samples::Float64 { DType::Float64 } else { plan.dtype() }
}

/// The top bit for signed integers, else 0: `flip` of `shaders/histograms/sample.wgsl`.
pub(crate) fn flip(dtype: DType) -> u32 {
    if dtype.is_signed_integer() { 1 << 31 } else { 0 }
}
