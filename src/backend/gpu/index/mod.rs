//! Index entries: how passes read them, and the check of their values.

pub(crate) mod check;
pub(crate) mod entries;

use std::cell::OnceCell;
use std::rc::Rc;

use crate::backend::gpu::buffer::DeviceBuffer;
use crate::backend::gpu::device::Gpu;
use crate::dtype::DType;

/// The index of a scatter or gather. Cloning shares its buffers.
#[derive(Clone)]
pub struct Index {
    pub(crate) buffer: Rc<DeviceBuffer>,
    pub(crate) form: Form,
    pub(crate) orders: Rc<Orders>,
}

/// What the buffer of an index holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Values of int32 or int64, of which nothing is known.
    Unchecked(DType),
    /// Values of int32 or int64, each in range.
    Checked(DType),
    /// One position for each entry, a word each.
    Positions,
    /// The same, with `DROPPED` in the place of entries that are left out.
    Partial,
}

/// What was prepared of an index: for any number of calls where its values are known to be in range, else for one. It depends on
/// the index alone, not on the values, nor on the table's content or dtype. It is valid for the device, the plan and the index that
/// it was made from. Each order is made when a call first needs it.
#[derive(Default)]
pub(crate) struct Orders {
    /// Whether it is known that no two entries name the same row.
    pub(crate) is_distinct: bool,
    pub(crate) chosen: OnceCell<Rc<DeviceBuffer>>,
    pub(crate) sorted: OnceCell<Rc<DeviceBuffer>>,
}

impl Index {
    /// An index of int32 or int64. `is_checked`: every value is known to be in range.
    pub fn values(buffer: Rc<DeviceBuffer>, dtype: DType, is_checked: bool) -> Self {
        let form = if is_checked { Form::Checked(dtype) } else { Form::Unchecked(dtype) };
        Self { buffer, form, orders: Rc::default() }
    }

    /// An index that was turned into one position for each entry. `drops`: some entries may be left out, and are marked. `is_distinct`: no
    /// two entries name the same row.
    pub(crate) fn positions(buffer: Rc<DeviceBuffer>, drops: bool, is_distinct: bool) -> Self {
        let form = if drops { Form::Partial } else { Form::Positions };
        Self { buffer, form, orders: Rc::new(Orders { is_distinct, ..Orders::default() }) }
    }

    /// The device that it is on.
    pub(crate) fn gpu(&self) -> Rc<Gpu> {
        self.buffer.gpu()
    }

    /// Whether a value may be out of range.
    pub(crate) fn is_unchecked(&self) -> bool {
        matches!(self.form, Form::Unchecked(_))
    }
}
