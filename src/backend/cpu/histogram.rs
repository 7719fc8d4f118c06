//! Counts values into bins. Bins are found a window at a time, in the first-level cache, and counted by the loops of a scatter that
//! adds; no array of them is made. What is in no bin is counted in one more place, which is dropped at the end.
//!
//! A bin is guessed by one subtraction and one multiplication for each number of a vector: `t = (v − low) · scale`. Rounding never
//! turns an order around, so if every edge `e[i]` has `|t(e[i]) − i| ≤ d`, a value with `k + d < t < k + 1 − d` is in bin `k` for
//! certain. Vectors guess in float32, to which other numbers are rounded first. Of the few others the guess is corrected by a look at two
//! edges in float64; all values are searched for where edges are far from equal distances.
//!
//! Of a dtype of one or two bytes the place of each of its numbers is found once, where there are as many samples or more.

use std::array;

use crate::backend::cpu::convert::{convert, to_numbers};
use crate::backend::cpu::kernels::word_of;
use crate::backend::cpu::loops::{GROUP, Rounds};
use crate::backend::cpu::validate::IndexValue;
use crate::backend::cpu::vector::SHIFT;
use crate::backend::cpu::{Cpu, reduce, rely_on, vector};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{HistogramPlan, Reduce, count_dtype, round};
use crate::scalar::load;
use crate::shape::PerDim;

/// Numbers of a window: a multiple of what vectors of every number of columns hold.
const WINDOW: usize = 512;

impl Cpu {
    /// Counts samples, or adds their weights, in order. `edges` are those of each column.
    pub(crate) fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[&[f64]],
        x: &HostBuffer,
        weights: Option<&HostBuffer>,
    ) -> Result<HostBuffer> {
        let (op, places, columns) = (plan.op().name(), plan.out_shape().size(), plan.columns());
        let out = plan.out_dtype();
        let dtype = weights.map_or(count_dtype(plan.samples(), places, out), |_| out);
        let size = dtype.size();
        let mut table = HostBuffer::zeroed(op, (places + 1) * size)?;
        let ones = [word_of(size, Reduce::Multiply.neutral(dtype)); GROUP];
        let adding = reduce::loops(Reduce::Add, dtype);
        let finder = Finder::new(plan.dtype(), edges, places as u32, plan.samples());
        let (mut numbers, mut positions) = ([0.0; WINDOW], [0; WINDOW]);
        let rows = WINDOW / columns;
        for (at, bytes) in x.bytes().chunks(rows * columns * plan.dtype().size()).enumerate() {
            let positions = finder.positions(bytes, &mut numbers, &mut positions);
            let (values, stride) = match weights {
                Some(weights) => {
                    let first = at * rows * size;
                    let values = weights.bytes().get(first..first + positions.len() * size);
                    rely_on(values.is_some());
                    (values.unwrap_or_default().as_ptr(), 1)
                }
                None => (ones.as_ptr().cast(), 0),
            };
            let table = table.bytes_mut().as_mut_ptr();
            // SAFETY: no position is above that of the last place; there is a value for each, or one a group of times; buffers
            // are aligned for every dtype.
            unsafe { adding.combine_entries(table, values, &Rounds::single(positions, stride)) };
        }
        table.truncate(places * size);
        if dtype == out { Ok(table) } else { convert(op, dtype, out, &table) }
    }

    /// The smallest and the largest number of a column, as float64; NaN where there is one. −0 is less than 0.
    pub(crate) fn extent(&self, plan: &HistogramPlan, x: &HostBuffer, column: usize) -> [f64; 2] {
        let (columns, size) = (plan.columns(), plan.dtype().size());
        if (columns, plan.dtype()) == (1, DType::Float32) {
            // Those without a sign are ordered as their bits are, the others the other way round.
            let (least, most) = vector::extremes(x.elements());
            let largest = vector::largest(x.elements());
            let min = if largest >> 31 != 0 { largest } else { least as u32 };
            let max = if most >= 0 { most } else { least };
            return [min, max as u32].map(|bits| f32::from_bits(bits).into());
        }
        let mut keys = [i64::MAX, i64::MIN];
        let mut window = [0.0; WINDOW];
        for bytes in x.bytes().chunks(WINDOW / columns * columns * size) {
            let Some(values) = window.get_mut(..bytes.len() / size) else { break };
            to_numbers(plan.dtype(), bytes, values);
            for value in values.iter().skip(column).step_by(columns) {
                let key = ordered(value.to_bits() as i64);
                keys = [key.min(keys[0]), key.max(keys[1])];
            }
        }
        keys.map(|key| f64::from_bits(ordered(key) as u64))
    }

    /// A histogram divided by the widths of the bins and by its sum, as float64.
    pub(crate) fn density(
        &self,
        op: &'static str,
        (hist, dtype): (&HostBuffer, DType),
        (edges, edges_dtype): (&[f64], DType),
    ) -> Result<HostBuffer> {
        let mut out = HostBuffer::zeroed(op, hist.bytes().len() / dtype.size() * 8)?;
        let values = out.elements_mut::<f64>();
        to_numbers(dtype, hist.bytes(), values);
        let sum: f64 = values.iter().fold(0.0, |sum, &value| sum + value);
        let dtype = if edges_dtype.is_float() { edges_dtype } else { DType::Float64 };
        for (value, (&one, &next)) in values.iter_mut().zip(edges.iter().zip(edges.iter().skip(1))) {
            *value = *value / round(next - one, dtype) / sum;
        }
        Ok(out)
    }

    /// The first negative value of an index and its place, or 0 if none is negative; and the largest value. `None` for an empty index.
    pub(crate) fn ends(&self, dtype: DType, x: &HostBuffer) -> Option<[(i64, usize); 2]> {
        let is_narrow = dtype.size() == 4;
        let range = if is_narrow { i32::extremes(x.elements()) } else { i64::extremes(x.elements()) };
        let (min, max) = range?;
        // SAFETY: these are the smallest and the largest, or 0 in the place of the smallest.
        unsafe { x.note_range(dtype, (min, max)) };
        let values = x.bytes().chunks_exact(dtype.size()).map(|bytes| {
            let bits = load(bytes) as i64;
            if is_narrow { (bits as i32).into() } else { bits }
        });
        let negative = if min < 0 { values.enumerate().find(|(_, value)| *value < 0) } else { None };
        let (at, least) = negative.unwrap_or((0, 0));
        Some([(least, at), (max, 0)])
    }
}

/// A number that is ordered as an integer as the float64 with these bits is; and back.
fn ordered(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// How the places of samples are found.
struct Finder<'a> {
    dtype: DType,
    axes: PerDim<Axis<'a>>,
    /// The place of what is in no bin.
    outside: u32,
    /// For one or two columns, by vectors of float32.
    single: Option<(GuessPlaces, PerDim<Axis<'a>>)>,
    /// The place of each number of a dtype of one or two bytes, by its bits; empty where it is not made.
    table: Vec<u32>,
}

impl<'a> Finder<'a> {
    fn new(dtype: DType, edges: &[&'a [f64]], outside: u32, samples: usize) -> Self {
        let axes = |guessed_in| {
            let mut axes = PerDim::new();
            edges.iter().for_each(|edges| axes.push(Axis::new(edges, guessed_in)));
            axes
        };
        // Vectors count a guess that is NaN as outside. That is right only if no number has such a guess, so every column must be guessed.
        let are_guessed = |axes: &PerDim<Axis<'a>>| axes.iter().all(|axis| axis.limit > 0.0);
        let single = vector::GUESS_PLACES.filter(|_| edges.len() <= 2);
        let single = single.map(|guess| (guess, axes(DType::Float32))).filter(|(_, axes)| are_guessed(axes));
        let mut finder = Self { dtype, axes: axes(DType::Float64), outside, single, table: Vec::new() };
        if edges.len() == 1 && dtype.size() <= 2 && samples >> (8 * dtype.size()) > 0 {
            finder.table = finder.places_of_all();
        }
        finder
    }

    /// The places of all numbers of a dtype of one or two bytes, in the order of their bits. Empty if there is no memory for them.
    fn places_of_all(&self) -> Vec<u32> {
        let count = 1 << (8 * self.dtype.size());
        let mut table = Vec::new();
        if table.try_reserve_exact(count).is_err() {
            return table;
        }
        let (mut numbers, mut positions) = ([0.0; WINDOW], [0; WINDOW]);
        for first in (0..count).step_by(WINDOW) {
            let words: [u16; WINDOW] = array::from_fn(|at| (first + at) as u16);
            let bytes = words.map(|word| word as u8);
            let window = if self.dtype.size() == 1 { &bytes } else { bytemuck::cast_slice(&words) };
            table.extend(self.positions(window, &mut numbers, &mut positions).iter().take(count));
        }
        table
    }

    /// The places of the samples of a window. `numbers` is room to work in.
    #[inline(never)]
    fn positions<'p>(
        &self,
        bytes: &[u8],
        numbers: &mut [f64; WINDOW],
        positions: &'p mut [u32; WINDOW],
    ) -> &'p [u32] {
        let count = bytes.len() / self.dtype.size();
        let columns = self.axes.len().max(1);
        let (Some(numbers), Some(positions)) =
            (numbers.get_mut(..count), positions.get_mut(..count / columns))
        else {
            return &[];
        };
        if !self.table.is_empty() {
            self.look_up(bytes, positions);
            return positions;
        }
        // Only whole windows are guessed.
        let single = self.single.as_ref().filter(|_| count == WINDOW);
        let (numbers, are_certain) = if self.dtype == DType::Float32 {
            let are_certain =
                single.map(|(guess_places, axes)| guess_places(bytemuck::cast_slice(bytes), axes, positions));
            if are_certain == Some(true) {
                return positions;
            }
            to_numbers(self.dtype, bytes, numbers);
            (&*numbers, are_certain)
        } else {
            let numbers = if self.dtype == DType::Float64 {
                bytemuck::cast_slice(bytes)
            } else {
                to_numbers(self.dtype, bytes, numbers);
                numbers
            };
            let are_certain = single.map(|(guess_places, axes)| {
                let mut rounded = [0.0; WINDOW];
                rounded.iter_mut().zip(numbers).for_each(|(single, &number)| *single = number as f32);
                guess_places(&rounded, axes, positions)
            });
            (numbers, are_certain)
        };
        if are_certain == Some(true) {
            return positions;
        }
        for (position, row) in positions.iter_mut().zip(numbers.chunks_exact(columns)) {
            if are_certain.is_none() || *position == UNSURE {
                *position = self.place(row);
            }
        }
        positions
    }

    /// The places that the table has for the bits of samples.
    fn look_up(&self, bytes: &[u8], positions: &mut [u32]) {
        let place_of = |bits: usize| self.table.get(bits).copied().unwrap_or(self.outside);
        if self.dtype.size() == 1 {
            let samples = positions.iter_mut().zip(bytes);
            samples.for_each(|(position, &bits)| *position = place_of(bits.into()));
        } else {
            let samples = positions.iter_mut().zip(bytemuck::cast_slice::<_, u16>(bytes));
            samples.for_each(|(position, &bits)| *position = place_of(bits.into()));
        }
    }

    /// The place of a sample, whose numbers for each column are `row`: the row-major number of its bin among those of all columns, or `outside`
    /// where one of the numbers is in no bin.
    #[inline(always)]
    fn place(&self, row: &[f64]) -> u32 {
        let mut place = 0;
        for (axis, &value) in self.axes.iter().zip(row) {
            let bin = axis.bin(value);
            if bin == axis.bins {
                return self.outside;
            }
            place = place * axis.bins + bin;
        }
        place
    }
}

/// Guesses the places of samples of one or two numbers, and returns whether all of them are certain. A sample whose place is not gets
/// [`UNSURE`]. The count of numbers is a multiple of eight.
pub(super) type GuessPlaces = fn(&[f32], &[Axis<'_>], &mut [u32]) -> bool;

/// More than any place.
const UNSURE: u32 = u32::MAX;

/// The edges of a column, and how its bins are guessed: with numbers of the dtype that they are guessed in.
#[derive(Clone, Copy, Default)]
pub(super) struct Axis<'a> {
    edges: &'a [f64],
    pub(super) bins: u32,
    pub(super) low: f64,
    pub(super) scale: f64,
    /// How far from the middle of a bin a value is in it for certain; negative where none is.
    pub(super) limit: f64,
}

impl<'a> Axis<'a> {
    fn new(edges: &'a [f64], dtype: DType) -> Self {
        let bins = edges.len().saturating_sub(1) as u32;
        let mut axis = Self { edges, bins, limit: -1.0, ..Self::default() };
        let (Some(&first), Some(&last)) = (edges.first(), edges.last()) else { return axis };
        let rounded = |value| round(value, dtype);
        axis.low = rounded(first);
        axis.scale = rounded(f64::from(bins) / (last - first));
        let mut off = 0f64;
        for (at, &edge) in edges.iter().enumerate() {
            let here = (rounded(rounded(rounded(edge) - axis.low) * axis.scale) - at as f64).abs();
            // NaN fails the comparison. From 2^22 bins on, a float32 has no bits for the fraction.
            if !(here < 0.25 && at < 1 << 22) {
                return axis;
            }
            off = off.max(here);
        }
        // The distance from the middle of a bin is rounded too.
        axis.limit = 0.499_999 - off;
        axis
    }

    /// The bin of a value, or the number of bins where there is none.
    #[inline(always)]
    fn bin(&self, value: f64) -> u32 {
        let scaled = (value - self.low) * self.scale;
        // Half is subtracted, so that it is rounded to the integer below.
        let shifted = scaled - 0.5 + SHIFT;
        let guess = shifted.to_bits().wrapping_sub(SHIFT.to_bits());
        // NaN fails the comparison.
        if (scaled - (shifted - SHIFT) - 0.5).abs() <= self.limit {
            return guess.min(self.bins.into()) as u32;
        }
        if self.limit > 0.0 { self.correct(value, guess) } else { self.search(value) }
    }

    /// The bin of a value where edges have almost equal distances: the one that was guessed, or one beside it, because `t(e[i])` is less
    /// than a quarter away from i. In it are all values that stand on edges, as integers and numbers with few digits often do.
    #[inline(never)]
    fn correct(&self, value: f64, guess: u64) -> u32 {
        let (Some(&first), Some(&last)) = (self.edges.first(), self.edges.last()) else { return self.bins };
        // NaN fails the comparison.
        if !(first <= value && value <= last) {
            return self.bins;
        }
        let most = self.bins - 1;
        let bin = (guess as i64).clamp(0, most.into()) as u32;
        let Some(&[low, high]) = self.edges.get(bin as usize..).and_then(<[f64]>::first_chunk) else {
            return self.bins;
        };
        (bin + u32::from(high <= value) - u32::from(value < low)).min(most)
    }

    /// The last bin whose lower edge is not above the value. The last of all has its upper edge too.
    #[inline(never)]
    fn search(&self, value: f64) -> u32 {
        // NaN fails the comparison.
        let is_inside = self.edges.last().is_some_and(|&last| value <= last);
        let below = self.edges.partition_point(|&edge| edge <= value) as u32;
        if is_inside && below > 0 && self.bins > 0 { below.min(self.bins) - 1 } else { self.bins }
    }
}
