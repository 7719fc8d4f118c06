//! Sorts rows of elements: the job of `argsort`.

use std::marker::PhantomData;
use std::ops::Range;

use crate::engine::cpu::kernels::{CheckResult, Job, Output, cut, divided, elements};
use crate::plan::Order;
use crate::sort::kernels::radix::{self, Pair, Wide};
use crate::sort::plan::SortPlan;

/// The words of scratch memory for a plan: two pairs of a key and a position for each element, because a radix sort moves pairs from one
/// array to the other. A key of up to 32 bits and its position share a `u64`. Rows of one or two elements need none.
pub(crate) fn scratch_len(plan: &SortPlan) -> usize {
    let [before, len, after] = plan.sizes();
    let rows = before * after;
    match len {
        // A sort of all elements is one row, and needs its pairs.
        0..=SHORT if rows > 1 => 0,
        _ if plan.dtype().size() == 8 => 4 * plan.len(),
        _ => 2 * plan.len(),
    }
}

/// Rows of at most this many elements need no sort, but a comparison.
const SHORT: usize = 2;

/// Sorts the rows of a plan. A column of the job is a row.
#[derive(Clone, Copy)]
pub(crate) struct SortRows<'a> {
    order: Order,
    size: usize,
    sizes: [usize; 3],
    values: *const u8,
    scratch: *mut u8,
    out: *mut i64,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> SortRows<'a> {
    /// Writes the positions of the elements of each row in their order to `out`, int64 in the layout of the elements. `scratch` has
    /// [`scratch_len`] words.
    pub(crate) fn new(plan: &SortPlan, values: &'a [u8], scratch: Output<'a>, out: Output<'a>) -> Self {
        let (size, len) = (plan.dtype().size(), plan.len());
        Self {
            order: Order::of(plan.dtype()).reversed_if(plan.is_descending()),
            size,
            sizes: plan.sizes(),
            values: elements(values, len, size),
            scratch: scratch.elements(scratch_len(plan), 8),
            out: out.elements(len, size_of::<i64>()).cast(),
            borrowed: PhantomData,
        }
    }

    /// Sorts a row that exists, and returns its pairs.
    ///
    /// # Safety
    /// `new` must have checked the memory, and `P` must be the pair for the size.
    #[inline(always)]
    unsafe fn row<T: Copy + Into<u64>, P: Pair>(&self, row: usize) -> *const P {
        let [_, len, after] = self.sizes;
        // SAFETY: a row has `len` elements, `after` apart, and its own part of the scratch memory.
        unsafe {
            let (outer, inner) = divided(row, after);
            let first = self.values.cast::<T>().add(outer * len * after + inner);
            let pairs = self.scratch.cast::<P>().add(2 * row * len);
            let (mut any, mut all) = (0, u64::MAX);
            for at in 0..len {
                let key = self.order.sort_key((*first.add(at * after)).into());
                any |= key;
                all &= key;
                *pairs.add(at) = P::new(key, at as u32);
            }
            radix::sort(pairs, pairs.add(len), len, any & !all)
        }
    }

    /// # Safety
    /// As for [`SortRows::row`].
    #[inline(never)]
    unsafe fn rows<T: Copy + Into<u64>, P: Pair>(&self, rows: Range<usize>) {
        let [before, len, after] = self.sizes;
        if len <= SHORT && before * after > 1 {
            // SAFETY: as the caller promises.
            return unsafe { self.short_rows::<T>(rows) };
        }
        for row in rows {
            // SAFETY: as the caller promises; the places of a row's result are those of its elements.
            unsafe {
                let pairs = self.row::<T, P>(row);
                let (outer, inner) = divided(row, after);
                let first = self.out.add(outer * len * after + inner);
                for at in 0..len {
                    *first.add(at * after) = (*pairs.add(at)).position().into();
                }
            }
        }
    }

    /// Sorts rows of at most [`SHORT`] elements.
    ///
    /// # Safety
    /// As for [`SortRows::row`].
    #[inline(never)]
    unsafe fn short_rows<T: Copy + Into<u64>>(&self, rows: Range<usize>) {
        let [_, len, after] = self.sizes;
        let (mut outer, mut inner) = divided(rows.start, after);
        for _ in rows {
            let first = outer * len * after + inner;
            // SAFETY: as the caller promises: a row has `len` elements, `after` apart.
            unsafe {
                let values = self.values.cast::<T>().add(first);
                let out = self.out.add(first);
                let is_second = len == SHORT
                    && self.order.sort_key((*values).into())
                        > self.order.sort_key((*values.add(after)).into());
                *out = is_second.into();
                if len == SHORT {
                    *out.add(after) = (!is_second).into();
                }
            }
            inner += 1;
            if inner == after {
                (outer, inner) = (outer + 1, 0);
            }
        }
    }

    /// Sorts all elements as one row, whose pairs are then the first or the second half of the scratch memory. Returns whether they are the
    /// second.
    pub(crate) fn one_row(&self) -> bool {
        // SAFETY: `new` has checked the memory.
        unsafe {
            let sorted = match self.size {
                1 => self.row::<u8, u64>(0).cast::<u8>(),
                2 => self.row::<u16, u64>(0).cast(),
                4 => self.row::<u32, u64>(0).cast(),
                _ => self.row::<u64, Wide>(0).cast(),
            };
            sorted != self.scratch.cast_const()
        }
    }
}

impl Job for SortRows<'_> {
    fn len(&self) -> usize {
        let [before, len, after] = self.sizes;
        if len == 0 { 0 } else { before * after }
    }

    fn work(&self) -> usize {
        let [before, len, after] = self.sizes;
        8 * before * len * after
    }

    #[inline(never)]
    fn run(&self, columns: Range<usize>) -> CheckResult {
        let rows = cut(columns, self.len());
        // SAFETY: `new` has checked the memory, and the rows exist.
        unsafe {
            match self.size {
                1 => self.rows::<u8, u64>(rows),
                2 => self.rows::<u16, u64>(rows),
                4 => self.rows::<u32, u64>(rows),
                _ => self.rows::<u64, Wide>(rows),
            }
        }
        CheckResult::NOTHING
    }
}
