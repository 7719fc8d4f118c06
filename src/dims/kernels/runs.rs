//! The exact sums of long runs, one after the other.

use std::slice;

use crate::DType;
use crate::dims::kernels::accumulator::Accumulator;
use crate::dims::kernels::offsets::write;
use crate::exact::kernels::bins::{Bins, SINGLE};

/// The sum of a column whose terms follow each other.
pub(crate) struct Run<const BINS: usize> {
    pub(crate) bins: Bins<BINS>,
    pub(crate) dtype: DType,
    pub(crate) divisor: u64,
}

impl<const BINS: usize> Accumulator for Run<BINS> {
    fn lanes(&self) -> usize {
        1
    }

    fn most(&self, _: bool) -> usize {
        1
    }

    unsafe fn begin(&mut self, _: *mut u8, _: usize, _: usize) {}

    unsafe fn add(&mut self, values: *const u8, count: usize, _: usize, _: usize) {
        let size = if BINS == SINGLE { 4 } else { 8 };
        // SAFETY: as the caller promises: a row has a single element, and the rows follow each other.
        self.bins.add(unsafe { slice::from_raw_parts(values, count * size) });
    }

    unsafe fn finish(&mut self, out: *mut u8, _: usize, _: usize) {
        let bits = self.bins.finish(self.dtype, self.divisor);
        // SAFETY: as the caller promises.
        unsafe { write(out, 0, self.dtype, bits) };
    }
}
