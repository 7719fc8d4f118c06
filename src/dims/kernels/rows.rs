//! The rows of a tile, read from self.

use std::slice;

use crate::convert::kernels::{RUN, convert_run};
use crate::dims::kernels::accumulator::Accumulator;
use crate::dims::kernels::offsets::each_width;
use crate::dtype::DType;

/// The elements of self, and how they are read.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) values: *const u8,
    /// The dtype of the elements.
    pub(crate) from: DType,
    /// The dtype to which each is converted.
    pub(crate) dtype: DType,
    /// The dtype that the accumulator takes: that dtype, or float32, which has all its numbers.
    pub(crate) read: DType,
}

impl Rows {
    /// Whether elements need no conversion.
    pub(crate) fn is_direct(&self) -> bool {
        self.from == self.dtype && self.dtype == self.read
    }

    /// Hands `count` rows of `width` elements to the accumulator. Two rows are `stride` elements apart, and two elements of a row `gap`.
    /// A row that is not read in place has at most [`RUN`] elements.
    ///
    /// # Safety
    /// All these elements must exist, and the accumulator must have begun a tile of that width.
    pub(crate) unsafe fn read(
        &self,
        start: usize,
        count: usize,
        stride: usize,
        width: usize,
        gap: usize,
        accumulator: &mut dyn Accumulator,
    ) {
        let size = self.from.size();
        // SAFETY: as the caller promises.
        unsafe {
            let values = self.values.add(start * size);
            if gap == 1 && self.is_direct() {
                return accumulator.add(values, count, stride, width);
            }
            // Rows that follow each other are read together, and so are short rows that are collected.
            let most = if gap != 1 || stride == width { (RUN / width.max(1)).max(1) } else { 1 };
            let mut collected = [0u64; RUN];
            let mut row = 0;
            while row < count {
                let together = most.min(count - row);
                let len = (together * width).min(RUN);
                let mut bytes = values.add(row * stride * size);
                if gap != 1 {
                    for number in 0..together {
                        let own = collected.as_mut_ptr().cast::<u8>().add(number * width * size);
                        collect(size, bytes.add(number * stride * size), gap, width, own);
                    }
                    bytes = collected.as_ptr().cast();
                }
                if self.is_direct() {
                    accumulator.add(bytes, together, width, width);
                } else {
                    self.convert(slice::from_raw_parts(bytes, len * size), len, together, width, accumulator);
                }
                row += together;
            }
        }
    }

    /// Converts `len` elements, which are rows, and hands them to the accumulator.
    ///
    /// # Safety
    /// As for [`Rows::read`].
    #[inline(never)]
    unsafe fn convert(
        &self,
        bytes: &[u8],
        len: usize,
        rows: usize,
        width: usize,
        accumulator: &mut dyn Accumulator,
    ) {
        let (mut wide, mut converted, mut numbers) = ([0u64; RUN], [0u64; RUN], [0f32; RUN]);
        let wide = wide.get_mut(..len).unwrap_or_default();
        let (mut bytes, mut from) = (bytes, self.from);
        // SAFETY: the memory has room for as many elements of eight bytes; further as the caller promises.
        unsafe {
            if from != self.dtype {
                convert_run(from, bytes, wide, self.dtype, converted.as_mut_ptr().cast());
                let written: &[u8] = bytemuck::cast_slice(&converted);
                (bytes, from) = (written.get(..len * self.dtype.size()).unwrap_or_default(), self.dtype);
            }
            let mut elements = bytes.as_ptr();
            if from != self.read {
                convert_run(from, bytes, wide, self.read, numbers.as_mut_ptr().cast());
                elements = numbers.as_ptr().cast();
            }
            accumulator.add(elements, rows, width, width);
        }
    }
}

/// Writes elements that are `gap` elements apart behind each other.
///
/// # Safety
/// Both must have as many elements, aligned.
unsafe fn collect(size: usize, elements: *const u8, gap: usize, len: usize, out: *mut u8) {
    /// [`collect`] for elements of type `T`.
    ///
    /// # Safety
    /// As for [`collect`].
    unsafe fn each<T: Copy>(elements: *const u8, gap: usize, len: usize, out: *mut u8) {
        let (elements, out) = (elements.cast::<T>(), out.cast::<T>());
        for at in 0..len {
            // SAFETY: as the caller promises.
            unsafe { *out.add(at) = *elements.add(at * gap) };
        }
    }
    // SAFETY: as the caller promises.
    unsafe { each_width!(size, each(elements, gap, len, out)) }
}
