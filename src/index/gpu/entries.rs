//! Parameters from the plan of a scatter or gather: how its index is read, its loops over entries, and the units that its rows move in.
//! All numbers fit in 32 bits: a device buffer has fewer than 2³² elements, and a plan fewer entries.

use crate::DType;
use crate::engine::Value;
use crate::engine::gpu::shaders::pass::Rows;
use crate::engine::gpu::{DeviceBuffer, Entries, EntryLoop, Ignored, IndexFormat, Update, Width};
use crate::index::gpu::Index;
use crate::plan::Addressing;

impl IndexFormat {
    pub(crate) fn new(plan: &Addressing, index: &Index) -> Self {
        match index.dtype {
            Some(dtype) => Self::of_values(plan, dtype),
            None => Self::of_positions(plan.slot_stride(), index.drops),
        }
    }

    /// How a plan reads index values, of int32 or int64.
    pub(crate) fn of_values(plan: &Addressing, dtype: DType) -> Self {
        let components = plan.components();
        let mut format = Self {
            component_count: components.len() as u32,
            words: if dtype == DType::Int64 { 2 } else { 1 },
            slot_stride: plan.slot_stride() as u32,
            ..Self::default()
        };
        for (packed, component) in format.components.iter_mut().zip(components) {
            *packed = [component.bound, component.stride].map(|n| n as u32);
        }
        format
    }

    /// How an index of positions is read, one for each entry, in the order of the entries. `drops`: some may be `SKIPPED`.
    pub(crate) fn of_positions(slot_stride: usize, drops: bool) -> Self {
        let mut format = Self {
            component_count: 1,
            words: 1,
            slot_stride: slot_stride as u32,
            drops: drops.into(),
            ..Self::default()
        };
        // A position is never negative, and used unchanged.
        if let Some(only) = format.components.first_mut() {
            *only = [0, 1];
        }
        format
    }
}

impl Ignored {
    pub(crate) fn new(value: Option<i64>) -> Self {
        let bits = value.unwrap_or_default() as u64;
        Self { low: bits as u32, high: (bits >> 32) as u32, is_given: value.is_some().into(), unused: 0 }
    }
}

impl Entries {
    pub(crate) fn new(plan: &Addressing) -> Self {
        Self::without(plan, None)
    }

    /// All loops of a plan except loop number `skipped`.
    pub(crate) fn without(plan: &Addressing, skipped: Option<usize>) -> Self {
        let row = plan.row();
        let mut entries =
            Self { row: row.len as u32, row_value_stride: row.value_stride as u32, ..Self::default() };
        let chosen = plan.loops().iter().enumerate().filter(|&(at, _)| Some(at) != skipped);
        for (packed, (_, from)) in entries.loops.iter_mut().zip(chosen) {
            let [len, table_stride, value_stride, entry_stride] =
                [from.len, from.table_stride, from.value_stride, from.index_stride].map(|n| n as u32);
            *packed = EntryLoop { len, table_stride, value_stride, entry_stride };
            entries.loop_count += 1;
        }
        entries
    }
}

/// The loops for `shaders/lib/quads.wgsl`, exactly two, for passes with four neighbouring entries per thread. `None` if these passes
/// cannot do the call. They need:
/// - elements, or units of `entries`, of one word (the caller checks this), and rows of one of them;
/// - an index with one number of one word per entry, and no skipped entry;
/// - loops that traverse the index in its own order. Four neighbours may span two rounds of the outer loop, not more.
pub(crate) fn loops_of_quads(index: &IndexFormat, mut entries: Entries) -> Option<Entries> {
    if entries.loop_count == 1 {
        // A single loop becomes the inner loop. The empty loop that moves to the front has strides of 0.
        entries.loops.rotate_right(1);
        entries.loop_count = 2;
    }
    let [outer, inner, ..] = &mut entries.loops;
    outer.len = outer.len.max(1);
    let is_in_order = inner.entry_stride == 1 && (outer.len == 1 || outer.entry_stride == inner.len);
    let is_plain = (index.component_count, index.words, index.drops) == (1, 1, 0);
    let fits_two_rounds = outer.len == 1 || inner.len >= 4;
    (is_plain && is_in_order && fits_two_rounds && entries.row == 1 && entries.loop_count == 2)
        .then_some(entries)
}

/// Whether `Pass::AtomicsRows` can do the call, if elements are one word. Each thread has eight elements of a row. The
/// pass takes one loop over entries and index tuples of up to two numbers, with no skipped entry. A row needs at least 16 elements:
/// with eight, one thread would have a whole row, and neighbouring threads would not access neighbouring elements.
pub(crate) fn comes_in_eights(index: &IndexFormat, entries: &Entries) -> bool {
    let is_plain = entries.loop_count == 1 && index.component_count <= 2 && index.drops == 0;
    is_plain && entries.row.is_multiple_of(8) && entries.row >= 16
}

impl Rows {
    /// The parameters of a pass with one thread per entry, for [`Rows::in_quads`] too. The table's strides count rows instead of elements.
    pub(crate) fn new(plan: &Addressing, index: &Index) -> Self {
        let (mut index, mut entries) = (IndexFormat::new(plan, index), Entries::new(plan));
        // Exact: if rows are longer than an element, all strides in the table are multiples of a row.
        let row = entries.row.max(1);
        index.slot_stride /= row;
        for entry_loop in &mut entries.loops {
            entry_loop.table_stride /= row;
        }
        Self { index, entries, entry_count: plan.entries() as u32 }
    }

    /// Whether the index is the rows of its entries already.
    pub(crate) fn are_positions(&self) -> bool {
        let is_plain = |format: &IndexFormat| {
            // Values of a bound would count from the end.
            let is_position = format.components.first() == Some(&[0, 1]);
            is_position && (format.component_count, format.words, format.slot_stride) == (1, 1, 1)
        };
        let is_in_order = |only: &EntryLoop| (only.table_stride, only.entry_stride) == (0, 1);
        let is_one_loop = self.entries.loop_count == 1 && self.entries.loops.first().is_some_and(is_in_order);
        is_plain(&self.index) && is_one_loop
    }

    /// The same for a pass with a thread per four entries, whose rows count as one element each; `None` if such a pass cannot do the call.
    pub(crate) fn in_quads(mut self) -> Option<Self> {
        self.entries.row = 1;
        self.entries = loops_of_quads(&self.index, self.entries)?;
        Some(self)
    }
}

impl Update {
    /// The update of a scatter for shaders: defaults if the values are in a buffer.
    pub(crate) fn new(value: &Value<&DeviceBuffer>) -> Self {
        match value {
            Value::Buffer(_) => Self::default(),
            Value::Scalar(bits) => {
                Self { scalar: [*bits as u32, (*bits >> 32) as u32], is_scalar: 1, unused: 0 }
            }
        }
    }
}

/// The units that rows move in: elements, or several elements at once.
#[derive(Clone, Copy)]
pub(crate) struct Units {
    pub(crate) width: Width,
    element_bytes: usize,
}

impl Units {
    /// The units for the rows of a plan: 16 bytes if a row's length is a multiple of 16; else a word, for narrower elements, if the
    /// length is a multiple of 4; else an element. A row starts at a multiple of its length, so its start is aligned too.
    pub(crate) fn of(plan: &Addressing, dtype: DType) -> Self {
        let (row, element_bytes) = (plan.row().len, dtype.size());
        let width = match row * element_bytes {
            // A single element may start anywhere.
            _ if row == 1 => Width::of(dtype),
            bytes if bytes % 16 == 0 => Width::Sixteen,
            bytes if bytes % 4 == 0 && element_bytes < 4 => Width::Four,
            _ => Width::of(dtype),
        };
        Self { width, element_bytes }
    }

    /// How many units hold `elements` elements, which are whole rows or single elements.
    pub(crate) fn count(self, elements: usize) -> usize {
        elements * self.element_bytes / self.width.bytes()
    }

    /// Makes the row and the loops' strides count units instead of elements.
    pub(crate) fn apply(self, entries: &mut Entries) {
        self.apply_to_values(entries);
        for entry_loop in &mut entries.loops {
            self.convert(&mut entry_loop.table_stride);
        }
    }

    /// Makes the row and the strides of the values count units instead of elements.
    pub(crate) fn apply_to_values(self, entries: &mut Entries) {
        self.convert(&mut entries.row);
        for entry_loop in &mut entries.loops {
            self.convert(&mut entry_loop.value_stride);
        }
    }

    fn convert(self, elements: &mut u32) {
        *elements = self.count(*elements as usize) as u32;
    }
}
