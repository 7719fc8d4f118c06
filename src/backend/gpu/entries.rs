//! The parameters that follow from the plan of a scatter or gather: how its index is read, its loops over entries, and the units
//! that its rows are moved in. All numbers fit in 32 bits, as a device buffer has fewer than 2³² elements and a plan fewer
//! entries.

use crate::backend::gpu::params::{Entries, EntryLoop, Head, IndexFormat, Rows, Update};
use crate::backend::gpu::{DeviceBuffer, Width};
use crate::backend::{Index, IndexState, Value};
use crate::dtype::DType;
use crate::plan::{Addressing, Component};

impl IndexFormat {
    /// What a plan does with an index.
    pub(super) fn new(plan: &Addressing, index: &Index<'_, DeviceBuffer>) -> Self {
        let positions = [Component { bound: 0, stride: 1 }];
        let components = match index.state {
            IndexState::Positions | IndexState::Partial => &positions,
            IndexState::Checked | IndexState::Unchecked => plan.components(),
        };
        let mut format = Self {
            component_count: components.len() as u32,
            words: if index.dtype == DType::Int64 { 2 } else { 1 },
            place_stride: plan.place_stride() as u32,
            drops: (index.state == IndexState::Partial).into(),
            ..Self::default()
        };
        for (slot, component) in format.components.iter_mut().zip(components) {
            *slot = [component.bound, component.stride].map(|n| n as u32);
        }
        format
    }
}

impl Entries {
    /// All loops of a plan.
    pub(super) fn new(plan: &Addressing) -> Self {
        Self::without(plan, None)
    }

    /// All loops but one.
    pub(super) fn without(plan: &Addressing, left_out: Option<usize>) -> Self {
        let row = plan.row();
        let mut entries =
            Self { row: row.len as u32, row_value_stride: row.value_stride as u32, ..Self::default() };
        let chosen = plan.loops().iter().enumerate().filter(|&(at, _)| Some(at) != left_out);
        for (slot, (_, l)) in entries.loops.iter_mut().zip(chosen) {
            let [len, table_stride, value_stride, entry_stride] =
                [l.len, l.table_stride, l.value_stride, l.index_stride].map(|n| n as u32);
            *slot = EntryLoop { len, table_stride, value_stride, entry_stride };
            entries.loop_count += 1;
        }
        entries
    }
}

/// The loops as `shaders/lib/quads.wgsl` reads them, exactly two, for passes that take four entries in each thread. `None` where that
/// cannot be: elements have to move alone, and the index to have a number of one word for each entry, none left out, and to be walked in
/// its own order. Four entries have to be in two rounds of the outer loop at most.
pub(super) fn loops_of_quads(index: &IndexFormat, mut entries: Entries) -> Option<Entries> {
    if entries.loop_count == 1 {
        // The slot that comes to the front is empty: its strides are 0.
        entries.loops.rotate_right(1);
        entries.loop_count = 2;
    }
    let [outer, inner, ..] = &mut entries.loops;
    outer.len = outer.len.max(1);
    let is_in_order = inner.entry_stride == 1 && (outer.len == 1 || outer.entry_stride == inner.len);
    let is_plain = (index.component_count, index.words, index.drops) == (1, 1, 0);
    let is_long = outer.len == 1 || inner.len >= 4;
    (is_plain && is_in_order && is_long && entries.row == 1 && entries.loop_count == 2).then_some(entries)
}

/// Whether `shaders/index/atomics_rows.wgsl` can do it: rows that threads share in eights, entries in one loop, tuples of up to two
/// numbers, none left out. A row of eight elements would be one thread's, and threads beside each other
/// would not access memory side by side.
pub(super) fn comes_in_eights(index: &IndexFormat, entries: &Entries) -> bool {
    let is_plain = entries.loop_count == 1 && index.component_count <= 2 && index.drops == 0;
    is_plain && entries.row.is_multiple_of(8) && entries.row >= 16
}

impl Rows {
    /// One thread per entry, and rows of the table counted instead of elements.
    pub(super) fn new(plan: &Addressing, index: &Index<'_, DeviceBuffer>, slot: u32) -> Self {
        let (mut index, mut entries) = (IndexFormat::new(plan, index), Entries::new(plan));
        // All strides of a plan whose rows are longer than an element are multiples of them.
        let row = entries.row.max(1);
        index.place_stride /= row;
        for l in &mut entries.loops {
            l.table_stride /= row;
        }
        Self { head: Head::new(plan.entries(), slot), index, entries }
    }
}

impl Update {
    pub(super) fn new(value: &Value<'_, DeviceBuffer>) -> Self {
        match value {
            Value::Buffer(_) => Self::default(),
            Value::Scalar(bits) => {
                Self { scalar: [*bits as u32, (*bits >> 32) as u32], is_scalar: 1, unused: 0 }
            }
        }
    }
}

/// The units in which rows move: elements, or several of them at once.
#[derive(Clone, Copy)]
pub(super) struct Units {
    /// The width of a unit.
    pub(super) width: Width,
    element_bytes: usize,
}

impl Units {
    /// The largest units that the rows of a plan can be moved in.
    pub(super) fn of(plan: &Addressing, dtype: DType) -> Self {
        let (row, element_bytes) = (plan.row().len, dtype.size());
        let width = match row * element_bytes {
            _ if row == 1 => Width::of(dtype),
            bytes if bytes % 16 == 0 => Width::Sixteen,
            bytes if bytes % 4 == 0 && element_bytes < 4 => Width::Four,
            _ => Width::of(dtype),
        };
        Self { width, element_bytes }
    }

    /// How many units hold `elements` elements.
    pub(super) fn count(self, elements: usize) -> usize {
        elements * self.element_bytes / self.width.bytes()
    }

    /// Counts units in the place of elements.
    pub(super) fn apply(self, entries: &mut Entries) {
        let in_units = |elements: &mut u32| *elements = self.count(*elements as usize) as u32;
        in_units(&mut entries.row);
        for l in &mut entries.loops {
            in_units(&mut l.table_stride);
            in_units(&mut l.value_stride);
        }
    }
}
