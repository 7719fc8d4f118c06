//! Counts values into bins. Bins are found a window at a time, in the first-level cache, and counted by the loops of a scatter that
//! adds; no array of them is made. What is in no bin is counted in one more place, which is dropped at the end.
//!
//! A bin is guessed by one subtraction and one multiplication for each number of a vector: `t = (v − low) · scale`. Rounding never
//! turns an order around, so if every edge `e[i]` has `|t(e[i]) − i| ≤ d`, a value with `k + d < t < k + 1 − d` is in bin `k` for
//! certain. Vectors guess in float32, to which other numbers are rounded first. Of the few others the guess is corrected by a look at two
//! edges in float64; all values are searched for where edges are far from equal distances.
//!
//! Of one column of a dtype of one or two bytes the place of each of its numbers is found once, where there are as many samples or more.
//!
//! Words: a *sample* is a row of numbers, one for each *column*. A *bin* is counted for one column; a bin of each column together are a
//! *place* of the result, numbered in row-major order. The comparisons with NaN below are all false, which makes it a number outside.

use std::array;

use crate::backend::cpu::kernels::check::IndexValue;
use crate::backend::cpu::kernels::convert::{convert, to_numbers};
use crate::backend::cpu::kernels::indexed::word_of;
use crate::backend::cpu::kernels::loops::{GROUP, Rounds};
use crate::backend::cpu::kernels::vector::SHIFT;
use crate::backend::cpu::kernels::{reduce, vector};
use crate::backend::cpu::{Cpu, rely_on};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{HistogramPlan, Reduce, count_dtype, round};
use crate::scalar::load;
use crate::shape::PerDim;

/// How many numbers a window holds: a multiple of the eight that [`GuessPlaces`] takes at a time.
const WINDOW: usize = 512;

impl Cpu {
    /// Counts the samples of x in the places of the plan, or adds their weights, in order. `edges` are those of the bins of each column,
    /// which do not decrease; `weights` has an element for each sample, in the dtype of the result.
    pub(crate) fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[&[f64]],
        x: &HostBuffer,
        weights: Option<&HostBuffer>,
    ) -> Result<HostBuffer> {
        let (op, places, columns) = (plan.op().name(), plan.out_shape().size(), plan.columns());
        let out = plan.out_dtype();
        // Counts may be made in another dtype than that of the result, and are converted at the end.
        let dtype = weights.map_or(count_dtype(plan.samples(), places, out), |_| out);
        let size = dtype.size();
        let mut table = HostBuffer::zeroed(op, (places + 1) * size)?;
        // The value 1, as often as a loop reads it for a group of entries.
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

    /// The smallest and the largest number of a column, as float64. −0 is less than 0. Where a number is NaN, so is at least one of the
    /// two. There must be a sample.
    pub(crate) fn extent(&self, plan: &HistogramPlan, x: &HostBuffer, column: usize) -> [f64; 2] {
        let (columns, size) = (plan.columns(), plan.dtype().size());
        if (columns, plan.dtype()) == (1, DType::Float32) {
            // Read as integers, the bits of numbers without a sign are ordered as the numbers are, those of the others the other way
            // round. So the smallest number is the one with the largest unsigned bits, where any has a sign, and the largest the one
            // with the smallest signed bits, where all have.
            let (least, most) = vector::extremes(x.elements());
            let largest = vector::largest(x.elements());
            let min = if largest >> 31 != 0 { largest } else { least as u32 };
            let max = if most >= 0 { most } else { least };
            return [min, max as u32].map(|bits| f32::from_bits(bits).into());
        }
        // The smallest and the largest so far, as integers that are ordered alike.
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

    /// A histogram of one column, of `dtype`, divided by the widths of the bins and by its sum, as float64. A width is computed in the
    /// dtype of the edges, or in float64 if that is one of integers.
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
        let width_dtype = if edges_dtype.is_float() { edges_dtype } else { DType::Float64 };
        for (value, (&one, &next)) in values.iter_mut().zip(edges.iter().zip(edges.iter().skip(1))) {
            *value = *value / round(next - one, width_dtype) / sum;
        }
        Ok(out)
    }

    /// Two values of an index of `dtype` (int32 or int64), each with its number: the first negative value, or 0 with number 0 where none is
    /// negative; and the largest value, whose number is always given as 0. `None` where the index has no values. Their bounds are
    /// noted on the buffer.
    pub(crate) fn ends(&self, dtype: DType, x: &HostBuffer) -> Option<[(i64, usize); 2]> {
        let is_narrow = dtype.size() == 4;
        let range = if is_narrow { i32::extremes(x.elements()) } else { i64::extremes(x.elements()) };
        let (min, max) = range?;
        // SAFETY: these are the smallest and the largest; in the place of the smallest there may be 0 where no value is negative.
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

/// An integer for the bits of a float64, such that integers are ordered as the numbers are: of negative ones all bits but the sign are
/// inverted. Applied again, it gives the bits.
fn ordered(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// How the places of samples are found.
struct Finder<'a> {
    /// The dtype of the samples.
    dtype: DType,
    /// For each column, guesses in float64.
    axes: PerDim<Axis<'a>>,
    /// The place of what is in no bin: the one behind all others.
    outside: u32,
    /// For one or two columns, guesses by vectors of float32, where the build has them and the edges allow it.
    single: Option<(GuessPlaces, PerDim<Axis<'a>>)>,
    /// The place of each number of a dtype of one or two bytes, by its bits; empty where it is not made.
    table: Vec<u32>,
}

impl<'a> Finder<'a> {
    /// For `samples` samples of `dtype`, with the edges of each column; `outside` is the number of places.
    fn new(dtype: DType, edges: &[&'a [f64]], outside: u32, samples: usize) -> Self {
        let axes = |guessed_in| {
            let mut axes = PerDim::new();
            edges.iter().for_each(|edges| axes.push(Axis::new(edges, guessed_in)));
            axes
        };
        // Vectors take a guess that is NaN for a sample outside. That is right only if `low` and `scale` are finite, so that the sample
        // itself is NaN. Where the limit is positive, they are.
        let are_guessed = |axes: &PerDim<Axis<'a>>| axes.iter().all(|axis| axis.limit > 0.0);
        let single = vector::GUESS_PLACES.filter(|_| edges.len() <= 2);
        let single = single.map(|guess| (guess, axes(DType::Float32))).filter(|(_, axes)| are_guessed(axes));
        let mut finder = Self { dtype, axes: axes(DType::Float64), outside, single, table: Vec::new() };
        // Making the table pays if there are at least as many samples as the dtype has numbers.
        if edges.len() == 1 && dtype.size() <= 2 && samples >> (8 * dtype.size()) > 0 {
            finder.table = finder.places_of_all();
        }
        finder
    }

    /// The places of all numbers of a dtype of one or two bytes, in the order of their bits. Empty where there is no memory for them: the
    /// places are then found for each sample.
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
            // All numbers of one byte are the first half of a single window.
            let window = if self.dtype.size() == 1 { &bytes } else { bytemuck::cast_slice(&words) };
            table.extend(self.positions(window, &mut numbers, &mut positions).iter().take(count));
        }
        table
    }

    /// The places of the samples of a window, of which `bytes` are the elements. They are written to `positions`, of which the part that
    /// was written is returned. `numbers` is space to work in.
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
        // Only whole windows are guessed by vectors. `are_certain` is `None` where that is not done, else whether all guesses are certain.
        // float32 samples are guessed as they are, and become float64 only if a guess is not certain; others are rounded to float32.
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

    /// Writes the places that the table has for the bits of samples of one or two bytes.
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

    /// The place of a sample, whose numbers for each column are `row`: the row-major number of its bin among those of all columns, or
    /// `outside` where one of the numbers is in no bin.
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

/// Guesses the places of samples of one or two columns. Its arguments are the numbers of the samples, row-major and a multiple of eight;
/// the axis of each column; and where the place of each sample is written. Returns whether all guesses are certain. A sample whose guess is
/// not has [`UNSURE`] for its place.
pub(crate) type GuessPlaces = fn(&[f32], &[Axis<'_>], &mut [u32]) -> bool;

/// In the place of a guess that is not certain; more than any place.
const UNSURE: u32 = u32::MAX;

/// The edges of a column, and how its bins are guessed: `t = (value − low) · scale`, in the dtype in which they are guessed. Without the
/// fraction, t is the bin.
#[derive(Clone, Copy, Default)]
pub(crate) struct Axis<'a> {
    edges: &'a [f64],
    /// How many bins there are.
    pub(crate) bins: u32,
    /// The first edge.
    pub(crate) low: f64,
    /// How many bins there are in a distance of 1.
    pub(crate) scale: f64,
    /// How far t may be from the middle of a bin where the value is in that bin for certain; negative where bins cannot be guessed.
    pub(crate) limit: f64,
}

impl<'a> Axis<'a> {
    /// How the bins between such edges are guessed in `dtype`, float32 or float64. They are not (`limit` is negative) if an edge lies a
    /// quarter of a bin or more from where equal distances would put it, or if there are more than 2^22 edges.
    fn new(edges: &'a [f64], dtype: DType) -> Self {
        let bins = edges.len().saturating_sub(1) as u32;
        let mut axis = Self { edges, bins, limit: -1.0, ..Self::default() };
        let (Some(&first), Some(&last)) = (edges.first(), edges.last()) else { return axis };
        let rounded = |value| round(value, dtype);
        axis.low = rounded(first);
        axis.scale = rounded(f64::from(bins) / (last - first));
        // How far t of an edge is from the edge's number, at most.
        let mut off = 0f64;
        for (at, &edge) in edges.iter().enumerate() {
            let here = (rounded(rounded(rounded(edge) - axis.low) * axis.scale) - at as f64).abs();
            // Written as a negation, so that NaN returns too. From 2^22 on a float32 has too few digits for the fraction of t.
            if !(here < 0.25 && at < 1 << 22) {
                return axis;
            }
            off = if here > off { here } else { off }; // `max` is a call of a function
        }
        // Half a bin, less a millionth, because the distance from the middle of a bin is rounded too.
        axis.limit = 0.499_999 - off;
        axis
    }

    /// The bin of a value, or `bins` where it is in none.
    #[inline(always)]
    fn bin(&self, value: f64) -> u32 {
        let scaled = (value - self.low) * self.scale;
        // Adding `SHIFT` rounds to an integer, which is then in the low bits. Half is subtracted first, so that it is the integer below.
        // A negative one becomes a large guess, and so `bins`.
        let shifted = scaled - 0.5 + SHIFT;
        let guess = shifted.to_bits().wrapping_sub(SHIFT.to_bits());
        // Whether t is near enough to the middle of the bin; false of NaN.
        if (scaled - (shifted - SHIFT) - 0.5).abs() <= self.limit {
            return guess.min(self.bins.into()) as u32;
        }
        if self.limit > 0.0 { self.correct(value, guess) } else { self.search(value) }
    }

    /// The bin of a value where edges have almost equal distances: the one that was guessed, or one beside it, because `t(e[i])` is less
    /// than a quarter away from i. Values on edges all come here, as integers and numbers with few digits often are.
    #[inline(never)]
    fn correct(&self, value: f64, guess: u64) -> u32 {
        let (Some(&first), Some(&last)) = (self.edges.first(), self.edges.last()) else { return self.bins };
        // Written as a negation, so that NaN is outside too.
        if !(first <= value && value <= last) {
            return self.bins;
        }
        let most = self.bins - 1;
        let bin = (guess as i64).clamp(0, most.into()) as u32;
        let Some(&[low, high]) = self.edges.get(bin as usize..).and_then(<[f64]>::first_chunk) else {
            return self.bins;
        };
        // The last bin has its upper edge too.
        (bin + u32::from(high <= value) - u32::from(value < low)).min(most)
    }

    /// The bin of a value by a search in any edges: the last bin whose lower edge is not above the value. The last of all has its upper
    /// edge too.
    #[inline(never)]
    fn search(&self, value: f64) -> u32 {
        // False of NaN.
        let is_inside = self.edges.last().is_some_and(|&last| value <= last);
        let below = self.edges.partition_point(|&edge| edge <= value) as u32;
        if is_inside && below > 0 && self.bins > 0 { below.min(self.bins) - 1 } else { self.bins }
    }
}
