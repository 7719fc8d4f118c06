//! The positions of the largest or smallest elements, once these are known.

use std::ops::Range;

use crate::Bits;
use crate::dims::kernels::neighbours;
use crate::dims::kernels::offsets::{ONCE, each_width, offset};
use crate::dims::plan::DimsPlan;
use crate::engine::cpu::kernels::{CheckResult, Job, Output, cut, divided, job, repeated, vector};
use crate::plan::Order;

/// Finds for each element of the result the first term that equals it: as numbers, so that zeros of both signs are equal; and NaN is
/// equal to NaN. The columns are the elements of the result. There is one loop over terms at most.
#[derive(Clone, Copy)]
pub(crate) struct Find<'a> {
    plan: &'a DimsPlan,
    values: *const u8,
    best: *const u8,
    out: *mut i64,
    order: Order,
}

/// After so many bytes without vectors, the search for an equal element goes on with vectors.
const BLOCK: usize = 64;

impl<'a> Find<'a> {
    /// Writes positions to `out`. `best` has the largest or smallest element for each, which is among its terms.
    pub(crate) fn new(plan: &'a DimsPlan, elements: &'a [u8], best: &'a [u8], out: Output<'a>) -> Self {
        let (size, count) = (plan.dtype().size(), plan.out_shape().size());
        Self {
            plan,
            values: job::elements(elements, plan.len(), size),
            best: job::elements(best, count, size),
            out: out.elements(count, size_of::<i64>()).cast(),
            order: Order::of(plan.dtype()),
        }
    }

    /// Finds the terms of neighbouring columns that exist: `count` of them from `column` on, whose first terms begin at `at`.
    ///
    /// # Safety
    /// `new` must have checked the memory.
    unsafe fn find(&self, column: usize, count: usize, at: usize, gap: usize) {
        let size = self.plan.dtype().size();
        let terms = self.plan.reduced().last().copied().unwrap_or(ONCE);
        // SAFETY: as the caller promises.
        unsafe {
            let (out, best) = (self.out.add(column), self.best.add(column * size));
            if gap == 1 && count > 1 {
                // Row by row, as the elements lie, until each column is found.
                (0..count).for_each(|next| out.add(next).write(-1));
                let is_plain = each_width!(size, are_plain(self.order, best, count));
                let (mut left, mut row) = (count, 0);
                while left > 0 && row < terms.len {
                    let values = self.values.add((at + row * terms.stride) * size);
                    left -= each_width!(size, mark(self.order, is_plain, values, best, out, count, row));
                    row += 1;
                }
                return;
            }
            for next in 0..count {
                let values = self.values.add((at + next * gap) * size);
                let best = best.add(next * size);
                let found = each_width!(size, first(self.order, values, best, terms.len, terms.stride));
                out.add(next).write(found as i64);
            }
        }
    }
}

/// Whether each of some elements is equal to the same bits alone.
///
/// # Safety
/// There must be `count` elements, aligned.
unsafe fn are_plain<W: Copy + Into<Bits>>(order: Order, elements: *const u8, count: usize) -> bool {
    // SAFETY: as the caller promises.
    (0..count).all(|next| order.is_plain(unsafe { *elements.cast::<W>().add(next) }.into()))
}

/// Writes a number of a row to each column that is not found yet and whose element of the row equals its best. Returns how many are new.
///
/// # Safety
/// There must be `count` elements of each, aligned.
unsafe fn mark<W: Copy + PartialEq + Into<Bits>>(
    order: Order,
    is_plain: bool,
    values: *const u8,
    best: *const u8,
    out: *mut i64,
    count: usize,
    row: usize,
) -> usize {
    let (values, best) = (values.cast::<W>(), best.cast::<W>());
    let (mut found, mut next) = (0, 0);
    while next < count {
        // SAFETY: as the caller promises.
        unsafe {
            if is_plain {
                next += vector::unequal::<W, 1>(values.add(next), best.add(next), count - next);
            }
            let end = count.min(next + BLOCK / size_of::<W>());
            while next < end {
                let out = out.add(next);
                if *out < 0 && order.equal((*values.add(next)).into(), (*best.add(next)).into()) {
                    *out = row as i64;
                    found += 1;
                }
                next += 1;
            }
        }
    }
    found
}

/// The position of the first of `len` elements that equals the best; `len` if none does.
///
/// # Safety
/// There must be these elements, `stride` apart, and the best, aligned.
unsafe fn first<W: Copy + PartialEq + Into<Bits>>(
    order: Order,
    values: *const u8,
    best: *const u8,
    len: usize,
    stride: usize,
) -> usize {
    let values = values.cast::<W>();
    // SAFETY: as the caller promises.
    unsafe {
        let best = (*best.cast::<W>()).into();
        let mut row = 0;
        // If only the best's own bits equal it, vectors skip blocks that do not contain it.
        if stride == 1 && order.is_plain(best) {
            row = vector::unequal::<W, 0>(values, repeated(size_of::<W>(), best).as_ptr().cast(), len);
        }
        while row < len && !order.equal((*values.add(row * stride)).into(), best) {
            row += 1;
        }
        row
    }
}

impl Job for Find<'_> {
    fn len(&self) -> usize {
        self.plan.out_shape().size()
    }

    fn work(&self) -> usize {
        self.plan.len()
    }

    fn grain(&self) -> usize {
        neighbours(self.plan)
    }

    #[inline(never)]
    fn run(&self, columns: Range<usize>) -> CheckResult {
        let columns = cut(columns, self.len());
        let (&inner, outer) = self.plan.kept().split_last().unwrap_or((&ONCE, &[]));
        let mut column = columns.start;
        while column < columns.end {
            let (round, at) = divided(column, inner.len);
            let count = (inner.len - at).min(columns.end - column);
            let start = offset(outer, round) + at * inner.stride;
            // SAFETY: `new` has checked the memory, and the columns exist.
            unsafe { self.find(column, count, start, inner.stride) };
            column += count;
        }
        CheckResult::NOTHING
    }
}
