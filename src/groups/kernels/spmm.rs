//! The product of a sparse matrix and a dense one: each entry adds a row of the dense matrix, times a value, to a row of the result.

use std::ops::Range;

use crate::DType;
use crate::engine::cpu::kernels::{
    CheckResult, FloatLanes, GRAIN_BYTES, Job, Loops, Output, Rounds, RowUpdates, Single, cut, divided,
    elements, reduce, rely_on,
};
use crate::index::kernels::{gather_rows, scatter_rows};
use crate::plan::{Reduce, Row};

/// The bytes of a row that belong to one column of the job.
const COLUMN: usize = 16;
/// Products of the general loops, on the stack: of a block of entries if rows are short.
type Scratch = [u64; BLOCK];
const BLOCK: usize = 256;
/// A part of a row with at most this many bytes is short: the calls of the loops for it would take longer than the loops. Without values
/// there is one call less.
const SHORT: usize = 128;
/// The bytes of the dense matrix that a block of columns may have, to stay in the cache while all entries are traversed.
const CACHE: usize = 512 << 10;
/// The least bytes of a row that a block has: a cache line. A narrower block would read the same lines again for the next block.
const LINE: usize = 64;

#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a> {
    /// The row of each entry, and its column. An entry is skipped if one of them is not below its size.
    pub(crate) rows: &'a [u32],
    pub(crate) columns: &'a [u32],
    pub(crate) sizes: [usize; 2],
    /// Whether an entry may be skipped.
    pub(crate) skips: bool,
    /// The value of each entry; without values, each is 1.
    pub(crate) values: Option<&'a [u8]>,
}

/// Combines each row of the result with the rows of its products, in the order of the entries. The columns are vectors of a row's elements.
#[derive(Clone, Copy)]
pub(crate) struct Products<'a> {
    matrix: Matrix<'a>,
    skips: bool,
    /// The values, or null.
    values: *const u8,
    multiply: &'static Loops,
    combine: &'static Loops,
    /// Whether the loop for sums of float32 does the call.
    is_fused: bool,
    out: *mut u8,
    dense: *const u8,
    row: usize,
}

impl<'a> Products<'a> {
    /// `out` has a row for each row of the matrix, and `dense` one for each of its columns. A row has `row` elements.
    pub(crate) fn new(
        matrix: Matrix<'a>,
        dtype: DType,
        reduce: Reduce,
        out: Output<'a>,
        dense: &'a [u8],
        row: usize,
    ) -> Self {
        let Matrix { rows, columns, sizes, skips, values } = matrix;
        let (size, entries) = (dtype.size(), rows.len());
        rely_on(entries == columns.len());
        Self {
            matrix,
            skips,
            values: values.map_or(std::ptr::null(), |values| elements(values, entries, size)),
            multiply: reduce::loops(Reduce::Multiply, dtype),
            combine: reduce::loops_for(reduce, dtype, entries, sizes[0]),
            is_fused: dtype == DType::Float32 && reduce == Reduce::Add,
            out: out.elements(sizes[0] * row, size),
            dense: elements(dense, sizes[1] * row, size),
            row,
        }
    }

    /// Visits the entries in order, except those that are left out: their numbers, and where their rows of the result and of the dense
    /// matrix begin, in elements.
    #[inline(always)]
    fn for_each(&self, entries: Range<usize>, mut visit: impl FnMut(usize, usize, usize)) {
        let Matrix { rows, columns, sizes, .. } = self.matrix;
        let of = |positions: &'a [u32]| positions.get(entries.clone()).unwrap_or_default();
        for ((&row, &column), entry) in of(rows).iter().zip(of(columns)).zip(entries.clone()) {
            let (row, column) = (row as usize, column as usize);
            if row < sizes[0] && column < sizes[1] {
                visit(entry, row * self.row, column * self.row);
            }
        }
    }

    /// Sums of float32, for these elements of each row.
    #[inline(never)]
    fn add_products(&self, of_row: &Range<usize>) {
        let (out, dense, values) =
            (self.out.cast::<f32>(), self.dense.cast::<f32>(), self.values.cast::<f32>());
        self.for_each(0..self.matrix.rows.len(), |entry, row, column| {
            // SAFETY: `new` has checked the lengths, the row and the column exist, and `out` is borrowed mutably.
            unsafe {
                let value = if values.is_null() { 1.0 } else { *values.add(entry) };
                let (out, dense) = (out.add(row + of_row.start), dense.add(column + of_row.start));
                add_product(out, dense, value, of_row.len());
            }
        });
    }

    /// Any operation and dtype, for these elements of each row: so few that a row of products fits the scratch memory.
    #[inline(never)]
    fn combine_products(&self, of_row: &Range<usize>, entries: Range<usize>) {
        let Self { multiply, combine, .. } = *self;
        let (size, len) = (combine.size, of_row.len());
        let mut scratch: Scratch = bytemuck::Zeroable::zeroed();
        let scratch = scratch.as_mut_ptr().cast::<u8>();
        let products = RowUpdates::single(len, 1);
        self.for_each(entries, |entry, row, column| {
            // SAFETY: as in `add_products`; the products fit, as the caller promises.
            unsafe {
                let out = self.out.add((row + of_row.start) * size);
                let dense = self.dense.add((column + of_row.start) * size);
                if self.values.is_null() {
                    combine.combine_rows(out, out, dense, &products);
                } else {
                    let value = self.values.add(entry * size);
                    multiply.combine_rows(scratch, dense, value, &RowUpdates::single(len, 0));
                    combine.combine_rows(out, out, scratch, &products);
                }
            }
        });
    }

    /// Any operation and dtype, for these elements of each row: so few that a call of the general loops takes the products of a block of entries.
    #[inline(never)]
    fn combine_blocks(&self, of_row: &Range<usize>) {
        let Self { multiply, combine, matrix: Matrix { rows, columns, .. }, .. } = *self;
        let (size, len) = (combine.size, of_row.len());
        let mut scratch: Scratch = bytemuck::Zeroable::zeroed();
        let (most, _) = divided(scratch.len(), len);
        let scratch = scratch.as_mut_ptr().cast::<u8>();
        let numbers: [u32; BLOCK] = std::array::from_fn(|number| number as u32);
        let (row, mut first) = (Row { len, value_stride: 1 }, 0);
        for (rows, columns) in rows.chunks(most.max(1)).zip(columns.chunks(most.max(1))) {
            let count = rows.len();
            let (entries, before) = (first..first + count, first);
            first += count;
            if self.skips && !self.are_inside(rows, columns) {
                self.combine_products(of_row, entries);
                continue;
            }
            let rounds = |positions| Rounds { slot_stride: self.row, ..Rounds::single(positions, len) };
            // SAFETY: `new` has checked the lengths, and no entry is skipped; the products of these entries fit the scratch memory.
            unsafe {
                let at = of_row.start * size;
                gather_rows(size, row, self.dense.add(at), scratch, &rounds(columns));
                if !self.values.is_null() {
                    let values = self.values.add(before * size);
                    let factors = RowUpdates {
                        positions: numbers.get(..count).unwrap_or_default(),
                        slot_stride: len,
                        row: Row { len, value_stride: 0 },
                        value_stride: 1,
                    };
                    let factors = if len == 1 { RowUpdates::single(count, 1) } else { factors };
                    multiply.combine_rows(scratch, scratch, values, &factors);
                }
                scatter_rows(combine, row, self.out.add(at), scratch, &rounds(rows));
            }
        }
    }

    fn are_inside(&self, rows: &[u32], columns: &[u32]) -> bool {
        let all = |positions: &[u32], size| positions.iter().all(|&position| (position as usize) < size);
        let [row_count, column_count] = self.matrix.sizes;
        all(rows, row_count) && all(columns, column_count)
    }
}

/// Adds `len` consecutive products with a value. Each product is rounded, then each sum.
///
/// # Safety
/// These elements must exist, aligned, in `out` and `x`, which do not overlap.
#[inline(always)]
unsafe fn add_product(mut out: *mut f32, mut x: *const f32, value: f32, mut len: usize) {
    const COUNT: usize = Single::COUNT;
    let all = Single::splat(value);
    // SAFETY: as the caller promises. Vectors need not be aligned.
    unsafe {
        macro_rules! next {
            ($at:expr) => {
                let slot = out.add($at * COUNT).cast::<Single>();
                let product = x.add($at * COUNT).cast::<Single>().read_unaligned() * all;
                slot.write_unaligned(slot.read_unaligned() + product);
            };
        }
        while len >= 4 * COUNT {
            next!(0);
            next!(1);
            next!(2);
            next!(3);
            (out, x, len) = (out.add(4 * COUNT), x.add(4 * COUNT), len - 4 * COUNT);
        }
        while len >= COUNT {
            next!(0);
            (out, x, len) = (out.add(COUNT), x.add(COUNT), len - COUNT);
        }
        while len > 0 {
            *out += *x * value;
            (out, x, len) = (out.add(1), x.add(1), len - 1);
        }
    }
}

impl Job for Products<'_> {
    fn len(&self) -> usize {
        (self.row * self.combine.size).div_ceil(COLUMN)
    }

    fn work(&self) -> usize {
        self.matrix.rows.len().saturating_mul(self.row)
    }

    fn grain(&self) -> usize {
        GRAIN_BYTES / COLUMN
    }

    #[inline(never)]
    fn run(&self, columns: Range<usize>) -> CheckResult {
        let size = self.combine.size.max(1); // the compiler does not know that it is not 0, by which nothing can be divided
        let columns = cut(columns, self.len());
        let most = if self.is_fused {
            (CACHE / (self.matrix.sizes[1] * size).max(1)).max(LINE / size)
        } else {
            size_of::<Scratch>() / size
        };
        let end = (columns.end * (COLUMN / size)).min(self.row);
        let mut start = columns.start * (COLUMN / size);
        while start < end {
            let block = start..end.min(start + most);
            start = block.end;
            if self.is_fused && self.row > 1 {
                self.add_products(&block);
            } else if block.len() * size <= if self.values.is_null() { SHORT / 2 } else { SHORT } {
                self.combine_blocks(&block);
            } else {
                self.combine_products(&block, 0..self.matrix.rows.len());
            }
        }
        CheckResult::NOTHING
    }
}
