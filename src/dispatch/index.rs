//! The index of a call, and the values of one that was prepared for many calls: checked once, uploaded once to a device that needs them.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::backend::cpu::{CheckedIndex, Cpu};
use crate::backend::gpu::{self, Gpu, OnDevice};
use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::HostBuffer;
use crate::plan::{Addressing, Operand, OutOfRange};
use crate::storage::Storage;
use crate::tensor::Tensor;

/// The index of a call. Cloning shares the values.
#[derive(Clone)]
pub(crate) enum Index {
    /// Values to be checked.
    Given(Tensor),
    /// Those of an index that was prepared.
    Prepared(Rc<IndexValues>),
}

impl Index {
    /// The index for a call by `plan` in this mode: in one other than `Raise`, it is prepared for this call alone. An index that was prepared
    /// keeps its mode.
    ///
    /// # Errors
    /// As for [`IndexValues::new`].
    #[inline(always)]
    pub(crate) fn in_mode(&self, plan: &Addressing, mode: OutOfRange) -> Result<Cow<'_, Self>> {
        match (self, mode) {
            (Self::Prepared(_), _) | (Self::Given(_), OutOfRange::Raise) => Ok(Cow::Borrowed(self)),
            (Self::Given(index), OutOfRange::Wrap | OutOfRange::Clip | OutOfRange::Drop) => {
                Ok(Cow::Owned(Self::prepared(plan, index, mode)?))
            }
        }
    }

    /// An index of its own for one call. Not a part of [`Index::in_mode`], which is inlined and stays short.
    #[inline(never)]
    fn prepared(plan: &Addressing, index: &Tensor, mode: OutOfRange) -> Result<Self> {
        Ok(Self::Prepared(Rc::new(IndexValues::new(plan.clone(), index, mode)?)))
    }
}

/// The values of a prepared index: checked and in host memory, or still on a GPU.
pub(crate) struct IndexValues {
    /// The lowering of a call with the index, for the shapes and for errors about values. Whether it has a source does not matter.
    lowered: Addressing,
    /// What a value does that is out of range.
    mode: OutOfRange,
    values: RefCell<Values>,
    has_duplicates: OnceCell<bool>,
    /// The index on the device that used it last, and how often that device had dropped work by then: `Gpu::drops`. Once that number is
    /// larger, the buffers may never have been written, and the index is uploaded again.
    uploaded: RefCell<Option<(gpu::Index, u64)>>,
}

/// The value at a row-major position of an index; `None` where the index is on a GPU, or has no such position.
fn index_value(index: &Tensor, at: usize) -> Option<i64> {
    let buffer = index.storage.as_host()?;
    match index.dtype {
        DType::Int64 => buffer.elements::<i64>().get(at).copied(),
        _ => buffer.elements::<i32>().get(at).map(|&value| value.into()),
    }
}

/// What is known of the values.
#[derive(Clone)]
enum Values {
    /// They were checked, and are in host memory as positions.
    Known(Rc<CheckedIndex>),
    /// The index, of that dtype, is on a GPU. That its values are in range is known only where it was noted at the upload.
    OnDevice(OnDevice, DType),
}

impl IndexValues {
    /// Whether entries that are out of range are left out.
    pub(crate) fn drops(&self) -> bool {
        self.mode == OutOfRange::Drop
    }

    /// The values of an index. They are checked now where they are in host memory, and, in mode `Raise`, where their range was noted at
    /// the upload. `lowered` is the plan of a call with the index, with a source or without.
    ///
    /// # Errors
    /// `IndexError` for a value that is out of range; `RuntimeError` when memory is exhausted.
    pub(crate) fn new(lowered: Addressing, index: &Tensor, mode: OutOfRange) -> Result<Self> {
        // Whether there are places at all. The answer waits: an error that names an index value says more.
        let places = lowered.check_places(mode, |at| index_value(index, at));
        if let Storage::Device(data) = &index.storage
            && (mode == OutOfRange::Raise || places.is_err())
        {
            // Only for its error. Whether all values are known to be in range is asked again by each call.
            data.facts().map_or(Ok(false), |facts| facts.check(&lowered))?;
        }
        places?;
        let values = match &index.storage {
            Storage::Host(buffer) => {
                Values::Known(Rc::new(CheckedIndex::new(&lowered, buffer, index.dtype, mode)?))
            }
            Storage::Device(data) => Values::OnDevice(data.clone(), index.dtype),
        };
        Ok(Self {
            lowered,
            mode,
            values: RefCell::new(values),
            has_duplicates: OnceCell::new(),
            uploaded: RefCell::new(None),
        })
    }

    /// The lowering that [`IndexValues::new`] was given.
    pub(crate) fn lowered(&self) -> &Addressing {
        &self.lowered
    }

    /// What a lowering asks of the index. Which of the two index dtypes it had no longer matters.
    pub(crate) fn operand(&self) -> Operand<'_> {
        Operand { shape: self.lowered.index_shape(), dtype: DType::Int32 }
    }

    /// Whether two entries name the same destination. Found out once, and kept.
    ///
    /// # Errors
    /// `RuntimeError`: `wrong-device` while only a GPU knows the values, and when memory is exhausted.
    pub(crate) fn has_duplicates(&self) -> Result<bool> {
        if let Some(&known) = self.has_duplicates.get() {
            return Ok(known);
        }
        let found = self.checked("IndexPlan.has_duplicates")?.has_duplicates(&self.lowered)?;
        Ok(*self.has_duplicates.get_or_init(|| found))
    }

    /// How many entries name each place: uint32, one number for each row of the table, row-major.
    ///
    /// # Errors
    /// `RuntimeError`: `wrong-device` while only a GPU knows the values, and when memory is exhausted.
    pub(crate) fn counts(&self) -> Result<HostBuffer> {
        Cpu.count(&self.lowered, &*self.checked("IndexPlan.counts")?)
    }

    /// Whether the values are known in host memory, and were checked.
    pub(crate) fn are_known(&self) -> bool {
        matches!(*self.values.borrow(), Values::Known(_))
    }

    /// Waits until the values are known in host memory; at once where they are.
    ///
    /// # Errors
    /// `IndexError` for a value that is out of range; what any read can report.
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

    /// The positions in host memory. `op` is the operator that asks, for the error.
    ///
    /// # Errors
    /// `RuntimeError` (`wrong-device`) while only a GPU knows the values.
    pub(super) fn checked(&self, op: &'static str) -> Result<Rc<CheckedIndex>> {
        match &*self.values.borrow() {
            Values::Known(positions) => Ok(positions.clone()),
            Values::OnDevice(..) => {
                let text = "the plan was made from an index on webgpu, whose values are not known here yet: \
                            await plan.ready() first, or make it from await index.to('cpu')";
                Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text).argument("plan"))
            }
        }
    }

    /// The index for a call on `gpu`. Values that are known here are uploaded unless that device has them already, and the upload is kept.
    /// Nothing is kept of an index whose values only a GPU knows, because it may be refused.
    ///
    /// # Errors
    /// `IndexError` for a value that is known to be out of range; `RuntimeError` for an index on an earlier device, or whose buffer cannot
    /// be used, and when memory is exhausted.
    pub(super) fn on_gpu(&self, gpu: &Rc<Gpu>, plan: &Addressing) -> Result<gpu::Index> {
        let op = plan.op().name();
        let positions = match &*self.values.borrow() {
            Values::Known(positions) => positions.clone(),
            Values::OnDevice(data, dtype) => {
                if self.mode == OutOfRange::Raise {
                    let is_checked = data.facts().map_or(Ok(false), |facts| facts.check(plan))?;
                    gpu.check_buffer(op, data)?;
                    return Ok(gpu::Index::values(Rc::clone(data), *dtype, is_checked));
                }
                gpu.check_buffer(op, data)?;
                let positions = gpu.resolve(plan, Rc::clone(data), *dtype, self.mode)?;
                return Ok(gpu::Index::positions(Rc::new(positions), self.drops(), false));
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
        // If memory is too short to find out, duplicates are assumed: that is slower, and never wrong.
        let is_distinct = matches!(self.has_duplicates(), Ok(false));
        let index = gpu::Index::positions(buffer, positions.drops(), is_distinct);
        *uploaded = Some((index.clone(), gpu.drops()));
        Ok(index)
    }
}
