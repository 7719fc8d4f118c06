//! The loops of a broadcasting multiply. Results are computed in row-major order, one run of the innermost loop at a time.

use std::mem::MaybeUninit;
use std::slice;

use crate::backend::cpu::kernels::activate::activate;
use crate::backend::cpu::kernels::indexed::is_aligned;
use crate::backend::cpu::kernels::loops::{Loops, Rows};
use crate::backend::cpu::kernels::reduce;
use crate::backend::cpu::rely_on;
use crate::dtype::DType;
use crate::plan::{BroadcastLoop, BroadcastPlan, Reduce, Row};
use crate::shape::{MAX_OP_RANK, PerDim};

/// The activation is applied once at least this many results are computed, or all that are left. They are few enough to stay in the
/// first-level cache, so that memory is passed over once, and enough that dispatching on the activation costs nothing.
const BLOCK: usize = 1024;

/// A row of y with fewer elements is repeated until it has about this many.
const ROW: usize = 1024;

/// Runs of fewer elements, each multiplied by one element of y, are computed together.
const COLUMN: usize = 64;

/// Where the products are written. All bytes are those of elements, and aligned like them.
pub(crate) enum Output<'a> {
    /// To uninitialised memory, all of which is written. x is separate.
    New(&'a [u8], &'a mut [MaybeUninit<u8>]),
    /// To x itself.
    InPlace(&'a mut [u8]),
}

/// 0, 1, 2, …: the positions of rows that follow each other in memory.
#[allow(clippy::indexing_slicing, reason = "the compiler runs it")]
static ORDINALS: [u32; 64] = {
    let mut ordinals = [0; 64];
    let mut i = 0;
    while i < ordinals.len() {
        ordinals[i] = i as u32;
        i += 1;
    }
    ordinals
};

/// `out[k] = act(x[…] · y[…])` for every element of the result. x (in `output`) and y are the bytes of the operands in the order of the
/// plan's loops, in which [`BroadcastPlan::operands`] puts them.
pub(crate) fn multiply(plan: &BroadcastPlan, dtype: DType, output: Output<'_>, y: &[u8]) {
    let (size, loops) = (dtype.size(), reduce::loops(Reduce::Multiply, dtype));
    let (x, x_len, out, out_len) = match output {
        Output::New(x, out) => (x.as_ptr(), x.len(), out.as_mut_ptr().cast::<u8>(), out.len()),
        Output::InPlace(x) => (x.as_ptr(), x.len(), x.as_mut_ptr(), x.len()),
    };
    // The unchecked accesses rely on this. The plan guarantees that every position in an operand is below its length and that
    // every result is computed. That leaves the lengths and the alignment of the slices.
    rely_on(x_len / size >= plan.x_len() && y.len() / size >= plan.y_len() && out_len == plan.len() * size);
    rely_on(
        is_aligned(x, x_len, size) && is_aligned(y.as_ptr(), y.len(), size) && is_aligned(out, out_len, size),
    );
    let schedule = Schedule::new(plan);
    let row = schedule.row.map(|(len, rounds)| copies(y.get(..len * size).unwrap_or_default(), rounds));
    // The repeated row stands for all of y: every run begins at its first element.
    let y = row.as_ref().map_or(y.as_ptr(), |row| row.as_ptr().cast());
    let act = plan.activation();
    // How many results are computed, and to how many of them the activation was applied.
    let (mut made, mut activated) = (0, 0);
    walk(&schedule, plan.len(), &mut |x_start, y_start, len| {
        // SAFETY: the plan's positions are below the lengths. The result is x itself or overlaps neither operand.
        unsafe {
            let (x, y) = (x.add(x_start * size), y.add(y_start * size));
            schedule.multiply_run(loops, size, out.add(made * size), x, y, len);
            made += len;
            if let Some(act) = act.filter(|_| made - activated >= BLOCK || made == plan.len()) {
                // Results are written in order, so these are complete.
                let (at, len) = (out.add(activated * size), (made - activated) * size);
                activate(act, dtype, slice::from_raw_parts_mut(at, len));
                activated = made;
            }
        }
    });
}

/// `count` copies of the bytes, one after the other: fewer than twice [`ROW`] elements, so less than 16 KiB. They are in words so that they
/// are aligned for every element type.
fn copies(bytes: &[u8], count: usize) -> Vec<u64> {
    let mut words = vec![0u64; (bytes.len() * count).div_ceil(8)];
    // `max`, because without bytes the chunks would be empty, which panics.
    let slots = bytemuck::cast_slice_mut::<u64, u8>(&mut words).chunks_exact_mut(bytes.len().max(1));
    slots.take(count).for_each(|slot| slot.copy_from_slice(bytes));
    words
}

/// How the loops of a plan are run. It does not depend on the element type, so it is compiled once and not for each dtype.
struct Schedule {
    /// Outermost first. The strides of the innermost loop are 0 or 1.
    loops: PerDim<BroadcastLoop>,
    /// The length of a short row of y that is the same for every run, and how many times it is repeated to make longer runs.
    row: Option<(usize, usize)>,
    /// How many consecutive results share one element of y, where such runs are computed together: y then moves on by its stride once in
    /// that many elements of the innermost loop. Otherwise 1.
    results_per_y: usize,
    /// The most elements that are computed at a time.
    block: usize,
}

impl Schedule {
    /// The loops of a plan, with short runs made longer where that is possible. Without an activation a run is computed as a whole,
    /// because nothing is done to blocks of it.
    fn new(plan: &BroadcastPlan) -> Self {
        let block = plan.activation().map_or(usize::MAX, |_| BLOCK);
        let mut schedule = Self { loops: plan.loops().into(), row: None, results_per_y: 1, block };
        schedule.repeat_short_row();
        schedule.fold_short_columns();
        schedule
    }

    /// If every run is multiplied by the same short row of y, repeats the row to make the runs longer: with the three channels
    /// of a picture they would be three elements long. The last run may then be longer than what is left, which [`walk`] allows for.
    fn repeat_short_row(&mut self) {
        if let [outer, row] = &mut *self.loops
            && (row.x_stride, row.y_stride, outer.y_stride) == (1, 1, 0)
            && row.len < ROW
        {
            let rounds = ROW.div_ceil(row.len).min(outer.len);
            self.row = Some((row.len, rounds));
            row.len *= rounds;
            // x has one row after the other, so a longer run begins behind the one before it.
            *outer = BroadcastLoop { len: outer.len.div_ceil(rounds), x_stride: row.len, y_stride: 0 };
        }
    }

    /// The innermost loop, and the loops around it. A plan without loops computes one element, or none.
    fn split(&self) -> (BroadcastLoop, &[BroadcastLoop]) {
        let single = BroadcastLoop { len: 1, x_stride: 0, y_stride: 0 };
        self.loops.split_last().map_or((single, &[]), |(inner, outer)| (*inner, outer))
    }

    /// Computes `len` products along the innermost loop, a multiple of `results_per_y`. `size` is the number of bytes of an element. The
    /// pointers are those of the first result and of the elements of x and y that it is made of.
    ///
    /// # Safety
    /// There must be `len` results to write and as many elements of the operands as the innermost loop reads for them, all
    /// aligned. The results may be x; otherwise they overlap neither operand.
    unsafe fn multiply_run(
        &self,
        loops: &Loops,
        size: usize,
        out: *mut u8,
        x: *const u8,
        y: *const u8,
        len: usize,
    ) {
        let (inner, _) = self.split();
        // x may be the operand that is repeated along the innermost loop. Products commute, so it then takes y's place.
        let (x, y) = if inner.x_stride == 0 { (y, x) } else { (x, y) };
        // The rows that `combine_rows` goes through: how many, and what each is. One operand has a single element for all; each element
        // of y is for `results_per_y` of x; or both have an element for each result.
        let (rounds, row) = match inner.x_stride == 0 || inner.y_stride == 0 {
            true => (1, Row { len, value_stride: 0 }),
            false if self.results_per_y > 1 => {
                (len / self.results_per_y, Row { len: self.results_per_y, value_stride: 0 })
            }
            false => (1, Row { len, value_stride: 1 }),
        };
        // Rows are named by their numbers, of which `ORDINALS` has 64.
        for first in (0..rounds).step_by(ORDINALS.len()) {
            let positions = ORDINALS.get(..rounds - first).unwrap_or(&ORDINALS);
            let rows = Rows { positions, place_stride: row.len, row, value_stride: 1 };
            let start = first * row.len * size;
            // SAFETY: as the caller promises; `rounds` rows have at most `len` elements.
            unsafe { loops.combine_rows(out.add(start), x.add(start), y.add(first * size), &rows) };
        }
    }

    /// If short runs are each multiplied by one element of y, and the next runs by the next elements, makes one run of them, in which
    /// y moves on by one element in `results_per_y` elements.
    fn fold_short_columns(&mut self) {
        if let [.., column, run] = &mut *self.loops
            && (run.x_stride, run.y_stride, column.y_stride) == (1, 0, 1)
            && column.x_stride == run.len
            && run.len < COLUMN
        {
            self.results_per_y = run.len;
            *column = BroadcastLoop { len: column.len * run.len, x_stride: 1, y_stride: 1 };
            self.loops.pop();
        }
    }
}

/// Calls `make(x_start, y_start, len)` for pieces of at most `block` elements, in row-major order, until `total` results are computed. A
/// piece lies in one run of the innermost loop. It begins at element `x_start` of x and element `y_start` of y.
fn walk(schedule: &Schedule, total: usize, make: &mut dyn FnMut(usize, usize, usize)) {
    let (inner, outer) = schedule.split();
    // A whole multiple of `results_per_y`, so that no piece begins within the results that share an element of y.
    let block = schedule.block.min(inner.len) / schedule.results_per_y * schedule.results_per_y;
    let mut coordinates = [0; MAX_OP_RANK];
    let (mut x, mut y, mut made) = (0, 0, 0);
    while made < total {
        for begin in (0..inner.len).step_by(block) {
            let len = block.min(inner.len - begin).min(total - made);
            make(x + begin * inner.x_stride, y + begin / schedule.results_per_y * inner.y_stride, len);
            made += len;
        }
        for (l, coordinate) in outer.iter().zip(&mut coordinates).rev() {
            *coordinate += 1;
            x += l.x_stride;
            y += l.y_stride;
            if *coordinate < l.len {
                break;
            }
            *coordinate = 0;
            x -= l.len * l.x_stride;
            y -= l.len * l.y_stride;
        }
    }
}
