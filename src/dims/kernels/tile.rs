//! Exact sums of a tile of columns: a float64 for each, to which a term is added if the result is exact, and an accumulator for what
//! is not. `exact/kernels/sums.rs` has the idea. A tile lives on the stack, so that a job allocates nothing.

use std::mem::MaybeUninit;

use crate::dims::kernels::accumulator::Accumulator;
use crate::dims::kernels::places::write;
use crate::dtype::DType;
use crate::engine::cpu::kernels::vector;
use crate::engine::cpu::kernels::vector::lanes::add_checked;
use crate::exact::arithmetic::limbs::{MOST_LIMBS, Unit, carry, merge};
use crate::exact::kernels::quotient::{quotient_of_all, quotient_of_floats};
use crate::exact::kernels::sums::{Term, add_twice, put_into};
use crate::scalar::Bits;

/// The most columns. With fewer, rows that are far apart in memory would be too short for a processor to read ahead.
const MOST: usize = 256;

/// The limbs of all accumulators: as many as `MOST` columns of float32 need.
const LIMBS: usize = MOST * Unit::Single.limbs();

/// The width of rows that have several terms of a column.
const LANES: usize = 16;

/// After this many rows, carries are done.
const MOST_PENDING: usize = 1 << 29;

/// A float of each column. No vector of them crosses the end of a line of the cache, which would take a third longer: without this, it
/// depends on where the stack happens to be.
#[repr(align(16))]
struct Floats([f64; MOST]);

/// The sums of up to `MOST` columns.
pub(crate) struct Tile {
    dtype: DType,
    unit: Unit,
    divisor: u64,
    /// The rows since carries were done.
    pending: usize,
    high: Floats,
    /// A second float for what the first leaves out; only where terms are float64.
    low: Floats,
    /// Whether a column has an accumulator. The limbs of others are not written yet.
    has_limbs: [bool; MOST],
    limbs: [MaybeUninit<i64>; LIMBS],
}

impl Tile {
    /// Sums of a float dtype, which are divided by `divisor` at the end.
    #[inline(always)]
    pub(crate) fn new(dtype: DType, divisor: u64) -> Self {
        Self {
            dtype,
            unit: Unit::of(dtype),
            divisor,
            pending: 0,
            high: Floats([0.0; MOST]),
            low: Floats([0.0; MOST]),
            has_limbs: [false; MOST],
            limbs: [MaybeUninit::uninit(); LIMBS],
        }
    }

    /// Adds rows of float32, long ones two at a time: then each sum is read and written once for two terms. In short rows the second term
    /// would wait for the first.
    ///
    /// # Safety
    /// As for [`Tile::add`].
    unsafe fn add_single(&mut self, values: *const f32, count: usize, stride: usize, width: usize) {
        let width = width.min(MOST);
        let pairs = if width > LANES { count / 2 } else { 0 };
        // SAFETY: as the caller promises.
        unsafe {
            self.add_rows::<2>(values, pairs, stride, width);
            self.add_rows::<1>(values.add(2 * pairs * stride), count - 2 * pairs, stride, width);
        }
    }

    /// Adds `count` times one row of float32 or two.
    ///
    /// # Safety
    /// As for [`Tile::add`].
    #[inline(never)]
    unsafe fn add_rows<const ROWS: usize>(
        &mut self,
        values: *const f32,
        count: usize,
        stride: usize,
        width: usize,
    ) {
        for number in 0..count {
            // SAFETY: as the caller promises.
            let values = unsafe { values.add(number * ROWS * stride) };
            let mut done = 0;
            while done < width {
                // SAFETY: the rows have so many elements, and the tile so many columns.
                unsafe {
                    let (high, values) = (self.high.0.as_mut_ptr().add(done), values.add(done));
                    done += match ROWS {
                        1 => vector::add_exactly(high, values, width - done),
                        _ => vector::add_two_exactly(high, [values, values.add(stride)], width - done),
                    };
                }
                let behind = (done + 4).min(width);
                for column in done..behind {
                    for row in 0..ROWS {
                        // SAFETY: as above.
                        let term = unsafe { *values.add(row * stride + column) };
                        self.add_one(column, term);
                    }
                }
                done = behind;
            }
            self.pending += ROWS;
            if self.pending >= MOST_PENDING {
                self.carry(width);
            }
        }
    }

    /// Adds a term to a column.
    #[inline(always)]
    fn add_one<T: Term>(&mut self, column: usize, term: T) {
        if let Some(high) = self.high.0.get_mut(column)
            && !add_checked(high, term.wide())
        {
            self.put(column, term);
        }
    }

    /// Adds rows of float64.
    ///
    /// # Safety
    /// As for [`Tile::add`].
    #[inline(never)]
    unsafe fn add_double(&mut self, values: *const f64, count: usize, stride: usize, width: usize) {
        for row in 0..count {
            for column in 0..width {
                // SAFETY: as the caller promises.
                let term = unsafe { *values.add(row * stride + column) };
                self.add_wide(column, term);
            }
            self.pending += 1;
            if self.pending == MOST_PENDING {
                self.carry(width);
            }
        }
    }

    /// Adds a float64 to the two floats of a column.
    #[inline(always)]
    fn add_wide(&mut self, column: usize, term: f64) {
        if let (Some(high), Some(low)) = (self.high.0.get_mut(column), self.low.0.get_mut(column))
            && !add_twice(high, low, term)
        {
            self.put(column, term);
        }
    }

    /// The accumulator of a column. One that is first used is 0.
    fn limbs(&mut self, column: usize) -> Option<&mut [i64]> {
        let count = self.unit.limbs();
        let limbs = self.limbs.get_mut(column * count..(column + 1) * count)?;
        if !std::mem::replace(self.has_limbs.get_mut(column)?, true) {
            limbs.fill(MaybeUninit::new(0));
        }
        // SAFETY: they were written above, now or earlier.
        Some(unsafe { limbs.assume_init_mut() })
    }

    /// Whether a column has an accumulator.
    fn has_limbs(&self, column: usize) -> bool {
        self.has_limbs.get(column) == Some(&true)
    }

    /// Adds a term that does not fit the floats of a column to its accumulator.
    #[inline(never)]
    fn put<T: Term>(&mut self, column: usize, term: T) {
        let (unit, Some(&high)) = (self.unit, self.high.0.get(column)) else { return };
        let mut sum = high;
        if !high.is_finite() || !term.wide().is_finite() {
            sum += term.wide();
        } else if let Some(limbs) = self.limbs(column) {
            put_into(&mut sum, limbs, unit, term);
        }
        self.high.0.get_mut(column).into_iter().for_each(|high| *high = sum);
    }

    /// Does the carries of the accumulators of the first columns.
    fn carry(&mut self, width: usize) {
        for column in 0..width {
            if self.has_limbs(column) {
                self.limbs(column).into_iter().for_each(carry);
            }
        }
        self.pending = 0;
    }

    /// Adds the sum of another column to a column.
    fn merge(&mut self, column: usize, other: usize) {
        let get = |floats: &Floats| floats.0.get(other).copied().unwrap_or(-0.0);
        let (high, low) = (get(&self.high), get(&self.low));
        self.add_wide(column, high);
        // A second float of +0 may stand beside −0.
        if high.is_finite() && low != 0.0 {
            self.add_wide(column, low);
        }
        if !self.has_limbs(other) {
            return;
        }
        let mut copy = [0; MOST_LIMBS];
        let Some(copy) = copy.get_mut(..self.unit.limbs()) else { return };
        copy.iter_mut().zip(self.limbs(other).into_iter().flatten()).for_each(|(to, limb)| *to = *limb);
        carry(copy);
        if let Some(own) = self.limbs(column) {
            carry(own);
            merge(own, copy);
        }
    }

    /// The sum of a column divided by the divisor, rounded once.
    fn quotient(&mut self, column: usize) -> Bits {
        let get = |floats: &Floats| floats.0.get(column).copied().unwrap_or(-0.0);
        let (high, low) = (get(&self.high), get(&self.low));
        let has_limbs = self.has_limbs(column) && high.is_finite();
        // A division would take most of the time of short sums.
        if self.dtype == DType::Float32 && self.divisor == 1 && !has_limbs && low == 0.0 {
            return (high as f32).to_bits().into();
        }
        let low = if high.is_finite() { low } else { -0.0 };
        let (dtype, divisor) = (self.dtype, self.divisor);
        match if has_limbs { self.limbs(column) } else { None } {
            Some(limbs) => quotient_of_all(dtype, [high, low], limbs, divisor),
            None => quotient_of_floats(dtype, high, low, divisor),
        }
    }
}

impl Accumulator for Tile {
    fn lanes(&self) -> usize {
        LANES
    }

    fn most(&self, _: bool) -> usize {
        LIMBS / self.unit.limbs()
    }

    unsafe fn begin(&mut self, _: *mut u8, _: usize, width: usize) {
        let width = width.min(MOST);
        for floats in [&mut self.high, &mut self.low] {
            floats.0.get_mut(..width).unwrap_or_default().fill(-0.0);
        }
        self.has_limbs.get_mut(..width).unwrap_or_default().fill(false);
    }

    /// Rows of float32 where that is the dtype, else of float64.
    unsafe fn add(&mut self, values: *const u8, count: usize, stride: usize, width: usize) {
        // SAFETY: as the caller promises.
        unsafe {
            match self.dtype {
                DType::Float32 => self.add_single(values.cast(), count, stride, width),
                _ => self.add_double(values.cast(), count, stride, width),
            }
        }
    }

    /// Column c has its terms in the columns c, c + count, … of the tile.
    #[inline(never)]
    unsafe fn finish(&mut self, out: *mut u8, count: usize, width: usize) {
        let columns = (0..count).cycle();
        for (column, other) in columns.zip(count..width) {
            self.merge(column, other);
        }
        for column in 0..count {
            // SAFETY: as the caller promises.
            unsafe { write(out, column, self.dtype, self.quotient(column)) };
        }
    }
}
