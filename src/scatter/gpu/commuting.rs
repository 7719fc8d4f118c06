//! Scatters whose result no order can change: updates are applied by atomic operations, in any order.

use crate::engine::Value;
use crate::engine::gpu::shaders::pass::{ApplyKeys, Atomics};
use crate::engine::gpu::{
    Apply, Combine, DeviceBuffer, Entries, IndexFormat, Pass, ShaderKey, Update, Width,
};
use crate::index::gpu::Index;
use crate::index::gpu::entries::{comes_in_eights, loops_of_quads};
use crate::scatter::gpu::lists::words_of_longer;
use crate::scatter::gpu::strategy::Strategy;
use crate::scatter::gpu::traversal::Traversal;
use crate::{DType, Result};

impl Traversal<'_> {
    /// The scratch memory of a strategy, zeros; `None` if it has none.
    pub(crate) fn scratch(&self, strategy: Strategy) -> Result<Option<DeviceBuffer>> {
        let elements = self.plan.table_len();
        let words = match strategy {
            // A key for each element, in as many words.
            Strategy::Keys => elements * self.dtype.size().div_ceil(4),
            Strategy::Lists => words_of_longer(self.plan.entries()),
            Strategy::Columns
            | Strategy::Winner
            | Strategy::Atomics
            | Strategy::CountThenRepeat
            | Strategy::Small
            | Strategy::RunPerThread
            | Strategy::RowPerGroup
            | Strategy::Distinct => return Ok(None),
        };
        DeviceBuffer::new(self.gpu, self.plan.op().name(), "work on the table", 4 * words).map(Some)
    }

    /// By atomic operations on the table.
    pub(crate) fn atomics(&self, index: &Index) {
        self.apply(Apply::Update, index, self.table);
        if Combine::select(self.dtype, self.reduce).has_losing_sign() {
            self.apply(Apply::LosingSign, index, self.table);
        }
    }

    /// Maxima or minima by the keys of elements. Then each element is combined with the extreme of its updates.
    pub(crate) fn keys(&self, index: &Index, keys: &DeviceBuffer) {
        let width = Width::of(self.dtype);
        // The high words of keys are complete before low words are compared.
        if width == Width::Eight {
            self.apply(Apply::HighKey, index, keys);
        }
        self.apply(Apply::Key, index, keys);
        let key = ShaderKey::of(Pass::ApplyKeys, self.dtype, self.reduce);
        let pass = self.gpu.pass(key, &ApplyKeys {}).slot(self.slot).dst(self.table).src(keys);
        pass.record(self.plan.table_len());
    }

    /// Applies all updates to `dst` by atomic operations.
    fn apply(&self, apply: Apply, index: &Index, dst: &DeviceBuffer) {
        let format = IndexFormat::new(self.plan, index);
        let (entries, count) = (Entries::new(self.plan), self.plan.entries());
        let (pass, params, [threads, updates]) =
            atomics(format, entries, count, self.value, apply, self.dtype);
        let pass = self.pass(pass, &params, &index.buffer).dst(dst);
        pass.rounds(updates).record(threads);
    }
}

/// The pass that applies the updates of all entries by atomic operations, its parameters, its threads, and the updates per thread.
pub(crate) fn atomics(
    index: IndexFormat,
    entries: Entries,
    entry_count: usize,
    value: &Value<&DeviceBuffer>,
    apply: Apply,
    dtype: DType,
) -> (Pass, Atomics, [usize; 2]) {
    let row = entries.row as usize;
    // Threads per row of an entry: a quarter of its elements, so that each has up to four. But at least four threads if the row has
    // four elements or more, because neighbouring threads access memory together.
    let span = row.div_ceil(4).max(4).min(row);
    let mut params = Atomics {
        index,
        entries,
        update: Update::new(value),
        entry_count: entry_count as u32,
        span: span as u32,
    };
    // Two other shaders do the same faster.
    if let Some(loops) = loops_of_quads(&index, entries) {
        params.entries = loops;
        return (Pass::AtomicsQuads(apply), params, [(entry_count * span).div_ceil(4), 4]);
    }
    // `AtomicsRows` has no variant for keys, and elements of one word need none.
    if dtype.size() == 4 && comes_in_eights(&index, &entries) {
        params.span = entries.row / 8;
        return (Pass::AtomicsRows(apply), params, [entry_count * row / 8, 8]);
    }
    (Pass::Atomics(apply), params, [entry_count * span, row.div_ceil(span)])
}
