//! Scatters, one function per strategy.

use std::rc::Rc;

use crate::engine::Value;
use crate::engine::gpu::shaders::pass::{ApplyCounted, Columns, DivideByCounts, Rows, Runs, Small};
use crate::engine::gpu::{
    Block, Combine, DeviceBuffer, Dispatch, Entries, Gpu, IndexFormat, NEVER_FAILS, Pass, ShaderKey, Update,
    Width, hook,
};
use crate::index::gpu::Index;
use crate::index::gpu::entries::Units;
use crate::plan::{Addressing, Reduce};
use crate::scatter::backend::ScatterBackend;
use crate::scatter::gpu::order::count_entries;
use crate::scatter::gpu::strategy::{Request, Strategy};
use crate::{DType, Result};

impl ScatterBackend for Rc<Gpu> {
    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: crate::plan::reduce::Update,
        table: &mut Rc<DeviceBuffer>,
        index: &Index,
        value: Value<&DeviceBuffer>,
    ) -> Result<()> {
        // A shared table is copied before the first write.
        if Rc::get_mut(table).is_none() {
            *table = Rc::new(table.duplicate(plan.op().name())?);
        }
        let has_divisors = update.reduce == Reduce::Divide && !dtype.is_float();
        let divisors = value.buffer().filter(|_| has_divisors).map(|source| (dtype, source));
        let slot = self.check(plan, index, divisors);
        self.scatter_checked((plan, slot), dtype, update, table, index, value)
    }
}

impl Gpu {
    /// `Gpu::scatter` after its check, whose status slot comes with the plan, into a table that nothing else shares.
    pub(crate) fn scatter_checked(
        self: &Rc<Self>,
        (plan, slot): (&Addressing, u32),
        dtype: DType,
        update: crate::plan::reduce::Update,
        table: &DeviceBuffer,
        index: &Index,
        value: Value<&DeviceBuffer>,
    ) -> Result<()> {
        if plan.entries() == 0 || plan.table_len() == 0 {
            // Nothing to write; the check still counts.
            return Ok(());
        }
        let neutral = Value::Scalar(update.reduce.neutral(dtype));
        let traversal = |reduce, value| Traversal { gpu: self, plan, dtype, reduce, table, value, slot };
        // The sum of two numbers is rounded once by both definitions.
        let longest_run = index.orders.longest_run(plan);
        if update.is_exact(dtype) && (update.is_mean() || longest_run > 1) {
            return traversal(update.reduce, &value).exact(update, index);
        }
        let mut traversals = Vec::new();
        if !update.include_self {
            traversals.push(traversal(Reduce::Replace, &neutral));
        }
        traversals.push(traversal(update.reduce, &value));
        // Allocate everything before the first write to the table: a call that runs out of memory changes nothing.
        let counts = update.is_mean().then(|| count_entries(self, plan, index, slot)).transpose()?;
        // Later calls reuse this order, so it must be right even if this call is refused for its divisors. It checks no status slot.
        let (orders, order_slot) =
            (&index.orders, if index.unchecked.is_some() { slot } else { NEVER_FAILS });
        let mut prepared = Vec::new();
        for traversal in traversals {
            let strategy = traversal.strategy(longest_run <= 1, orders.are_kept);
            let scratch = traversal.scratch(strategy)?;
            let order = orders.get(self, plan, index, order_slot, strategy)?;
            prepared.push((traversal, strategy, order, scratch));
        }
        for (traversal, strategy, order, scratch) in &prepared {
            traversal.run(*strategy, index, [order.as_deref(), scratch.as_ref()]);
        }
        if let Some(counts) = counts {
            self.divide_by_counts((plan, slot), dtype, update, &counts, table);
        }
        Ok(())
    }

    /// Divides each named row by the number of its terms: its entries, and one more if the old value counts.
    pub(crate) fn divide_by_counts(
        self: &Rc<Self>,
        (plan, slot): (&Addressing, u32),
        dtype: DType,
        update: crate::plan::reduce::Update,
        counts: &DeviceBuffer,
        table: &DeviceBuffer,
    ) {
        let params = DivideByCounts { row: plan.row().len as u32, other_terms: update.other_terms() };
        let key = ShaderKey::of(Pass::DivideByCounts, dtype, Reduce::Divide);
        self.pass(key, &params).slot(slot).index(counts).dst(table).record(plan.table_len());
    }

    /// The facts that decide how a scatter with one reduction runs. `is_distinct`: the index names no row twice.
    pub(crate) fn request(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        is_scalar: bool,
        is_distinct: bool,
    ) -> Request {
        let (row, longest_run, combine) =
            (plan.row().len, plan.longest_run(), Combine::select(dtype, reduce));
        Request {
            entries: plan.entries(),
            rows: plan.table_len().checked_div(row).unwrap_or(0),
            row,
            longest_run,
            reduce,
            is_scalar,
            repeats: combine.repeats(),
            without_order: combine.without_order(Width::of(dtype), is_scalar),
            words: dtype.size().div_ceil(4),
            update_rounds: combine.rounds(),
            is_distinct: is_distinct || longest_run <= 1,
            keeps_order: false,
            binding: self.most_bytes(),
        }
    }
}

/// One traversal of all entries, with one reduction, without its index.
pub(crate) struct Traversal<'a> {
    pub(crate) gpu: &'a Rc<Gpu>,
    pub(crate) plan: &'a Addressing,
    pub(crate) dtype: DType,
    pub(crate) reduce: Reduce,
    pub(crate) table: &'a DeviceBuffer,
    pub(crate) value: &'a Value<&'a DeviceBuffer>,
    /// The status slot that its passes look at.
    pub(crate) slot: u32,
}

impl Traversal<'_> {
    /// Records the passes of a strategy that `Request::allows` has accepted, with the results of `Orders::get` and [`Traversal::scratch`] for
    /// it.
    pub(crate) fn run(&self, strategy: Strategy, index: &Index, prepared: [Option<&DeviceBuffer>; 2]) {
        // A strategy without one of these buffers does not use it.
        let [order, scratch] = prepared.map(|buffer| buffer.unwrap_or(&index.buffer));
        match strategy {
            Strategy::Columns => self.columns(index, self.plan.colliding_loop()),
            Strategy::Distinct => self.columns(index, None),
            Strategy::Atomics => self.atomics(index),
            Strategy::Keys => self.keys(index, scratch),
            Strategy::Lists => self.lists(index, order, scratch),
            Strategy::Small => self.small(index),
            Strategy::Winner => self.commit(index, order),
            Strategy::CountThenRepeat => self.apply_counted(order),
            Strategy::RunPerThread => self.run_per_thread(order, index.orders.longest_run(self.plan)),
            Strategy::RowPerGroup => self.row_per_group(order, index.orders.longest_run(self.plan)),
        }
    }

    /// The strategy to take, which is also counted for tests: a test's forced strategy if it applies, else the choice. `is_distinct`:
    /// the index names no row twice. `keeps_order`: later calls use its order again.
    pub(crate) fn strategy(&self, is_distinct: bool, keeps_order: bool) -> Strategy {
        let is_scalar = matches!(self.value, Value::Scalar(_));
        let request = self.gpu.request(self.plan, self.dtype, self.reduce, is_scalar, is_distinct);
        let request = Request { keeps_order, ..request };
        let forced = hook(|hooks| hooks.strategy).flatten().and_then(|at| Strategy::ALL.get(at).copied());
        let strategy = forced.filter(|&way| request.allows(way)).unwrap_or_else(|| request.choose());
        hook(|hooks| {
            let ways = hooks.scatters.iter_mut().zip(Strategy::ALL);
            ways.filter(|(_, way)| **way == strategy).for_each(|(count, _)| *count += 1);
        });
        strategy
    }

    /// How the shaders combine.
    pub(crate) fn combine(&self) -> Combine {
        Combine::select(self.dtype, self.reduce)
    }

    /// One thread per column traverses the entries of loop number `traversed` in order. A long column takes several dispatches. Without a loop
    /// to traverse, each entry has its own columns, one for each element of its row.
    fn columns(&self, index: &Index, traversed: Option<usize>) {
        let plan = self.plan;
        let [len, value_stride, entry_stride] = traversed
            .and_then(|at| plan.loops().get(at))
            .map_or([1, 0, 0], |traversed| [traversed.len, traversed.value_stride, traversed.index_stride]);
        let mut params = Columns {
            index: IndexFormat::new(plan, index),
            entries: Entries::without(plan, traversed),
            update: Update::new(self.value),
            begin: 0,
            end: 0,
            value_stride: value_stride as u32,
            entry_stride: entry_stride as u32,
        };
        let steps = column_steps(self.gpu.rounds(), plan, self.combine().rounds());
        // `begin` and `end` count the entries of a column.
        for begin in (0..len).step_by(steps) {
            (params.begin, params.end) = (begin as u32, len.min(begin + steps) as u32);
            let pass = self.pass(Pass::Columns, &params, &index.buffer);
            let rounds = (params.end - params.begin) as usize;
            pass.rounds(rounds).record(plan.entries() / len.max(1) * plan.row().len);
        }
    }

    /// One dispatch. Each workgroup links the entries that name the same row.
    fn small(&self, index: &Index) {
        let Rows { index: format, entries, entry_count } = Rows::new(self.plan, index);
        let params = Small { index: format, entries, update: Update::new(self.value), entry_count };
        let threads = self.plan.entries() * self.plan.row().len;
        self.pass(Pass::Small, &params, &index.buffer).record(threads);
    }

    /// Applies a scalar to each row as often as entries name it. One thread per element of the table.
    fn apply_counted(&self, counts: &DeviceBuffer) {
        let params = ApplyCounted { update: Update::new(self.value), row: self.plan.row().len as u32 };
        self.pass(Pass::ApplyCounted, &params, counts).record(self.plan.table_len());
    }

    /// One thread per run of sorted entries and element of a row. A run is the entries that name one row. Long runs take several
    /// dispatches. `longest_run`: the most entries of a run.
    fn run_per_thread(&self, sorted: &DeviceBuffer, longest_run: usize) {
        let plan = self.plan;
        // Most entries of a run in one dispatch. An entry takes one round of the thread's loop, one of `decode` in
        // shaders/lib/entries.wgsl for each loop of the plan after the first, and the rounds of `combine`.
        let steps = self.gpu.rounds() / (plan.loops().len() + self.combine().rounds()).max(1);
        let mut params = self.runs_of(steps);
        let threads = plan.entries() * plan.row().len;
        self.pass(Pass::RunPerThread, &params, sorted).record(threads);
        for begin in (steps..longest_run).step_by(steps) {
            params.begin = begin as u32;
            // A run that continues is longer than `begin`, so a thread per `begin` entries finds it.
            let threads = plan.entries().div_ceil(begin) * plan.row().len;
            let rounds = self.rounds_for(threads, steps);
            self.pass(Pass::RunPerThread, &params, sorted).rounds(rounds).record(threads);
        }
    }

    /// One workgroup per row, and as many elements of it as the workgroup has threads. Long runs take several dispatches.
    fn row_per_group(&self, sorted: &DeviceBuffer, longest_run: usize) {
        let (threads, steps) = group_steps(self.gpu, self.plan, self.combine().rounds());
        let mut params = self.runs_of(steps);
        let rounds = self.rounds_for(threads, steps);
        for begin in (0..longest_run).step_by(steps) {
            params.begin = begin as u32;
            self.pass(Pass::RowPerGroup, &params, sorted).rounds(rounds).record(threads);
        }
    }

    /// The parameters of a pass that applies sorted entries, at most `most` of each run.
    fn runs_of(&self, most: usize) -> Runs {
        Runs {
            entries: Entries::new(self.plan),
            update: Update::new(self.value),
            begin: 0,
            most: most as u32,
            entry_count: self.plan.entries() as u32,
        }
    }

    /// Moves the rows of the last entries, in the largest units possible.
    fn commit(&self, index: &Index, marks: &DeviceBuffer) {
        let units = Units::of(self.plan, self.dtype);
        let mut params = Rows::new(self.plan, index);
        let quads = params.in_quads().filter(|_| self.plan.row().len == 1);
        let (pass, params, threads, updates) = if let Some(quads) = quads {
            (Pass::CommitQuads, quads, self.plan.entries().div_ceil(4), 4)
        } else {
            units.apply_to_values(&mut params.entries);
            (Pass::Commit, params, units.count(self.plan.entries() * self.plan.row().len), 1)
        };
        let pass = self.over_table(ShaderKey::units(pass, units.width), &params, &index.buffer);
        pass.scratch(marks).rounds(updates).record(threads);
    }

    /// The average updates per thread, at least one, if the workgroups of `threads` threads share them and no thread applies more than
    /// `most`.
    pub(crate) fn rounds_for(&self, threads: usize, most: usize) -> usize {
        self.gpu.average_rounds(self.plan.entries() * self.plan.row().len, threads, most)
    }

    /// A pass over the table. `index` is the index, or the order that earlier passes computed.
    pub(crate) fn pass<'b, B: Block>(
        &'b self,
        pass: Pass,
        params: &'b B,
        index: &'b DeviceBuffer,
    ) -> Dispatch<'b> {
        self.over_table(ShaderKey::of(pass, self.dtype, self.reduce), params, index)
    }

    /// [`Traversal::pass`] of any shader.
    fn over_table<'b, B: Block>(
        &'b self,
        key: ShaderKey,
        params: &'b B,
        index: &'b DeviceBuffer,
    ) -> Dispatch<'b> {
        self.gpu.pass(key, params).slot(self.slot).index(index).dst(self.table).src(self.value.buffer())
    }
}

impl Gpu {
    /// The average of `updates` per thread, at least one, if whole workgroups of about `threads` threads share them and none takes more than
    /// `most`.
    pub(crate) fn average_rounds(&self, updates: usize, threads: usize, most: usize) -> usize {
        (updates / threads.max(1).next_multiple_of(self.workgroup())).clamp(1, most.max(1))
    }
}

/// Entries of a column that one dispatch of `rounds` rounds traverses. `update_rounds`: rounds of loops per update.
fn column_steps(rounds: usize, plan: &Addressing, update_rounds: usize) -> usize {
    // `position_of` in shaders/lib/index.wgsl has a loop for tuples: a round per component, and here one to spare.
    let position_rounds = match plan.components().len() {
        1 => 0,
        components => components + 1,
    };
    rounds / (1 + position_rounds + update_rounds)
}

/// Threads of `shaders/scatter/row_per_group.wgsl`, and the entries of a run that one dispatch traverses. `update_rounds`: rounds of loops per
/// update.
fn group_steps(gpu: &Gpu, plan: &Addressing, update_rounds: usize) -> (usize, usize) {
    let (row, workgroup) = (plan.row().len, gpu.workgroup());
    // A workgroup per row of the table and as many elements of it as it has threads.
    let threads = plan.table_len() / row.max(1) * row.next_multiple_of(workgroup);
    // As in the shader: each thread of a workgroup loads four updates, together a tile, and then the workgroup applies them. So: the
    // entries of a tile, and a thread's rounds to load it, with those of `decode` in shaders/lib/entries.wgsl.
    let tile_entries = 4 * (workgroup / row.clamp(1, workgroup));
    let loading = 1 + 4 * plan.loops().len().max(1);
    // 128 rounds are reserved for the two searches for the ends of the run, of up to 32 rounds each.
    let rounds = gpu.rounds() - 128;
    let steps = match rounds / (loading + tile_entries * (1 + update_rounds)) {
        // Less than one tile: as many entries as the rounds allow, in a partial tile.
        0 => (rounds - loading) / (1 + update_rounds),
        tiles => tiles * tile_entries,
    };
    (threads, steps)
}
