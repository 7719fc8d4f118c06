//! Counts values into bins. Bins are found a window at a time, in the first-level cache, and counted by the loops of a scatter that
//! adds; no array of them is made. What is in no bin is counted in one more place, which is dropped at the end.
//!
//! A bin is guessed by one subtraction and one multiplication for each number of a vector: `t = (v − low) · scale`. Rounding never
//! turns an order around, so if every edge `e[i]` has `|t(e[i]) − i| ≤ d`, a value with `k + d < t < k + 1 − d` is in bin `k` for
//! certain. The few others, and all values where edges are far from equal distances, are searched for among the edges in float64.

use std::mem::MaybeUninit;

use crate::backend::cpu::Cpu;
use crate::backend::cpu::convert::to_numbers;
use crate::backend::cpu::loops::GROUP;
use crate::backend::cpu::reduce;
use crate::backend::cpu::validate::IndexValue;
use crate::backend::cpu::vector;
use crate::dtype::{DType, load};
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{HistogramPlan, Loop, Reduce, round};
use crate::shape::PerDim;

/// Numbers of a window: a multiple of what vectors of every number of columns hold.
const WINDOW: usize = 256;

impl Cpu {
    /// Counts samples, or adds their weights, in order. `edges` are those of each column.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[&[f64]],
        x: &HostBuffer,
        weights: Option<&HostBuffer>,
    ) -> Result<HostBuffer> {
        let axes = Axes::new(edges);
        let (places, out, columns) = (plan.out_shape().size(), plan.out_dtype(), plan.columns());
        let mut table = Table::new(plan.op().name(), places + 1, out)?;
        let single = vector::GUESS_PLACES.filter(|_| plan.dtype() == DType::Float32 && columns <= 2);
        let finder = Finder {
            dtype: plan.dtype(),
            single: single.zip(Guess::new(&axes, DType::Float32)),
            double: Guess::new(&axes, DType::Float64),
            axes,
        };
        let mut window = Window { numbers: [0.0; WINDOW], bins: [0; WINDOW], positions: [0; WINDOW] };
        let rows = WINDOW / columns;
        for (at, bytes) in x.bytes().chunks(rows * columns * plan.dtype().size()).enumerate() {
            let positions = finder.positions(bytes, &mut window);
            // SAFETY: no position is above that of the last place.
            unsafe { table.add(positions, weights.map(|weights| (weights, at * rows))) };
        }
        table.buffer.truncate(places * out.size());
        Ok(table.buffer)
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
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
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

    /// The first negative value of an index and its place, or 0; and the largest value. `None` where there are none.
    pub(crate) fn ends(&self, dtype: DType, x: &HostBuffer) -> Option<[(i64, usize); 2]> {
        fn ends<T: IndexValue>(values: &[T]) -> Option<(i64, i64)> {
            T::extremes(values).map(|(min, max)| (min.into(), max.into()))
        }
        let is_narrow = dtype.size() == 4;
        let (min, max) = if is_narrow { ends::<i32>(x.elements()) } else { ends::<i64>(x.elements()) }?;
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

/// The places that are counted in, and the loop that adds to them.
struct Table {
    buffer: HostBuffer,
    dtype: DType,
    ones: [u64; GROUP],
}

impl Table {
    fn new(op: &'static str, places: usize, dtype: DType) -> Result<Self> {
        let one = if dtype == DType::Float64 { 1f64.to_bits() } else { 1 };
        Ok(Self { buffer: HostBuffer::zeroed(op, places * dtype.size())?, dtype, ones: [one; GROUP] })
    }

    /// Adds one at each position, or its weight; the weights begin with that number.
    ///
    /// # Safety
    /// Every position must be that of a place. Without weights, the dtype must be one of eight bytes.
    unsafe fn add(&mut self, positions: &[u32], weights: Option<(&HostBuffer, usize)>) {
        let size = self.dtype.size();
        let (values, value_stride) = match weights {
            Some((weights, first)) => {
                let values = weights.bytes().get(first * size..(first + positions.len()) * size);
                assert!(values.is_some());
                (values.unwrap_or_default().as_ptr(), 1)
            }
            None => (self.ones.as_ptr().cast(), 0),
        };
        let run = Loop { len: positions.len(), table_stride: 0, value_stride, index_stride: 1 };
        let (run_loop, combine) = reduce::loops(Reduce::Add, self.dtype).run_loop(&run, 1);
        // SAFETY: the positions are as the caller promises, there is a value for each, or one a group of times, and buffers are
        // aligned for every dtype.
        unsafe { run_loop(self.buffer.bytes_mut().as_mut_ptr(), positions, values, &run, 1, combine) };
    }
}

/// Room to work in.
struct Window {
    numbers: [f64; WINDOW],
    bins: [u32; WINDOW],
    positions: [u32; WINDOW],
}

/// How the places of samples are found.
struct Finder<'a> {
    axes: Axes<'a>,
    dtype: DType,
    /// For float32, by vectors.
    single: Option<(GuessPlaces, Guess)>,
    double: Option<Guess>,
}

impl Finder<'_> {
    /// The places of the samples of a window.
    #[inline(never)]
    fn positions<'a>(&self, bytes: &[u8], window: &'a mut Window) -> &'a [u32] {
        let count = bytes.len() / self.dtype.size();
        let columns = self.axes.bins.len().max(1);
        let (Some(numbers), Some(bins), Some(positions)) = (
            window.numbers.get_mut(..count),
            window.bins.get_mut(..count),
            window.positions.get_mut(..count / columns),
        ) else {
            return &[];
        };
        if let Some((guess_places, guess)) = &self.single
            && count == WINDOW
            && guess_places(bytemuck::cast_slice(bytes), guess, positions)
        {
            return positions;
        }
        let numbers = if self.dtype == DType::Float64 {
            bytemuck::cast_slice(bytes)
        } else {
            to_numbers(self.dtype, bytes, numbers);
            &*numbers
        };
        let mut are_sure = false;
        match &self.double {
            Some(guess) => are_sure = guess.each(numbers, bins),
            None => bins.fill(UNSURE),
        }
        self.axes.join(bins, positions);
        if !are_sure {
            self.axes.mend(numbers, bins, positions);
        }
        positions
    }
}

/// The edges of each column.
struct Axes<'a> {
    edges: PerDim<&'a [f64]>,
    bins: PerDim<u32>,
}

impl<'a> Axes<'a> {
    fn new(edges: &[&'a [f64]]) -> Self {
        let mut axes = Self { edges: edges.into(), bins: PerDim::new() };
        edges.iter().for_each(|edges| axes.bins.push(bins(edges)));
        axes
    }

    /// The places of samples by their bins. Where a bin is none, so is the place.
    fn join(&self, bins: &[u32], positions: &mut [u32]) {
        match *self.bins {
            [_] => positions.copy_from_slice(bins),
            [_, second] => {
                let slots = (&raw mut *positions) as *mut [MaybeUninit<u32>];
                // SAFETY: `wrap_pairs` writes positions only.
                let slots = unsafe { &mut *slots };
                vector::wrap_pairs::<i32>(bytemuck::cast_slice(bins), [(0, second), (0, 1)], slots);
            }
            _ => {
                for (position, bins) in positions.iter_mut().zip(bins.chunks_exact(self.bins.len())) {
                    let pairs = bins.iter().zip(self.bins.iter());
                    *position =
                        pairs.fold(0, |place: u32, (&bin, &bins)| place.wrapping_mul(bins).wrapping_add(bin));
                }
            }
        }
    }

    /// Finds the places of samples that have not a bin in each column, or none that is certain.
    #[inline(never)]
    fn mend(&self, numbers: &[f64], bins: &[u32], positions: &mut [u32]) {
        let outside: u32 = self.bins.iter().product();
        let columns = self.bins.len();
        let samples = numbers.chunks_exact(columns).zip(bins.chunks_exact(columns));
        for (position, (numbers, guesses)) in positions.iter_mut().zip(samples) {
            if guesses.iter().zip(self.bins.iter()).all(|(guess, bins)| guess < bins) {
                continue;
            }
            if !guesses.contains(&UNSURE) {
                *position = outside;
                continue;
            }
            *position = 0;
            for (&value, (edges, &bins)) in numbers.iter().zip(self.edges.iter().zip(self.bins.iter())) {
                let Some(bin) = search(edges, value) else {
                    *position = outside;
                    break;
                };
                *position = *position * bins + bin;
            }
        }
    }
}

fn bins(edges: &[f64]) -> u32 {
    edges.len().saturating_sub(1) as u32
}

/// The bin of a value: the last whose lower edge is not above it. The last bin has its upper edge too.
fn search(edges: &[f64], value: f64) -> Option<u32> {
    let (&first, &last) = (edges.first()?, edges.last()?);
    // Not so of NaN.
    let inside = value >= first && value <= last;
    let below = edges.partition_point(|&edge| edge <= value) as u32;
    inside.then(|| below.min(bins(edges)).checked_sub(1)).flatten()
}

/// Guesses the places of samples of float32 numbers; whether all are certain.
pub(super) type GuessPlaces = fn(&[f32], &Guess, &mut [u32]) -> bool;

/// In the place of a bin: it is not certain.
const UNSURE: u32 = u32::MAX;

/// How bins are guessed, for each column: numbers of the dtype that they are guessed in.
pub(super) struct Guess {
    pub(super) low: PerDim<f64>,
    pub(super) scale: PerDim<f64>,
    pub(super) bins: PerDim<u32>,
    /// How far from the middle of a bin a value is in it for certain.
    pub(super) limit: f64,
}

/// Added to a small integer, it leaves that integer in the low bits. Half of one is subtracted first, so that a number is not rounded to
/// the nearest integer but to the one below.
const SHIFT: f64 = 6_755_399_441_055_744.0;

impl Guess {
    /// A guess in the arithmetic of a dtype; `None` where the edges are far from equal distances, or closer than the numbers are.
    fn new(axes: &Axes<'_>, dtype: DType) -> Option<Self> {
        let mut guess = Self { low: PerDim::new(), scale: PerDim::new(), bins: axes.bins, limit: 0.0 };
        let mut off = 0f64;
        let rounded = |value| round(value, dtype);
        for edges in axes.edges.iter() {
            let (&first, &last) = (edges.first()?, edges.last()?);
            let (low, scale) = (rounded(first), rounded(f64::from(bins(edges)) / (last - first)));
            for (at, &edge) in edges.iter().enumerate() {
                let here = (rounded(rounded(rounded(edge) - low) * scale) - at as f64).abs();
                // Not so of NaN. Where bins are many, numbers have no place for the fraction.
                if !(here < 0.25 && at < 1 << 22) {
                    return None;
                }
                off = off.max(here);
            }
            guess.low.push(low);
            guess.scale.push(scale);
        }
        // The distance from the middle of a bin is rounded too.
        guess.limit = 0.499_999 - off;
        Some(guess)
    }

    /// The bins of whole samples, column by column; whether all are certain and inside. What is outside has the number of bins for its
    /// bin. So has NaN: its bits, and those of all numbers that are too large to be computed with, are taken for a large bin.
    fn each(&self, values: &[f64], bins: &mut [u32]) -> bool {
        let columns = self.low.len();
        let mut all = true;
        for (column, ((&low, &scale), &most)) in
            self.low.iter().zip(self.scale.iter()).zip(self.bins.iter()).enumerate()
        {
            for (slots, row) in bins.chunks_exact_mut(columns).zip(values.chunks_exact(columns)) {
                let (Some(slot), Some(&value)) = (slots.get_mut(column), row.get(column)) else { break };
                let scaled = (value - low) * scale;
                let shifted = scaled - 0.5 + SHIFT;
                let bin = shifted.to_bits().wrapping_sub(SHIFT.to_bits()).min(most.into()) as u32;
                let is_unsure = (scaled - (shifted - SHIFT) - 0.5).abs() > self.limit;
                *slot = if is_unsure { UNSURE } else { bin };
                all &= !is_unsure && bin < most;
            }
        }
        all
    }
}
