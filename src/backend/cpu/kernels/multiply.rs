//! Broadcasting multiplies. Results are computed in row-major order, one run of the innermost loop at a time.

use std::num::NonZero;
use std::ops::Range;
use std::slice;

use crate::backend::cpu::kernels::activate::activate;
use crate::backend::cpu::kernels::job::{Job, Output, Verdict, cut, elements};
use crate::backend::cpu::kernels::loops::{Loops, RowUpdates};
use crate::backend::cpu::kernels::reduce;
use crate::dtype::DType;
use crate::plan::{Activation, BroadcastLoop, BroadcastPlan, Reduce, Row};
use crate::shape::MAX_OP_RANK;

/// The activation is applied once at least this many results are computed, or all that are left. They are few enough to stay in the
/// first-level cache, so that memory is passed over once, and enough that dispatching on the activation costs nothing.
const BLOCK: usize = 1024;

/// A row of y with fewer elements is repeated until it has about this many.
const ROW: usize = 1024;

/// Runs of fewer elements, each multiplied by one element of y, are computed together.
const COLUMN: usize = 64;

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

/// The loops of a plan, with short runs made longer where that is possible.
#[derive(Clone, Copy)]
pub(crate) struct Runs<'a> {
    plan: &'a BroadcastPlan,
    /// The loops around the innermost one, outermost first.
    outer: &'a [BroadcastLoop],
    /// The innermost loop, a run. Its strides are 0 or 1.
    run: BroadcastLoop,
    /// A short row of y that is repeated to make the runs longer.
    repeated: Option<Repeated>,
    /// How many consecutive results share one element of y, where such runs are computed together: y then moves on by its stride once in
    /// that many elements of a run. Otherwise 1.
    results_per_y: NonZero<usize>,
}

/// A row of y that is the same for every run.
#[derive(Clone, Copy)]
struct Repeated {
    /// How many elements it has.
    len: usize,
    /// How often a run repeats it.
    count: usize,
    /// The loop around the longer runs, which takes the place of the only outer one. The last run may be longer than what is left.
    around: BroadcastLoop,
}

impl<'a> Runs<'a> {
    /// Those of a plan.
    pub(crate) fn new(plan: &'a BroadcastPlan) -> Self {
        // A plan without loops computes one element, or none.
        let single = BroadcastLoop { len: 1, x_stride: 0, y_stride: 0 };
        let (&run, outer) = plan.loops().split_last().unwrap_or((&single, &[]));
        let mut runs = Self { plan, outer, run, repeated: None, results_per_y: NonZero::<usize>::MIN };
        if let Some((&around, further)) = outer.split_last()
            && run.x_stride == 1
        {
            match (run.y_stride, around.y_stride) {
                (1, 0) if further.is_empty() && run.len < ROW => runs.repeat_row(around),
                (0, 1) if around.x_stride == run.len && run.len < COLUMN => {
                    runs.fold_columns(around, further)
                }
                _ => {}
            }
        }
        runs
    }

    /// Every run is multiplied by the same short row of y: repeats the row to make the runs longer. With the three channels of a picture they
    /// would be three elements long.
    fn repeat_row(&mut self, around: BroadcastLoop) {
        let len = NonZero::new(self.run.len).unwrap_or(NonZero::<usize>::MIN);
        let count = ROW.div_ceil(len.get()).min(around.len).max(1);
        self.run.len *= count;
        // x has one row after the other, so a longer run begins behind the one before it.
        let around = BroadcastLoop { len: around.len.div_ceil(count), x_stride: self.run.len, y_stride: 0 };
        self.repeated = Some(Repeated { len: len.get(), count, around });
    }

    /// Short runs are each multiplied by one element of y, and the next runs by the next elements: makes one run of them, in which y moves
    /// on by one element in `results_per_y` elements.
    fn fold_columns(&mut self, column: BroadcastLoop, further: &'a [BroadcastLoop]) {
        self.results_per_y = NonZero::new(self.run.len).unwrap_or(NonZero::<usize>::MIN);
        self.run = BroadcastLoop { len: column.len * self.run.len, x_stride: 1, y_stride: 1 };
        self.outer = further;
    }

    /// The loops around a run, outermost first.
    fn outer(&self) -> &[BroadcastLoop] {
        self.repeated.as_ref().map_or(self.outer, |repeated| slice::from_ref(&repeated.around))
    }

    /// How many words the repeated row of y takes, for elements of `size` bytes: fewer than twice [`ROW`] elements.
    pub(crate) fn words(&self, size: usize) -> usize {
        self.repeated.map_or(0, |Repeated { len, count, .. }| (len * count * size).div_ceil(8))
    }
}

/// `out[k] = act(x[…] · y[…])` for every element of the result. The columns are as many results as share an element of y.
#[derive(Clone, Copy)]
pub(crate) struct Multiply<'a> {
    runs: &'a Runs<'a>,
    loops: &'static Loops,
    dtype: DType,
    act: Option<Activation>,
    /// How many results there are.
    len: usize,
    x: *const u8,
    y: *const u8,
    out: *mut u8,
}

impl<'a> Multiply<'a> {
    /// The product of x and y, the bytes of the operands in the order of the plan's loops, in which [`BroadcastPlan::operands`] puts them. x
    /// is `None` where it is the memory that is written to. `repeated` has [`Runs::words`] words.
    pub(crate) fn new(
        runs: &'a Runs<'a>,
        dtype: DType,
        x: Option<&'a [u8]>,
        y: &'a [u8],
        repeated: &'a mut [u64],
        out: Output<'a>,
    ) -> Self {
        let (plan, size) = (runs.plan, dtype.size());
        let x = match x {
            Some(x) => elements(x, plan.x_len(), size),
            None => out.elements(plan.x_len(), size),
        };
        // The plan guarantees that every position in an operand is below its length.
        let (all, out) = (elements(y, plan.y_len(), size), out.elements(plan.len(), size));
        // The repeated row stands for all of y: every run begins at its first element.
        let y = match runs.repeated {
            Some(Repeated { len, count, .. }) => {
                let row = y.get(..len * size).unwrap_or_default();
                let repeated = bytemuck::cast_slice_mut(repeated);
                // `max`, because chunks have a length.
                let slots = repeated.chunks_exact_mut(row.len().max(1)).take(count);
                slots.for_each(|slot| slot.copy_from_slice(row));
                elements(repeated, len * count, size)
            }
            None => all,
        };
        let loops = reduce::loops(Reduce::Multiply, dtype);
        Self { runs, loops, dtype, act: plan.activation(), len: plan.len(), x, y, out }
    }

    /// Computes `len` products along a run, a multiple of `results_per_y`: those from number `at` on, which begin with these elements of x
    /// and y.
    ///
    /// # Safety
    /// There must be such results, and as many elements of the operands as the run reads for them.
    unsafe fn multiply_run(&self, at: usize, [x, y]: [usize; 2], len: usize) {
        let (run, results_per_y, size) = (&self.runs.run, self.runs.results_per_y, self.loops.size);
        // SAFETY: as the caller promises.
        let (out, x, y) = unsafe { (self.out.add(at * size), self.x.add(x * size), self.y.add(y * size)) };
        // x may be the operand that is repeated along the run. Products commute, so it then takes y's place.
        let (x, y) = if run.x_stride == 0 { (y, x) } else { (x, y) };
        // The rows that `combine_rows` goes through: how many, and what each is. One operand has a single element for all; each element
        // of y is for `results_per_y` of x; or both have an element for each result.
        let (rows, row) = if run.x_stride == 0 || run.y_stride == 0 {
            (1, Row { len, value_stride: 0 })
        } else if results_per_y.get() > 1 {
            (len / results_per_y, Row { len: results_per_y.get(), value_stride: 0 })
        } else {
            (1, Row { len, value_stride: 1 })
        };
        // Rows are named by their numbers, of which `ORDINALS` has 64.
        for first in (0..rows).step_by(ORDINALS.len()) {
            let positions = ORDINALS.get(..rows - first).unwrap_or(&ORDINALS);
            let updates = RowUpdates { positions, place_stride: row.len, row, value_stride: 1 };
            let start = first * row.len * size;
            // SAFETY: as the caller promises; the rows have at most `len` elements. The results are x, or overlap neither operand.
            unsafe {
                self.loops.combine_rows(out.add(start), x.add(start), y.add(first * size), &updates);
            }
        }
    }
}

impl Job for Multiply<'_> {
    fn len(&self) -> usize {
        self.len / self.runs.results_per_y
    }

    #[inline(never)]
    fn run(&self, columns: Range<usize>) -> Verdict {
        let &Runs { run, results_per_y, .. } = self.runs;
        let columns = cut(columns, self.len());
        let (first, end) = (columns.start * results_per_y.get(), columns.end * results_per_y.get());
        let mut walk = Walk::new(self.runs.outer(), run.len, first);
        // Pieces are whole multiples of `results_per_y`, so that none begins within the results that share an element of y. Without an
        // activation a run is computed as a whole, because nothing is done to parts of it.
        let most = if self.act.is_some() { BLOCK / results_per_y * results_per_y.get() } else { run.len };
        // How many results are computed, and to how many of them the activation was applied.
        let (mut made, mut activated) = (first, first);
        while made < end {
            let len = most.min(run.len - walk.begin).min(end - made);
            let x = walk.x + walk.begin * run.x_stride;
            let y = walk.y + walk.begin / results_per_y * run.y_stride;
            // SAFETY: the plan's positions are below the lengths, which `new` has looked at.
            unsafe { self.multiply_run(made, [x, y], len) };
            made += len;
            if let Some(act) = self.act.filter(|_| made - activated >= BLOCK || made == end) {
                let size = self.loops.size;
                // SAFETY: these results are complete, as they are written in order, and borrowed mutably.
                unsafe { activate(act, self.dtype, self.out.add(activated * size), made - activated) };
                activated = made;
            }
            walk.begin += len;
            if walk.begin == run.len {
                walk.next_run();
            }
        }
        Verdict::NOTHING
    }
}

/// Where a walk over the runs is.
struct Walk<'a> {
    outer: &'a [BroadcastLoop],
    coordinates: [usize; MAX_OP_RANK],
    /// The elements of x and y with which the run begins.
    x: usize,
    y: usize,
    /// The result of the run that is next.
    begin: usize,
}

impl<'a> Walk<'a> {
    /// Begins at a result.
    fn new(outer: &'a [BroadcastLoop], run: usize, first: usize) -> Self {
        let mut walk = Self { outer, coordinates: [0; MAX_OP_RANK], x: 0, y: 0, begin: 0 };
        if first > 0 {
            walk.begin = first % run.max(1);
            let mut rest = first / run.max(1);
            for (l, coordinate) in outer.iter().zip(&mut walk.coordinates).rev() {
                *coordinate = rest % l.len.max(1);
                rest /= l.len.max(1);
                walk.x += *coordinate * l.x_stride;
                walk.y += *coordinate * l.y_stride;
            }
        }
        walk
    }

    /// Goes on to the next run; behind the last one to the first.
    fn next_run(&mut self) {
        self.begin = 0;
        for (l, coordinate) in self.outer.iter().zip(&mut self.coordinates).rev() {
            *coordinate += 1;
            self.x += l.x_stride;
            self.y += l.y_stride;
            if *coordinate < l.len {
                return;
            }
            *coordinate = 0;
            self.x -= l.len * l.x_stride;
            self.y -= l.len * l.y_stride;
        }
    }
}
