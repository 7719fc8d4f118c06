//! Chooses elements of two tensors by a mask, in row-major order, one run of the innermost loop at a time.

use std::marker::PhantomData;
use std::ops::Range;

use crate::engine::cpu::kernels::{CheckResult, Job, Output, cut, divided, elements};
use crate::index::kernels::Odometer;
use crate::index::kernels::columns::Step;
use crate::masks::plan::choose::{ChoiceLoop, ChoosePlan};

/// Writes x where the mask is true, else y. The items are the elements of the result.
#[derive(Clone, Copy)]
pub(crate) struct Choose<'a> {
    loops: &'a [ChoiceLoop],
    len: usize,
    size: usize,
    mask: *const u8,
    values: [*const u8; 2],
    out: *mut u8,
    borrowed: PhantomData<(&'a [u8], Output<'a>)>,
}

impl<'a> Choose<'a> {
    /// Of the mask, x and y.
    pub(crate) fn new(plan: &'a ChoosePlan, [mask, x, y]: [&'a [u8]; 3], out: Output<'a>) -> Self {
        let ([mask_len, x_len, y_len], size) = (plan.lens(), plan.dtype().size());
        Self {
            loops: plan.loops(),
            len: plan.len(),
            size,
            mask: elements(mask, mask_len, 1),
            values: [elements(x, x_len, size), elements(y, y_len, size)],
            out: out.elements(plan.len(), size),
            borrowed: PhantomData,
        }
    }

    /// Chooses `len` elements of a run, and writes them from number `at` on. The operands begin at these elements.
    ///
    /// # Safety
    /// The results must exist, and the elements that the run reads for them.
    unsafe fn choose<E: Copy>(&self, run: &ChoiceLoop, at: usize, [mask, x, y]: [usize; 3], len: usize) {
        let ([values_x, values_y], [mask_stride, x_stride, y_stride]) = (self.values, run.strides);
        // SAFETY: as the caller promises.
        unsafe {
            let (mask, out) = (self.mask.add(mask), self.out.cast::<E>().add(at));
            let (x, y) = (values_x.cast::<E>().add(x), values_y.cast::<E>().add(y));
            // With strides as constants the loops have no multiplication.
            match (mask_stride, x_stride, y_stride) {
                (1, 1, 1) => each(len, out, |k| *mask.add(k), |k| *x.add(k), |k| *y.add(k)),
                (1, 1, 0) => each(len, out, |k| *mask.add(k), |k| *x.add(k), |_| *y),
                (1, 0, 1) => each(len, out, |k| *mask.add(k), |_| *x, |k| *y.add(k)),
                _ => each(
                    len,
                    out,
                    |k| *mask.add(k * mask_stride),
                    |k| *x.add(k * x_stride),
                    |k| *y.add(k * y_stride),
                ),
            }
        }
    }
}

/// Reads both values, so that the compiler chooses without a branch.
///
/// # Safety
/// `out` must have `len` elements.
#[inline(always)]
unsafe fn each<E: Copy>(
    len: usize,
    out: *mut E,
    mask: impl Fn(usize) -> u8,
    x: impl Fn(usize) -> E,
    y: impl Fn(usize) -> E,
) {
    for k in 0..len {
        let (one, other) = (x(k), y(k));
        // SAFETY: as the caller promises.
        unsafe { *out.add(k) = if mask(k) != 0 { one } else { other } };
    }
}

impl Job for Choose<'_> {
    fn len(&self) -> usize {
        self.len
    }

    #[inline(never)]
    fn run(&self, items: Range<usize>) -> CheckResult {
        // A plan without loops has one result, or none.
        let single = ChoiceLoop { len: 1, strides: [0; 3] };
        let (run, outer) = self.loops.split_last().unwrap_or((&single, &[]));
        let Range { start: mut at, end } = cut(items, self.len);
        let (number, mut begin) = divided(at, run.len);
        let mut outer = Odometer::at(outer, number);
        while at < end {
            let len = (run.len - begin).min(end - at);
            let starts = run.after(outer.start, begin);
            // SAFETY: the plan's positions are below the lengths, which `new` has checked.
            unsafe {
                match self.size {
                    1 => self.choose::<u8>(run, at, starts, len),
                    2 => self.choose::<u16>(run, at, starts, len),
                    4 => self.choose::<u32>(run, at, starts, len),
                    _ => self.choose::<u64>(run, at, starts, len),
                }
            }
            at += len;
            begin = 0;
            outer.advance();
        }
        CheckResult::NOTHING
    }
}

/// The elements of the mask, of x and of y at which a run begins.
impl Step for ChoiceLoop {
    type Start = [usize; 3];
    fn len(&self) -> usize {
        self.len
    }
    fn after(&self, [mask, x, y]: [usize; 3], rounds: usize) -> [usize; 3] {
        let [by_mask, by_x, by_y] = self.strides;
        let moved = |at: usize, stride| at.wrapping_add(rounds.wrapping_mul(stride));
        [moved(mask, by_mask), moved(x, by_x), moved(y, by_y)]
    }
}
