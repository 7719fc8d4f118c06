//! Index entries: how passes read them, and the check of their values.

pub(crate) mod check;
pub(crate) mod entries;

use std::cell::OnceCell;
use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::Gpu;

/// The index of a scatter or gather. Cloning shares its buffers.
#[derive(Clone)]
pub struct Index {
    pub(crate) buffer: Rc<DeviceBuffer>,
    pub(crate) form: Form,
    pub(crate) orders: Rc<Orders>,
    /// The values that positions were made from, if each call must check them.
    pub(crate) unchecked: Option<Rc<Unchecked>>,
}

/// Values of an index that may be out of range, and one of them that is ignored.
pub(crate) struct Unchecked {
    pub(crate) values: Index,
    pub(crate) ignored: Option<i64>,
}

/// The content of an index's buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Values of int32 or int64, possibly out of range.
    Unchecked(DType),
    /// Values of int32 or int64, each in range.
    Checked(DType),
    /// One position for each entry, a word each.
    Positions,
    /// The same, with `DROPPED` for entries that are left out.
    Partial,
}

/// A prepared index. It serves any number of calls if its values are known to be in range, else one call. It depends on the index
/// alone, not on the values, nor on the table's content or dtype. It is valid for one device, one plan and one index. A call computes
/// each order when it first needs it.
#[derive(Default)]
pub(crate) struct Orders {
    /// Whether it is known that no two entries name the same row.
    pub(crate) is_distinct: bool,
    /// For every row of the table, the last entry that names it.
    pub(crate) marks: OnceCell<Rc<DeviceBuffer>>,
    pub(crate) sorted: OnceCell<Rc<DeviceBuffer>>,
}

impl Index {
    /// An index of int32 or int64. `is_checked`: every value is in range.
    pub fn values(buffer: Rc<DeviceBuffer>, dtype: DType, is_checked: bool) -> Self {
        let form = if is_checked { Form::Checked(dtype) } else { Form::Unchecked(dtype) };
        Self { buffer, form, orders: Rc::default(), unchecked: None }
    }

    /// An index as one position per entry. `drops`: some entries may be left out, and are marked. `is_distinct`: no two entries name
    /// the same row.
    pub(crate) fn positions(buffer: Rc<DeviceBuffer>, drops: bool, is_distinct: bool) -> Self {
        let form = if drops { Form::Partial } else { Form::Positions };
        let orders = Rc::new(Orders { is_distinct, ..Orders::default() });
        Self { buffer, form, orders, unchecked: None }
    }

    /// The device of the index.
    pub(crate) fn gpu(&self) -> Rc<Gpu> {
        self.buffer.gpu()
    }

    /// Whether a value may be out of range.
    pub(crate) fn is_unchecked(&self) -> bool {
        matches!(self.form, Form::Unchecked(_)) || self.unchecked.is_some()
    }
}

impl crate::index::backend::IndexBackend for Rc<Gpu> {
    type Index<'a> = Index;
}
