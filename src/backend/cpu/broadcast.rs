//! The loops of a multiply: results are made in row-major order, one run of the innermost loop at a time.

use std::mem::MaybeUninit;
use std::slice;

use crate::backend::cpu::activate::activate;
use crate::backend::cpu::loops::{Loops, Rows};
use crate::dtype::DType;
use crate::plan::{BroadcastLoop, BroadcastPlan, Row};
use crate::shape::{MAX_OP_RANK, PerDim};

/// Results that are made before the activation is applied to them: few enough to stay in the nearest cache,
/// so that memory is passed over once, and enough that dispatching on the activation costs nothing.
const BLOCK: usize = 1024;

/// A row of y that is shorter is repeated into one that is about as long as this.
const ROW: usize = 1024;

/// Runs that are shorter and meet one element of y each are made together.
const COLUMN: usize = 64;

/// Where the products go. All bytes are those of elements, and aligned like them.
pub(super) enum Output<'a> {
    /// Beside this x, into memory that is written for the first time: all of it.
    New(&'a [u8], &'a mut [MaybeUninit<u8>]),
    /// Into x.
    InPlace(&'a mut [u8]),
}

/// The first numbers: the positions of rows that follow each other.
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

/// `out[k] = act(x[…] · y[…])` for every element of the result.
pub(super) fn multiply(plan: &BroadcastPlan, dtype: DType, loops: &Loops, output: Output<'_>, y: &[u8]) {
    let size = dtype.size();
    let (x, x_len, out, out_len) = match output {
        Output::New(x, out) => (x.as_ptr(), x.len(), out.as_mut_ptr().cast::<u8>(), out.len()),
        Output::InPlace(x) => (x.as_ptr(), x.len(), x.as_mut_ptr(), x.len()),
    };
    // What the unchecked accesses rely on, whatever calls this: the plan makes every position in an operand smaller than its
    // length, so every product finds its factors, and every result is made. That leaves the lengths, and the alignment.
    assert!(x_len / size >= plan.x_len() && y.len() / size >= plan.y_len() && out_len == plan.len() * size);
    let is_aligned = |address: usize, len: usize| len == 0 || address.is_multiple_of(size);
    assert!(
        [(x.addr(), x_len), (y.as_ptr().addr(), y.len()), (out.addr(), out_len)]
            .iter()
            .all(|&(address, len)| is_aligned(address, len))
    );
    let schedule = Schedule::new(plan);
    let mut y = y.as_ptr();
    // SAFETY: a row of this operand has so many elements.
    let row =
        schedule.row.map(|(len, rounds)| repeat(unsafe { slice::from_raw_parts(y, len * size) }, rounds));
    if let Some(row) = &row {
        y = row.as_ptr().cast();
    }
    let act = plan.activation();
    let (mut made, mut activated) = (0, 0);
    walk(&schedule, plan.len(), &mut |piece| {
        // SAFETY: the plan's positions are smaller than the lengths; the result is x itself or no operand's memory.
        unsafe {
            let (x, y) = (x.add(piece.x * size), y.add(piece.y * size));
            schedule.multiply_run(loops, size, out.add(made * size), x, y, piece.len);
            made += piece.len;
            if let Some(act) = act.filter(|_| made - activated >= BLOCK || made == plan.len()) {
                // Results are made in order, and those up to here are.
                let (at, len) = (out.add(activated * size), (made - activated) * size);
                activate(act, dtype, slice::from_raw_parts_mut(at, len));
                activated = made;
            }
        }
    });
}

/// Bytes again and again, aligned for every element.
fn repeat(bytes: &[u8], rounds: usize) -> Vec<u64> {
    let mut words = vec![0u64; (bytes.len() * rounds).div_ceil(8)];
    let slots = bytemuck::cast_slice_mut::<u64, u8>(&mut words).chunks_exact_mut(bytes.len().max(1));
    slots.take(rounds).for_each(|slot| slot.copy_from_slice(bytes));
    words
}

/// How the loops of a plan are run. What is not generic is apart from what is: there is one of it for all
/// dtypes.
struct Schedule {
    loops: PerDim<BroadcastLoop>,
    /// The length of a short row of y that every run meets, and how often it is repeated to make longer runs.
    row: Option<(usize, usize)>,
    /// For how many results in a row an element of y serves, where runs of that length are made together.
    repeat: usize,
    /// How many elements are made at a time.
    block: usize,
}

impl Schedule {
    fn new(plan: &BroadcastPlan) -> Self {
        let block = match plan.activation() {
            Some(_) => BLOCK,
            None => usize::MAX,
        };
        let mut schedule = Self { loops: plan.loops().into(), row: None, repeat: 1, block };
        schedule.repeat_short_row();
        schedule.fold_short_columns();
        schedule
    }

    /// Where each run meets the same short row of y, it meets the row several times: the three channels of a
    /// picture would be runs of three. The last run may then be longer than what is left.
    fn repeat_short_row(&mut self) {
        if let [outer, row] = &mut *self.loops
            && (row.x_stride, row.y_stride, outer.y_stride) == (1, 1, 0)
            && row.len < ROW
        {
            let rounds = ROW.div_ceil(row.len).min(outer.len);
            self.row = Some((row.len, rounds));
            row.len *= rounds;
            *outer = BroadcastLoop { len: outer.len.div_ceil(rounds), x_stride: row.len, y_stride: 0 };
        }
    }

    /// The innermost loop, and those around it.
    fn split(&self) -> (BroadcastLoop, &[BroadcastLoop]) {
        let single = BroadcastLoop { len: 1, x_stride: 0, y_stride: 0 };
        self.loops.split_last().map_or((single, &[]), |(inner, outer)| (*inner, outer))
    }

    /// The products of a piece.
    ///
    /// # Safety
    /// `len` results must be there for writing, and of the operands what the innermost loop takes for as many, all aligned.
    /// The results may be x; else they overlap neither operand.
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
        // In the innermost loop x may be the one that is repeated; products commute.
        let (x, y) = if inner.x_stride == 0 { (y, x) } else { (x, y) };
        let (rounds, row) = match inner.x_stride == 0 || inner.y_stride == 0 {
            true => (1, Row { len, value_stride: 0 }),
            false if self.repeat > 1 => (len / self.repeat, Row { len: self.repeat, value_stride: 0 }),
            false => (1, Row { len, value_stride: 1 }),
        };
        for first in (0..rounds).step_by(ORDINALS.len()) {
            let positions = ORDINALS.get(..rounds - first).unwrap_or(&ORDINALS);
            let rows = Rows { positions, place_stride: row.len, row, value_stride: 1 };
            let start = first * row.len * size;
            // SAFETY: as the caller promises, and `rounds` rows are no more than `len`.
            unsafe { loops.combine_rows(out.add(start), x.add(start), y.add(first * size), &rows) };
        }
    }

    /// Where short runs meet one element of y each, and the next ones its neighbours, they become one run.
    fn fold_short_columns(&mut self) {
        if let [.., column, run] = &mut *self.loops
            && (run.x_stride, run.y_stride, column.y_stride) == (1, 0, 1)
            && column.x_stride == run.len
            && run.len < COLUMN
        {
            self.repeat = run.len;
            *column = BroadcastLoop { len: column.len * run.len, x_stride: 1, y_stride: 1 };
            self.loops.pop();
        }
    }
}

/// A part of a run: where in the operands it begins, and how many results it has.
struct Piece {
    x: usize,
    y: usize,
    len: usize,
}

/// Calls `make` for pieces of at most `block` elements, in row-major order, until the result is full.
fn walk(schedule: &Schedule, len: usize, make: &mut dyn FnMut(Piece)) {
    let (inner, outer) = schedule.split();
    let block = schedule.block.min(inner.len) / schedule.repeat * schedule.repeat;
    let mut start = Start { x: 0, y: 0, coordinates: [0; MAX_OP_RANK] };
    let mut made = 0;
    while made < len {
        for begin in (0..inner.len).step_by(block) {
            let len = block.min(inner.len - begin).min(len - made);
            // The innermost strides are 0 or 1.
            let x = start.x + begin * inner.x_stride;
            make(Piece { x, y: start.y + begin / schedule.repeat * inner.y_stride, len });
            made += len;
        }
        start.advance(outer);
    }
}

/// Where in the operands a run starts.
struct Start {
    x: usize,
    y: usize,
    coordinates: [usize; MAX_OP_RANK],
}

impl Start {
    /// On to the next run, in row-major order.
    fn advance(&mut self, outer: &[BroadcastLoop]) {
        for (l, coordinate) in outer.iter().zip(&mut self.coordinates).rev() {
            *coordinate += 1;
            self.x += l.x_stride;
            self.y += l.y_stride;
            if *coordinate < l.len {
                break;
            }
            *coordinate = 0;
            self.x -= l.len * l.x_stride;
            self.y -= l.len * l.y_stride;
        }
    }
}
