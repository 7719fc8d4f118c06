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

/// What [`BincountPlan::out_shape`](crate::plan::BincountPlan) asks of the values of x: a negative value with its position in x, or any
/// number that is not negative where there is none; then the largest value, whose position is not used. `None` where x has no values.
/// `index` is x, converted to the dtype of an index.
///
/// # Errors
/// `RuntimeError` where x is on a GPU, and its range was not noted at the upload.
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
/// `ValueError` where there are no such edges, on a GPU with the next read; `RuntimeError` for exhausted memory, for a device that is
/// lost, and for samples on it that cannot be used.
pub(crate) fn insert_edges_of_extent(
    plan: &HistogramPlan,
    samples: &Tensor,
    columns: &[usize],
    all: &mut Vec<Tensor>,
) -> Result<()> {
    match &samples.storage {
        _ if columns.is_empty() => {} // a GPU would take a status slot for nothing
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
            // All columns report in one slot why there are no edges, where there are none.
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

/// Edges of bins of equal width as a tensor in host memory.
///
/// # Errors
/// `RuntimeError` for exhausted memory.
pub(crate) fn edges(op: Op, edges: UniformEdges) -> Result<Tensor> {
    let buffer = cpu::from_numbers(op.name(), edges.count(), edges.dtype(), &mut |first, run| {
        for (slot, edge) in run.iter_mut().zip(first..) {
            *slot = edges.at(edge);
        }
    })?;
    Ok(Tensor::from_buffer(Shape::new(op.name(), &[edges.count()])?, edges.dtype(), buffer))
}

/// The counts of samples, or the sums of their weights, in the bins between `edges`: the edges of each column as float64, in host memory
/// or on the device where the samples are. The result is on that device too.
///
/// # Errors
/// `RuntimeError` for exhausted memory, and for operands that the device cannot have or use.
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
                columns => Rc::new(joined_edges(&gpu, op, columns)?),
            };
            gpu.histogram(plan, &edges, buffer, weights.as_deref()).map(Storage::device)
        }
    }
}

/// A histogram as a density, float64: each count divided by the width of its bin, then by the sum of all. `edges` are float64 numbers, and
/// `edges_dtype` is the dtype that the edges have for the caller: a width is rounded to it where it is a float.
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

/// The edges of all columns, float64 numbers, one column behind the other in one buffer. Those in host memory come there by one upload,
/// which has room for those on the GPU; these are then copied.
#[cfg(feature = "webgpu")]
fn joined_edges(gpu: &Rc<Gpu>, op: Op, columns: &[Tensor]) -> Result<DeviceBuffer> {
    let mut numbers = reserved(op.name(), columns.iter().map(Tensor::size).sum())?;
    for edges in columns {
        match edges.elements::<f64>() {
            Some(edges) => numbers.extend_from_slice(edges),
            None => numbers.resize(numbers.len() + edges.size(), 0.0), // room for the copy
        }
    }
    let all = gpu.upload(op.name(), bytemuck::cast_slice(&numbers))?;
    let mut offset = 0; // in bytes
    for edges in columns {
        if let Storage::Device(edges) = &edges.storage {
            edges.copy_to(&all, offset);
        }
        offset += size_of::<f64>() * edges.size();
    }
    Ok(all)
}

/// Refuses an operand that has to be in host memory and is not: edges, because they are checked before the call runs, and the weights of
/// samples that are there.
///
/// # Errors
/// `RuntimeError` where it is on a GPU.
pub(crate) fn require_on_cpu(op: Op, argument: &'static str, operand: &Tensor) -> Result<()> {
    if operand.device() == Device::Cpu {
        return Ok(());
    }
    let text = format!("{argument} is on webgpu, and is needed on the CPU: await {argument}.to('cpu')");
    Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op.name(), text).argument(argument))
}
