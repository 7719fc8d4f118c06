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

/// Index values, in a place where they are known or on the way there.
pub(crate) struct IndexValues {
    /// The lowering without sources, for the shapes and for errors about values.
    lowered: Addressing,
    mode: OutOfRange,
    values: RefCell<Values>,
    has_duplicates: OnceCell<bool>,
    /// What the device has that used the index last.
    #[cfg(feature = "webgpu")]
    uploaded: RefCell<Option<Rc<Uploaded>>>,
}

/// An index value in host memory.
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
    Known(Rc<CheckedIndex>),
    /// On a GPU, and in range where the tensor's facts say so.
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
    /// How often the device had dropped batches by then: what was made before the next time may never have been written.
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

    /// The values of an index. They are checked now if they are in host memory, or if facts about them are known.
    ///
    /// # Errors
    /// `IndexError` for a value that is out of range; `RuntimeError` when memory is exhausted.
    pub(crate) fn new(lowered: Addressing, index: &Tensor, mode: OutOfRange) -> Result<Self> {
        let places = lowered.check_places(mode, |at| index_value(index, at));
        #[cfg(feature = "webgpu")]
        if let Storage::Device(buffer) = &index.storage
            && (mode == OutOfRange::Raise || places.is_err())
        {
            // What was noted at the upload names a value.
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

    /// The lowering without sources.
    pub(crate) fn lowered(&self) -> &Addressing {
        &self.lowered
    }

    /// Whether two entries name the same destination.
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

    /// How many entries name each place.
    ///
    /// # Errors
    /// `RuntimeError`: `wrong-device` while only a GPU knows the values, and when memory is exhausted.
    pub(crate) fn counts(&self) -> Result<HostBuffer> {
        Cpu.count(&self.lowered, &*self.positions("IndexPlan.counts")?)
    }

    /// Whether the values are known here.
    pub(crate) fn are_known(&self) -> bool {
        matches!(*self.values.borrow(), Values::Known(_))
    }

    /// Waits until the values are known here.
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

    /// The positions in host memory.
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

    /// The index for a call on `gpu`.
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
        // Without memory to find out, places may repeat.
        let is_distinct = matches!(self.has_duplicates(), Ok(false));
        let orders = Orders::new(is_distinct);
        let here = Rc::new(Uploaded { positions, drops, orders, losses: gpu.drops() });
        *uploaded = Some(here.clone());
        Ok(OnGpu::Known(here))
    }
}
