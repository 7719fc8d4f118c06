//! Counting calls: on the device where the values are that are counted.

use crate::backend::cpu::Cpu;
use crate::context::Device;
#[cfg(feature = "webgpu")]
use crate::dispatch::device;
use crate::dispatch::host_buffer;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
#[cfg(feature = "webgpu")]
use crate::plan::IndexFacts;
use crate::plan::{HistogramPlan, Op};
use crate::shape::PerDim;
use crate::storage::Storage;
use crate::tensor::Tensor;

/// A negative value of an index with its place, else any, and the largest; `None` where there are none.
///
/// # Errors
/// `RuntimeError` where it is on a GPU, and nothing was noted of it.
#[cfg_attr(not(feature = "webgpu"), allow(unused_variables, reason = "every tensor is in host memory then"))]
pub(crate) fn ends(op: Op, x: &Tensor) -> Result<Option<[(i64, usize); 2]>> {
    match &x.storage {
        Storage::Host(buffer) => Ok(Cpu.ends(x.dtype, buffer)),
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => {
            let ends = buffer.facts().and_then(IndexFacts::ends);
            let what = "the largest value is not known of it, unless it was uploaded as int32 or int64";
            ends.map(Some).ok_or_else(|| not_there(op, what))
        }
    }
}

/// The counts of samples between edges, which are float64 numbers in host memory.
///
/// # Errors
/// `RuntimeError` for exhausted memory, and for operands that the device cannot have.
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
            let weights = weights.map(|weights| host_buffer(plan.op(), "weights", weights)).transpose()?;
            Cpu.histogram(plan, &numbers, buffer, weights).map(Storage::host)
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => device::histogram(plan, &numbers, buffer, weights),
    }
}

/// The smallest and the largest sample of a column.
///
/// # Errors
/// `RuntimeError` where they are on a GPU, which cannot be waited for here.
pub(crate) fn extent(plan: &HistogramPlan, x: &Tensor, column: usize) -> Result<[f64; 2]> {
    match &x.storage {
        Storage::Host(buffer) => Ok(Cpu.extent(plan, buffer, column)),
        #[cfg(feature = "webgpu")]
        Storage::Device(_) => Err(not_there(plan.op(), "its range is not known: give range")),
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
        Storage::Device(_) => Err(not_there(op, "no density is computed")),
    }
}

/// Refuses an operand that is needed in host memory: edges, which are looked at before the call runs, and weights of what is there.
///
/// # Errors
/// `RuntimeError` where it is on a GPU.
pub(crate) fn on_cpu(op: Op, argument: &'static str, operand: &Tensor) -> Result<()> {
    if operand.device() == Device::Cpu {
        return Ok(());
    }
    let text = format!("{argument} is on webgpu, and is needed on the CPU: await {argument}.to('cpu')");
    Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op.name(), text).argument(argument))
}

/// The error for what only the CPU does.
#[cfg(feature = "webgpu")]
fn not_there(op: Op, what: &str) -> Error {
    let [x, _] = op.operand_names();
    let text = format!("{x} is on webgpu, where {what}; or await {x}.to('cpu')");
    Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, op.name(), text).argument(x)
}
