//! Counting calls: on the device where the values are that are counted.

use crate::backend::cpu::Cpu;
use crate::context::Device;
#[cfg(feature = "webgpu")]
use crate::dispatch::device;
use crate::dispatch::host_buffer;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::HostBuffer;
use crate::plan::{BincountPlan, HistogramPlan, Op};
use crate::shape::{PerDim, Shape};
use crate::storage::Storage;
use crate::tensor::Tensor;

/// The shape of the counts, and the counts.
///
/// # Errors
/// `ValueError` for a value that cannot be counted; `RuntimeError` for exhausted memory, and for operands that the device cannot have.
pub(crate) fn bincount(
    plan: &BincountPlan,
    x: &Tensor,
    weights: Option<&Tensor>,
) -> Result<(Shape, Storage)> {
    match &x.storage {
        Storage::Host(buffer) => {
            let (shape, counts) = Cpu.bincount(plan, buffer, host_weights(plan.op(), weights)?)?;
            Ok((shape, Storage::host(counts)))
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => device::bincount(plan, x.dtype, buffer, weights),
    }
}

/// The counts of samples between edges, which are float64 numbers in host memory.
///
/// # Errors
/// As for [`bincount`].
pub(crate) fn histogram(
    plan: &HistogramPlan,
    x: &Tensor,
    edges: &[Tensor],
    weights: Option<&Tensor>,
) -> Result<Storage> {
    let mut numbers = PerDim::new();
    for edges in edges {
        numbers.push(edges.elements().unwrap_or_default());
    }
    match &x.storage {
        Storage::Host(buffer) => {
            let weights = host_weights(plan.op(), weights)?;
            Cpu.histogram(plan, &numbers, buffer, weights).map(Storage::host)
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => device::histogram(plan, &numbers, buffer, weights),
    }
}

/// The smallest and the largest sample of each column.
///
/// # Errors
/// `RuntimeError` where they are on a GPU, which cannot be waited for here.
pub(crate) fn extents(plan: &HistogramPlan, x: &Tensor) -> Result<PerDim<[f64; 2]>> {
    match &x.storage {
        Storage::Host(buffer) => Ok(Cpu.extents(plan, buffer)),
        #[cfg(feature = "webgpu")]
        Storage::Device(_) => Err(not_there(plan.op(), "x", "a range from its values")),
    }
}

/// A histogram as a density: see `Cpu::density`.
///
/// # Errors
/// As for [`histogram`].
pub(crate) fn density(op: Op, hist: &Tensor, edges_dtype: DType, edges: &Tensor) -> Result<Storage> {
    match &hist.storage {
        Storage::Host(buffer) => {
            let edges = host_buffer(op, "bins", edges)?;
            Cpu.density(op.name(), (buffer, hist.dtype), (edges.elements(), edges_dtype)).map(Storage::host)
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(_) => Err(not_there(op, "x", "a density")),
    }
}

/// Refuses an operand whose values are looked at before the call runs.
///
/// # Errors
/// `RuntimeError` where it is on a GPU.
pub(crate) fn on_cpu(op: Op, argument: &'static str, operand: &Tensor) -> Result<()> {
    if operand.device() == Device::Cpu {
        return Ok(());
    }
    let text = format!(
        "{argument} are on webgpu, and are looked at before anything is counted: await {argument}.to('cpu')"
    );
    Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op.name(), text).argument(argument))
}

fn host_weights(op: Op, weights: Option<&Tensor>) -> Result<Option<&HostBuffer>> {
    weights.map(|weights| host_buffer(op, "weights", weights)).transpose()
}

/// The error for what only the CPU does.
#[cfg(feature = "webgpu")]
fn not_there(op: Op, argument: &'static str, what: &str) -> Error {
    let text = format!("{argument} is on webgpu, where {what} is not to be had: await {argument}.to('cpu')");
    Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, op.name(), text).argument(argument)
}
