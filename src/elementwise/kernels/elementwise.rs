//! Operations on two tensors. Results are computed in row-major order, one run of the innermost loop at a time.

use std::num::NonZero;
use std::ops::Range;
use std::slice;

use crate::DType;
use crate::elementwise::kernels::activate::{activate, truncate};
use crate::elementwise::kernels::binary::pairs;
#[cfg(feature = "loops")]
use crate::elementwise::kernels::binary::shift::pairs_by;
use crate::elementwise::kernels::pairs::{Order, Pairs};
use crate::elementwise::plan::broadcast::{BroadcastLoop, BroadcastPlan};
use crate::engine::cpu::kernels::{CheckResult, Job, Output, RowUpdates, cut, divided, elements, rely_on};
use crate::index::kernels::columns::Step;
use crate::index::kernels::{Indexed, Odometer, Positions};
#[cfg(feature = "loops")]
use crate::load;
use crate::plan::{Activation, Binary, Rounding, Row};

/// The activation is applied to at least this many results at a time, or to all that remain. They fit the first-level cache, so memory is
/// passed over once. They are enough to make the dispatch on the activation cheap.
const BLOCK: usize = 1024;

/// At least so many results are gathered and combined at a time: a call for fewer gathers slower, and these fit the second-level cache.
const GATHERED: usize = 4 * BLOCK;

/// A row of y with fewer elements is repeated until it has about this many.
const ROW: usize = 1024;

/// Shorter runs that share one element of y each are computed together.
const COLUMN: usize = 64;

/// 0, 1, 2, …: the positions of consecutive rows.
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

/// The loops of a plan. Short runs are made longer if possible.
#[derive(Clone, Copy)]
pub(crate) struct Runs<'a> {
    plan: &'a BroadcastPlan,
    /// The loops around the innermost one, outermost first.
    outer: &'a [BroadcastLoop],
    /// The innermost loop, a run. Its strides are 0 or 1.
    run: BroadcastLoop,
    /// A short row of y, repeated to make the runs longer.
    repeated: Option<Repeated>,
    /// The number of consecutive results that share one element of y, if short runs are joined. In a run, y then advances by its stride
    /// once in so many elements. Otherwise 1.
    results_per_y: NonZero<usize>,
}

/// A row of y that every run takes.
#[derive(Clone, Copy)]
struct Repeated {
    len: usize,
    /// The number of times that a run repeats it.
    count: usize,
    /// The loop around the longer runs. It replaces the only outer loop. It may count more elements than the last run has.
    around: BroadcastLoop,
}

impl<'a> Runs<'a> {
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

    /// If every run takes the same short row of y, repeats the row to make the runs longer. With the three channels of a picture,
    /// a run would have three elements.
    fn repeat_row(&mut self, around: BroadcastLoop) {
        let len = NonZero::new(self.run.len).unwrap_or(NonZero::<usize>::MIN);
        let count = ROW.div_ceil(len.get()).min(around.len).max(1);
        self.run.len *= count;
        // The rows of x are consecutive, so a longer run begins where the one before it ends.
        let around = BroadcastLoop { len: around.len.div_ceil(count), x_stride: self.run.len, y_stride: 0 };
        self.repeated = Some(Repeated { len: len.get(), count, around });
    }

    /// If each short run takes one element of y, and the next run the next element, joins the runs. In the joined run y
    /// advances by one element in `results_per_y` elements.
    fn fold_columns(&mut self, column: BroadcastLoop, further: &'a [BroadcastLoop]) {
        self.results_per_y = NonZero::new(self.run.len).unwrap_or(NonZero::<usize>::MIN);
        self.run = BroadcastLoop { len: column.len * self.run.len, x_stride: 1, y_stride: 1 };
        self.outer = further;
    }

    /// The loops around a run, outermost first.
    fn outer(&self) -> &[BroadcastLoop] {
        self.repeated.as_ref().map_or(self.outer, |repeated| slice::from_ref(&repeated.around))
    }

    /// The loops around short runs, and the run, if the runs could not be made longer.
    pub(crate) fn short(&self) -> Option<(&[BroadcastLoop], BroadcastLoop)> {
        let is_as_planned = self.repeated.is_none() && self.results_per_y.get() == 1;
        (is_as_planned && !self.outer.is_empty()).then_some((self.outer, self.run))
    }

    /// The number of words for the repeated row of y, with elements of `size` bytes. The row has fewer than twice [`ROW`] elements.
    pub(crate) fn words(&self, size: usize) -> usize {
        self.repeated.map_or(0, |Repeated { len, count, .. }| (len * count * size).div_ceil(8))
    }
}

/// What happens to results that are still in the cache.
#[derive(Clone, Copy)]
pub(crate) enum Then {
    Activate(Activation),
    /// Rounds toward zero.
    Truncate,
}

impl Then {
    fn of(plan: &BroadcastPlan, dtype: DType) -> Option<Self> {
        match plan.binary() {
            Binary::Divide(Some(Rounding::Trunc)) if dtype.is_float() => Some(Self::Truncate),
            Binary::Divide(Some(Rounding::Floor)) if dtype.is_float() => {
                Some(Self::Activate(Activation::Floor))
            }
            _ => plan.activation().map(Self::Activate),
        }
    }

    /// # Safety
    /// As for [`activate`].
    pub(crate) unsafe fn replace(self, dtype: DType, results: *mut u8, len: usize) {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Activate(act) => activate(act, dtype, results, results, len),
                Self::Truncate => truncate(dtype, results, len),
            }
        }
    }
}

/// An operation, its operands and its results.
#[derive(Clone, Copy)]
pub(crate) struct Combine<'a> {
    runs: &'a Runs<'a>,
    pub(crate) pairs: Pairs,
    pub(crate) x_is_second: bool,
    pub(crate) dtype: DType,
    pub(crate) then: Option<Then>,
    len: usize,
    pub(crate) x: *const u8,
    pub(crate) y: *const u8,
    pub(crate) out: *mut u8,
}

/// Computes `out[k] = act(x[…] ∘ y[…])` for every element of the result. A column is the results that share an element of y.
#[derive(Clone, Copy)]
pub(crate) struct Elementwise<'a>(pub(crate) Combine<'a>);

impl<'a> Combine<'a> {
    /// x and y are the bytes of the operands in the order of [`BroadcastPlan::operands`]. Without x, the output holds it. `repeated` has
    /// [`Runs::words`] words.
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
        #[cfg(feature = "loops")]
        let only = y.get(..size).filter(|_| plan.y_len() == 1);
        // The plan guarantees that every position is below the operand's length.
        let (all, out) = (elements(y, plan.y_len(), size), out.elements(plan.len(), size));
        // The repeated row replaces y: every run begins at its first element.
        let y = match runs.repeated {
            Some(Repeated { len, count, .. }) => {
                let row = y.get(..len * size).unwrap_or_default();
                let repeated = bytemuck::cast_slice_mut(repeated);
                // A chunk must have a length, hence `max`.
                let slots = repeated.chunks_exact_mut(row.len().max(1)).take(count);
                slots.for_each(|slot| slot.copy_from_slice(row));
                elements(repeated, len * count, size)
            }
            None => all,
        };
        let then = Then::of(plan, dtype);
        #[cfg_attr(not(feature = "loops"), allow(unused_mut, reason = "only these loops replace it"))]
        let (mut pairs, x_is_second) = (pairs(plan.binary(), dtype), plan.takes_x_second());
        #[cfg(feature = "loops")]
        if let Some(only) = only.filter(|_| !x_is_second)
            && let Some(shifts) = pairs_by(load(only), plan.binary(), dtype, pairs)
        {
            pairs = shifts;
        }
        Self { runs, pairs, x_is_second, dtype, then, len: plan.len(), x, y, out }
    }

    /// The bytes of an element.
    pub(crate) fn size(&self) -> usize {
        self.pairs.size
    }

    /// Computes `len` results of a run, a multiple of `results_per_y`, from result `at` on. Their operands begin at elements `x` and
    /// `y`.
    ///
    /// # Safety
    /// These results must exist, and so must the elements of the operands that the run reads for them.
    unsafe fn compute_run(&self, at: usize, [x, y]: [usize; 2], len: usize) {
        let (run, results_per_y, size) = (&self.runs.run, self.runs.results_per_y, self.pairs.size);
        // SAFETY: as the caller promises.
        let (out, x, y) = unsafe { (self.out.add(at * size), self.x.add(x * size), self.y.add(y * size)) };
        // Either one operand has a single element for all results, or each element of y serves `results_per_y` elements of x, or both
        // operands have an element for each result. A single element is the second of the two in the loop.
        let x_is_single = run.x_stride == 0;
        let (rows, row) = if x_is_single || run.y_stride == 0 {
            (1, Row { len, value_stride: 0 })
        } else if results_per_y.get() > 1 {
            (len / results_per_y, Row { len: results_per_y.get(), value_stride: 0 })
        } else {
            (1, Row { len, value_stride: 1 })
        };
        let (order, x, y) = match (row.value_stride, x_is_single != self.x_is_second) {
            (0, false) => (Order::RowAndElement, x, y),
            (0, true) => (Order::ElementAndRow, x, y),
            (_, false) => (Order::Rows, x, y),
            // Nothing is written in place here, so the loop may begin with the other operand.
            (_, true) => (Order::Rows, y, x),
        };
        let (x, y) = if x_is_single { (y, x) } else { (x, y) };
        // `ORDINALS` has the numbers of 64 rows.
        for first in (0..rows).step_by(ORDINALS.len()) {
            let positions = ORDINALS.get(..rows - first).unwrap_or(&ORDINALS);
            let updates = RowUpdates { positions, slot_stride: row.len, row, value_stride: 1 };
            let start = first * row.len * size;
            // SAFETY: as the caller promises; the rows have at most `len` elements. The results are x, or overlap neither operand.
            unsafe {
                self.pairs.combine(order, out.add(start), x.add(start), y.add(first * size), &updates);
            }
        }
    }
}

impl Job for Elementwise<'_> {
    fn len(&self) -> usize {
        self.0.len / self.0.runs.results_per_y
    }

    fn work(&self) -> usize {
        self.0.len
    }

    #[inline(never)]
    fn run(&self, items: Range<usize>) -> CheckResult {
        let &Runs { run, results_per_y, .. } = self.0.runs;
        let items = cut(items, self.len());
        let (first, end) = (items.start * results_per_y.get(), items.end * results_per_y.get());
        let (number, mut begin) = divided(first, run.len);
        let mut outer = Odometer::at(self.0.runs.outer(), number);
        // A piece is a multiple of `results_per_y`, so no piece begins among results that share an element of y. If nothing follows, a
        // run is one piece.
        let most = if self.0.then.is_some() { BLOCK / results_per_y * results_per_y.get() } else { run.len };
        // The first result not yet computed, and the first not yet activated.
        let (mut made, mut activated) = (first, first);
        while made < end {
            let len = most.min(run.len - begin).min(end - made);
            let [x, y] = outer.start;
            let x = x + begin * run.x_stride;
            let y = y + begin / results_per_y * run.y_stride;
            // SAFETY: the plan's positions are below the lengths, which `new` has checked.
            unsafe { self.0.compute_run(made, [x, y], len) };
            made += len;
            if let Some(then) = self.0.then.filter(|_| made - activated >= BLOCK || made == end) {
                // SAFETY: the results are written in order, so these are complete. They are borrowed mutably.
                unsafe {
                    then.replace(
                        self.0.dtype,
                        self.0.out.add(activated * self.0.pairs.size),
                        made - activated,
                    );
                }
                activated = made;
            }
            begin += len;
            if begin == run.len {
                begin = 0;
                outer.advance();
            }
        }
        CheckResult::NOTHING
    }
}

/// Computes `out[k] = act(x[k] ∘ gathered[k])` for every element of a gather's result. A block is gathered into `out` and combined while it
/// is in the cache. The columns are those of the gather.
#[derive(Clone, Copy)]
pub(crate) struct WithGathered<'a> {
    gather: Indexed<'a>,
    pairs: Pairs,
    dtype: DType,
    then: Option<Then>,
    /// The elements of a column.
    row: usize,
    /// The columns of a block.
    block: usize,
    x: *const u8,
    out: *mut u8,
}

impl<'a> WithGathered<'a> {
    /// x and `out` have the shape of the gather's result, and the positions were checked. `out` has 0 in the row of each skipped entry.
    pub(crate) fn new(
        plan: &BroadcastPlan,
        dtype: DType,
        x: &'a [u8],
        table: &'a [u8],
        positions: &'a Positions<'a>,
        out: Output<'a>,
    ) -> Self {
        let (addressing, size) = (positions.plan, dtype.size());
        let row = addressing.row().len;
        let count = addressing.entries() * row;
        rely_on(!plan.takes_x_second());
        Self {
            gather: Indexed::gather(size, table, positions, out),
            pairs: pairs(plan.binary(), dtype),
            dtype,
            then: Then::of(plan, dtype),
            row,
            block: GATHERED.div_ceil(row.max(1)),
            x: elements(x, count, size),
            out: out.elements(count, size),
        }
    }
}

impl Job for WithGathered<'_> {
    fn len(&self) -> usize {
        self.gather.len()
    }

    fn work(&self) -> usize {
        self.gather.work()
    }

    #[inline(never)]
    fn run(&self, items: Range<usize>) -> CheckResult {
        let Range { mut start, end } = cut(items, self.len());
        while start < end {
            let block = start..end.min(start + self.block);
            self.gather.run(block.clone());
            let (first, len) = (block.start * self.row, block.len() * self.row);
            // SAFETY: `new` has checked the lengths, `out` is borrowed mutably, and the block of it is written.
            unsafe {
                let out = self.out.add(first * self.pairs.size);
                let x = self.x.add(first * self.pairs.size);
                self.pairs.combine(Order::Rows, out, x, out, &RowUpdates::single(len, 1));
                if let Some(then) = self.then {
                    then.replace(self.dtype, out, len);
                }
            }
            start = block.end;
        }
        CheckResult::NOTHING
    }
}

/// The elements of x and y at which a run begins.
impl Step for BroadcastLoop {
    type Start = [usize; 2];
    fn len(&self) -> usize {
        self.len
    }
    fn after(&self, [x, y]: [usize; 2], rounds: usize) -> [usize; 2] {
        let moved = |at: usize, stride| at.wrapping_add(rounds.wrapping_mul(stride));
        [moved(x, self.x_stride), moved(y, self.y_stride)]
    }
}
