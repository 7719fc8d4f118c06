//! Reductions that any order gives the same bits: integer sums and products, OR, maxima and minima; and products of floats, in order. The
//! loops are those of a scatter.

use crate::Bits;
use crate::convert::kernels::RUN;
use crate::dims::kernels::accumulator::Accumulator;
use crate::engine::cpu::kernels::{Loops, RowUpdates, divided, repeated};
use crate::plan::Row;

/// The most columns of a tile. Their results stay in the first-level cache.
const MOST: usize = 2048;

/// The width of rows that have several terms of a column.
const LANES: usize = 64;

/// All rows go to the same place.
static SAME_SLOT: [u32; 1024] = [0; 1024];

/// The results of a tile.
pub(crate) struct Combine {
    loops: &'static Loops,
    neutral: Bits,
    /// The width of rows that have several terms of a column; 0 if terms stay in order.
    width: usize,
    /// The results of wide rows, until they are combined for each column.
    lanes: [u64; LANES],
    /// Where rows go: to these results or to the result of the call.
    target: *mut u8,
}

impl Combine {
    pub(crate) fn new(loops: &'static Loops, neutral: Bits, is_ordered: bool) -> Self {
        let width = if is_ordered { 0 } else { LANES };
        Self { loops, neutral, width, lanes: [0; LANES], target: std::ptr::null_mut() }
    }

    /// Writes the neutral element to `len` places.
    ///
    /// # Safety
    /// The places must exist, aligned.
    unsafe fn fill(&self, out: *mut u8, len: usize) {
        /// [`Combine::fill`] for elements of type `T`.
        ///
        /// # Safety
        /// As for [`Combine::fill`].
        unsafe fn each<T: Copy>(out: *mut u8, len: usize, element: T) {
            for at in 0..len {
                // SAFETY: as the caller promises.
                unsafe { out.cast::<T>().add(at).write(element) };
            }
        }
        // SAFETY: as the caller promises.
        unsafe {
            match self.loops.size {
                1 => each(out, len, self.neutral as u8),
                2 => each(out, len, self.neutral as u16),
                4 => each(out, len, self.neutral as u32),
                _ => each(out, len, self.neutral),
            }
        }
    }

    /// Combines the row at `target` with rows.
    ///
    /// # Safety
    /// The rows must exist, aligned, outside that row.
    unsafe fn combine(&self, target: *mut u8, values: *const u8, count: usize, stride: usize, width: usize) {
        let row = Row { len: width, value_stride: 1 };
        for first in (0..count).step_by(SAME_SLOT.len()) {
            let positions = SAME_SLOT.get(..count - first).unwrap_or(&SAME_SLOT);
            let rows = RowUpdates { positions, slot_stride: 0, row, value_stride: stride };
            // SAFETY: as the caller promises.
            unsafe {
                let values = values.add(first * stride * self.loops.size);
                self.loops.combine_rows(target, target, values, &rows);
            }
        }
    }
}

impl Accumulator for Combine {
    fn lanes(&self) -> usize {
        self.width
    }

    fn most(&self, in_place: bool) -> usize {
        if in_place { MOST } else { RUN }
    }

    unsafe fn begin(&mut self, out: *mut u8, count: usize, width: usize) {
        if width > count {
            // Whole words: one element at a time would take longer than a short row.
            let [word, ..] = repeated(self.loops.size, self.neutral);
            let words = (width * self.loops.size).div_ceil(size_of::<u64>());
            self.lanes.get_mut(..words).unwrap_or_default().fill(word);
            self.target = self.lanes.as_mut_ptr().cast();
            return;
        }
        self.target = out;
        // SAFETY: as the caller promises.
        unsafe { self.fill(out, width) };
    }

    unsafe fn add(&mut self, values: *const u8, count: usize, stride: usize, width: usize) {
        // SAFETY: as the caller promises.
        unsafe { self.combine(self.target, values, count, stride, width) };
    }

    unsafe fn finish(&mut self, out: *mut u8, count: usize, width: usize) {
        if width > count {
            // SAFETY: as the caller promises.
            unsafe {
                let lanes: *mut u8 = self.lanes.as_mut_ptr().cast();
                let row = |number: usize| lanes.add(number * count * self.loops.size);
                let (mut rows, _) = divided(width, count);
                // Half of the rows are combined with the other half: one by one, each would wait for the one before.
                while rows > 4 {
                    let half = rows / 2;
                    self.combine(lanes, row(rows - half), 1, 0, half * count);
                    rows -= half;
                }
                self.fill(out, count);
                self.combine(out, lanes, rows, count, count);
            }
        }
    }
}
