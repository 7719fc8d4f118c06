//! What histograms need of a device, and how their calls enter it.

use std::ops::Deref;
use std::slice;

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::engine::backend::backend;
use crate::engine::cpu::Cpu;
use crate::engine::{Backend, Masked};
use crate::histograms::places;
use crate::histograms::plan::bincount::BincountPlan;
use crate::histograms::plan::binned::BinnedPlan;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::histograms::plan::uniform_edges::UniformEdges;
use crate::plan::{Op, Update, ValueRanges};
use crate::{DType, Device, Error, ErrorClass, ErrorCode, HostBuffer, Result, Shape, Storage, Tensor};

backend! {
    pub(crate) trait BincountBackend: Backend {
        /// Counts values in `flat_bins` bins of each group, or adds their weights. The next read reports the first negative value that the mask
        /// keeps.
        fn bincount(
            &self,
            plan: &BincountPlan,
            flat_bins: usize,
            x: Masked<'_, Self::Buffer>,
            weights: Option<(&Self::Buffer, Update)>,
        ) -> Result<Self::Buffer>;
    }
}

backend! {
    /// What `bincount` needs of a GPU alone, which cannot return an error at once.
    pub(crate) trait BincountOnGpu: Backend {
        /// Counts the values of x in `flat_bins` bins. A result has fewer than 2^32 samples, so counts are words, and become int64 at the end.
        /// `is_checked`: the host knows that each value has a bin. Otherwise a value without one is negative, and the next read reports it.
        fn count_values(
            &self,
            plan: &BincountPlan,
            flat_bins: usize,
            x: &Self::Buffer,
            is_checked: bool,
        ) -> Result<Self::Buffer>;

        /// Has the next read report the first negative value of x, if there is one.
        fn check_values(&self, plan: &BincountPlan, flat_bins: usize, x: &Self::Buffer);
    }
}

backend! {
    pub(crate) trait HistogramsOnGpu: Backend {
        /// Has the next read report what is wrong with the given edges of a column: float64, or integers of 64 bits.
        fn check_edges(
            &self,
            plan: &HistogramPlan,
            column: usize,
            edges: &Self::Buffer,
            dtype: DType,
        );
    }
}

backend! {
    pub(crate) trait HistogramsBackend: Backend {
        /// The edges of bins of equal width for each of these columns of the samples, from the column's smallest number to its largest, in
        /// the plan's `min_max_dtype`. There must be a sample; if the mask keeps none, the range is 0 to 1. On a GPU, 64-bit integers have
        /// become float64.
        /// Refuses samples without such edges, on a GPU at the next read.
        fn edges_of_min_max(
            &self,
            plan: &HistogramPlan,
            samples: Masked<'_, Self::Buffer>,
            columns: &[usize],
        ) -> Result<Vec<Self::Buffer>>;

        /// Counts the samples in the bins of the plan, or adds their weights as [`HistogramPlan::update`] says. `edges` has the edges of each
        /// column's bins, as float64. `weights` has one element for each sample, in the dtype of the result. On a GPU, samples that are 64-bit
        /// integers have become float64.
        fn histogram(
            &self,
            plan: &HistogramPlan,
            edges: &[impl Deref<Target = Self::Buffer>],
            samples: Masked<'_, Self::Buffer>,
            weights: Option<&Self::Buffer>,
        ) -> Result<Self::Buffer>;

        /// The statistic of each row of values in the flat bins of the plan, one row after the other. `edges` and `samples` are those of
        /// [`HistogramsBackend::histogram`]. `values` are there unless the statistic is a count, in the dtype of the result.
        fn binned_statistic(
            &self,
            plan: &BinnedPlan,
            edges: &[impl Deref<Target = Self::Buffer>],
            samples: Masked<'_, Self::Buffer>,
            values: Option<&Self::Buffer>,
        ) -> Result<Self::Buffer>;

        /// The flat bin of each sample, int32, −1 outside of all bins. There is one group. `edges` and `samples` are those of
        /// [`HistogramsBackend::histogram`].
        fn bin_codes(
            &self,
            plan: &HistogramPlan,
            edges: &[impl Deref<Target = Self::Buffer>],
            samples: Masked<'_, Self::Buffer>,
        ) -> Result<Self::Buffer>;

        /// Divides the histogram of each group by the widths of the bins and by its sum, in float64. `dtype` is the histogram's. The edges are
        /// float64; widths are rounded to `edges_dtype` if that is a float.
        fn density(
            &self,
            op: Op,
            hist: (&Self::Buffer, DType),
            edges: (&Self::Buffer, DType),
        ) -> Result<Self::Buffer>;
    }
}

/// The two numbers that [`BincountPlan::out_shape`](crate::histograms::plan::bincount::BincountPlan) needs, about the values that the mask keeps. The first is a negative value of x with its
/// position; if x has none, it is any other number. The second is the largest value, or a larger number that needs no more bins, and its
/// position is not used. `None` if x has no values. `index` is x in host memory, converted to the dtype of an index.
pub(crate) fn ends(
    plan: &BincountPlan,
    x: &Tensor,
    index: &Tensor,
    mask: Option<&Tensor>,
) -> Result<Option<[(i64, usize); 2]>> {
    let op = BincountPlan::OP;
    match &x.storage {
        Storage::Host(_) => {
            let values = Cpu.operand(op, "x", index)?;
            let Some(mask) = mask else { return Ok(Cpu.ends(index.dtype, values, None)) };
            // If the length is known, only negative values matter. Usually there are none, also among values that the mask leaves out.
            if let (Some(known), Some([(0, _), _])) = (plan.known_ends(), Cpu.ends(index.dtype, values, None))
            {
                return Ok(Some(known));
            }
            Ok(Cpu.ends(index.dtype, values, Some(Cpu.operand(op, "mask", mask)?)))
        }
        Storage::Device(data) => {
            // With a mask, the largest value of the upload may be left out.
            let cached = data.facts().filter(|_| mask.is_none()).and_then(ValueRanges::ends);
            cached.or_else(|| plan.known_ends()).map(Some).ok_or_else(|| {
                let [x, _] = op.operand_names();
                let because = if mask.is_some() { "a mask leaves values out" } else { "it was computed there" };
                let text = format!(
                    "{x} is on webgpu, and its largest value, which decides how long the result is, is not known here, \
                     because {because}: give the length (length: 256), or await {x}.to('cpu')"
                );
                Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, op.name(), text).argument(x)
            })
        }
    }
}

/// The counts of the values of x in `flat_bins` bins, or the sums of their weights, on the device of x. The plan is not plain.
pub(crate) fn bincount(
    plan: &BincountPlan,
    flat_bins: usize,
    x: &Tensor,
    mask: Option<&Tensor>,
    weights: Option<(&Tensor, Update)>,
) -> Result<Storage> {
    let op = BincountPlan::OP;
    where_it_is!(op.name(), &x.storage, |backend, numbers| {
        let mask = mask.map(|mask| backend.operand(op, "mask", mask)).transpose()?;
        let samples = Masked::new(mask.as_deref(), numbers);
        let values = weights.map(|(weights, _)| backend.operand(op, "weights", weights)).transpose()?;
        let weights = values.as_deref().zip(weights.map(|(_, update)| update));
        Ok(backend.bincount(plan, flat_bins, samples, weights)?.into())
    })
}

/// The counts of the values of x in `flat_bins` bins, if x is on a GPU. With `has_weights` only the signs of these values are
/// checked, unless the upload cached their range, and the caller adds the weights.
pub(crate) fn count_values(
    plan: &BincountPlan,
    flat_bins: usize,
    x: &Tensor,
    has_weights: bool,
) -> Result<Option<Storage>> {
    let Storage::Device(data) = &x.storage else { return Ok(None) };
    data.usable(BincountPlan::OP.name())?;
    let (gpu, is_checked) = (data.gpu(), data.facts().is_some());
    if has_weights {
        if !is_checked {
            gpu.check_values(plan, flat_bins, data);
        }
        return Ok(None);
    }
    gpu.count_values(plan, flat_bins, data, is_checked).map(|counts| Some(counts.into()))
}

/// Checks the given edges of a column; `numbers` are the same as float64. Edges on a GPU must be on that of the samples.
pub(crate) fn check_edges(
    plan: &HistogramPlan,
    column: usize,
    (given, numbers): (&Tensor, &Tensor),
    x: &Tensor,
) -> Result<()> {
    let Storage::Device(data) = &numbers.storage else {
        return plan.check_edges(column, numbers.elements().unwrap_or_default());
    };
    if x.device() == Device::Cpu {
        return require_on_cpu(plan.op(), "bins", given);
    }
    let (data, dtype) = match &given.storage {
        Storage::Device(data) if places::are_wide(plan, given) => (data, given.dtype),
        Storage::Device(_) | Storage::Host(_) => (data, DType::Float64),
    };
    data.usable(plan.op().name())?;
    data.gpu().check_edges(plan, column, data, dtype);
    Ok(())
}

/// The edges of all columns in one tensor, if all are in host memory and the samples are not: then they are uploaded at once.
fn joined(op: Op, samples: &Tensor, edges: &[Tensor]) -> Result<Option<Tensor>> {
    let lists: Vec<&HostBuffer> = edges.iter().filter_map(|edges| edges.storage.as_host()).collect();
    if samples.device() == Device::Cpu || lists.len() < 2 || lists.len() < edges.len() {
        return Ok(None);
    }
    let len = lists.iter().map(|list| list.bytes().len()).sum();
    let mut all = HostBuffer::zeroed(op.name(), len)?;
    let mut rest = all.bytes_mut();
    for list in lists {
        let (here, after) = rest.split_at_mut(list.bytes().len());
        here.copy_from_slice(list.bytes());
        rest = after;
    }
    let shape = Shape::new(op.name(), &[len / DType::Float64.size()])?;
    Ok(Some(Tensor::from_buffer(shape, DType::Float64, all)))
}

/// Computes the edges of `columns` from the smallest and the largest sample of each column that the mask keeps. Inserts them into `all`, which already
/// has the edges of the other columns in order. `columns` must ascend, so that each insertion finds where it belongs. The edges are on the
/// device of the samples. On a GPU, samples that are 64-bit integers have become float64.
pub(crate) fn insert_edges_of_min_max(
    plan: &HistogramPlan,
    samples: &Tensor,
    mask: Option<&Tensor>,
    columns: &[usize],
    all: &mut Vec<Tensor>,
) -> Result<()> {
    if columns.is_empty() {
        return Ok(()); // a GPU would take a status slot for nothing
    }
    let op = plan.op().name();
    where_it_is!(op, &samples.storage, |backend, numbers| {
        let mask = mask.map(|mask| backend.operand(plan.op(), "mask", mask)).transpose()?;
        let samples = Masked::new(mask.as_deref(), numbers);
        for (&column, edges) in columns.iter().zip(backend.edges_of_min_max(plan, samples, columns)?) {
            let shape = Shape::new(op, &[plan.bins(column) + 1])?;
            all.insert(column, Tensor::from_storage(shape, plan.min_max_dtype(), edges.into()));
        }
    });
    Ok(())
}

/// Edges of bins of equal width, as a tensor in host memory.
pub(crate) fn edges(op: Op, edges: &UniformEdges) -> Result<Tensor> {
    let shape = Shape::new(op.name(), &[edges.count()])?;
    Ok(Tensor::from_buffer(shape, edges.dtype(), crate::histograms::cpu::edges::edges(op, edges)?))
}

/// The counts of samples in their bins, or the sums of the weights `values`; for `bin_codes` the bins; with `binned`, the statistic of each row of
/// values. The result is on the device of the samples.
pub(crate) fn in_bins(
    plan: &HistogramPlan,
    binned: Option<&BinnedPlan>,
    (samples, mask): (&Tensor, Option<&Tensor>),
    edges: &[Tensor],
    values: Option<&Tensor>,
) -> Result<Storage> {
    let (op, [_, name]) = (plan.op(), plan.op().operand_names());
    let joined = joined(op, samples, edges)?;
    let edges = joined.as_ref().map_or(edges, slice::from_ref);
    where_it_is!(op.name(), &samples.storage, |backend, numbers| {
        let mask = mask.map(|mask| backend.operand(op, "mask", mask)).transpose()?;
        let samples = Masked::new(mask.as_deref(), numbers);
        let values = values.map(|values| backend.operand(op, name, values)).transpose()?;
        let mut columns = Vec::new();
        for edges in edges {
            columns.push(backend.operand(op, "bins", edges)?);
        }
        let made = match binned {
            Some(plan) => backend.binned_statistic(plan, &columns, samples, values.as_deref())?,
            None if op == Op::BinCodes => backend.bin_codes(plan, &columns, samples)?,
            None => backend.histogram(plan, &columns, samples, values.as_deref())?,
        };
        Ok(made.into())
    })
}

/// A histogram as a density, float64: each count divided by the width of its bin, then by the sum of all counts. `edges` are
/// float64. `edges_dtype` is the dtype of the edges that the caller gets: if it is a float, each width is rounded to it.
pub(crate) fn density(op: Op, hist: &Tensor, edges_dtype: DType, edges: &Tensor) -> Result<Storage> {
    where_it_is!(op.name(), &hist.storage, |backend, data| {
        let edges = backend.operand(op, "bins", edges)?;
        Ok(backend.density(op, (data, hist.dtype), (&edges, edges_dtype))?.into())
    })
}

/// Refuses an operand on a GPU of a call whose samples are in host memory.
pub(crate) fn require_on_cpu(op: Op, argument: &'static str, operand: &Tensor) -> Result<()> {
    if operand.device() == Device::Cpu {
        return Ok(());
    }
    let text = format!("{argument} is on webgpu, and is needed on the CPU: await {argument}.to('cpu')");
    Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op.name(), text).argument(argument))
}
