//! Counts values into bins. Bins are found one window at a time, in the first-level cache. The loops of a scatter that adds then count
//! them. No array of all bins exists. Samples outside all bins are counted in one more bin, which is dropped at the end.
//!
//! `bins.rs` says how a bin is found: by a guess, and one comparison. Vectors guess in float32, and leave the comparison out where no value
//! of eight is near an edge. If the edges are far from equal distances, every value is searched for.
//!
//! The columns of a one- or two-byte dtype get tables with the part of the bin for each possible number, if there are at least as many samples.
//!
//! A mask leaves samples out after their bin was found: the bins of the others move together. Groups of samples have bins of their own:
//! the bin in a group is found as for a single group, then the bins of the groups before are added.
//!
//! Words: a *sample* is a row of numbers, one for each *column*. A *bin* belongs to one column. A *flat bin* is one element of the result: a
//! bin of each column together. Flat bins are numbered in row-major order. All comparisons with NaN below are false, so NaN is outside.

pub(crate) mod bytes;
pub(crate) mod min_max;
pub(crate) mod tables;
pub(crate) mod window;

use std::convert::Infallible;
use std::iter;
use std::num::NonZero;
use std::ops::Range;

use crate::convert::kernels::to_numbers;
use crate::engine::cpu::kernels::{
    AnyOrder, CheckResult, GROUP, Loops, Output, Rounds, aligned, cut, elements,
};
use crate::histograms::kernels::bins::{Axis, SingleAxis, Thresholds};
use crate::histograms::kernels::flat_bins;
use crate::histograms::kernels::histogram::window::{Room, WINDOW, Window, bytes_of, compact};
use crate::histograms::plan::counting::Groups;
use crate::{DType, PerDim};

pub(crate) use crate::histograms::kernels::histogram::min_max::min_max;

/// Counts samples in places, or combines their values there. It is no job of columns, because any two samples may share a bin.
#[derive(Clone, Copy)]
pub(crate) struct Count<'a> {
    finder: &'a Finder<'a>,
    samples: &'a [u8],
    /// The loops of the operation that combines a value with the table.
    loops: &'static Loops,
    /// An element for each bin, and one more for samples outside.
    table: *mut u8,
    weights: Weights<'a>,
}

/// What a histogram adds: a number for each sample, or one for all.
#[derive(Clone, Copy)]
pub(crate) enum Weights<'a> {
    /// A value for each sample, as bytes.
    Each(&'a [u8]),
    /// Each the same value, which is here [`GROUP`] times, packed.
    Same(&'a [u64; GROUP]),
}

impl<'a> Count<'a> {
    /// The samples are the bytes of rows of numbers. `loops` is the operation in the dtype of the table and the values. The table holds the
    /// initial value of each bin, and one more element for the samples outside.
    ///
    /// Panics if a slice is too short or not aligned.
    pub(crate) fn new(
        finder: &'a Finder<'a>,
        samples: &'a [u8],
        loops: &'static Loops,
        table: Output<'a>,
        weights: Weights<'a>,
    ) -> Self {
        let count = finder.count(samples);
        elements(samples, count * finder.columns().get(), finder.dtype.size()); // only checks
        if let Weights::Each(values) = weights {
            elements(values, count, loops.size); // only checks
        }
        let table = table.elements(finder.outside_of_all() as usize + 1, loops.size);
        Self { finder, samples, loops, table, weights }
    }

    pub(crate) fn len(&self) -> usize {
        self.finder.count(self.samples)
    }

    /// Adds the samples of a range. Ranges must be added in order.
    #[inline(never)]
    pub(crate) fn add(&self, samples: Range<usize>) {
        let samples = cut(samples, self.len());
        let mut room: Room = [0; WINDOW];
        let added = self.finder.windows(self.samples, samples, |window| -> Result<(), Infallible> {
            let (values, value_stride) = match self.weights {
                Weights::Each(values) => (window.values(values, self.loops.size, &mut room), 1),
                Weights::Same(one) => (bytemuck::bytes_of(one), 0),
            };
            let entries = Rounds::single(window.flat_bins, value_stride);
            // SAFETY: no bin is above the last one. There is a value for each sample, see `new`, or one value [`GROUP`] times. The table
            // is borrowed mutably.
            unsafe { self.loops.combine_entries(self.table, values.as_ptr(), &entries) };
            Ok(())
        });
        let Ok(()) = added;
    }
}

/// With a table of integers.
impl AnyOrder for Count<'_> {
    fn items(&self) -> usize {
        self.len()
    }

    unsafe fn add_to(&self, table: *mut u8, items: Range<usize>) -> CheckResult {
        Self { table, ..*self }.add(items);
        CheckResult::NOTHING
    }
}

/// Finds the bins of samples.
pub(crate) struct Finder<'a> {
    /// The dtype of the samples.
    dtype: DType,
    /// For each column, how to find bins in float64.
    axes: PerDim<Axis<'a>>,
    /// The bin of samples outside all bins, after all other bins of a group.
    outside: u32,
    /// Whether samples are the numbers of their bins, without bins.
    has_bins: bool,
    /// For each sample, whether it counts.
    mask: Option<&'a [u8]>,
    groups: Groups,
    /// For one or two columns, how vectors guess bins, if the build and the edges allow it. Else empty.
    singles: PerDim<SingleAxis<'a>>,
    /// Of each column, the part of the bin that a number of a one- or two-byte dtype decides, by its bits: see `tables.rs`. Empty without tables.
    table: &'a [u32],
}

impl<'a> Finder<'a> {
    /// Finds bins of samples of `dtype` among the edges of each column, which have the `thresholds`. `outside` is the number of bins of a
    /// group.
    pub(crate) fn new(
        dtype: DType,
        edges: &[&'a [f64]],
        thresholds: impl Iterator<Item = Thresholds<'a>>,
        outside: u32,
        groups: Groups,
    ) -> Self {
        let (mut axes, mut singles) = (PerDim::new(), PerDim::new());
        for (edges, thresholds) in edges.iter().zip(thresholds) {
            axes.push(Axis::new(edges, thresholds));
            if flat_bins::FINDS_BINS
                && let Some(single) = SingleAxis::new(edges, thresholds, dtype)
            {
                singles.push(single);
            }
        }
        if singles.len() != axes.len() || singles.len() > 2 {
            singles = PerDim::new();
        }
        Self { dtype, axes, outside, has_bins: false, mask: None, groups, singles, table: &[] }
    }

    /// Takes integers of `dtype` as the numbers of their bins. Others than these `flat_bins` are outside.
    pub(crate) fn of_integers(dtype: DType, flat_bins: u32, groups: Groups) -> Self {
        Self { has_bins: true, ..Self::new(dtype, &[], iter::empty(), flat_bins, groups) }
    }

    /// Leaves out the samples for which the mask has 0.
    pub(crate) fn keep(&mut self, mask: Option<&'a [u8]>) {
        self.mask = mask;
    }

    /// The bin of samples that no group counts, after all other bins.
    pub(crate) fn outside_of_all(&self) -> u32 {
        self.outside * self.groups.count as u32
    }

    /// The number of numbers in a sample.
    fn columns(&self) -> NonZero<usize> {
        NonZero::new(self.axes.len()).unwrap_or(NonZero::<usize>::MIN)
    }

    /// Calls `visit` for each window with its samples that the mask keeps. Stops at the first error.
    #[inline(always)]
    pub(crate) fn windows<E>(
        &self,
        samples: &[u8],
        range: Range<usize>,
        mut visit: impl FnMut(Window<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut numbers, mut flat_bins, mut offsets) = ([0.0; WINDOW], [0; WINDOW], [0; WINDOW]);
        let (size, most) = (self.sample_bytes().get(), WINDOW / self.columns());
        let Range { start: mut at, end } = range;
        while at < end {
            let after = end.min(at + most);
            let bytes = samples.get(at * size..after * size).unwrap_or_default();
            let flat_bins = self.positions(bytes, &mut numbers, &mut flat_bins);
            visit(self.select(at, flat_bins, &mut offsets))?;
            at = after;
        }
        Ok(())
    }

    /// Writes the bin of each sample, all ones outside of all bins.
    #[inline(never)]
    pub(crate) fn write(&self, samples: &[u8], codes: &mut [u32]) {
        let written = self.windows(samples, 0..codes.len(), |window| -> Result<(), Infallible> {
            let slots = codes.iter_mut().skip(window.first);
            for (slot, &flat_bin) in slots.zip(window.flat_bins) {
                *slot = if flat_bin >= self.outside { u32::MAX } else { flat_bin };
            }
            Ok(())
        });
        let Ok(()) = written;
    }

    /// The number of samples with these bytes.
    pub(crate) fn count(&self, samples: &[u8]) -> usize {
        samples.len() / self.sample_bytes()
    }

    fn sample_bytes(&self) -> NonZero<usize> {
        self.columns().saturating_mul(bytes_of(self.dtype))
    }

    /// The bins of the samples of a window with elements `bytes`. Writes them to `positions` and returns the written part. `numbers` is
    /// work space.
    #[inline(never)]
    fn positions<'p>(
        &self,
        bytes: &[u8],
        numbers: &mut [f64; WINDOW],
        positions: &'p mut [u32; WINDOW],
    ) -> &'p mut [u32] {
        let count = bytes.len() / bytes_of(self.dtype);
        let columns = self.columns();
        let (Some(numbers), Some(positions)) =
            (numbers.get_mut(..count), positions.get_mut(..count / columns))
        else {
            return &mut [];
        };
        if self.has_bins || !cfg!(feature = "histograms") {
            self.take_bins(bytes, numbers, positions);
            return positions;
        }
        if !self.table.is_empty() {
            self.look_up(bytes, positions);
            return positions;
        }
        // Vectors take only whole windows.
        let singles = if count == WINDOW { &*self.singles } else { &[] };
        match self.dtype {
            DType::Float32 if !singles.is_empty() => {
                flat_bins::find_bins::<f32>(aligned(bytes), singles, positions);
                return positions;
            }
            DType::Int32 if !singles.is_empty() => {
                flat_bins::find_bins::<i32>(aligned(bytes), singles, positions);
                return positions;
            }
            _ => {}
        }
        let numbers = if self.dtype == DType::Float64 {
            aligned(bytes)
        } else {
            to_numbers(self.dtype, bytes, numbers);
            numbers
        };
        if !singles.is_empty() {
            flat_bins::find_bins::<f64>(numbers, singles, positions);
            return positions;
        }
        for (position, row) in positions.iter_mut().zip(numbers.chunks_exact(columns.get())) {
            *position = self.flat_bin(row);
        }
        positions
    }

    /// The window of the samples from number `first` on: each goes to its group, and those that the mask leaves out are missing.
    #[inline(always)]
    fn select<'p>(&self, first: usize, flat_bins: &'p mut [u32], offsets: &'p mut [u32]) -> Window<'p> {
        if self.groups.count != 1 {
            self.add_groups(first, flat_bins);
        }
        let Some(mask) = self.mask else { return Window { first, flat_bins, offsets: None } };
        let kept = compact(mask.get(first..).unwrap_or_default(), flat_bins, offsets);
        let (flat_bins, offsets) = (flat_bins.get(..kept), offsets.get(..kept));
        Window { first, flat_bins: flat_bins.unwrap_or_default(), offsets: Some(offsets.unwrap_or_default()) }
    }

    /// Turns bins in a group into bins in all groups.
    #[inline(never)]
    fn add_groups(&self, first: usize, flat_bins: &mut [u32]) {
        let Groups { len, stride, .. } = self.groups;
        let (stride, len) = (stride.max(1), len.max(1));
        let (outside, of_all) = (self.outside, self.outside_of_all());
        let (mut at, mut round) = (first % stride, first / stride % len);
        let mut group = (first / stride / len * stride + at) as u32;
        for flat_bin in flat_bins {
            *flat_bin = if *flat_bin >= outside { of_all } else { group * outside + *flat_bin };
            (at, group) = (at + 1, group + 1);
            if at == stride {
                (at, round) = (0, round + 1);
                if round == len {
                    round = 0;
                } else {
                    group -= stride as u32;
                }
            }
        }
    }

    /// The bins of samples that are the numbers of their bins.
    fn take_bins(&self, bytes: &[u8], numbers: &mut [f64], flat_bins: &mut [u32]) {
        let outside = self.outside;
        match self.dtype {
            DType::Uint8 => {
                let samples = flat_bins.iter_mut().zip(bytes);
                samples.for_each(|(flat_bin, &sample)| *flat_bin = u32::from(sample).min(outside));
            }
            DType::Uint16 => {
                let samples = flat_bins.iter_mut().zip(aligned::<u16>(bytes));
                samples.for_each(|(flat_bin, &sample)| *flat_bin = u32::from(sample).min(outside));
            }
            // A negative number becomes one that is too large.
            DType::Int32 | DType::Uint32 => {
                let samples = flat_bins.iter_mut().zip(aligned::<u32>(bytes));
                samples.for_each(|(flat_bin, &sample)| *flat_bin = sample.min(outside));
            }
            dtype => {
                to_numbers(dtype, bytes, numbers);
                for (flat_bin, &number) in flat_bins.iter_mut().zip(numbers.iter()) {
                    *flat_bin = if number < 0.0 { outside } else { (number as u32).min(outside) };
                }
            }
        }
    }

    /// The bin of the sample `row`: the row-major number of its bins, or `outside` if one of its numbers is in no bin.
    #[inline(always)]
    fn flat_bin(&self, row: &[f64]) -> u32 {
        let mut flat_bin = 0;
        for (axis, &value) in self.axes.iter().zip(row) {
            let bin = axis.bin(value);
            if bin == axis.bins {
                return self.outside;
            }
            flat_bin = flat_bin * axis.bins + bin;
        }
        flat_bin
    }
}
