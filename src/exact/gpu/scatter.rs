//! Scatters whose sums are exact. Each place of the table has an accumulator in scratch memory: integers, to which threads add in any
//! order. At the end each place is rounded once. `shaders/exact/exact_layout.wgsl` describes the memory.

use std::rc::Rc;

use crate::engine::Value;
use crate::engine::gpu::shaders::pass::{ExactAdd, ExactRound, ExactSlots, ExactTile, Rows};
use crate::engine::gpu::{
    Apply, DeviceBuffer, Entries, Gpu, IndexFormat, MOST_THREADS, NEVER_FAILS, Pass, ShaderKey, Tile, hook,
};
use crate::gather::backend::GatherBackend;
use crate::index::gpu::Index;
use crate::index::gpu::check::scratch;
use crate::plan::{Addressed, Addressing, Arguments, Op, Operand, Reduce, Update};
use crate::scatter::gpu::commuting::atomics;
use crate::scatter::gpu::order::count_entries;
use crate::scatter::gpu::strategy::{EXACT_BYTES, Strategy, exact_copies, is_compacted};
use crate::scatter::gpu::traversal::Traversal;
use crate::{DType, Error, ErrorClass, ErrorCode, Result, Shape};

/// Words of an exact sum: of its accumulator and its flags; with a count two more.
pub(crate) fn record(dtype: DType, is_counted: bool) -> usize {
    let words = match dtype {
        DType::Float16 => 4,
        DType::Float64 => 67,
        _ => 10,
    };
    words + 1 + if is_counted { 2 } else { 0 }
}

/// The most places of a tile whose sums have `record` words.
pub(crate) fn tile_places(gpu: &Gpu, record: usize) -> usize {
    let bytes = usize::try_from(gpu.most_bytes()).unwrap_or(usize::MAX).min(EXACT_BYTES);
    hook(|hooks| hooks.exact.places).flatten().unwrap_or(bytes / 4 / record).max(1)
}

/// Terms of exact sums, and where they go: the entries of a scatter.
pub(crate) struct Terms<'a> {
    pub(crate) gpu: &'a Rc<Gpu>,
    pub(crate) op: Op,
    pub(crate) dtype: DType,
    /// The index, as `format` describes it.
    pub(crate) index: &'a DeviceBuffer,
    pub(crate) format: IndexFormat,
    pub(crate) entries: Entries,
    /// How many entries there are.
    pub(crate) count: usize,
    pub(crate) value: &'a Value<&'a DeviceBuffer>,
    /// The status slot that passes look at.
    pub(crate) slot: u32,
}

impl<'a> Terms<'a> {
    pub(crate) fn new(
        gpu: &'a Rc<Gpu>,
        plan: &Addressing,
        dtype: DType,
        index: &'a Index,
        value: &'a Value<&'a DeviceBuffer>,
        slot: u32,
    ) -> Self {
        Self {
            gpu,
            op: plan.op(),
            dtype,
            index: &index.buffer,
            format: IndexFormat::new(plan, index),
            entries: Entries::new(plan),
            count: plan.entries(),
            value,
            slot,
        }
    }

    fn updates(&self) -> usize {
        self.count.saturating_mul(self.entries.row as usize)
    }

    /// Refuses more terms than a pass can number. Only one scalar for all entries can be so many.
    pub(crate) fn check(&self) -> Result<()> {
        if self.updates() as u64 <= MOST_THREADS {
            return Ok(());
        }
        let text = format!("{} terms are more than a GPU adds at once; split the index", self.updates());
        Err(Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, self.op.name(), text))
    }

    /// Adds the terms to the sums of a tile.
    pub(crate) fn add(&self, tile: Tile, sums: &DeviceBuffer) {
        let (pass, params, [threads, updates]) =
            atomics(self.format, self.entries, self.count, self.value, Apply::Update, self.dtype);
        let pass = match pass {
            Pass::AtomicsQuads(_) => Pass::ExactAddQuads,
            Pass::AtomicsRows(_) => Pass::ExactAddRows,
            _ => Pass::ExactAdd,
        };
        let params = ExactAdd {
            index: params.index,
            entries: params.entries,
            update: params.update,
            entry_count: params.entry_count,
            span: params.span,
            tile,
        };
        let pass = self.gpu.pass(ShaderKey::of(pass, self.dtype, Reduce::Add), &params).slot(self.slot);
        pass.index(self.index).dst(sums).src(self.value.buffer()).rounds(updates).record(threads);
    }

    /// Adds the terms to the `places` elements of a table, tile by tile. `counts` has the number of terms of each row, if the update
    /// needs it. Each mean has `others` terms beside those.
    pub(crate) fn run(
        &self,
        table: &DeviceBuffer,
        places: usize,
        update: Update,
        counts: Option<&DeviceBuffer>,
        others: u32,
    ) -> Result<()> {
        self.check()?;
        let (gpu, record) = (self.gpu, record(self.dtype, false));
        let most = tile_places(gpu, record).min(places);
        let copies = hook(|hooks| hooks.exact.copies).flatten();
        let copies =
            copies.unwrap_or_else(|| if most < places { 1 } else { exact_copies(self.updates(), most) });
        let sums = DeviceBuffer::new(gpu, self.op.name(), "exact sums", 4 * record * most * copies)?;
        for first in (0..places).step_by(most) {
            if first > 0 && hook(|hooks| hooks.exact.keeps) != Some(true) {
                sums.clear();
            }
            let len = most.min(places - first);
            let [first, places, record, copies] = [first, len, record, copies].map(|number| number as u32);
            let tile = Tile { first, places, record, copies };
            let key = |pass| ShaderKey::of(pass, self.dtype, Reduce::Add);
            if update.include_self {
                gpu.pass(key(Pass::ExactLoad), &ExactTile { tile }).dst(&sums).src(table).record(len);
            }
            self.add(tile, &sums);
            if copies > 1 {
                let words = len * (copies - 1) as usize * record as usize;
                gpu.pass(key(Pass::ExactMerge), &ExactTile { tile }).dst(&sums).record(words);
            }
            let params = ExactRound {
                tile,
                is_mean: update.is_mean().into(),
                counts: counts.is_some().into(),
                row: self.entries.row,
                other_terms: others,
            };
            let pass = gpu.pass(key(Pass::ExactRound), &params).slot(self.slot);
            pass.index(counts).dst(table).src(&sums).record(len);
        }
        Ok(())
    }
}

/// Whether an update needs the number of terms of each row: to divide, or to find the rows without terms.
fn is_counted(update: Update) -> bool {
    update.is_mean() || !update.include_self
}

impl Traversal<'_> {
    /// Adds exactly. `update` says what the traversal is for.
    pub(crate) fn exact(&self, update: Update, index: &Index) -> Result<()> {
        let Self { gpu, plan, dtype, value, slot, .. } = *self;
        let terms = Terms::new(gpu, plan, dtype, index, value, slot);
        let is_compacted = is_compacted(terms.updates(), plan.table_len());
        if hook(|hooks| hooks.exact.compacted).flatten().unwrap_or(is_compacted) {
            return self.compacted(update, index, terms);
        }
        let counts = is_counted(update).then(|| count_entries(gpu, plan, index, slot)).transpose()?;
        terms.run(self.table, plan.table_len(), update, counts.as_ref(), update.other_terms())
    }

    /// The same for few entries of a large table. The rows that they name are moved to a small table, in the order of the sorted entries,
    /// and back.
    fn compacted(&self, update: Update, index: &Index, terms: Terms<'_>) -> Result<()> {
        let Self { gpu, plan, dtype, table, slot, .. } = *self;
        let (entries, row) = (plan.entries(), plan.row().len);
        // A later call may use the order even if this call is refused.
        let order_slot = if index.unchecked.is_some() { slot } else { NEVER_FAILS };
        let sorted = index.orders.sorted(gpu, plan, index, order_slot)?;
        let (slots, rows) = (scratch(gpu, plan, entries)?, scratch(gpu, plan, entries)?);
        let params = ExactSlots { entry_count: entries as u32 };
        let pass = gpu.pass(Pass::ExactSlots, &params).index(&*sorted).dst(&slots).scratch(&rows);
        pass.record(entries);
        let rows = Index::positions(Rc::new(rows), true, Some(1));
        let named = Named::new(plan, dtype)?;
        let small = gpu.gather(&named.gather, dtype, table, &rows, 0)?;
        let format = IndexFormat::of_positions(row, index.drops);
        let numbered = numbered(terms.entries);
        let terms = Terms { index: &slots, format, entries: numbered, ..terms };
        let counts = is_counted(update).then(|| {
            let counts = DeviceBuffer::new(gpu, plan.op().name(), "work on index", 4 * entries)?;
            let index = IndexFormat::of_positions(1, format.drops != 0);
            let params = Rows { index, entries: numbered, entry_count: entries as u32 };
            gpu.pass(Pass::Count, &params).slot(slot).index(&slots).dst(&counts).record(entries);
            Ok::<_, Error>(counts)
        });
        terms.run(&small, entries * row, update, counts.transpose()?.as_ref(), update.other_terms())?;
        let (reduce, value) = (Reduce::Replace, &Value::Buffer(&small));
        let back = Traversal { gpu, plan: &named.scatter, dtype, reduce, table, value, slot };
        back.run(Strategy::Distinct, &rows, [None, None]);
        Ok(())
    }
}

/// The loops over entries whose positions are in their own order and alone say the place.
fn numbered(mut entries: Entries) -> Entries {
    let mut stride = 1;
    let count = entries.loop_count as usize;
    for entry_loop in entries.loops.iter_mut().take(count).rev() {
        (entry_loop.table_stride, entry_loop.entry_stride) = (0, stride);
        stride *= entry_loop.len;
    }
    entries
}

/// The plans that move rows of a table, named by an index of one row for each entry, out of the table and back.
struct Named {
    gather: Addressing,
    scatter: Addressing,
}

impl Named {
    /// For the entries and the table of a plan.
    fn new(plan: &Addressing, dtype: DType) -> Result<Self> {
        let (op, row) = (plan.op(), plan.row().len);
        let shape = |dims: &[usize]| Shape::new(op.name(), dims);
        let (table, src) = (shape(&[plan.table_len() / row.max(1), row])?, shape(&[plan.entries(), row])?);
        let index = shape(&[plan.entries()])?;
        let [table, src] = [&table, &src].map(|shape| Operand { shape, dtype });
        let index = Operand { shape: &index, dtype: DType::Int32 };
        let call = Arguments { op, form: Addressed::Slices(0), table, index, src: None };
        let (gather, _) = Addressing::gather(&call)?;
        Ok(Self { gather, scatter: Addressing::scatter(&Arguments { src: Some(src), ..call })? })
    }
}
