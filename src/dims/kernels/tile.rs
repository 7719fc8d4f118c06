//! Exact sums of a tile of columns. It lives on the stack, so that a job allocates nothing.

use std::mem::MaybeUninit;

use crate::dims::kernels::accumulator::Accumulator;
use crate::dims::kernels::offsets::write;
use crate::dtype::DType;
use crate::exact::arithmetic::limbs::Unit;
use crate::exact::kernels::sums::{Counts, SHORT, Spilled, Sums, Tally};

/// The most columns. With fewer, rows that are far apart in memory would be too short for a processor to read ahead.
const MOST: usize = 256;

/// The limbs of all accumulators: as many as `MOST` columns of float32 need.
const LIMBS: usize = MOST * Unit::Single.limbs();

/// A float of each column. No vector of them crosses the end of a line of the cache, which would take a third longer: without this, it
/// depends on where the stack happens to be.
#[repr(align(16))]
struct Floats([MaybeUninit<f64>; MOST]);

/// The memory of the sums of up to `MOST` columns: `begin` writes what is as wide as the tile. A small sum would take twice as long if all of it
/// were written first.
pub(crate) struct Tile {
    dtype: DType,
    divisor: u64,
    width: usize,
    high: Floats,
    /// Only where terms are float64.
    low: Floats,
    numbers: [MaybeUninit<u32>; MOST],
    limbs: [MaybeUninit<i64>; LIMBS],
    tally: Tally,
}

impl Tile {
    /// Sums of a float dtype, which are divided by `divisor` at the end.
    #[inline(always)]
    pub(crate) fn new(dtype: DType, divisor: u64) -> Self {
        let (high, low) = (Floats([MaybeUninit::uninit(); MOST]), Floats([MaybeUninit::uninit(); MOST]));
        let (numbers, limbs) = ([MaybeUninit::uninit(); MOST], [MaybeUninit::uninit(); LIMBS]);
        Self { dtype, divisor, width: 0, high, low, numbers, limbs, tally: Tally::default() }
    }

    fn sums(&mut self) -> Sums<'_> {
        let width = self.width;
        // SAFETY: `begin` has written as much of each before it set the width.
        let (high, low, numbers) = unsafe {
            (
                written(&mut self.high.0, width),
                written(&mut self.low.0, width),
                written(&mut self.numbers, width),
            )
        };
        Sums {
            unit: Unit::of(self.dtype),
            high,
            low: if self.dtype == DType::Float32 { &mut [] } else { low },
            counts: Counts::None,
            spilled: Spilled { numbers, limbs: &mut self.limbs, tally: &mut self.tally },
        }
    }
}

/// The first elements of memory.
///
/// # Safety
/// They must have been written, `count` of them or all that there are.
unsafe fn written<T>(memory: &mut [MaybeUninit<T>], count: usize) -> &mut [T] {
    // SAFETY: as the caller promises.
    unsafe { memory.get_mut(..count).unwrap_or_default().assume_init_mut() }
}

impl Accumulator for Tile {
    fn lanes(&self) -> usize {
        SHORT
    }

    fn most(&self, _: bool) -> usize {
        LIMBS / Unit::of(self.dtype).limbs()
    }

    unsafe fn begin(&mut self, _: *mut u8, _: usize, width: usize) {
        for floats in [&mut self.high, &mut self.low] {
            floats.0.iter_mut().take(width).for_each(|float| _ = float.write(-0.0));
        }
        self.numbers.iter_mut().take(width).for_each(|number| _ = number.write(0));
        self.width = width;
        self.tally = Tally::default();
        self.tally.is_dense = true;
    }

    /// Rows of float32 where that is the dtype, else of float64.
    unsafe fn add(&mut self, values: *const u8, count: usize, stride: usize, width: usize) {
        // SAFETY: as the caller promises.
        unsafe {
            match self.dtype {
                DType::Float32 => self.sums().add_rows::<f32>(values.cast(), count, stride, width),
                _ => self.sums().add_rows::<f64>(values.cast(), count, stride, width),
            }
        }
    }

    /// Column c has its terms in the columns c, c + count, … of the tile.
    #[inline(never)]
    unsafe fn finish(&mut self, out: *mut u8, count: usize, width: usize) {
        let (dtype, divisor) = (self.dtype, self.divisor);
        let mut sums = self.sums();
        for (column, other) in (0..count).cycle().zip(count..width) {
            sums.merge(column, other);
        }
        for column in 0..count {
            // SAFETY: as the caller promises.
            unsafe { write(out, column, dtype, sums.view().quotient(dtype, column, divisor)) };
        }
    }
}
