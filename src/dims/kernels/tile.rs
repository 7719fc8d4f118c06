//! Exact sums of a tile of columns. It lives on the stack, so that a job allocates nothing.
//!
//! A column has three floats: two that are its sum together, and a bound of what these leave out. Where the first takes terms exactly, only it
//! is read and written. The numbers that a sum may be round to the same result, unless terms cancel beyond the second float. Then the traversal
//! sums the column again.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::convert::kernels::RUN;
use crate::dims::kernels::accumulator::Accumulator;
use crate::dims::kernels::offsets::write;
use crate::dtype::DType;
use crate::engine::cpu::kernels::vector::Double;
use crate::engine::cpu::kernels::vector::lanes::{F64Lanes, FloatLanes};
use crate::exact::kernels::quotient::{quotient_of_floats, two_sum};
use crate::scalar::{Bits, Scalar};

/// The most columns. With fewer, rows that are far apart in memory would be too short for a processor to read ahead.
const MOST: usize = 256;

/// The most columns of rows that are not read in place, so that several rows are collected together.
const COLLECTED: usize = RUN / ROWS;

/// The width of rows that have several terms of a column.
const LANES: usize = 16;

/// The most rows of a block: the floats of its columns are read and written once for so many terms.
const ROWS: usize = 8;

/// After a block whose first floats were not enough, so many blocks take all floats at once.
const PATIENCE: u32 = 32;

/// Three floats of each column. No vector of them crosses the end of a line of the cache, which would take a third longer: without this, it
/// depends on where the stack happens to be.
#[repr(align(16))]
struct Floats([MaybeUninit<f64>; 3 * MOST]);

/// The memory of the sums of up to `MOST` columns: `begin` writes what is as wide as the tile. A small sum would take twice as long if all of it
/// were written first.
pub(crate) struct Tile {
    dtype: DType,
    divisor: u64,
    /// The sum of each column, what it leaves out, and a bound of what both leave out.
    floats: Floats,
    /// How many blocks take all floats before one tries the first alone.
    patience: u32,
    /// Whether finite float64 may have made a sum infinite on the way.
    overflows: bool,
}

/// 2^−50.
const LAST_BITS: f64 = f64::from_bits((1023 - 50) << 52);

/// A term as tiles read it.
trait Term: Copy {
    /// As many terms as lanes.
    ///
    /// # Safety
    /// They must exist, aligned.
    unsafe fn lanes<L: F64Lanes>(terms: *const Self) -> L;
}

impl Term for f32 {
    #[inline(always)]
    unsafe fn lanes<L: F64Lanes>(terms: *const Self) -> L {
        // SAFETY: as the caller promises.
        unsafe { L::widened(terms) }
    }
}

impl Term for f64 {
    #[inline(always)]
    unsafe fn lanes<L: F64Lanes>(terms: *const Self) -> L {
        // SAFETY: as the caller promises.
        unsafe { terms.cast::<L>().read_unaligned() }
    }
}

/// 0, or NaN of infinities and NaN.
#[inline(always)]
fn special<L: F64Lanes>(number: L) -> L {
    number * L::splat(0.0)
}

/// Whether finite terms may have made a finite sum infinite, where sums are no longer finite.
///
/// # Safety
/// The terms must exist, aligned.
#[inline(never)]
unsafe fn overflows<T: Term, L: F64Lanes>(
    before: L,
    sum: L,
    terms: *const T,
    rows: usize,
    stride: usize,
) -> bool {
    let zero = L::splat(0.0);
    let nan = |number: L| L::select(number.le_mask(number), zero, number);
    let (mut specials, mut nans) = (special(before), nan(before));
    for row in 0..rows {
        // SAFETY: as the caller promises.
        let term = unsafe { T::lanes::<L>(terms.add(row * stride)) };
        (specials, nans) = (specials + special(term), nans + nan(term));
    }
    // An infinite term of the other sign makes an overflow NaN.
    let reason = L::select(sum.le_mask(sum), specials, nans);
    !L::select(reason.le_mask(zero), special(sum), zero).is_zero()
}

impl Tile {
    /// Sums of a float dtype, which are divided by `divisor` at the end.
    #[inline(always)]
    pub(crate) fn new(dtype: DType, divisor: u64) -> Self {
        Self {
            dtype,
            divisor,
            floats: Floats([MaybeUninit::uninit(); 3 * MOST]),
            patience: 0,
            overflows: false,
        }
    }

    /// Adds rows block by block.
    ///
    /// # Safety
    /// As for [`Accumulator::add`].
    #[inline(never)]
    unsafe fn add_rows<T: Term>(&mut self, terms: *const T, count: usize, stride: usize, width: usize) {
        for first in (0..count).step_by(ROWS) {
            let rows = ROWS.min(count - first);
            // SAFETY: as the caller promises.
            unsafe {
                let terms = terms.add(first * stride);
                let mut column = 0;
                while column + Double::COUNT <= width {
                    self.add_block::<T, Double>(column, terms.add(column), rows, stride);
                    column += Double::COUNT;
                }
                while column < width {
                    self.add_block::<T, f64>(column, terms.add(column), rows, stride);
                    column += 1;
                }
            }
        }
    }

    /// Where the first float of a column is. The second and the third are `MOST` and 2 · `MOST` floats after it. A vector reads those of its
    /// columns.
    ///
    /// # Safety
    /// The column must exist.
    #[inline(always)]
    unsafe fn floats<L>(&mut self, column: usize) -> *mut L {
        // SAFETY: as the caller promises.
        unsafe { self.floats.0.as_mut_ptr().cast::<f64>().add(column).cast() }
    }

    /// Adds rows of a vector of columns.
    ///
    /// # Safety
    /// The columns and the terms must exist, aligned.
    #[inline(always)]
    unsafe fn add_block<T: Term, L: F64Lanes>(
        &mut self,
        column: usize,
        terms: *const T,
        rows: usize,
        stride: usize,
    ) {
        let (low_at, bound_at) = (MOST / L::COUNT, 2 * MOST / L::COUNT);
        // SAFETY: as the caller promises.
        unsafe {
            let floats = self.floats::<L>(column);
            let mut high = floats.read_unaligned();
            if self.patience == 0 {
                let (mut sum, mut errors, mut row) = (high, L::splat(0.0), terms);
                for _ in 0..rows {
                    let (next, error) = two_sum(sum, T::lanes::<L>(row));
                    sum = next;
                    errors = errors + error.abs();
                    row = row.wrapping_add(stride);
                }
                if errors.is_zero() {
                    floats.write_unaligned(sum);
                    return;
                }
                self.patience = PATIENCE;
            }
            self.patience -= 1;
            let before = high;
            let mut low = floats.add(low_at).read_unaligned();
            let mut bound = floats.add(bound_at).read_unaligned();
            let mut row = terms;
            for _ in 0..rows {
                let (sum, error) = two_sum(high, T::lanes::<L>(row));
                let (left, error) = two_sum(low, error);
                (high, low, bound) = (sum, left, bound + error.abs());
                row = row.wrapping_add(stride);
            }
            if !special(high).is_zero() {
                self.overflows |= overflows::<T, L>(before, high, terms, rows, stride);
            }
            floats.write_unaligned(high);
            floats.add(low_at).write_unaligned(low);
            floats.add(bound_at).write_unaligned(bound);
        }
    }

    /// Adds a term to a column that exists.
    fn add_one(&mut self, column: usize, term: f64) {
        self.patience = 1;
        // SAFETY: there is one term.
        unsafe { self.add_block::<f64, f64>(column, &raw const term, 1, 0) };
    }

    /// The floats of a column that exists.
    #[inline(always)]
    fn column(&mut self, column: usize) -> [f64; 3] {
        // SAFETY: `begin` has written them.
        unsafe {
            let floats = self.floats::<f64>(column);
            [*floats, *floats.add(MOST), *floats.add(2 * MOST)]
        }
    }

    /// The sum of a column divided by the divisor, rounded once; `None` where its floats do not tell.
    #[inline(always)]
    fn quotient(&self, [high, low, bound]: [f64; 3]) -> Option<Bits> {
        let (dtype, divisor) = (self.dtype, self.divisor as f64);
        if !high.is_finite() {
            let special = if high.is_nan() { f64::NAN } else { high };
            return (!self.overflows).then(|| Scalar::Float(special).cast(dtype));
        }
        if low == 0.0 && bound == 0.0 {
            return Some(quotient_of_floats(dtype, high, low, self.divisor));
        }
        // The quotient lies between two numbers. Twice the bound, because it was rounded itself, and more than what rounds the others.
        let quotient = high / divisor;
        let is_exact = dtype == DType::Float64;
        let left = (if is_exact { remainder(high, quotient, divisor) } else { 0.0 } + low) / divisor;
        let rounded = left.abs() + if is_exact { 0.0 } else { quotient.abs() };
        let most = rounded * LAST_BITS + 2.0 * bound + f64::MIN_POSITIVE;
        let [least, largest] =
            [left - most, left + most].map(|left| Scalar::Float(quotient + left).cast(dtype));
        if (left + most).is_finite() && least == largest {
            return Some(least);
        }
        (bound == 0.0).then(|| quotient_of_floats(dtype, high, low, self.divisor))
    }
}

/// What is left of a number by a quotient that was rounded. It is exact for divisors below 2^26 and numbers far from those that are
/// subnormal, else NaN.
#[inline(always)]
fn remainder(number: f64, quotient: f64, divisor: f64) -> f64 {
    if divisor == 1.0 {
        return 0.0;
    }
    // Products of one half of the bits of the quotient are exact, and so is what they leave.
    let upper = f64::from_bits(quotient.to_bits() & u64::MAX << 27);
    let is_far = divisor < f64::from(1 << 26) && number.abs() > 1e-250;
    if is_far { (number - upper * divisor) - (quotient - upper) * divisor } else { f64::NAN }
}

impl Accumulator for Tile {
    fn lanes(&self) -> usize {
        LANES
    }

    fn most(&self, in_place: bool) -> usize {
        if in_place { MOST } else { COLLECTED }
    }

    unsafe fn begin(&mut self, _: *mut u8, _: usize, width: usize) {
        for (floats, first) in self.floats.0.chunks_exact_mut(MOST).zip([-0.0, 0.0, 0.0]) {
            floats.iter_mut().take(width).for_each(|float| _ = float.write(first));
        }
        (self.patience, self.overflows) = (0, false);
    }

    /// Rows of float64 where that is the dtype, else of float32.
    unsafe fn add(&mut self, values: *const u8, count: usize, stride: usize, width: usize) {
        // SAFETY: as the caller promises.
        unsafe {
            match self.dtype {
                DType::Float64 => self.add_rows::<f64>(values.cast(), count, stride, width),
                _ => self.add_rows::<f32>(values.cast(), count, stride, width),
            }
        }
    }

    /// Column c has its terms in the columns c, c + count, … of the tile.
    #[inline(never)]
    unsafe fn finish(&mut self, out: *mut u8, count: usize, width: usize) {
        for (column, other) in (0..count).cycle().zip(count..width) {
            let [high, low, bound] = self.column(other);
            self.add_one(column, high);
            // A second float of +0 would hide that all terms are −0, and one of NaN an infinity.
            let is_lost = low.is_nan() && high.is_finite();
            if low != 0.0 && high.is_finite() && !is_lost {
                self.add_one(column, low);
            }
            // What overflowed on the way is summed again.
            let bound = if is_lost { f64::NAN } else { bound };
            // SAFETY: the column exists.
            unsafe { *self.floats::<f64>(column + 2 * MOST) += bound };
        }
        for column in 0..count {
            let floats = self.column(column);
            let quotient = self.quotient(floats);
            // SAFETY: as the caller promises, and the column exists.
            unsafe {
                *self.floats::<f64>(column + 2 * MOST) = if quotient.is_some() { 0.0 } else { f64::NAN };
                write(out, column, self.dtype, quotient.unwrap_or(0));
            }
        }
    }

    fn unknown(&mut self, columns: Range<usize>) -> Range<usize> {
        let end = columns.end;
        let mut is_unknown = |column: &usize| self.column(*column)[2].is_nan();
        let first = columns.clone().find(&mut is_unknown).unwrap_or(end);
        let last = (first..end).find(|column| !is_unknown(column)).unwrap_or(end);
        first..last
    }
}
