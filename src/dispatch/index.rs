//! The values of an index that was prepared for many calls: checked once, uploaded once to a device that needs them.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::backend::cpu::{CheckedIndex, Cpu};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{Addressing, OutOfRange};
use crate::storage::Storage;
use crate::tensor::Tensor;
#[cfg(feature = "webgpu")]
use crate::{
    backend::gpu::{DeviceBuffer, Gpu, Orders},
    context::Device,
    dispatch::transfer,
    error::{Error, ErrorClass, ErrorCode},
};

/// The values of a prepared index: checked and in host memory, or still on a GPU.
pub(crate) struct IndexValues {
    /// The lowering of a call with the index, for the shapes and for errors about values. Whether it has a source does not matter.
    lowered: Addressing,
    /// What a value does that is out of range.
    mode: OutOfRange,
    values: RefCell<Values>,
    has_duplicates: OnceCell<bool>,
    /// What was uploaded for the device that used the index last.
    #[cfg(feature = "webgpu")]
    uploaded: RefCell<Option<Rc<Uploaded>>>,
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
    /// The index is on a GPU. That its values are in range is known only where it was noted at the upload.
    #[cfg(feature = "webgpu")]
    OnDevice(Tensor),
}

/// An index on a device: its positions, and the orders that scatters went by.
#[cfg(feature = "webgpu")]
pub(super) struct Uploaded {
    pub(super) positions: Rc<DeviceBuffer>,
    /// Whether entries are left out.
    pub(super) drops: bool,
    pub(super) orders: Orders,
    /// How often the device had dropped work by then: `Gpu::drops`. Once that number is larger, the buffers here may never have been
    /// written, and are made anew.
    losses: u64,
}

/// A prepared index as a GPU gets it.
#[cfg(feature = "webgpu")]
pub(super) enum OnGpu {
    /// Positions, with what is kept beside them.
    Known(Rc<Uploaded>),
    /// The index itself, while only a GPU knows its values: nothing is kept of what may be refused.
    Unknown(Tensor, OutOfRange),
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
        #[cfg(feature = "webgpu")]
        if let Storage::Device(buffer) = &index.storage
            && (mode == OutOfRange::Raise || places.is_err())
        {
            // Only for its error. Whether all values are known to be in range is asked again by each call.
            buffer.facts().map_or(Ok(false), |facts| facts.check(&lowered))?;
        }
        places?;
        let values = match &index.storage {
            Storage::Host(buffer) => {
                Values::Known(Rc::new(CheckedIndex::new(&lowered, buffer, index.dtype, mode)?))
            }
            #[cfg(feature = "webgpu")]
            Storage::Device(_) => Values::OnDevice(index.clone()),
        };
        Ok(Self {
            lowered,
            mode,
            values: RefCell::new(values),
            has_duplicates: OnceCell::new(),
            #[cfg(feature = "webgpu")]
            uploaded: RefCell::default(),
        })
    }

    /// The lowering that [`IndexValues::new`] was given.
    pub(crate) fn lowered(&self) -> &Addressing {
        &self.lowered
    }

    /// Whether two entries name the same destination. Found out once, and kept.
    ///
    /// # Errors
    /// `RuntimeError`: `wrong-device` while only a GPU knows the values, and when memory is exhausted.
    pub(crate) fn has_duplicates(&self) -> Result<bool> {
        if let Some(&known) = self.has_duplicates.get() {
            return Ok(known);
        }
        let found = self.positions("IndexPlan.has_duplicates")?.has_duplicates(&self.lowered)?;
        Ok(*self.has_duplicates.get_or_init(|| found))
    }

    /// How many entries name each place: uint32, one number for each row of the table, row-major.
    ///
    /// # Errors
    /// `RuntimeError`: `wrong-device` while only a GPU knows the values, and when memory is exhausted.
    pub(crate) fn counts(&self) -> Result<HostBuffer> {
        Cpu.count(&self.lowered, &*self.positions("IndexPlan.counts")?)
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
        #[cfg(feature = "webgpu")]
        {
            let values = self.values.borrow().clone();
            if let Values::OnDevice(index) = values {
                let index = transfer("Tensor.to", &index, Device::Cpu).await?;
                let Some(buffer) = index.storage.as_host() else { return Ok(()) };
                let positions = CheckedIndex::new(&self.lowered, buffer, index.dtype, self.mode)?;
                *self.values.borrow_mut() = Values::Known(Rc::new(positions));
            }
        }
        Ok(())
    }

    /// The positions in host memory. `op` is the operator that asks, for the error.
    ///
    /// # Errors
    /// `RuntimeError` (`wrong-device`) while only a GPU knows the values.
    pub(super) fn positions(&self, op: &'static str) -> Result<Rc<CheckedIndex>> {
        match &*self.values.borrow() {
            Values::Known(positions) => Ok(positions.clone()),
            #[cfg(feature = "webgpu")]
            Values::OnDevice(_) => {
                let text = "the plan was made from an index on webgpu, whose values are not known here yet: \
                            await plan.ready() first, or make it from await index.to('cpu')";
                Err(Error::new(ErrorClass::Runtime, ErrorCode::WrongDevice, op, text).argument("plan"))
            }
        }
    }

    /// The index for a call on `gpu`. Values that are known here are uploaded unless that device has them already, and the upload is kept.
    ///
    /// # Errors
    /// `RuntimeError` when there is no memory for the upload.
    #[cfg(feature = "webgpu")]
    pub(super) fn uploaded(&self, gpu: &Rc<Gpu>, plan: &Addressing) -> Result<OnGpu> {
        let positions = match &*self.values.borrow() {
            Values::Known(positions) => positions.clone(),
            Values::OnDevice(index) => return Ok(OnGpu::Unknown(index.clone(), self.mode)),
        };
        let mut uploaded = self.uploaded.borrow_mut();
        if let Some(here) = &*uploaded
            && Rc::ptr_eq(gpu, &here.positions.gpu())
            && here.losses == gpu.drops()
        {
            return Ok(OnGpu::Known(here.clone()));
        }
        let drops = positions.drops();
        let bytes = bytemuck::cast_slice(positions.values());
        let positions = Rc::new(gpu.upload(plan.op().name(), bytes)?);
        // Where there is no memory to find out whether places repeat, they are taken to: that is slower, and never wrong.
        let is_distinct = matches!(self.has_duplicates(), Ok(false));
        let orders = Orders::new(is_distinct);
        let here = Rc::new(Uploaded { positions, drops, orders, losses: gpu.drops() });
        *uploaded = Some(here.clone());
        Ok(OnGpu::Known(here))
    }
}
