//! Exact sums of columns whose floats do not tell the result.

use std::array;

use crate::dims::kernels::accumulator::Accumulator;
use crate::dims::kernels::offsets::write;
use crate::dtype::DType;
use crate::exact::arithmetic::number::ExactNumber;

/// The most columns: their float32 are a line of a cache.
const MOST: usize = 16;

/// The sums of up to `MOST` columns.
pub(crate) struct Numbers {
    numbers: [ExactNumber; MOST],
    dtype: DType,
    is_mean: bool,
}

impl Numbers {
    #[inline(always)]
    pub(crate) fn new(dtype: DType, is_mean: bool) -> Self {
        Self { numbers: array::from_fn(|_| ExactNumber::new(dtype)), dtype, is_mean }
    }
}

impl Accumulator for Numbers {
    fn lanes(&self) -> usize {
        1
    }

    fn most(&self, _: bool) -> usize {
        MOST
    }

    unsafe fn begin(&mut self, _: *mut u8, count: usize, _: usize) {
        self.numbers.iter_mut().take(count).for_each(|number| *number = ExactNumber::new(self.dtype));
    }

    unsafe fn add(&mut self, values: *const u8, count: usize, stride: usize, width: usize) {
        for row in 0..count {
            for (column, number) in self.numbers.iter_mut().take(width).enumerate() {
                let at = row * stride + column;
                // SAFETY: as the caller promises.
                number.add(unsafe {
                    match self.dtype {
                        DType::Float64 => *values.cast::<f64>().add(at),
                        _ => (*values.cast::<f32>().add(at)).into(),
                    }
                });
            }
        }
    }

    unsafe fn finish(&mut self, out: *mut u8, count: usize, _: usize) {
        for (column, number) in self.numbers.iter().take(count).enumerate() {
            let bits = if self.is_mean { number.mean() } else { number.sum() };
            // SAFETY: as the caller promises.
            unsafe { write(out, column, self.dtype, bits) };
        }
    }
}
