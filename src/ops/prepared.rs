//! An index prepared once and used for many calls.
//!
//! Not to be confused with [`Addressing`], the lowering of one call, which knows geometry and no data. A plan has the data of
//! an index, and every call with it makes its own lowering.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::backend::cpu::CheckedIndex;
use crate::dtype::DType;
use crate::error::{Error, ErrorCode, Result};
use crate::plan::{Addressing, Op, Operand, Rule};
use crate::shape::Shape;
use crate::storage::Storage;
use crate::tensor::Tensor;
#[cfg(feature = "webgpu")]
use crate::{
    backend::gpu::{DeviceBuffer, Gpu, Orders},
    context::Device,
    error::ErrorClass,
    ops::device,
    plan::RangeVerdict,
};

/// An index whose values were checked once, for tensors of one shape: it says *where*, the operator says
/// *what*. A call with it gives the bits and the errors of the same call with the index itself.
///
/// An index in host memory is checked at once and kept as positions, which are uploaded once to a device that
/// needs them. Of an index on a GPU the values are only known once [`IndexPlan::ready`] is done; until
/// then it is good for tensors on that GPU, which checks it in each call where no range was noted.
///
/// Cloning is cheap and shares everything. Writing to the index afterwards changes nothing here.
///
/// ```
/// use scatterwise::{DType, IndexPlan, Reduce, Tensor};
/// let bins = Tensor::from_elements(&[4], &[1, 3, 1, -1])?;
/// let plan = IndexPlan::along(&[4], 0, &bins)?;
/// assert_eq!((plan.updates(), plan.has_duplicates()?), (4, true));
///
/// let mut counts = Tensor::zeros(&[4], DType::Int32)?;
/// counts.scatter_at_(&plan, 1, Reduce::Add)?;
/// counts.scatter_at_(&plan, 10, Reduce::Add)?;
/// assert_eq!(counts.elements::<i32>(), Some(&[0, 22, 0, 22][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
#[derive(Clone)]
pub struct IndexPlan(Rc<Prepared>);

struct Prepared {
    /// Where the tuples begin to address, or along which dimension the index goes.
    form: Form,
    /// The lowering without values, for the shapes and for errors about index values.
    lowered: Addressing,
    values: RefCell<Values>,
    has_duplicates: OnceCell<bool>,
    /// What the device has that used the index last.
    #[cfg(feature = "webgpu")]
    uploaded: RefCell<Option<Rc<Uploaded>>>,
}

/// An index on a device: its positions, and the orders that scatters went by.
#[cfg(feature = "webgpu")]
struct Uploaded {
    positions: Rc<DeviceBuffer>,
    orders: Orders,
    /// Buffers that the device had refused by then: what was made before the next one may never have been written.
    refusals: u64,
}

/// The index of one call on a device.
#[cfg(feature = "webgpu")]
pub(super) struct OnDevice {
    pub(super) index: device::DeviceIndex,
    uploaded: Option<Rc<Uploaded>>,
}

#[cfg(feature = "webgpu")]
impl From<device::DeviceIndex> for OnDevice {
    fn from(index: device::DeviceIndex) -> Self {
        Self { index, uploaded: None }
    }
}

#[cfg(feature = "webgpu")]
impl OnDevice {
    /// None for an index that only the device knows: nothing is kept of what may be refused.
    pub(super) fn orders(&self) -> Option<&Orders> {
        self.uploaded.as_ref().map(|uploaded| &uploaded.orders)
    }
}

#[derive(Clone, Copy)]
enum Form {
    Along(i64),
    Tuples,
}

/// What is known of the index values.
#[derive(Clone)]
enum Values {
    Known(Rc<CheckedIndex>),
    /// On a GPU, and in range where the tensor says so.
    #[cfg(feature = "webgpu")]
    OnDevice(Tensor),
}

impl IndexPlan {
    /// For `scatter_`, `scatter_add` and `gather` along `dim` of tensors with these sizes.
    ///
    /// `dim` in −r … r − 1; index int32 or int64, values in −s … s − 1; r = rank of index, 1 to 8;
    /// `index.size(d) ≤ dims[d]` for d ≠ dim. An operator may ask for more, and then does so in each call.
    ///
    /// # Errors
    /// `ValueError` for dim, ranks and sizes, `TypeError` for index's dtype, `IndexError` for an index value.
    pub fn along(dims: &[usize], dim: i64, index: &Tensor) -> Result<Self> {
        let shape = Shape::new(Op::PlanAlong.name(), dims)?;
        let lowered = Addressing::scatter_axis(Op::PlanAlong, any_of(&shape), dim, index.operand(), None)?;
        Self::new(Form::Along(dim), lowered, index)
    }

    /// For `scatter_add` and `gather_nd` with index tuples, into tensors with these sizes.
    ///
    /// indices int32 or int64; its last dimension, of size K ≤ r, holds the tuples; each number of a tuple is in
    /// −n … n − 1 for its dimension's size n; r = the number of sizes, 1 to 8.
    ///
    /// # Errors
    /// As for [`IndexPlan::along`].
    pub fn nd(dims: &[usize], indices: &Tensor) -> Result<Self> {
        let shape = Shape::new(Op::PlanNd.name(), dims)?;
        let lowered = Addressing::scatter_nd(Op::PlanNd, any_of(&shape), indices.operand(), None)?;
        Self::new(Form::Tuples, lowered, indices)
    }

    fn new(form: Form, lowered: Addressing, index: &Tensor) -> Result<Self> {
        let values = match &index.storage {
            Storage::Host(buffer) => {
                Values::Known(Rc::new(CheckedIndex::new(&lowered, buffer, index.dtype)?))
            }
            #[cfg(feature = "webgpu")]
            Storage::Device(_) => {
                let verdict = index.ranges.as_ref().map(|ranges| lowered.range_verdict(ranges));
                if let Some(RangeVerdict::Bad(at, value)) = verdict {
                    return Err(lowered.index_error(at, value));
                }
                Values::OnDevice(index.clone())
            }
        };
        Ok(Self(Rc::new(Prepared {
            form,
            lowered,
            values: RefCell::new(values),
            has_duplicates: OnceCell::new(),
            #[cfg(feature = "webgpu")]
            uploaded: RefCell::default(),
        })))
    }

    /// The sizes of the tensors that it is for.
    pub fn shape(&self) -> &Shape {
        self.0.lowered.table_shape()
    }

    /// How many updates a call applies: the number of index entries, or of tuples.
    pub fn updates(&self) -> usize {
        self.0.lowered.entries()
    }

    /// Whether two entries name the same destination, so that the order of updates can matter. Found out when
    /// it is first asked for.
    ///
    /// # Errors
    /// `RuntimeError` (`wrong-device`) while only a GPU knows the values, see [`IndexPlan::ready`], and when
    /// memory is exhausted.
    pub fn has_duplicates(&self) -> Result<bool> {
        if let Some(&known) = self.0.has_duplicates.get() {
            return Ok(known);
        }
        let found = self.positions("IndexPlan.has_duplicates")?.has_duplicates(&self.0.lowered)?;
        Ok(*self.0.has_duplicates.get_or_init(|| found))
    }

    /// Waits until the index values are known here: at once, unless the index came from a GPU. Afterwards it
    /// serves every device, and no call checks it again.
    ///
    /// # Errors
    /// `IndexError` for an index value; what any read can report.
    pub async fn ready(&self) -> Result<()> {
        #[cfg(feature = "webgpu")]
        {
            let values = self.0.values.borrow().clone();
            if let Values::OnDevice(index) = values {
                let index = index.to(Device::Cpu).await?;
                let Storage::Host(buffer) = &index.storage else { return Ok(()) };
                let positions = CheckedIndex::new(&self.0.lowered, buffer, index.dtype)?;
                *self.0.values.borrow_mut() = Values::Known(Rc::new(positions));
            }
        }
        Ok(())
    }

    /// The index positions in host memory.
    pub(super) fn positions(&self, op: &'static str) -> Result<Rc<CheckedIndex>> {
        #[cfg(not(feature = "webgpu"))]
        let _ = op;
        match &*self.0.values.borrow() {
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
    #[cfg(feature = "webgpu")]
    pub(super) fn on_device(&self, gpu: &Rc<Gpu>, plan: &Addressing) -> Result<OnDevice> {
        let positions = match &*self.0.values.borrow() {
            Values::Known(positions) => positions.clone(),
            Values::OnDevice(index) => return device::DeviceIndex::new(gpu, plan, index).map(OnDevice::from),
        };
        let mut uploaded = self.0.uploaded.borrow_mut();
        let here = match &*uploaded {
            Some(here) if Rc::ptr_eq(gpu, &here.positions.gpu()) && here.refusals == gpu.refusals() => {
                here.clone()
            }
            _ => {
                let bytes = bytemuck::cast_slice(positions.values());
                let positions = Rc::new(gpu.upload(plan.op().name(), bytes)?);
                // Without memory to find out, they may meet.
                let is_distinct = matches!(self.has_duplicates(), Ok(false));
                let here = Rc::new(Uploaded {
                    positions,
                    orders: Orders::new(is_distinct),
                    refusals: gpu.refusals(),
                });
                *uploaded = Some(here.clone());
                here
            }
        };
        Ok(OnDevice { index: device::DeviceIndex::positions(here.positions.clone()), uploaded: Some(here) })
    }

    /// The lowering of a scatter into a table.
    ///
    /// # Errors
    /// Those of the operator with the index itself, and one for a table of another shape.
    pub(super) fn scatter(&self, op: Op, table: Operand<'_>, src: Option<Operand<'_>>) -> Result<Addressing> {
        self.check_shape(op, table.shape)?;
        match self.0.form {
            Form::Along(dim) => Addressing::scatter_axis(op, table, dim, self.index(), src),
            Form::Tuples => Addressing::scatter_nd(op, table, self.index(), src),
        }
    }

    /// The lowering of a gather from a table, and the shape of its result.
    ///
    /// # Errors
    /// As for [`IndexPlan::scatter`].
    pub(super) fn gather(&self, op: Op, table: Operand<'_>) -> Result<(Addressing, Shape)> {
        self.check_shape(op, table.shape)?;
        match self.0.form {
            Form::Along(dim) => {
                let plan = Addressing::gather_axis(op, table, dim, self.index())?;
                Ok((plan, self.0.lowered.index_shape().clone()))
            }
            Form::Tuples => Addressing::gather_nd(op, table, self.index()),
        }
    }

    /// The shape of what counts as one entry each.
    pub(super) fn entry_dims(&self) -> &[usize] {
        let dims = self.0.lowered.index_shape().dims();
        match self.0.form {
            Form::Along(_) => dims,
            Form::Tuples => dims.split_last().map_or(&[][..], |(_, entries)| entries),
        }
    }

    /// What a lowering asks of the index. Which of the two index dtypes it had no longer matters.
    fn index(&self) -> Operand<'_> {
        Operand { shape: self.0.lowered.index_shape(), dtype: DType::Int32 }
    }

    fn check_shape(&self, op: Op, table: &Shape) -> Result<()> {
        if table == self.shape() {
            return Ok(());
        }
        let (name, plan) = (op.table_name(), self.shape());
        let text = format!(
            "{name} has shape {table} and the plan is for {plan}; they must be equal \
             (make a plan for this shape, or {name}.reshape the tensor)"
        );
        Err(Error::new(op.error_class(Rule::Size), ErrorCode::ShapeMismatch, op.name(), text)
            .argument("plan")
            .shape(name, table)
            .shape("plan", plan))
    }
}

/// A tensor of that shape; its dtype is not looked at where there is no source.
fn any_of(shape: &Shape) -> Operand<'_> {
    Operand { shape, dtype: DType::Bool }
}
