//! Sums of integers in a wider dtype, which their elements are added to as they are read. Integers wrap, so the low bits of a sum of 64 bits
//! are that sum in fewer.

use std::slice;

use crate::DType;
use crate::convert::kernels::RUN;
use crate::dims::kernels::accumulator::Accumulator;
use crate::dims::kernels::offsets::each_width;
use crate::engine::cpu::kernels::vector::{Narrow, add_widened};

/// The most columns of a tile. Their sums stay in the first-level cache.
const MOST: usize = 512;

/// The width of rows that have several terms of a column: their sums stay in registers.
const LANES: usize = 16;

/// The sums of a tile.
pub(crate) struct Widen {
    /// The dtype of the elements, with at most 32 bits.
    from: DType,
    /// The bytes of a result.
    size: usize,
    sums: [i64; MOST],
}

impl Widen {
    pub(crate) fn new(from: DType, to: DType) -> Self {
        Self { from, size: to.size(), sums: [0; MOST] }
    }
}

impl Accumulator for Widen {
    fn lanes(&self) -> usize {
        LANES
    }

    fn most(&self, in_place: bool) -> usize {
        if in_place { MOST } else { RUN }
    }

    unsafe fn begin(&mut self, _: *mut u8, _: usize, width: usize) {
        self.sums.get_mut(..width).unwrap_or_default().fill(0);
    }

    unsafe fn add(&mut self, values: *const u8, count: usize, stride: usize, width: usize) {
        let sums = self.sums.get_mut(..width).unwrap_or_default();
        // SAFETY: as the caller promises; the elements have this dtype.
        unsafe {
            match self.from {
                DType::Int8 => add(sums, values.cast::<i8>(), count, stride),
                DType::Int16 => add(sums, values.cast::<i16>(), count, stride),
                DType::Uint16 => add(sums, values.cast::<u16>(), count, stride),
                DType::Int32 => add(sums, values.cast::<i32>(), count, stride),
                DType::Uint32 => add(sums, values.cast::<u32>(), count, stride),
                _ => add(sums, values, count, stride),
            }
        }
    }

    unsafe fn finish(&mut self, out: *mut u8, count: usize, width: usize) {
        let sums = self.sums.get_mut(..width).unwrap_or_default();
        let (first, others) = sums.split_at_mut_checked(count.min(width)).unwrap_or_default();
        for row in others.chunks(count.max(1)) {
            first.iter_mut().zip(row).for_each(|(sum, &other)| *sum = sum.wrapping_add(other));
        }
        // SAFETY: as the caller promises: there is room for the results, aligned.
        unsafe { each_width!(self.size, cut(first, out)) };
    }
}

/// Adds rows to sums.
///
/// # Safety
/// The rows must exist, `count` of them, `stride` elements apart and as long as the sums.
unsafe fn add<T: Narrow>(sums: &mut [i64], values: *const T, count: usize, stride: usize) {
    if let Ok(sums) = <&mut [i64; LANES]>::try_from(&mut *sums) {
        // SAFETY: as the caller promises.
        return unsafe { add_widened(sums, values, count, stride) };
    }
    for row in 0..count {
        // SAFETY: as the caller promises.
        let row = unsafe { slice::from_raw_parts(values.add(row * stride), sums.len()) };
        sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum = sum.wrapping_add(value.into()));
    }
}

/// Writes the low bits of sums.
///
/// # Safety
/// There must be room for as many, aligned.
unsafe fn cut<T: bytemuck::NoUninit>(sums: &[i64], out: *mut u8) {
    for (at, sum) in sums.iter().enumerate() {
        // SAFETY: as the caller promises: numbers are little-endian, so the low bytes are the first.
        unsafe { out.cast::<T>().add(at).write_unaligned(std::ptr::from_ref(sum).cast::<T>().read()) };
    }
}
