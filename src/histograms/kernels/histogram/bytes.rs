//! Counts of bytes that are the numbers of their bins: into small tables, each for its own part of the samples. Neighbours go to different
//! tables, because an addition to an element waits for the one before it.

use std::ops::Range;

use crate::DType;
use crate::engine::cpu::kernels::{AnyOrder, CheckResult, Output, cut};
use crate::histograms::kernels::histogram::Finder;
use crate::histograms::plan::counting::Groups;

/// Samples that go to tables of their own, one after the other.
const TABLES: usize = 8;

/// The least samples of each group: emptying the tables takes as long as counting some hundred.
const LEAST: usize = 1024;

#[derive(Clone, Copy)]
pub(crate) struct CountBytes<'a> {
    samples: &'a [u8],
    groups: Groups,
    /// The number of bins of a group.
    bins: usize,
    table: *mut u32,
}

impl<'a> CountBytes<'a> {
    /// Adds to a table of uint32, with an element for each bin and one more, the counts of uint8 samples without a mask; `None` for other
    /// samples, and for groups that are too small or too many next to each other.
    pub(crate) fn new(finder: &Finder<'a>, samples: &'a [u8], table: Output<'a>) -> Option<Self> {
        let (groups, bins) = (finder.groups, finder.outside as usize);
        let is_counted = finder.has_bins && finder.dtype == DType::Uint8 && finder.mask.is_none();
        let is_worth_it = groups.len >= LEAST && (1..=TABLES).contains(&groups.stride);
        let table = table.elements(groups.count * bins + 1, size_of::<u32>()).cast();
        (is_counted && is_worth_it).then_some(Self { samples, groups, bins, table })
    }

    /// Adds all samples to the table.
    pub(crate) fn add(&self) {
        // SAFETY: the table is borrowed mutably, and `new` has checked its length.
        unsafe { self.add_to(self.table.cast(), 0..self.items()) };
    }

    /// Adds samples of one round, that is of `stride` neighbouring groups, to the table of all groups. `first` is the number of the first sample.
    ///
    /// # Safety
    /// As for [`AnyOrder::add_to`].
    #[inline(never)]
    unsafe fn add_round(&self, table: *mut u32, first: usize, samples: &[u8]) {
        let stride = self.groups.stride.max(1);
        // As many tables as samples of whole rows, at most `TABLES`.
        let used = TABLES / stride * stride;
        let mut tables = [[0u32; 256]; TABLES];
        for row in samples.chunks(used.max(1)) {
            for (table, &sample) in tables.iter_mut().zip(row) {
                if let Some(count) = table.get_mut(usize::from(sample)) {
                    *count += 1;
                }
            }
        }
        let round = first / stride / self.groups.len.max(1) * stride;
        for (at, counts) in tables.iter().enumerate().take(used) {
            let group = round + (first + at) % stride;
            for (bin, &count) in counts.iter().enumerate().take(self.bins) {
                // SAFETY: the group and the bin exist: a range of samples has at most as many groups.
                unsafe { *table.add(group * self.bins + bin) += count };
            }
        }
    }
}

/// The items are the samples.
impl AnyOrder for CountBytes<'_> {
    fn items(&self) -> usize {
        self.samples.len().min(self.groups.count * self.groups.len)
    }

    unsafe fn add_to(&self, table: *mut u8, items: Range<usize>) -> CheckResult {
        let Range { start: mut at, end } = cut(items, self.items());
        let round = (self.groups.len * self.groups.stride).max(1);
        while at < end {
            let after = end.min((at / round + 1) * round);
            let samples = self.samples.get(at..after).unwrap_or_default();
            // SAFETY: as the caller promises.
            unsafe { self.add_round(table.cast(), at, samples) };
            at = after;
        }
        CheckResult::NOTHING
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::cpu::cuts::{Cuts, in_ranges};
    use crate::{CountOptions, DType, Length, Tensor, bincount};

    #[test]
    fn bytes_are_counted_as_the_same_int32_are() {
        for (dims, dim) in [
            (vec![10_007], None),
            (vec![1025, 1], Some(0)),
            (vec![3001, 3], Some(0)),
            (vec![1100, 2, 4], Some(0)),
            (vec![2, 1501, 5], Some(1)),
            (vec![3, 2048], Some(1)),
            (vec![1024, 9], Some(0)),
            (vec![0, 4], Some(0)),
        ] {
            let count: usize = dims.iter().product();
            let bytes: Vec<u8> = (0..count).map(|at| (at * at / 3 + at) as u8).collect();
            let x = Tensor::from_elements(&dims, &bytes).unwrap();
            for length in [256, 300, 100, 1] {
                let counts = |x: &Tensor| {
                    let options = CountOptions { dim, ..CountOptions::default() };
                    bincount(x, options, Length::Exactly(length)).unwrap().elements::<i64>().unwrap().to_vec()
                };
                let wanted = counts(&x.astype(DType::Int32).unwrap());
                assert_eq!(counts(&x), wanted, "{dims:?} {length}");
                let in_parts = in_ranges(Cuts { len: 1, seed: 3 }, || counts(&x));
                assert_eq!(in_parts, wanted, "{dims:?} {length} in parts");
            }
        }
    }
}
