//! Samples, as passes compare them.

use crate::backend::gpu::shaders::layout::Samples;
use crate::dtype::DType;
use crate::plan::HistogramPlan;

/// The dtype of the samples on the device: 64-bit integers were converted to float64.
pub(super) fn samples_dtype(plan: &HistogramPlan) -> DType {
    if Samples::of(plan.dtype()) == Samples::Float64 { DType::Float64 } else { plan.dtype() }
}

/// The top bit for signed integers, else 0: `flip` of `shaders/histogram/sample.wgsl`.
pub(super) fn flip(dtype: DType) -> u32 {
    if dtype.is_signed_integer() { 1 << 31 } else { 0 }
}
