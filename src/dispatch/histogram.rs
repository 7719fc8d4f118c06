//! Counting calls. They run on the device of the counted values.

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

/// The two values of x that [`BincountPlan::out_shape`](crate::plan::BincountPlan) needs, each with its position in x. The first is
/// a negative value; if x has none, it is any other number. The second is the largest value, and its position is not used. `None`
/// if x has no values. `index` is x, converted to the dtype of an index.
///
/// # Errors
/// `RuntimeError` if x is on a GPU and the upload did not note its range.
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

/// Computes the edges of `columns` from the smallest and the largest sample of each column. Inserts them into `all`, which already
/// has the edges of the other columns in order. `columns` must ascend, so that each insertion finds its place. The edges are on the
/// device of the samples. Samples on a GPU are float64.
///
/// # Errors
/// `ValueError` if the samples allow no such edges; on a GPU it comes with the next read. `RuntimeError` for exhausted memory, for
/// a lost device, and for samples whose data on it is unusable.
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

/// Edges of bins of equal width, as a tensor in host memory.
///
/// # Errors
/// `RuntimeError` for exhausted memory.
pub(crate) fn edges(op: Op, edges: &UniformEdges) -> Result<Tensor> {
    let shape = Shape::new(op.name(), &[edges.count()])?;
    Ok(Tensor::from_buffer(shape, edges.dtype(), cpu::edges(op, edges)?))
}

/// The counts of samples, or the sums of their weights, in the bins between `edges`. The edges of each column are float64, in host
/// memory or on the device of the samples. The result is on the device of the samples.
///
/// # Errors
/// `RuntimeError` for exhausted memory, and for operands that the device cannot read.
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

/// A histogram as a density, float64: each count divided by the width of its bin, then by the sum of all counts. `edges` are
/// float64. `edges_dtype` is the dtype of the edges that the caller gets: if it is a float, each width is rounded to it.
///
/// # Errors
/// As for [`histogram`].
pub(crate) fn density(op: Op, hist: &Tensor, edges_dtype: DType, edges: &Tensor) -> Result<Storage> {
    where_it_is!(op.name(), &hist.storage, |backend, data| {
        let edges = backend.operand(op, "bins", edges)?;
        Ok(Backend::density(backend, op, (data, hist.dtype), (&edges, edges_dtype))?.into())
    })
}

/// Refuses an operand that must be in host memory but is on a GPU: edges, because they are checked before the call runs; and
/// weights, if the samples are in host memory.
///
/// # Errors
/// `RuntimeError` if the operand is on a GPU.
pub(crate) fn require_on_cpu(op: Op, argument: &'static str, operand: &Tensor) -> Result<()> {
    if operand.device() == Device::Cpu {
        return Ok(());
    }
    let text = format!("{argument} is on webgpu, and is needed on the CPU: await {argument}.to('cpu')");
    Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op.name(), text).argument(argument))
}
