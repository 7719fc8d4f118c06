//! Index entries: how passes read them, and the check of their values.

pub(crate) mod check;
pub(crate) mod entries;

use std::cell::OnceCell;
use std::rc::Rc;

use crate::DType;
use crate::engine::gpu::{DeviceBuffer, Gpu};
use crate::plan::Addressing;

/// The index of a scatter or gather, and what is known of it. Cloning shares its buffers.
#[derive(Clone)]
pub struct Index {
    pub(crate) buffer: Rc<DeviceBuffer>,
    /// The dtype of index values, int32 or int64; `None` for one position for each entry, a word each.
    pub(crate) dtype: Option<DType>,
    /// Whether positions may be `SKIPPED`.
    pub(crate) drops: bool,
    pub(crate) orders: Rc<Orders>,
    /// What each call must check.
    pub(crate) unchecked: Option<Unchecked>,
}

/// Values of an index that may be out of range, and one of them that is ignored.
#[derive(Clone)]
pub(crate) struct Unchecked {
    pub(crate) buffer: Rc<DeviceBuffer>,
    pub(crate) dtype: DType,
    pub(crate) ignored: Option<i64>,
}

/// The orders of an index's entries, each computed by the first call that needs it. They depend on the index alone, not on the values, nor on
/// the table's content or dtype. They serve any number of calls by one plan if its values are known to be in range, else one call.
#[derive(Default)]
pub(crate) struct Orders {
    /// The most entries that name one row, if the host knows it.
    pub(crate) longest_run: Option<usize>,
    /// Whether later calls use them again: those of a plan.
    pub(crate) are_kept: bool,
    /// For every row of the table, the last entry that names it.
    pub(crate) marks: OnceCell<Rc<DeviceBuffer>>,
    pub(crate) sorted: OnceCell<Rc<DeviceBuffer>>,
}

impl Orders {
    /// The most entries of a plan that can name one row.
    pub(crate) fn longest_run(&self, plan: &Addressing) -> usize {
        self.longest_run.map_or(plan.longest_run(), |known| known.min(plan.longest_run()))
    }
}

impl Index {
    /// An index of int32 or int64. `is_checked`: every value is in range.
    pub fn values(buffer: Rc<DeviceBuffer>, dtype: DType, is_checked: bool) -> Self {
        let unchecked = || Unchecked { buffer: Rc::clone(&buffer), dtype, ignored: None };
        let unchecked = (!is_checked).then(unchecked);
        Self { buffer, dtype: Some(dtype), drops: false, orders: Rc::default(), unchecked }
    }

    /// An index as one position per entry. `drops`: some may be `SKIPPED`. `longest_run`: the most entries that name one row, if known.
    pub(crate) fn positions(buffer: Rc<DeviceBuffer>, drops: bool, longest_run: Option<usize>) -> Self {
        let orders = Rc::new(Orders { longest_run, ..Orders::default() });
        Self { buffer, dtype: None, drops, orders, unchecked: None }
    }

    /// The same index for a plan: later calls use its orders.
    pub(crate) fn kept(self) -> Self {
        let orders = Orders { longest_run: self.orders.longest_run, are_kept: true, ..Orders::default() };
        Self { orders: Rc::new(orders), ..self }
    }

    pub(crate) fn gpu(&self) -> Rc<Gpu> {
        self.buffer.gpu()
    }

    /// The same index for a call that checks nothing, because its positions are in range whatever the values are.
    pub(crate) fn trusted(&self) -> Self {
        Self { unchecked: None, ..self.clone() }
    }
}

impl crate::index::backend::IndexBackend for Rc<Gpu> {
    type Index<'a> = Index;
}
