//! Scatters and gathers. They traverse the index in storage order and check nothing themselves: the plan is valid, and [`Positions`] checks
//! the positions.
//!
//! The code that divides a call into pieces works on bytes and is compiled once. The innermost loops are
//! compiled for each operation and element type (`engine/cpu/kernels/loops.rs`, `loops/gather.rs`).

use std::num::NonZero;
use std::ops::Range;
use std::ptr;

use crate::engine::cpu::kernels::{
    ALL, AnyOrder, CheckResult, GRAIN_BYTES, GROUP, Job, Loops, ONCE, Output, Rounds, RowUpdates, cut,
    elements, gather_loop,
};
use crate::index::kernels::columns::Columns;
use crate::index::kernels::kept::{Block, SPARE_SLOTS};
use crate::index::kernels::positions::Window;
use crate::index::kernels::{Odometer, Positions, SKIPPED, Start, kept};
use crate::plan::{Addressing, Loop, Row};

/// The least elements of a part of a row: fewer would take longer than reading the index again for them.
const PART: usize = 64;

/// Shorter rows, in bytes, are copied by a loop, because `memory.copy` is a call out of WebAssembly.
const SHORT_COPY: usize = 128;

/// A scatter or gather. Visits its entries in row-major order, except skipped entries. Stops before the first window of positions that
/// has a value out of range.
#[derive(Clone, Copy)]
pub(crate) struct Indexed<'a> {
    task: Task,
    positions: &'a Positions<'a>,
    /// The plan's row, or a part of it.
    row: Row,
    /// Whether runs are visited by blocks: if single elements may be dropped. Slots in a block have 32 bits, and a gather reads position 0.
    has_blocks: bool,
    /// Whether elements that nobody reads follow the table, for the skipped entries of a job that runs as a whole.
    has_spare: bool,
}

/// What to do with the row of the table that an entry names.
#[derive(Clone, Copy)]
enum Task {
    /// Combine it with the row of the values.
    Scatter { loops: &'static Loops, table: *mut u8, values: *const u8 },
    /// Copy it to the result. Elements have `size` bytes.
    Gather { size: usize, table: *const u8, out: *mut u8 },
}

impl<'a> Indexed<'a> {
    /// Computes `table row = combine(table row, value row)` for every entry. A single value must be in memory [`GROUP`] times.
    pub(crate) fn scatter(
        loops: &'static Loops,
        table: Output<'a>,
        positions: &'a Positions<'a>,
        values: &'a [u8],
    ) -> Self {
        let (plan, size) = (positions.plan, loops.size);
        // Only a single value has the stride 0. The loops read it once for each entry of a group.
        let count = if plan.value_len() == 1 { GROUP } else { plan.value_len() };
        let is_numbered = u32::try_from(plan.table_len().saturating_add(SPARE_SLOTS)).is_ok();
        let has_spare =
            positions.drops() && is_numbered && table.clear_spare(plan.table_len(), SPARE_SLOTS, size);
        let (table, values) = (table.elements(plan.table_len(), size), elements(values, count, size));
        Self { has_spare, ..Self::new(positions, Task::Scatter { loops, table, values }) }
    }

    /// Copies `out row = table row` for every entry, for elements of `size` bytes. The plan of a gather places the rows of its entries
    /// one after the other. So every byte of `out` is written, unless a value is out of range or entries are skipped.
    pub(crate) fn gather(
        size: usize,
        table: &'a [u8],
        positions: &'a Positions<'a>,
        out: Output<'a>,
    ) -> Self {
        let plan = positions.plan;
        let (table, out) =
            (elements(table, plan.table_len(), size), out.elements(plan.entries() * plan.row().len, size));
        Self::new(positions, Task::Gather { size, table, out })
    }

    /// The plan guarantees that every addressed element of the table is below `table_len` if its position is below `positions()`, which
    /// [`Positions`] guarantees. The plan also guarantees that every addressed element of the values is below `value_len`.
    fn new(positions: &'a Positions<'a>, task: Task) -> Self {
        let plan = positions.plan;
        debug_assert!(plan.entries() * plan.row().len == 0 || plan.span() <= plan.table_len());
        let has_blocks = positions.drops()
            && plan.row().len == 1
            && plan.positions() > 0
            && u32::try_from(plan.table_len()).is_ok();
        Self { task, positions, row: plan.row(), has_blocks, has_spare: false }
    }

    /// The parts of each row that are columns: long rows are divided, where entries may collide.
    fn parts(&self) -> NonZero<usize> {
        let parts = match self.task {
            Task::Scatter { .. } => self.positions.plan.row().len / PART,
            Task::Gather { .. } => 1,
        };
        NonZero::new(parts).unwrap_or(NonZero::<usize>::MIN)
    }

    /// The same for some parts of each row.
    fn of_parts(&self, parts: Range<usize>) -> Self {
        let row = self.positions.plan.row();
        let count = NonZero::new(self.parts().get() as u64).unwrap_or(NonZero::<u64>::MIN);
        // 64 bits, for the product.
        let edge = |part: usize| (row.len as u64 * part as u64 / count) as usize;
        let (start, end) = (edge(parts.start), edge(parts.end));
        let task = match self.task {
            // SAFETY: a part of a row is within the row.
            Task::Scatter { loops, table, values } => unsafe {
                let (table, values) =
                    (table.add(start * loops.size), values.add(start * row.value_stride * loops.size));
                Task::Scatter { loops, table, values }
            },
            gather @ Task::Gather { .. } => gather,
        };
        Self { task, row: Row { len: end - start, ..row }, ..*self }
    }

    fn columns(&self) -> Columns<'a> {
        let plan = self.positions.plan;
        let colliding_loop = match self.task {
            Task::Scatter { .. } => plan.colliding_loop(),
            // Each entry has its own row of the result, so no two entries collide.
            Task::Gather { .. } => None,
        };
        Columns { loops: plan.loops(), colliding_loop }
    }

    pub(crate) fn plan(&self) -> &'a Addressing {
        self.positions.plan
    }

    pub(crate) fn loops(&self) -> Option<&'static Loops> {
        match self.task {
            Task::Scatter { loops, .. } => Some(loops),
            Task::Gather { .. } => None,
        }
    }

    /// Then no index value is read.
    pub(crate) fn is_empty(&self) -> bool {
        self.positions.plan.entries() == 0 || self.positions.plan.row().len == 0
    }

    /// Visits all entries of some loops, beginning at `start`. `None` if a value is out of range.
    fn traverse(&self, loops: &[Loop], start: Start, window: &mut Window<'a>) -> Option<()> {
        let (run, outer) = loops.split_last().unwrap_or((&ONCE, &[]));
        let (round, outer) = outer.split_last().unwrap_or((&ONCE, &[]));
        if outer.is_empty() {
            return self.traverse_rounds(round, run, start, window);
        }
        let mut outer = Odometer::new(outer, start);
        loop {
            self.traverse_rounds(round, run, outer.start, window)?;
            if !outer.advance() {
                return Some(());
            }
        }
    }

    /// Visits the entries of the two innermost loops: rounds of one run each.
    #[inline(never)]
    fn traverse_rounds(&self, round: &Loop, run: &Loop, start: Start, window: &mut Window<'a>) -> Option<()> {
        let most = self.positions.most();
        if run.len > most || self.positions.drops() {
            for number in 0..round.len {
                let start = start.after(number, round);
                self.traverse_run(run, start, window)?;
            }
            return Some(());
        }
        // The number of rounds that have their positions in one window: usually all.
        let rounds = match round.index_stride {
            0 => round.len,
            _ if most == usize::MAX => round.len,
            stride => round.len.min((most - run.len) / stride + 1),
        };
        let slot_stride = self.positions.plan.slot_stride();
        let mut first = 0;
        while first < round.len {
            let rounds = rounds.min(round.len - first);
            let from = start.after(first, round);
            let positions = window.get(from.index, (rounds - 1) * round.index_stride + run.len)?;
            let mut entries = Rounds { positions, round: *round, run: *run, slot_stride };
            // `rounds` is stored only if it changes: a loop that reads all words at once would wait for a store to one of them.
            if rounds < round.len {
                entries.round.len = rounds;
            }
            self.do_entries(from, &entries, None);
            first += rounds;
        }
        Some(())
    }

    /// Visits one run by blocks, or in parts. A part ends with the window or before a skipped entry.
    #[inline(never)]
    fn traverse_run(&self, run: &Loop, start: Start, window: &mut Window<'a>) -> Option<()> {
        let mut block = Block::new();
        let most = if self.has_blocks { kept::BLOCK } else { self.positions.most() };
        let slot_stride = self.positions.plan.slot_stride();
        let mut done = 0;
        while done < run.len {
            let from = start.after(done, run);
            let mut positions = window.get(from.index, most.min(run.len - done))?;
            let mut skipped = 0;
            if self.positions.drops() && !self.has_blocks {
                skipped = positions.iter().take_while(|&&position| position == SKIPPED).count();
                let rest = positions.get(skipped..).unwrap_or_default();
                positions = rest.split(|&position| position == SKIPPED).next().unwrap_or_default();
            }
            let run = Loop { len: positions.len(), ..*run };
            let entries = Rounds { positions, round: ONCE, run, slot_stride };
            self.do_entries(from.after(skipped, &run), &entries, self.has_blocks.then_some(&mut block));
            done += skipped + positions.len();
        }
        Some(())
    }

    /// Applies the task to some entries. With a block, entries may be skipped.
    fn do_entries(&self, from: Start, entries: &Rounds<'_>, block: Option<&mut Block>) {
        // SAFETY: see `new`. The written memory is borrowed mutably, so it belongs to no other operand. The results of skipped entries were
        // filled before. Where `has_spare` is set, `SPARE_SLOTS` elements follow the table, `spare` elements behind `from.table`, and no other
        // thread has the job.
        unsafe {
            match self.task {
                Task::Scatter { loops, table, values } => {
                    let (table, values) =
                        (table.add(from.table * loops.size), values.add(from.value * loops.size));
                    match block {
                        Some(block) if self.has_spare => {
                            let spare = self.positions.plan.table_len().wrapping_sub(from.table);
                            block.scatter_all(loops, table, spare, values, entries);
                        }
                        Some(block) => block.scatter(loops, table, values, entries),
                        None => scatter_rows(loops, self.row, table, values, entries),
                    }
                }
                Task::Gather { size, table, out } => {
                    let (table, out) = (table.add(from.table * size), out.add(from.value * size));
                    match block {
                        Some(block) => block.gather(size, table, out, entries),
                        None => gather_rows(size, self.row, table, out, entries),
                    }
                }
            }
        }
    }
}

impl Job for Indexed<'_> {
    fn len(&self) -> usize {
        if self.is_empty() { 0 } else { self.columns().count() * self.parts().get() }
    }

    fn work(&self) -> usize {
        self.positions.plan.entries().saturating_mul(self.positions.plan.row().len)
    }

    fn grain(&self) -> usize {
        match self.task {
            Task::Scatter { loops, .. } if self.parts().get() > 1 => GRAIN_BYTES / (PART * loops.size.max(1)),
            Task::Scatter { loops, .. } => self.columns().neighbours().min(GRAIN_BYTES / loops.size.max(1)),
            Task::Gather { .. } => 1,
        }
    }

    #[inline(never)]
    fn run(&self, columns: Range<usize>) -> CheckResult {
        let mut window = Window::new(self.positions);
        if self.is_empty() {
            return CheckResult::NOTHING;
        }
        if columns == ALL {
            // The whole job needs no block of columns.
            _ = self.traverse(self.positions.plan.loops(), Start::default(), &mut window);
            return window.check_result;
        }
        // Ranges of columns run at the same time, and the spare slots belong to none.
        let own = Self { has_spare: false, ..*self };
        let Range { start: mut at, end } = cut(columns, self.len());
        let parts = self.parts();
        while at < end {
            let (column, part) = (at / parts, at % parts);
            let whole = end / parts;
            // A value out of range ends its block, but not the others: any block may have the first such value.
            if part == 0 && column < whole {
                let (loops, start, count) = self.columns().block(column..whole);
                _ = own.traverse(&loops, start, &mut window);
                at += count * parts.get();
            } else {
                let last = parts.get().min(part + end - at);
                let (loops, start, _) = self.columns().block(column..column + 1);
                _ = own.of_parts(part..last).traverse(&loops, start, &mut window);
                at += last - part;
            }
        }
        window.check_result
    }
}

/// Integers alone: other sums and products depend on the order. The items are the rounds of the plan's only loop.
impl AnyOrder for Indexed<'_> {
    fn items(&self) -> usize {
        self.positions.plan.entries()
    }

    fn work_of_all(&self) -> usize {
        self.work()
    }

    #[inline(never)]
    unsafe fn add_to(&self, own: *mut u8, items: Range<usize>) -> CheckResult {
        let mut window = Window::new(self.positions);
        if let (Task::Scatter { loops, values, .. }, [only]) = (self.task, self.positions.plan.loops()) {
            let part = Loop { len: items.len(), ..*only };
            let task = Task::Scatter { loops, table: own, values };
            _ = Self { task, has_spare: false, ..*self }.traverse(
                &[part],
                Start::default().after(items.start, only),
                &mut window,
            );
        }
        window.check_result
    }
}

/// # Safety
/// As for [`Loops::combine_entries`] and [`Loops::combine_rows`].
#[inline(always)]
pub(crate) unsafe fn scatter_rows(
    loops: &Loops,
    row: Row,
    table: *mut u8,
    values: *const u8,
    entries: &Rounds<'_>,
) {
    // SAFETY: as the caller promises.
    unsafe {
        if row.len == 1 {
            return loops.combine_entries(table, values, entries);
        }
        // If a row has more than one element, the innermost loop is the colliding loop, with table stride 0.
        for number in 0..entries.round.len {
            let (table_start, value_start, positions) = entries.at(number);
            let (table, values) = (table.add(table_start * loops.size), values.add(value_start * loops.size));
            let (slot_stride, value_stride) = (entries.slot_stride, entries.run.value_stride);
            loops.combine_rows(
                table,
                table,
                values,
                &RowUpdates { positions, slot_stride, row, value_stride },
            );
        }
    }
}

/// # Safety
/// As for a [`gather_loop`]; there must be a row of the result for each entry.
#[inline(always)]
pub(crate) unsafe fn gather_rows(
    size: usize,
    row: Row,
    table: *const u8,
    out: *mut u8,
    entries: &Rounds<'_>,
) {
    // SAFETY: as the caller promises.
    unsafe {
        if row.len == 1 {
            return gather_loop(size, entries)(table, out, entries);
        }
        let (row, slot_stride) = (row.len * size, entries.slot_stride * size);
        // As for a scatter, the table stride of the innermost loop is 0.
        for number in 0..entries.round.len {
            let (table_start, value_start, positions) = entries.at(number);
            let (table, mut out) = (table.add(table_start * size), out.add(value_start * size));
            for &position in positions {
                copy_row(table.add(position as usize * slot_stride), out, row);
                out = out.add(row);
            }
        }
    }
}

/// # Safety
/// Both must be valid for `len` bytes and must not overlap.
#[inline(always)]
unsafe fn copy_row(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        if len >= SHORT_COPY {
            ptr::copy_nonoverlapping(from, to, len);
            return;
        }
        // Copies words of eight bytes, then one of four, then bytes. The compiler would turn a loop over bytes alone into a call of
        // `memory.copy`.
        let words = len & !7;
        for at in (0..words).step_by(8) {
            let word = from.add(at).cast::<u64>().read_unaligned();
            to.add(at).cast::<u64>().write_unaligned(word);
        }
        if len & 4 != 0 {
            let word = from.add(words).cast::<u32>().read_unaligned();
            to.add(words).cast::<u32>().write_unaligned(word);
        }
        for at in len & !3..len {
            *to.add(at) = *from.add(at);
        }
    }
}
