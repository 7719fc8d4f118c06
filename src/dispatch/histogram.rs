//! Counting calls: on the device where the values are that are counted.

use crate::backend::Backend;
use crate::backend::cpu::{self, Cpu};
use crate::context::Device;
use crate::dispatch::operands::Operands;
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::{HistogramPlan, IndexFacts, Op, UniformEdges};
use crate::shape::Shape;
use crate::storage::Storage;
use crate::tensor::Tensor;

/// What [`BincountPlan::out_shape`](crate::plan::BincountPlan) asks of the values of x: a negative value with its position in x, or any
/// number that is not negative where there is none; then the largest value, whose position is not used. `None` where x has no values.
/// `index` is x, converted to the dtype of an index.
///
/// # Errors
/// `RuntimeError` where x is on a GPU, and its range was not noted at the upload.
pub(crate) fn ends(op: Op, x: &Tensor, index: &Tensor) -> Result<Option<[(i64, usize); 2]>> {
    match &x.storage {
        Storage::Host(_) => Ok(Cpu.ends(index.dtype, Cpu.operand(op, "x", index)?)),
        Storage::Device(data) => {
            let ends = data.facts().and_then(IndexFacts::ends);
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
    if columns.is_empty() {
        return Ok(()); // a GPU would take a status slot for nothing
    }
    let op = plan.op().name();
    where_it_is!(op, &samples.storage, |backend, samples| {
        for (&column, edges) in columns.iter().zip(backend.edges_of_extent(plan, samples, columns)?) {
            let shape = Shape::new(op, &[plan.bins(column) + 1])?;
            all.insert(column, Tensor::from_storage(shape, plan.extent_dtype(), edges.into()));
        }
    });
    Ok(())
}

/// Edges of bins of equal width as a tensor in host memory.
///
/// # Errors
/// `RuntimeError` for exhausted memory.
pub(crate) fn edges(op: Op, edges: &UniformEdges) -> Result<Tensor> {
    let shape = Shape::new(op.name(), &[edges.count()])?;
    Ok(Tensor::from_buffer(shape, edges.dtype(), cpu::edges(op, edges)?))
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
    let op = plan.op();
    where_it_is!(op.name(), &samples.storage, |backend, samples| {
        let weights = weights.map(|weights| backend.operand(op, "weights", weights)).transpose()?;
        let mut columns = Vec::new();
        for edges in edges {
            columns.push(backend.operand(op, "bins", edges)?);
        }
        Ok(Backend::histogram(backend, plan, &columns, samples, weights.as_deref())?.into())
    })
}

/// A histogram as a density, float64: each count divided by the width of its bin, then by the sum of all. `edges` are float64 numbers, and
/// `edges_dtype` is the dtype that the edges have for the caller: a width is rounded to it where it is a float.
///
/// # Errors
/// As for [`histogram`].
pub(crate) fn density(op: Op, hist: &Tensor, edges_dtype: DType, edges: &Tensor) -> Result<Storage> {
    where_it_is!(op.name(), &hist.storage, |backend, data| {
        let edges = backend.operand(op, "bins", edges)?;
        Ok(Backend::density(backend, op, (data, hist.dtype), (&edges, edges_dtype))?.into())
    })
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
