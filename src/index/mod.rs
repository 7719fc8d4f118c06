//! The index of a call, and what is known of it. The values of a prepared index are checked once, and uploaded once to each device that
//! needs them.

pub(crate) mod backend;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
#[cfg(not(feature = "webgpu"))]
#[path = "gpu_none.rs"]
pub(crate) mod gpu;
pub(crate) mod index_plan;
pub(crate) mod kernels;
pub(crate) mod recent_plans;
pub(crate) mod target;

pub(crate) use crate::index::backend::IndexBackend;
pub(crate) use crate::index::cpu::partition::PartitionedIndex;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::RangeInclusive;
use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::cpu::run::Cpu;
use crate::engine::gpu::{Gpu, OnDevice};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::HostBuffer;
use crate::index::backend::IndexOnGpu;
use crate::index::cpu::checked::CheckedIndex;
use crate::index::cpu::{CallIndex, ends, is_as_plain};
use crate::plan::arguments::Operand;
use crate::plan::index::addressing::Addressing;
use crate::plan::index::facts::ValueRanges;
use crate::plan::index::mode::{IndexMode, OutOfRange};
use crate::storage::Storage;
use crate::tensor::Tensor;

/// The index of a call. Cloning shares what is known of it.
#[derive(Clone)]
pub(crate) enum Index {
    /// Values that each call checks, unless their range was cached.
    Given(Tensor),
    /// A prepared index.
    Prepared(Rc<IndexFacts>),
}

impl Index {
    /// The index for a call by `plan` in this mode. A mode that may change what an entry does prepares the index for this call alone. A
    /// prepared index keeps its own mode.
    #[inline(always)]
    pub(crate) fn in_mode(&self, plan: &Addressing, mode: IndexMode) -> Result<Cow<'_, Self>> {
        if mode.is_plain() { Ok(Cow::Borrowed(self)) } else { self.in_other_mode(plan, mode) }
    }

    #[inline(never)]
    fn in_other_mode(&self, plan: &Addressing, mode: IndexMode) -> Result<Cow<'_, Self>> {
        // Most often no value is out of range and none is ignored.
        if let Self::Given(Tensor { storage: Storage::Host(buffer), dtype, .. }) = self
            && is_as_plain(plan, buffer, *dtype, mode)
        {
            return Ok(Cow::Borrowed(self));
        }
        self.prepared(plan, mode)
    }

    /// The index prepared for calls by `plan`: in this mode, unless it was prepared before. Not inlined, because [`Index::in_mode`] must
    /// stay short.
    #[inline(never)]
    pub(crate) fn prepared(&self, plan: &Addressing, mode: IndexMode) -> Result<Cow<'_, Self>> {
        match self {
            Self::Given(index) => {
                Ok(Cow::Owned(Self::Prepared(Rc::new(IndexFacts::new(plan.clone(), index, mode)?))))
            }
            Self::Prepared(_) => Ok(Cow::Borrowed(self)),
        }
    }

    #[inline(always)]
    pub(crate) fn operand(&self) -> Operand<'_> {
        match self {
            Self::Given(index) => index.operand(),
            // Either index dtype would do by now.
            Self::Prepared(facts) => Operand { shape: facts.lowered.index_shape(), dtype: DType::Int32 },
        }
    }

    /// Whether the CPU knows the values.
    pub(crate) fn is_ready(&self) -> bool {
        match self {
            Self::Given(index) => index.storage.as_host().is_some(),
            Self::Prepared(facts) => facts.are_known(),
        }
    }

    pub(crate) fn drops(&self) -> bool {
        match self {
            Self::Given(_) => false,
            Self::Prepared(facts) => facts.mode.drops(),
        }
    }

    /// The same index: a prepared one says from now on which calls report a value that is out of range.
    pub(crate) fn reporting(self, reports: Reports) -> Self {
        if let Self::Prepared(facts) = &self {
            facts.reports.set(reports);
        }
        self
    }

    /// A prepared index for calls by `plan`, of positions in memory: one word for each entry.
    ///
    /// # Safety
    /// Each must be below the positions of the plan, or −1 (`SKIPPED`) if `drops`.
    #[cfg(feature = "group_by")]
    pub(crate) unsafe fn of_positions(plan: Addressing, positions: &Storage, drops: bool) -> Self {
        let values = match positions {
            Storage::Host(buffer) => {
                // SAFETY: as the caller promises.
                let checked = unsafe { CheckedIndex::new(Rc::clone(buffer), plan.positions(), drops) };
                Values::Known(Rc::new(checked))
            }
            Storage::Device(data) => {
                Values::Resolved(gpu::Index::positions(Rc::clone(data), drops, None).kept())
            }
        };
        let mode = if drops { OutOfRange::Drop.into() } else { IndexMode::default() };
        Self::Prepared(Rc::new(IndexFacts::of(plan, mode, values, Reports::Each)))
    }

    /// A prepared index for tables of the shape that `plan` is for.
    pub(crate) fn for_table(&self, plan: &Addressing) -> Self {
        match self {
            Self::Prepared(facts) if facts.lowered.table_shape() != plan.table_shape() => {
                let values = facts.values.borrow().clone();
                Self::Prepared(Rc::new(IndexFacts::of(plan.clone(), facts.mode, values, facts.reports.get())))
            }
            Self::Given(_) | Self::Prepared(_) => self.clone(),
        }
    }

    /// This index without the entries that `other`, an index with as many entries, drops, for a call on the device of `data`. If a GPU alone
    /// knows one of them, that device marks the entries. Both name slices along the first dimension, by these plans.
    pub(crate) fn without(
        &self,
        plans: [&Addressing; 2],
        other: &Self,
        data: &Storage,
        reports: Reports,
    ) -> Result<Cow<'_, Self>> {
        let Self::Prepared(other) = other else { return Ok(Cow::Borrowed(self)) };
        if !other.mode.drops() || plans[0].index_entries() == 0 {
            return Ok(Cow::Borrowed(self));
        }
        let own = self.prepared(plans[0], IndexMode::default())?;
        let Self::Prepared(own) = &*own else { return Ok(own) };
        let op = plans[0].op().name();
        let values = match data {
            Storage::Device(data) if !(own.are_known() && other.are_known()) => {
                let gpu = data.gpu();
                let [own, other] =
                    [(own, plans[0]), (other, plans[1])].map(|(facts, plan)| facts.on_gpu(&gpu, plan));
                Values::Resolved(gpu.without(plans[0], &own?, &other?)?)
            }
            Storage::Host(_) | Storage::Device(_) => {
                Values::Known(Rc::new(own.checked(op)?.without(op, &*other.checked(op)?)?))
            }
        };
        let facts = IndexFacts::of(plans[0].clone(), OutOfRange::Drop.into(), values, reports);
        Ok(Cow::Owned(Self::Prepared(Rc::new(facts))))
    }
}

/// Which calls report a value that is out of range, if only a GPU knows the values and the mode refuses such a value. The others skip its
/// entry, so that an operator made of several calls reports it once.
#[derive(Clone, Copy)]
pub(crate) enum Reports {
    Each,
    Next,
    None,
}

/// The most entries of a run that every device applies in one dispatch.
const MOST_SHORT: usize = 128;
/// Most elements of a table for each entry, where the entries of each row are counted.
const MOST_PER_ENTRY: usize = 16;

/// What is known of a prepared index.
pub(crate) struct IndexFacts {
    /// The lowering of a call with the index, for the shapes and for errors about values. The call may have a source or not.
    lowered: Addressing,
    mode: IndexMode,
    reports: Cell<Reports>,
    values: RefCell<Values>,
    has_duplicates: OnceCell<bool>,
    /// The index on the device that used it last, and that device's `Gpu::drops` at the upload: how often it had dropped work. If
    /// that number grew since, the buffers may never have been written, so the index is uploaded again.
    uploaded: RefCell<Option<(gpu::Index, u64)>>,
}

/// The value at a row-major position of an index; `None` if it has no such position, or if only a GPU knows the value.
pub(crate) fn index_value(index: &Tensor, at: usize) -> Option<i64> {
    let buffer = match &index.storage {
        Storage::Host(buffer) => buffer,
        Storage::Device(data) => return data.facts()?.value_at(at),
    };
    match index.dtype {
        DType::Int64 => buffer.elements::<i64>().get(at).copied(),
        _ => buffer.elements::<i32>().get(at).map(|&value| value.into()),
    }
}

/// Checks that the values of an index are in a range from 0, but for those that are `ignored`, and returns the largest one; unless
/// `is_exact`, a larger number may be returned. The index has values. If all are ignored, the result is −1. It is `None` if only a GPU knows
/// the largest value. An upload notes two values of an index: if one is ignored, the device checks the others. The error is
/// `refuse(value, position)` for the first value in row-major order that is out of range; of an index on a GPU, for one of its ends.
pub(crate) fn index_ends(
    index: &Tensor,
    allowed: RangeInclusive<i64>,
    (ignored, is_exact): (Option<i64>, bool),
    refuse: &dyn Fn(i64, usize) -> Error,
) -> Result<Option<i64>> {
    fn ends_without<T: Copy + Into<i64>>(values: &[T], ignored: i64) -> (i64, i64) {
        let values = values.iter().map(|&value| value.into()).filter(|&value| value != ignored);
        values.fold((i64::MAX, i64::MIN), |(min, max), value| (min.min(value), max.max(value)))
    }
    let is_wrong = |value: i64| !allowed.contains(&value) && Some(value) != ignored;
    let (min, max) = match &index.storage {
        Storage::Host(buffer) => match (ignored, index.dtype) {
            (None, dtype) => {
                // Bounds that an earlier call cached may be wider than the values.
                let cached = buffer
                    .range(dtype)
                    .filter(|(min, max)| !is_exact && allowed.contains(min) && allowed.contains(max));
                cached.unwrap_or_else(|| ends(buffer, dtype))
            }
            (Some(ignored), DType::Int64) => ends_without(buffer.elements::<i64>(), ignored),
            (Some(ignored), _) => ends_without(buffer.elements::<i32>(), ignored),
        },
        Storage::Device(data) => {
            let Some([min, max]) = data.facts().and_then(ValueRanges::ends) else { return Ok(None) };
            if let Some((value, position)) = [min, max].into_iter().find(|&(value, _)| is_wrong(value)) {
                return Err(refuse(value, position));
            }
            // If the largest value is ignored, that of the others is unknown.
            return Ok((Some(max.0) != ignored).then_some(max.0));
        }
    };
    if min > max {
        return Ok(Some(-1));
    }
    if allowed.contains(&min) && allowed.contains(&max) {
        return Ok(Some(max));
    }
    let values = (0..index.size()).filter_map(|at| Some((at, index_value(index, at)?)));
    let wrong = { values }.find(|&(_, value)| is_wrong(value));
    wrong.map_or(Ok(Some(max)), |(at, value)| Err(refuse(value, at)))
}

/// The values, as far as they are known.
#[derive(Clone)]
enum Values {
    /// Checked positions in host memory.
    Known(Rc<CheckedIndex>),
    /// An index of that dtype on a GPU. The CPU knows that its values are in range only if the upload cached their range.
    OnDevice(OnDevice, DType),
    /// Positions on a GPU.
    Resolved(gpu::Index),
}

/// Whether the range that an upload cached shows that all values are in range for a call.
fn is_in_range(data: &OnDevice, plan: &Addressing) -> Result<bool> {
    data.facts().map_or(Ok(false), |facts| facts.check(plan))
}

/// Index values on a GPU, for a call on `gpu`.
pub(crate) fn values_on_gpu(
    gpu: &Rc<Gpu>,
    plan: &Addressing,
    data: &OnDevice,
    dtype: DType,
) -> Result<gpu::Index> {
    let is_checked = is_in_range(data, plan)?;
    gpu.check_buffer(plan.op().name(), data)?;
    Ok(gpu::Index::values(Rc::clone(data), dtype, is_checked))
}

impl IndexFacts {
    /// The facts of an index. Values in host memory are checked now. Values on a GPU are checked now in a plain mode, if the
    /// upload cached their range.
    pub(crate) fn new(lowered: Addressing, index: &Tensor, mode: IndexMode) -> Result<Self> {
        lowered.check_places(mode, |at| index_value(index, at))?;
        let values = match &index.storage {
            Storage::Host(buffer) => {
                Values::Known(Rc::new(CallIndex::new(&lowered, buffer, index.dtype).kept(mode)?))
            }
            Storage::Device(data) => {
                if mode.is_plain() {
                    // Only the error matters. Each call asks again whether all values are in range.
                    is_in_range(data, &lowered)?;
                }
                Values::OnDevice(data.clone(), index.dtype)
            }
        };
        Ok(Self::of(lowered, mode, values, Reports::Each))
    }

    fn of(lowered: Addressing, mode: IndexMode, values: Values, reports: Reports) -> Self {
        Self {
            lowered,
            mode,
            reports: Cell::new(reports),
            values: RefCell::new(values),
            has_duplicates: OnceCell::new(),
            uploaded: RefCell::new(None),
        }
    }

    pub(crate) fn lowered(&self) -> &Addressing {
        &self.lowered
    }

    /// How many updates a call applies. While only a GPU knows the values, none is known to be left out.
    pub(crate) fn updates(&self) -> usize {
        let (entries, own) = (self.lowered.entries(), self.lowered.index_entries());
        match &*self.values.borrow() {
            Values::Known(positions) if positions.drops() => entries / own.max(1) * positions.kept(),
            Values::Known(_) | Values::OnDevice(..) | Values::Resolved(_) => entries,
        }
    }

    pub(crate) fn has_duplicates(&self) -> Result<bool> {
        if let Some(&known) = self.has_duplicates.get() {
            return Ok(known);
        }
        let found = self.checked("IndexPlan.has_duplicates")?.has_duplicates(&self.lowered)?;
        Ok(*self.has_duplicates.get_or_init(|| found))
    }

    /// How many entries name each row of the table, as uint32.
    pub(crate) fn counts(&self) -> Result<HostBuffer> {
        Cpu.count(&self.lowered, &*self.checked("IndexPlan.counts")?)
    }

    /// The most entries that name one row; `None` if memory is too short to count them.
    fn longest_run(&self) -> Option<usize> {
        if !self.has_duplicates().ok()? {
            return Some(1);
        }
        let plan = &self.lowered;
        // Short runs take one dispatch anyway, and the counts should not take much more memory than the index.
        if plan.longest_run() <= MOST_SHORT || plan.table_len() / MOST_PER_ENTRY > plan.entries() {
            return None;
        }
        self.counts().ok()?.elements::<u32>().iter().max().map(|&longest| longest as usize)
    }

    pub(crate) fn are_known(&self) -> bool {
        matches!(*self.values.borrow(), Values::Known(_))
    }

    pub(crate) async fn ready(&self) -> Result<()> {
        let begun = match &*self.values.borrow() {
            Values::Known(_) | Values::Resolved(_) => return Ok(()),
            Values::OnDevice(data, dtype) => (data.read("Tensor.to"), *dtype),
        };
        let (read, dtype) = begun;
        let buffer = read.await?;
        let checked = CallIndex::new(&self.lowered, &buffer, dtype).kept(self.mode)?;
        *self.values.borrow_mut() = Values::Known(Rc::new(checked));
        Ok(())
    }

    /// The positions in host memory. Errors name `op`, the operator that asks.
    pub(crate) fn checked(&self, op: &'static str) -> Result<Rc<CheckedIndex>> {
        match &*self.values.borrow() {
            Values::Known(positions) => Ok(positions.clone()),
            Values::OnDevice(..) | Values::Resolved(_) => {
                let text = "the plan was made from an index on webgpu, whose values are not known here yet: \
                            await plan.ready() first, or make it from await index.to('cpu')";
                Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text).argument("plan"))
            }
        }
    }

    /// Whether the next call skips an entry that the mode refuses, because an earlier call has reported it.
    fn skips(&self) -> bool {
        match self.reports.get() {
            Reports::Each => false,
            Reports::Next => {
                self.reports.set(Reports::None);
                false
            }
            Reports::None => true,
        }
    }

    /// The index for a call on `gpu`. Values in host memory are uploaded, unless that device has them, and the upload is kept. If
    /// only a GPU knows the values, nothing is kept, because the call may refuse them.
    pub(crate) fn on_gpu(&self, gpu: &Rc<Gpu>, plan: &Addressing) -> Result<gpu::Index> {
        let op = plan.op().name();
        let positions = match &*self.values.borrow() {
            Values::Known(positions) => positions.clone(),
            Values::OnDevice(data, dtype) => {
                let mut mode = self.mode;
                if self.skips() && mode.out_of_range == OutOfRange::Raise {
                    mode.out_of_range = OutOfRange::Drop;
                }
                if mode.is_plain() {
                    return values_on_gpu(gpu, plan, data, *dtype);
                }
                let is_checked = matches!(is_in_range(data, plan), Ok(true));
                gpu.check_buffer(op, data)?;
                return gpu.resolve(plan, Rc::clone(data), *dtype, mode, is_checked);
            }
            Values::Resolved(index) if self.skips() => return Ok(index.trusted()),
            Values::Resolved(index) => return Ok(index.clone()),
        };
        let mut uploaded = self.uploaded.borrow_mut();
        if let Some((index, drops)) = &*uploaded
            && Rc::ptr_eq(gpu, &index.gpu())
            && *drops == gpu.drops()
        {
            return Ok(index.clone());
        }
        let buffer = Rc::new(gpu.upload(op, bytemuck::cast_slice(positions.values()))?);
        let index = gpu::Index::positions(buffer, positions.drops(), self.longest_run()).kept();
        *uploaded = Some((index.clone(), gpu.drops()));
        Ok(index)
    }
}
