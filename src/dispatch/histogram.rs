//! Counting calls: on the device where the values are that are counted.

use crate::backend::cpu::{self, Cpu};
use crate::context::Device;
use crate::dispatch::host_buffer;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::{HistogramPlan, Op, UniformEdges};
use crate::shape::{PerDim, Shape};
use crate::storage::Storage;
use crate::tensor::Tensor;
#[cfg(feature = "webgpu")]
use {
    crate::backend::gpu::{DeviceBuffer, Gpu},
    crate::dispatch::device::operand,
    crate::host::reserved,
    crate::plan::IndexFacts,
    std::rc::Rc,
};

/// The first negative value of x with its place, or if there is none any other value, and the largest value with its place. `None` where x is
/// empty. `index` is x as an index.
///
/// # Errors
/// `RuntimeError` where it is on a GPU, and nothing was noted of it.
pub(crate) fn ends(op: Op, x: &Tensor, index: &Tensor) -> Result<Option<[(i64, usize); 2]>> {
    match &x.storage {
        Storage::Host(_) => Ok(Cpu.ends(index.dtype, host_buffer(op, "x", index)?)),
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => {
            let ends = buffer.facts().and_then(IndexFacts::ends);
            ends.map(Some).ok_or_else(|| {
                let [x, _] = op.operand_names();
                let text = format!(
                    "{x} is on webgpu, and its largest value, which decides how long the result is, is not known here, \
                     because it was computed there: await {x}.to('cpu')"
                );
                Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, op.name(), text).argument(x)
            })
        }
    }
}

/// Makes the edges of `columns` from the smallest and the largest sample of each, and inserts them into `all`, which has the
/// edges of the other columns in order. `columns` is ascending, so that each is inserted at its place. The edges are where the
/// samples are; samples on a GPU are float64.
///
/// # Errors
/// `ValueError` where there are no such edges, on a GPU with the next read; `RuntimeError` for exhausted memory, and for a device that is lost.
pub(crate) fn insert_edges_of_extent(
    plan: &HistogramPlan,
    samples: &Tensor,
    columns: &[usize],
    all: &mut Vec<Tensor>,
) -> Result<()> {
    match &samples.storage {
        _ if columns.is_empty() => {}
        Storage::Host(buffer) => {
            for &column in columns {
                let made = plan.edges_of_extent(column, Cpu.extent(plan, buffer, column))?;
                all.insert(column, edges(plan.op(), made)?);
            }
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => {
            let op = plan.op().name();
            buffer.usable(op)?;
            let gpu = buffer.gpu();
            let slot = gpu.slot_for_edges(plan);
            for &column in columns {
                let made = gpu.edges_of_extent(plan, buffer, column, slot)?;
                let shape = Shape::new(op, &[plan.bins(column) + 1])?;
                let made = Tensor::from_storage(shape, DType::Float64, Storage::device(made));
                all.insert(column, made.convert(op, plan.extent_dtype())?);
            }
        }
    }
    Ok(())
}

/// Edges of bins of equal width, in host memory.
///
/// # Errors
/// `RuntimeError` for exhausted memory.
pub(crate) fn edges(op: Op, edges: UniformEdges) -> Result<Tensor> {
    let buffer = cpu::from_numbers(op.name(), edges.count(), edges.dtype(), &mut |at, run| {
        for (slot, at) in run.iter_mut().zip(at..) {
            *slot = edges.at(at);
        }
    })?;
    Ok(Tensor::from_buffer(Shape::new(op.name(), &[edges.count()])?, edges.dtype(), buffer))
}

/// The counts of such samples between edges, which are float64 numbers in host memory or where the samples are.
///
/// # Errors
/// `RuntimeError` for exhausted memory, and for operands that the device cannot have.
pub(crate) fn histogram(
    plan: &HistogramPlan,
    samples: &Tensor,
    edges: &[Tensor],
    weights: Option<&Tensor>,
) -> Result<Storage> {
    match &samples.storage {
        Storage::Host(buffer) => {
            let mut numbers = PerDim::new();
            for edges in edges {
                numbers.push(host_buffer(plan.op(), "bins", edges)?.elements());
            }
            let weights = weights.map(|weights| host_buffer(plan.op(), "weights", weights)).transpose()?;
            Cpu.histogram(plan, &numbers, buffer, weights).map(Storage::host)
        }
        #[cfg(feature = "webgpu")]
        Storage::Device(buffer) => {
            let (gpu, op) = (buffer.gpu(), plan.op());
            buffer.usable(op.name())?;
            let weights = weights.map(|weights| operand(&gpu, op, weights)).transpose()?;
            let edges = match edges {
                [edges] => operand(&gpu, op, edges)?,
                columns => Rc::new(joined(&gpu, op, columns)?),
            };
            gpu.histogram(plan, &edges, buffer, weights.as_deref()).map(Storage::device)
        }
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
        Storage::Device(buffer) => {
            let gpu = buffer.gpu();
            let edges = operand(&gpu, op, edges)?;
            gpu.density(op, (buffer, hist.dtype), (&edges, edges_dtype)).map(Storage::device)
        }
    }
}

/// The edges of all columns, float64 numbers, one behind the other: those in host memory by one upload, into which those on the GPU
/// are copied.
#[cfg(feature = "webgpu")]
fn joined(gpu: &Rc<Gpu>, op: Op, columns: &[Tensor]) -> Result<DeviceBuffer> {
    let mut numbers = reserved(op.name(), columns.iter().map(Tensor::size).sum())?;
    for edges in columns {
        match edges.elements::<f64>() {
            Some(edges) => numbers.extend_from_slice(edges),
            None => numbers.resize(numbers.len() + edges.size(), 0.0), // room for the copy
        }
    }
    let all = gpu.upload(op.name(), bytemuck::cast_slice(&numbers))?;
    let mut at = 0;
    for edges in columns {
        if let Storage::Device(edges) = &edges.storage {
            edges.copy_to(&all, at);
        }
        at += size_of::<f64>() * edges.size();
    }
    Ok(all)
}

/// Refuses an operand on a GPU where it is needed in host memory: edges, which are checked before the call runs, and weights of values that
/// are in host memory.
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
