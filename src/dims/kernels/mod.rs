//! Reductions along dimensions. The columns of a job are the elements of the result.
//!
//! A traversal divides columns into tiles: columns that are neighbours in the result. It reads the terms of a tile row by row, where a row has
//! a term of each column, and hands the rows to an accumulator. If all terms of a tile follow each other and its columns are few, a row
//! is wider: it has several terms of each column, which the accumulator keeps apart until the end. So a sum of one long run uses vectors,
//! and so does a sum of short rows.

pub(crate) mod accumulator;
pub(crate) mod combine;
pub(crate) mod find;
pub(crate) mod numbers;
pub(crate) mod offsets;
pub(crate) mod rows;
pub(crate) mod runs;
pub(crate) mod short;
pub(crate) mod tile;
pub(crate) mod widen;

use std::ops::Range;

use crate::dims::kernels::accumulator::Accumulator;
use crate::dims::kernels::combine::Combine;
use crate::dims::kernels::numbers::Numbers;
use crate::dims::kernels::offsets::{ONCE, offset};
use crate::dims::kernels::rows::Rows;
use crate::dims::kernels::runs::Run;
use crate::dims::kernels::short::Short;
use crate::dims::kernels::tile::Tile;
use crate::dims::kernels::widen::Widen;
use crate::dims::plan::{Along, DimsPlan};
use crate::dtype::DType;
use crate::engine::cpu::kernels::job::{CheckResult, GRAIN_BYTES, Job, Output, cut};
use crate::engine::cpu::kernels::offsets::divided;
use crate::engine::cpu::kernels::{job, reduce};
use crate::exact::kernels::bins::{Bins, DOUBLE, SINGLE};
use crate::plan::reduce::Sum;
use crate::scalar::Bits;

/// Terms of one result that follow each other are a tile of their own if they are as many as this.
const LONG: usize = 128;

/// As many terms of a result are worth bins for every exponent.
const IN_BINS: usize = 1 << 13;

/// Reduces elements along dimensions, but for positions: for these the result has the largest or smallest elements.
#[derive(Clone, Copy)]
pub(crate) struct Reduce<'a> {
    plan: &'a DimsPlan,
    rows: Rows,
    out: *mut u8,
    /// What a result that is not an exact sum begins with.
    neutral: Bits,
}

impl<'a> Reduce<'a> {
    /// Writes an element of the plan's dtype for each element of the result. The plan has terms.
    pub(crate) fn new(plan: &'a DimsPlan, elements: &'a [u8], out: Output<'a>) -> Self {
        let (from, dtype) = (plan.from(), plan.dtype());
        let values = job::elements(elements, plan.len(), from.size());
        // The accumulators of exact sums of half types take float32.
        let is_half = matches!(dtype, DType::Float16 | DType::Bfloat16);
        let read = if plan.sum() == Sum::Exact && is_half { DType::Float32 } else { dtype };
        // Sums of integers in a wider dtype take them as they are.
        let rows = match plan.widens() {
            true => Rows { values, from, dtype: from, read: from },
            false => Rows { values, from, dtype, read },
        };
        let out = out.elements(plan.out_shape().size(), dtype.size());
        Self { plan, rows, out, neutral: plan.along().reduce().neutral(dtype) }
    }

    /// Reduces columns that exist, tile by tile.
    ///
    /// # Safety
    /// `new` must have checked the memory.
    #[inline(never)]
    unsafe fn traverse(&self, columns: Range<usize>, accumulator: &mut dyn Accumulator) {
        let (kept, reduced) = (self.plan.kept(), self.plan.reduced());
        let (&inner, outer) = kept.split_last().unwrap_or((&ONCE, &[]));
        let (&last, others) = reduced.split_last().unwrap_or((&ONCE, &[]));
        let lanes = accumulator.lanes();
        let is_one_run = last.stride == 1 && last.len >= LONG;
        let most = if is_one_run { 1 } else { accumulator.most(inner.stride == 1 && self.rows.is_direct()) };
        let size = self.plan.dtype().size();
        let mut column = columns.start;
        while column < columns.end {
            let (round, at) = divided(column, inner.len);
            let count = (inner.len - at).min(columns.end - column).min(most);
            // Whether the terms of the tile follow each other in each round of the other loops.
            let is_dense = last.stride == count && (inner.stride == 1 || count == 1);
            // Few terms are not worth the lanes, which have to be merged.
            let is_wide = is_dense && 2 * count <= lanes && last.len * count >= 2 * lanes;
            let width = if is_wide { lanes - divided(lanes, count).1 } else { count };
            let start = offset(outer, round) + at * inner.stride;
            let rounds = others.iter().map(|axis| axis.len).product();
            // SAFETY: the plan's loops stay within self, and its columns within the result.
            unsafe {
                let out = self.out.add(column * size);
                accumulator.begin(out, count, width);
                for round in 0..rounds {
                    let start = start + offset(others, round);
                    if width > count {
                        let (whole, rest) = divided(last.len * count, width);
                        self.rows.read(start, whole, width, width, 1, accumulator);
                        if rest > 0 {
                            self.rows.read(start + whole * width, 1, 0, rest, 1, accumulator);
                        }
                    } else {
                        let gap = if count == 1 { 1 } else { inner.stride };
                        self.rows.read(start, last.len, last.stride, count, gap, accumulator);
                    }
                }
                accumulator.finish(out, count, width);
                let mut again = accumulator.unknown(0..count);
                while !again.is_empty() {
                    self.sum_again(column + again.start..column + again.end);
                    again = accumulator.unknown(again.end..count);
                }
            }
            column += count;
        }
    }
}

impl Job for Reduce<'_> {
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
        let dtype = self.plan.dtype();
        // SAFETY: `new` has checked the memory, and the columns exist.
        unsafe {
            match self.plan.sum() {
                Sum::Exact => self.sum_exactly(columns),
                Sum::Ordered if self.plan.widens() => self.sum_widened(columns),
                Sum::Ordered => {
                    let loops = reduce::loops(self.plan.along().reduce(), dtype);
                    let mut combine = Combine::new(loops, self.neutral, self.plan.is_ordered());
                    self.traverse(columns, &mut combine);
                }
            }
        }
        CheckResult::NOTHING
    }
}

impl Reduce<'_> {
    /// Whether the terms of a result are runs that are tiles of their own.
    fn is_run(&self) -> bool {
        self.plan.reduced().last().is_some_and(|last| last.stride == 1 && last.len >= LONG)
    }

    /// Sums columns exactly.
    ///
    /// # Safety
    /// As for [`Reduce::traverse`].
    unsafe fn sum_exactly(&self, columns: Range<usize>) {
        // SAFETY: as the caller promises.
        unsafe {
            if let Some(short) = Short::of(self.plan) {
                return self.sum_short(short, columns);
            }
            match self.rows.read {
                _ if !self.is_run() || self.plan.terms() < IN_BINS => self.sum_tiles(columns),
                DType::Float32 => self.sum_runs::<SINGLE>(columns),
                _ => self.sum_runs::<DOUBLE>(columns),
            }
        }
    }

    /// Sums columns of integers in a wider dtype. A function of its own, so that only it needs the memory of the sums.
    ///
    /// # Safety
    /// As for [`Reduce::traverse`].
    #[inline(never)]
    unsafe fn sum_widened(&self, columns: Range<usize>) {
        let mut widen = Widen::new(self.plan.from(), self.plan.dtype());
        // SAFETY: as the caller promises.
        unsafe { self.traverse(columns, &mut widen) }
    }

    /// [`Reduce::sum_exactly`] of short rows. Where float64 does not hold one of them, it and those after it are summed in a tile: there may be
    /// more.
    ///
    /// # Safety
    /// As for [`Reduce::traverse`].
    unsafe fn sum_short(&self, short: Short, mut columns: Range<usize>) {
        while !columns.is_empty() {
            // SAFETY: as the caller promises.
            unsafe {
                let first = short.sum(self.rows.values, self.out, columns.clone());
                columns.start = columns.end.min(first + LONG);
                if first < columns.start {
                    self.sum_tiles(first..columns.start);
                }
            }
        }
    }

    /// [`Reduce::sum_exactly`] in tiles. A function of its own, so that only it needs the memory of a tile.
    ///
    /// # Safety
    /// As for [`Reduce::traverse`].
    #[inline(never)]
    unsafe fn sum_tiles(&self, columns: Range<usize>) {
        let mut tile = Tile::new(self.plan.dtype(), self.plan.divisor());
        // SAFETY: as the caller promises.
        unsafe { self.traverse(columns, &mut tile) }
    }

    /// [`Reduce::sum_exactly`] of columns whose floats do not tell the result, likewise.
    ///
    /// # Safety
    /// As for [`Reduce::traverse`].
    #[inline(never)]
    unsafe fn sum_again(&self, columns: Range<usize>) {
        // SAFETY: as the caller promises.
        unsafe {
            if self.is_run() && self.rows.read == DType::Float32 {
                return self.sum_runs::<SINGLE>(columns);
            }
            let mut numbers = Numbers::new(self.plan.dtype(), self.plan.along() == Along::Mean);
            self.traverse(columns, &mut numbers);
        }
    }

    /// [`Reduce::sum_exactly`] in bins, likewise.
    ///
    /// # Safety
    /// As for [`Reduce::traverse`].
    #[inline(never)]
    unsafe fn sum_runs<const BINS: usize>(&self, columns: Range<usize>) {
        let mut run =
            Run::<BINS> { bins: Bins::new(), dtype: self.plan.dtype(), divisor: self.plan.divisor() };
        // SAFETY: as the caller promises.
        unsafe { self.traverse(columns, &mut run) }
    }
}

/// How many results should be computed together: those whose terms are neighbours in memory.
pub(crate) fn neighbours(plan: &DimsPlan) -> usize {
    match plan.kept().last() {
        Some(inner) if inner.stride == 1 => inner.len.min(GRAIN_BYTES / plan.from().size().max(1)),
        Some(_) | None => 1,
    }
}
