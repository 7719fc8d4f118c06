//! Softmax and logsumexp over groups of entries.

use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::elementwise::{activate, broadcast, integer_of};
use crate::gather::{CheckedGather, Gather};
use crate::groups::backend::with_gathered;
use crate::groups::plan::GroupsPlan;
use crate::groups::skipped::{SKIPPED_GROUP, clear_skipped, with_skipped};
use crate::index::{Reports, index_ends};
use crate::plan::{Activation, IndexMode, Op, Operand, Reduce, Reduction, Sum, Update};
use crate::{
    DType, Device, Error, ErrorClass, ErrorCode, IndexPlan, Result, Scalar, Scatter, Shape, Target, Tensor,
    dispatch,
};

/// `out[i] = exp(src[i] − m) / Σ exp(src[j] − m)`, over the entries j along `dim` with the same index as i; m is the largest of them. An entry
/// whose index is `ignored` joins no group, and its result is +0. Every other index is below `size`, the number of groups.
/// `docs/operators/scatter_softmax.md`.
///
/// Source: `torch_scatter.composite.scatter_softmax`.
///
/// # Errors
/// Those of the page.
///
/// ```
/// use scatterwise::{Tensor, scatter_softmax};
/// let src = Tensor::from_elements(&[3], &[0.5f32, 7.0, 0.5])?;
/// let index = Tensor::from_elements(&[3], &[0, 2, 0])?;
/// assert_eq!(scatter_softmax(&src, &index, -1, None, None)?.elements::<f32>(), Some(&[0.5, 1.0, 0.5][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn scatter_softmax(
    src: &Tensor,
    index: &Tensor,
    dim: i64,
    ignored: Option<i64>,
    size: Option<usize>,
) -> Result<Tensor> {
    let groups = Groups::new(Op::ScatterSoftmax, src, (index, ignored), dim, size)?;
    groups.softmax(src, false)?.convert(groups.op.name(), src.dtype)
}

/// `out[g] = m + log Σ exp(src[j] − m)`, over the entries j along `dim` with index g; m is the largest of them, or the end of the range of
/// finite numbers if it is infinite. An entry whose index is `ignored` joins no group. Every other index is below `size`, the number of
/// rows of the result. `docs/operators/scatter_softmax.md`.
///
/// Source: `torch_scatter.composite.scatter_logsumexp`.
///
/// # Errors
/// Those of the page.
///
/// ```
/// use scatterwise::{Tensor, scatter_logsumexp};
/// let src = Tensor::from_elements(&[2], &[1000.0f32, 7.0])?;
/// let index = Tensor::from_elements(&[2], &[0, 2])?;
/// let out = scatter_logsumexp(&src, &index, -1, None, None)?;
/// assert_eq!(out.elements::<f32>(), Some(&[1000.0, f32::NEG_INFINITY, 7.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn scatter_logsumexp(
    src: &Tensor,
    index: &Tensor,
    dim: i64,
    ignored: Option<i64>,
    size: Option<usize>,
) -> Result<Tensor> {
    let groups = Groups::new(Op::ScatterLogsumexp, src, (index, ignored), dim, size)?;
    if groups.result.size() == 0 {
        let made = Tensor::filled(groups.op.name(), "src", groups.result, Scalar::Int(0), src.dtype)?;
        return dispatch::on_device_of(groups.op.name(), src, made);
    }
    let (op, out, src) = (groups.op, src.dtype, &src.convert(groups.op.name(), groups.dtype)?);
    // An infinite maximum would give NaN as a difference.
    let maxima = groups.bounded(Op::Maximum, &groups.maxima(src)?, -groups.largest())?;
    let maxima = groups.bounded(Op::Minimum, &maxima, groups.largest())?;
    let sums = groups.sums(&groups.exponentials(src, &maxima)?)?;
    broadcast(Op::Add, &maxima, &activate(&sums, Activation::Log)?, None)?.convert(op.name(), out)
}

/// The groups of a call whose arguments are checked.
pub(crate) struct Groups {
    pub(crate) op: Op,
    /// The index of all scatters and gathers.
    target: Target,
    /// Where entries whose value is ignored are in a group of their own, [`SKIPPED_GROUP`]: the index, and the numbers of src for each entry of
    /// it. They are dropped otherwise.
    own_group: Option<(Tensor, usize)>,
    dim: i64,
    /// The shape of a tensor with a row for each group.
    shape: Shape,
    /// The shape of a logsumexp: without a size and without entries it has no rows.
    pub(crate) result: Shape,
    /// The dtype of the computation.
    pub(crate) dtype: DType,
}

impl Groups {
    /// The groups of a call of `op`. `index` comes with the value that is ignored in it.
    pub(crate) fn new(
        op: Op,
        src: &Tensor,
        (index, ignored): (&Tensor, Option<i64>),
        dim: i64,
        size: Option<usize>,
    ) -> Result<Self> {
        let is_on_gpu = src.device() != Device::Cpu;
        let plan = GroupsPlan::new(op, (src.operand(), is_on_gpu), index.operand(), dim, size)?;
        let shifted = match ignored {
            // A logsumexp has no row for a group of ignored entries.
            Some(ignored) if !is_on_gpu && op == Op::ScatterSoftmax => {
                with_skipped(op.name(), index, ignored)?
            }
            _ => None,
        };
        let shifted = shifted.filter(|(_, groups)| size.is_none_or(|size| *groups <= size.saturating_add(1)));
        let has_own = shifted.is_some();
        let (index, rows, is_checked) = match shifted {
            Some((index, groups)) => (index, groups, true),
            None => {
                // The check is of the caller's index: only of that one a GPU's range may be known.
                let (rows, is_checked) = check_range(&plan, index, ignored)?;
                (index.clone(), rows, is_checked)
            }
        };
        let index = spread(op, src, &index, plan.axis)?;
        let result = plan.shape_of(if src.size() == 0 { size.unwrap_or(0) } else { rows })?;
        let shape = plan.shape_of(rows)?;
        // The CPU takes int32 as positions: they were checked, and their ends are cached. Others become positions once, and a GPU gets them once.
        let is_on_cpu = [src, &index].iter().all(|tensor| tensor.device() == Device::Cpu);
        let is_line = index.shape.rank() == 1;
        let target = if is_on_cpu && index.dtype == DType::Int32 && (has_own || ignored.is_none()) {
            if is_line { Target::slices(dim, &index) } else { Target::along(dim, &index) }
        } else {
            let mode = IndexMode { ignored, ..IndexMode::default() };
            let prepare = if is_line { IndexPlan::select } else { IndexPlan::along_with };
            let Target { form, index } = Target::from(&prepare(shape.dims(), dim, &index, mode)?);
            Target { form, index: if is_checked { index } else { index.reporting(Reports::Next) } }
        };
        let dtype = if src.dtype.size() == 2 { DType::Float32 } else { src.dtype };
        let own_group = has_own.then(|| {
            let after = src.shape.dims().get(plan.axis + 1..).unwrap_or_default().iter().product();
            (index, if is_line { after } else { 1 })
        });
        Ok(Self { op, target, own_group, dim, shape, result, dtype })
    }

    /// The softmax of src, in the dtype of the computation. `is_limit`: what it tends to where a group has infinities: 0 if all entries are −∞, and
    /// where some are +∞, equal shares of 1 for these. It has the same bits otherwise.
    pub(crate) fn softmax(&self, src: &Tensor, is_limit: bool) -> Result<Tensor> {
        let bounded =
            |op, tensor: Tensor, bound| if is_limit { self.bounded(op, &tensor, bound) } else { Ok(tensor) };
        let src = bounded(Op::Minimum, src.convert(self.op.name(), self.dtype)?, self.largest())?;
        let maxima = bounded(Op::Maximum, self.maxima(&src)?, -self.largest())?;
        let exponentials = self.exponentials(&src, &maxima)?;
        // At least 1 of a group with a number, whose largest exponential is 1.
        let sums = bounded(Op::Maximum, self.sums(&exponentials)?, 1.0)?;
        self.kept(self.each(Op::ElementwiseDiv, &exponentials, &sums, None)?)
    }

    /// The largest finite number of the computation.
    fn largest(&self) -> f64 {
        if self.dtype == DType::Float32 { f32::MAX.into() } else { f64::MAX }
    }

    /// The maximum or the minimum of each number and a bound.
    fn bounded(&self, op: Op, numbers: &Tensor, bound: f64) -> Result<Tensor> {
        let bound = Tensor::filled(self.op.name(), "src", Shape::scalar(), bound.into(), self.dtype)?;
        broadcast(op, numbers, &bound, None)
    }

    /// The numbers of entries, with +0 for those whose value is ignored.
    pub(crate) fn kept(&self, mut entries: Tensor) -> Result<Tensor> {
        if let Some((index, row)) = &self.own_group {
            clear_skipped(self.op.name(), index, *row, &mut entries)?;
        }
        if !self.target.index.drops() {
            return Ok(entries);
        }
        // A product of the bits as integers: so NaN and infinity become 0 too.
        let dtype = integer_of(entries.dtype);
        let ones = Tensor::filled(self.op.name(), "src", self.shape.clone(), Scalar::Int(1), dtype)?;
        let ones = dispatch::on_device_of(self.op.name(), &entries, ones)?;
        let bits = self.each(Op::ElementwiseMul, &dispatch::reinterpret(&entries, dtype), &ones, None)?;
        Ok(dispatch::reinterpret(&bits, entries.dtype))
    }

    /// The largest entry of each group. In the group of ignored entries it is at least +∞: then their exponentials are 0. Exact sums of
    /// very different numbers take longer.
    fn maxima(&self, src: &Tensor) -> Result<Tensor> {
        let mut table = self.filled(src, Scalar::Float(f64::NEG_INFINITY))?;
        if self.own_group.is_some() {
            let target = Target::slices(self.dim, &Tensor::from_elements(&[1], &[SKIPPED_GROUP])?);
            Scatter::new(self.op, target, f64::INFINITY.into(), Reduce::Replace).run(&mut table)?;
        }
        Scatter::new(self.op, self.target.clone(), src.into(), Reduce::Maximum).run(&mut table)?;
        Ok(table)
    }

    /// The exact sum of each group, rounded once. A sum of no terms is +0.
    pub(crate) fn sums(&self, terms: &Tensor) -> Result<Tensor> {
        let mut table = self.filled(terms, Scalar::Int(0))?;
        let exact = Update { sum: Sum::Exact, ..Reduction::Sum.update(true) };
        Scatter::new(self.op, self.target.clone(), terms.into(), exact).run(&mut table)?;
        Ok(table)
    }

    /// e to the power of the difference between each entry and the number of its group.
    fn exponentials(&self, src: &Tensor, table: &Tensor) -> Result<Tensor> {
        self.each(Op::ElementwiseSub, src, table, Some(Activation::Exp))
    }

    /// Combines each entry with the number of its group, in one pass. An entry that is dropped meets 0.
    pub(crate) fn each(
        &self,
        op: Op,
        entries: &Tensor,
        table: &Tensor,
        act: Option<Activation>,
    ) -> Result<Tensor> {
        let gather = Gather::new(self.op, self.target.clone());
        let CheckedGather { plan, index, shape, .. } = gather.check(table)?;
        let gathered = Operand { shape: &shape, dtype: table.dtype };
        let pairs = BroadcastPlan::along_axis(op, entries.operand(), gathered, -1, act)?;
        with_gathered((&plan, &pairs), entries, table, &index)
    }

    fn filled(&self, like: &Tensor, value: Scalar) -> Result<Tensor> {
        let made = Tensor::filled(self.op.name(), "src", self.shape.clone(), value, self.dtype)?;
        dispatch::on_device_of(self.op.name(), like, made)
    }
}

/// The index in the shape of src, if it has src's rank and another shape. The zeros to which it is added are broadcast too.
fn spread(op: Op, src: &Tensor, index: &Tensor, axis: usize) -> Result<Tensor> {
    let is_line = index.shape.rank() == 1 && index.shape.dims().first() == src.shape.dims().get(axis);
    if is_line || index.shape == src.shape {
        return Ok(index.clone());
    }
    let zeros = Tensor::filled(op.name(), "index", src.shape.clone(), Scalar::Int(0), index.dtype)?;
    broadcast(Op::Add, &dispatch::on_device_of(op.name(), index, zeros)?, index, None)
}

/// Checks the values of the index, as far as the CPU knows them. Returns the number of groups, and whether all values were checked.
fn check_range(plan: &GroupsPlan, index: &Tensor, ignored: Option<i64>) -> Result<(usize, bool)> {
    let (op, size) = (plan.op, plan.size);
    let most = size.map_or(plan.most_groups(), |size| size as i64) - 1;
    let refuse = |value, position| plan.wrong_group(value, position);
    if index.size() == 0 {
        return Ok((size.unwrap_or(0), true));
    }
    // More groups than there are do not change a softmax.
    let is_exact = op == Op::ScatterLogsumexp && size.is_none();
    let Some(largest) = index_ends(index, 0..=most, (ignored, is_exact), &refuse)? else {
        return size.map(|size| (size, false)).ok_or_else(|| {
            let text = "the largest value of index is known on webgpu alone: give size, or await index.to('cpu') first";
            Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op.name(), text).argument("index")
        });
    };
    let rows = usize::try_from(largest + 1).unwrap_or(usize::MAX);
    Ok((size.unwrap_or(rows), ignored.is_none()))
}
