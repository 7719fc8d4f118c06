//! The index of a call, and the values of a prepared index. These are checked once, and uploaded once to each device that needs
//! them.

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

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ops::RangeInclusive;
use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::cpu::run::Cpu;
use crate::engine::gpu::{Gpu, OnDevice};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::HostBuffer;
use crate::index::backend::IndexOnGpu;
use crate::index::cpu::checked::CheckedIndex;
use crate::index::cpu::index::ends;
use crate::plan::arguments::Operand;
use crate::plan::index::addressing::Addressing;
use crate::plan::index::facts::IndexFacts;
use crate::plan::index::mode::{IndexMode, OutOfRange};
use crate::storage::Storage;
use crate::tensor::Tensor;

/// The index of a call. Cloning shares the values.
#[derive(Clone)]
pub(crate) enum Index {
    /// Unchecked values.
    Given(Tensor),
    /// The values of a prepared index.
    Prepared(Rc<IndexValues>),
}

impl Index {
    /// The index for a call by `plan` in this mode. Any mode but a plain one prepares the index for this call alone. A prepared index
    /// keeps its own mode.
    #[inline(always)]
    pub(crate) fn in_mode(&self, plan: &Addressing, mode: IndexMode) -> Result<Cow<'_, Self>> {
        match self {
            Self::Given(index) if !mode.is_plain() => Ok(Cow::Owned(Self::prepared(plan, index, mode)?)),
            Self::Given(_) | Self::Prepared(_) => Ok(Cow::Borrowed(self)),
        }
    }

    /// The facts for the plan of a call. For a prepared index either dtype would do.
    pub(crate) fn operand(&self) -> Operand<'_> {
        match self {
            Self::Given(index) => index.operand(),
            Self::Prepared(values) => values.operand(),
        }
    }

    /// Whether the CPU knows the values.
    pub(crate) fn is_ready(&self) -> bool {
        match self {
            Self::Given(index) => index.storage.as_host().is_some(),
            Self::Prepared(values) => values.are_known(),
        }
    }

    /// The same index, prepared for calls by `plan`: in this mode, unless it was prepared before.
    pub(crate) fn lowered_by(&self, plan: &Addressing, mode: IndexMode) -> Result<Self> {
        let values = match self {
            Self::Given(index) => IndexValues::new(plan.clone(), index, mode)?,
            Self::Prepared(values) if values.lowered.table_shape() == plan.table_shape() => {
                return Ok(self.clone());
            }
            Self::Prepared(values) => {
                IndexValues::of(plan.clone(), values.mode, values.values.borrow().clone())
            }
        };
        Ok(Self::Prepared(Rc::new(values)))
    }

    /// Whether entries may be dropped.
    pub(crate) fn drops(&self) -> bool {
        match self {
            Self::Given(_) => false,
            Self::Prepared(values) => values.drops(),
        }
    }

    /// This index of a call by `plan` without the entries that `other`, an index with as many entries, drops.
    pub(crate) fn without(&self, plan: &Addressing, other: &Self) -> Result<Cow<'_, Self>> {
        let op = plan.op().name();
        let Self::Prepared(other) = other else { return Ok(Cow::Borrowed(self)) };
        if !other.drops() {
            return Ok(Cow::Borrowed(self));
        }
        let own = match self {
            Self::Prepared(values) => values.checked(op)?,
            Self::Given(index) => IndexValues::new(plan.clone(), index, IndexMode::default())?.checked(op)?,
        };
        let kept = own.without(op, &*other.checked(op)?)?;
        Ok(Cow::Owned(Self::Prepared(Rc::new(IndexValues::of(
            plan.clone(),
            OutOfRange::Drop.into(),
            Values::Known(Rc::new(kept)),
        )))))
    }

    /// The same index for another pass of a call in which it is checked: a value that is out of range leaves its entry out. `has_places`:
    /// whether there is a place that a mode can bring a value to.
    pub(crate) fn lenient(&self, has_places: bool) -> Self {
        let Self::Prepared(values) = self else { return self.clone() };
        let out_of_range = match values.mode.out_of_range {
            mode @ (OutOfRange::Wrap | OutOfRange::Clip) if has_places => mode,
            OutOfRange::Raise | OutOfRange::Wrap | OutOfRange::Clip | OutOfRange::Drop => OutOfRange::Drop,
        };
        let mode = IndexMode { out_of_range, ..values.mode };
        let values = IndexValues::of(values.lowered.clone(), mode, values.values.borrow().clone());
        Self::Prepared(Rc::new(values))
    }

    /// Prepares an index for one call. A function of its own, because [`Index::in_mode`] is inlined and must stay short.
    #[inline(never)]
    fn prepared(plan: &Addressing, index: &Tensor, mode: IndexMode) -> Result<Self> {
        Ok(Self::Prepared(Rc::new(IndexValues::new(plan.clone(), index, mode)?)))
    }
}

/// The values of a prepared index: checked and in host memory, or still on a GPU.
pub(crate) struct IndexValues {
    /// The lowering of a call with the index, for the shapes and for errors about values. The call may have a source or not.
    lowered: Addressing,
    /// What the index does with a value that is out of range, and which value it ignores.
    mode: IndexMode,
    values: RefCell<Values>,
    has_duplicates: OnceCell<bool>,
    /// The index on the device that used it last, and that device's `Gpu::drops` at the upload: how often it had dropped work. If
    /// that number grew since, the buffers may never have been written, so the index is uploaded again.
    uploaded: RefCell<Option<(crate::index::gpu::Index, u64)>>,
}

/// The value at a row-major position of an index; `None` if it has no such position, or if only a GPU knows the value.
fn index_value(index: &Tensor, at: usize) -> Option<i64> {
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
/// the largest value. An upload notes two values of an index: if one is ignored, the device checks the others.
///
/// # Errors
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
                // Bounds that an earlier call noted may be wider than the values.
                let noted = buffer
                    .range(dtype)
                    .filter(|(min, max)| !is_exact && allowed.contains(min) && allowed.contains(max));
                noted.unwrap_or_else(|| ends(buffer, dtype))
            }
            (Some(ignored), DType::Int64) => ends_without(buffer.elements::<i64>(), ignored),
            (Some(ignored), _) => ends_without(buffer.elements::<i32>(), ignored),
        },
        Storage::Device(data) => {
            let Some([min, max]) = data.facts().and_then(IndexFacts::ends) else { return Ok(None) };
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

/// The values, as far as the CPU knows them.
#[derive(Clone)]
enum Values {
    /// Checked values, as positions in host memory.
    Known(Rc<CheckedIndex>),
    /// An index of that dtype on a GPU. The CPU knows that its values are in range only if the upload noted their range.
    OnDevice(OnDevice, DType),
}

impl IndexValues {
    /// Whether a call may leave out entries.
    pub(crate) fn drops(&self) -> bool {
        self.mode.drops()
    }

    /// The values of an index. Values in host memory are checked now. Values on a GPU are checked now in a plain mode, if the
    /// upload noted their range. `lowered` is the plan of a call with the index; the call may have a source or not.
    pub(crate) fn new(lowered: Addressing, index: &Tensor, mode: IndexMode) -> Result<Self> {
        lowered.check_places(mode, |at| index_value(index, at))?;
        if let (Storage::Device(data), true) = (&index.storage, mode.is_plain()) {
            // Only the error matters. Each call asks again whether all values are in range.
            data.facts().map_or(Ok(false), |facts| facts.check(&lowered))?;
        }
        let values = match &index.storage {
            Storage::Host(buffer) => {
                Values::Known(Rc::new(CheckedIndex::new(&lowered, buffer, index.dtype, mode)?))
            }
            Storage::Device(data) => Values::OnDevice(data.clone(), index.dtype),
        };
        Ok(Self::of(lowered, mode, values))
    }

    /// The index with these values.
    fn of(lowered: Addressing, mode: IndexMode, values: Values) -> Self {
        Self {
            lowered,
            mode,
            values: RefCell::new(values),
            has_duplicates: OnceCell::new(),
            uploaded: RefCell::new(None),
        }
    }

    /// The lowering that [`IndexValues::new`] was given.
    pub(crate) fn lowered(&self) -> &Addressing {
        &self.lowered
    }

    /// The shape and dtype that a lowering needs. Either index dtype would do by now.
    pub(crate) fn operand(&self) -> Operand<'_> {
        Operand { shape: self.lowered.index_shape(), dtype: DType::Int32 }
    }

    /// Whether two entries name the same destination. Computed at the first call, and kept.
    pub(crate) fn has_duplicates(&self) -> Result<bool> {
        if let Some(&known) = self.has_duplicates.get() {
            return Ok(known);
        }
        let found = self.checked("IndexPlan.has_duplicates")?.has_duplicates(&self.lowered)?;
        Ok(*self.has_duplicates.get_or_init(|| found))
    }

    /// How many entries name each place: one uint32 for each row of the table, row-major.
    pub(crate) fn counts(&self) -> Result<HostBuffer> {
        Cpu.count(&self.lowered, &*self.checked("IndexPlan.counts")?)
    }

    /// Whether the CPU has checked the values, and holds them.
    pub(crate) fn are_known(&self) -> bool {
        matches!(*self.values.borrow(), Values::Known(_))
    }

    /// Waits until the values are in host memory. Returns at once if they are.
    pub(crate) async fn ready(&self) -> Result<()> {
        let begun = match &*self.values.borrow() {
            Values::Known(_) => return Ok(()),
            Values::OnDevice(data, dtype) => (data.read("Tensor.to"), *dtype),
        };
        let (read, dtype) = begun;
        let checked = CheckedIndex::new(&self.lowered, &read.await?, dtype, self.mode)?;
        *self.values.borrow_mut() = Values::Known(Rc::new(checked));
        Ok(())
    }

    /// The positions in host memory. Errors name `op`, the operator that asks.
    pub(crate) fn checked(&self, op: &'static str) -> Result<Rc<CheckedIndex>> {
        match &*self.values.borrow() {
            Values::Known(positions) => Ok(positions.clone()),
            Values::OnDevice(..) => {
                let text = "the plan was made from an index on webgpu, whose values are not known here yet: \
                            await plan.ready() first, or make it from await index.to('cpu')";
                Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text).argument("plan"))
            }
        }
    }

    /// The index for a call on `gpu`. Values in host memory are uploaded, unless that device has them, and the upload is kept. If
    /// only a GPU knows the values, nothing is kept, because the call may refuse them.
    pub(crate) fn on_gpu(&self, gpu: &Rc<Gpu>, plan: &Addressing) -> Result<crate::index::gpu::Index> {
        let op = plan.op().name();
        let positions = match &*self.values.borrow() {
            Values::Known(positions) => positions.clone(),
            Values::OnDevice(data, dtype) => {
                let is_checked = data.facts().map_or(Ok(false), |facts| facts.check(plan));
                if self.mode.is_plain() {
                    let is_checked = is_checked?;
                    gpu.check_buffer(op, data)?;
                    return Ok(crate::index::gpu::Index::values(Rc::clone(data), *dtype, is_checked));
                }
                gpu.check_buffer(op, data)?;
                return gpu.resolve(plan, Rc::clone(data), *dtype, self.mode, matches!(is_checked, Ok(true)));
            }
        };
        let mut uploaded = self.uploaded.borrow_mut();
        if let Some((index, drops)) = &*uploaded
            && Rc::ptr_eq(gpu, &index.gpu())
            && *drops == gpu.drops()
        {
            return Ok(index.clone());
        }
        let buffer = Rc::new(gpu.upload(op, bytemuck::cast_slice(positions.values()))?);
        // If memory is too short for the answer, assume duplicates: slower, but never wrong.
        let is_distinct = matches!(self.has_duplicates(), Ok(false));
        let index = crate::index::gpu::Index::positions(buffer, positions.drops(), is_distinct);
        *uploaded = Some((index.clone(), gpu.drops()));
        Ok(index)
    }
}
