//! Bins of one- and two-byte numbers by tables: an entry for each number of a column, by its bits.
//!
//! An entry is the number's bin in this column times the stride of the column, so the flat bin of a sample is the sum of its entries. An entry
//! of [`OUTSIDE`] makes the sum at least as large, and that is a sample outside.

use std::{array, slice};

use bytemuck::AnyBitPattern;

use crate::MAX_OP_RANK;
use crate::convert::kernels::to_numbers;
use crate::engine::cpu::kernels::aligned;
use crate::histograms::kernels::bins::{Axis, SingleAxis};
use crate::histograms::kernels::flat_bins;
use crate::histograms::kernels::histogram::Finder;
use crate::histograms::kernels::histogram::window::WINDOW;

/// The entry of a number in no bin. The sum of one for each column fits 32 bits, and so does the sum of the largest bins.
const OUTSIDE: u32 = u32::MAX / MAX_OP_RANK as u32;

impl<'a> Finder<'a> {
    /// The length of the tables of all columns, for a one- or two-byte dtype. 0 if finding the bins of `samples` samples is faster than filling
    /// the tables, or if there are too many bins.
    pub(crate) fn table_len(&self, samples: usize) -> usize {
        let (bits, count) = (8 * self.dtype.size(), 1 << (8 * self.dtype.size()).min(16));
        let is_worth_it = bits <= 16 && samples >= count && self.outside <= OUTSIDE;
        if is_worth_it { count * self.columns().get() } else { 0 }
    }

    /// Fills `table`, as long as [`Finder::table_len`] says, with the entries of all numbers of the dtype. Later look-ups use it.
    #[inline(never)]
    pub(crate) fn tabulate(&mut self, table: &'a mut [u32]) {
        let mut stride = self.outside;
        let mut rest = &mut *table;
        for (column, axis) in self.axes.iter().enumerate() {
            // No column has 0 bins.
            stride /= axis.bins.max(1);
            let Some((slots, after)) = rest.split_at_mut_checked(1 << (8 * self.dtype.size()).min(16)) else {
                return;
            };
            self.tabulate_column(axis, self.singles.get(column), stride, slots);
            rest = after;
        }
        self.table = table;
    }

    /// [`Finder::tabulate`] for a single column.
    fn tabulate_column(
        &self,
        axis: &Axis<'a>,
        single: Option<&SingleAxis<'a>>,
        stride: u32,
        table: &mut [u32],
    ) {
        let (mut numbers, mut bins) = ([0.0; WINDOW], [0; WINDOW]);
        for (window, slots) in table.chunks_mut(WINDOW).enumerate() {
            let words: [u16; WINDOW] = array::from_fn(|at| (window * WINDOW + at) as u16);
            let bytes = words.map(|word| word as u8);
            // With one byte, all numbers are the first half of a single window.
            let window = if self.dtype.size() == 1 { &bytes } else { bytemuck::cast_slice(&words) };
            to_numbers(self.dtype, window, &mut numbers);
            match single {
                Some(single) => flat_bins::find_bins::<f64>(&numbers, slice::from_ref(single), &mut bins),
                None => bins.iter_mut().zip(&numbers).for_each(|(bin, &number)| *bin = axis.bin(number)),
            }
            for (slot, &bin) in slots.iter_mut().zip(&bins) {
                *slot = if bin >= axis.bins { OUTSIDE } else { bin * stride };
            }
        }
    }

    /// Writes the bins by the tables for samples of one or two bytes.
    pub(crate) fn look_up(&self, bytes: &[u8], positions: &mut [u32]) {
        if self.dtype.size() == 1 {
            self.look_up_rows::<u8, 256>(bytes, positions);
        } else {
            self.look_up_rows::<u16, 65536>(aligned(bytes), positions);
        }
    }

    #[inline(always)]
    fn look_up_rows<T: AnyBitPattern + Into<usize>, const COUNT: usize>(
        &self,
        numbers: &[T],
        positions: &mut [u32],
    ) {
        let (tables, _) = self.table.as_chunks::<COUNT>();
        let entry = |table: &[u32; COUNT], number: T| table.get(number.into()).copied().unwrap_or(OUTSIDE);
        let outside = self.outside;
        if let [only] = tables {
            for (position, &number) in positions.iter_mut().zip(numbers) {
                *position = entry(only, number).min(outside);
            }
            return;
        }
        match tables {
            [one, two, three] => {
                for (position, &[x, y, z]) in positions.iter_mut().zip(numbers.as_chunks().0) {
                    *position = (entry(one, x) + entry(two, y) + entry(three, z)).min(outside);
                }
                return;
            }
            [one, two, three, four] => {
                for (position, &[x, y, z, w]) in positions.iter_mut().zip(numbers.as_chunks().0) {
                    let sum = entry(one, x) + entry(two, y) + entry(three, z) + entry(four, w);
                    *position = sum.min(outside);
                }
                return;
            }
            _ => {}
        }
        // No `chunks_exact`, which panics for a length of 0: the compiler must see that nothing here does.
        let mut rest = numbers;
        for position in positions {
            let Some((row, after)) = rest.split_at_checked(tables.len()) else { return };
            let entries = tables.iter().zip(row).map(|(table, &number)| entry(table, number));
            *position = entries.fold(0u32, u32::wrapping_add).min(outside);
            rest = after;
        }
    }
}

#[cfg(feature = "histograms")]
#[cfg(test)]
mod tests {
    use crate::{Bins, CountOptions, DType, Tensor, histogramdd};

    /// The same numbers as float64 have no tables.
    #[test]
    fn tables_find_the_bins_that_a_search_finds() {
        let dtypes = [DType::Uint8, DType::Int8, DType::Int16, DType::Uint16, DType::Float16];
        for (round, dtype) in dtypes.into_iter().cycle().take(25).enumerate() {
            let columns = 1 + round % 5;
            let samples = if dtype.size() == 1 { 300 } else { 66_000 };
            let numbers: Vec<i32> =
                (0..samples * columns).map(|at| (at * 7919 % 65_521) as i32 - 9000).collect();
            let x = Tensor::from_elements(&[samples, columns], &numbers).unwrap().astype(dtype).unwrap();
            let edges = Tensor::from_elements(&[4], &[-20.0, 3.5, 90.0, 20_000.0]).unwrap();
            let all = [
                (Bins::Count(7), Some([-50.0, 200.0])),
                (Bins::from(&edges), None),
                (Bins::Count(1), Some([0.0, 256.0])),
                (Bins::Count(32), Some([-128.0, 128.0])),
                (Bins::Count(5), None),
            ];
            let counts = |x: &Tensor| {
                let options = CountOptions { dtype: Some(DType::Int64), ..CountOptions::default() };
                histogramdd(x, &all[..columns], options).unwrap().0.elements::<i64>().unwrap().to_vec()
            };
            assert_eq!(counts(&x), counts(&x.astype(DType::Float64).unwrap()), "{dtype}, {columns} columns");
        }
    }
}
