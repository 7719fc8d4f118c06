//! Counts values into bins. Bins are found a window at a time, in the first-level cache, and counted by the loops of a scatter that
//! adds; no array of them is made. What is in no bin is counted in one more place, which is dropped at the end.
//!
//! A bin is guessed by one subtraction and one multiplication for each number of a vector: `t = (v − low) · scale`. Rounding never
//! turns an order around, so if every edge `e[i]` has `|t(e[i]) − i| ≤ d`, a value with `k + d < t < k + 1 − d` is in bin `k` for
//! certain. The few others, and all values where edges are far from equal distances, are searched for among the edges in float64.

use std::mem::MaybeUninit;

use crate::backend::cpu::Cpu;
use crate::backend::cpu::convert::{to_numbers, widen};
use crate::backend::cpu::loops::GROUP;
use crate::backend::cpu::reduce;
use crate::backend::cpu::vector;
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{BincountPlan, HistogramPlan, Loop, Reduce, round};
use crate::shape::{PerDim, Shape};

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
        let single = if plan.dtype() == DType::Float32 { Guess::new::<f32>(&axes) } else { None };
        let double = if single.is_none() { Guess::new::<f64>(&axes) } else { None };
        let (size, rows) = (plan.dtype().size(), WINDOW / columns);
        let (mut numbers, mut bins, mut positions) = ([0.0; WINDOW], [0; WINDOW], [0; WINDOW]);
        for (window, bytes) in x.bytes().chunks(rows * columns * size).enumerate() {
            let count = bytes.len() / size;
            let (Some(numbers), Some(bins), Some(positions)) =
                (numbers.get_mut(..count), bins.get_mut(..count), positions.get_mut(..count / columns))
            else {
                break;
            };
            let mut load = || to_numbers(plan.dtype(), bytes, numbers);
            let are_sure = match (&single, &double) {
                (Some(guess), _) => {
                    let are_sure = vector::guess_bins(bytemuck::cast_slice(bytes), guess, bins);
                    if !are_sure {
                        load();
                    }
                    are_sure
                }
                (None, Some(guess)) => {
                    load();
                    guess.each::<f64>(numbers, bins)
                }
                (None, None) => {
                    load();
                    bins.fill(UNSURE);
                    false
                }
            };
            axes.join(bins, positions);
            if !are_sure {
                axes.mend(numbers, bins, positions);
            }
            // SAFETY: no position is above that of the last place.
            unsafe { table.add(positions, weights.map(|weights| (weights, window * rows))) };
        }
        table.buffer.truncate(places * out.size());
        Ok(table.buffer)
    }

    /// The smallest and the largest sample of each column, as float64; NaN where there is one. −0 is less than 0.
    pub(crate) fn extents(&self, plan: &HistogramPlan, x: &HostBuffer) -> PerDim<[f64; 2]> {
        let (columns, size) = (plan.columns(), plan.dtype().size());
        if (columns, plan.dtype()) == (1, DType::Float32) {
            return PerDim::filled(extent(x), 1);
        }
        let mut keys = PerDim::filled([i64::MAX, i64::MIN], columns);
        let mut window = [0.0; WINDOW];
        let len = WINDOW / columns * columns;
        for bytes in x.bytes().chunks(len * size) {
            let Some(values) = window.get_mut(..bytes.len() / size) else { break };
            to_numbers(plan.dtype(), bytes, values);
            for row in values.chunks_exact(columns) {
                for ([min, max], &value) in keys.iter_mut().zip(row) {
                    let key = ordered(value.to_bits() as i64);
                    *min = key.min(*min);
                    *max = key.max(*max);
                }
            }
        }
        let mut ends = PerDim::filled([0.0; 2], columns);
        for (ends, keys) in ends.iter_mut().zip(keys.iter()) {
            *ends = keys.map(|key| f64::from_bits(ordered(key) as u64));
        }
        ends
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
        let difference = |one: f64, next: f64| match edges_dtype.is_float() {
            true => round(next - one, edges_dtype),
            false => next - one,
        };
        for (value, (&one, &next)) in values.iter_mut().zip(edges.iter().zip(edges.iter().skip(1))) {
            *value = *value / difference(one, next) / sum;
        }
        Ok(out)
    }

    /// Counts integers, or adds their weights, in order.
    ///
    /// # Errors
    /// `ValueError` for a negative value and for one that is too large; `RuntimeError` when memory is exhausted.
    pub(crate) fn bincount(
        &self,
        plan: &BincountPlan,
        x: &HostBuffer,
        weights: Option<&HostBuffer>,
    ) -> Result<(Shape, HostBuffer)> {
        let shape = plan.out_shape(largest(plan, x)?)?;
        let mut table = Table::new(plan.op().name(), shape.size(), plan.out_dtype())?;
        let direct = matches!(plan.dtype(), DType::Int32 | DType::Uint32);
        let (step, size) = (if direct { plan.len().max(1) } else { WINDOW }, plan.dtype().size());
        let (mut wide, mut positions) = ([0; WINDOW], [0; WINDOW]);
        for first in (0..plan.len()).step_by(step) {
            let len = step.min(plan.len() - first);
            let positions = if direct {
                x.elements()
            } else {
                let (Some(wide), Some(positions)) = (wide.get_mut(..len), positions.get_mut(..len)) else {
                    break;
                };
                widen(
                    plan.dtype(),
                    x.bytes().get(first * size..(first + len) * size).unwrap_or_default(),
                    wide,
                );
                for (position, &value) in positions.iter_mut().zip(wide.iter()) {
                    *position = value as u32;
                }
                positions
            };
            // SAFETY: no value is negative or larger than the largest, for which there is a place.
            unsafe { table.add(positions, weights.map(|weights| (weights, first))) };
        }
        Ok((shape, table.buffer))
    }
}

/// The same of float32 numbers. Those without a sign are ordered as their bits are, the others the other way round.
fn extent(x: &HostBuffer) -> [f64; 2] {
    let (least, most) = vector::extremes(x.elements());
    let largest = vector::largest(x.elements());
    let min = if largest >> 31 != 0 { largest } else { least as u32 };
    let max = if most >= 0 { most } else { least };
    [min, max as u32].map(|bits| f32::from_bits(bits).into())
}

/// A number that is ordered as an integer as the float64 with these bits is; and back.
fn ordered(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// The largest value, where there are values.
fn largest(plan: &BincountPlan, x: &HostBuffer) -> Result<Option<u64>> {
    let dtype = plan.dtype();
    let mut most = 0;
    if dtype.size() == 4 {
        most = vector::largest(x.elements()).into();
    } else {
        let mut wide = [0; WINDOW];
        for bytes in x.bytes().chunks(WINDOW * dtype.size()) {
            let Some(wide) = wide.get_mut(..bytes.len() / dtype.size()) else { break };
            widen(dtype, bytes, wide);
            most = wide.iter().fold(most, |most, &value| most.max(value));
        }
    }
    // Among unsigned numbers, negative ones are the largest.
    let sign = if dtype.size() == 4 { 31 } else { 63 };
    if most >> sign != 0 && dtype.int_range().is_some_and(|(min, _)| min < 0) {
        return Err(first_negative(plan, x));
    }
    Ok((plan.len() > 0).then_some(most))
}

#[cold]
fn first_negative(plan: &BincountPlan, x: &HostBuffer) -> crate::error::Error {
    let size = plan.dtype().size();
    for (at, bytes) in x.bytes().chunks_exact(size).enumerate() {
        let mut value = [0];
        widen(plan.dtype(), bytes, &mut value);
        if (value[0] as i64) < 0 {
            return plan.negative(at, value[0] as i64);
        }
    }
    plan.negative(0, 0)
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
        let run = Loop { len: positions.len(), table_stride: 0, value_stride };
        let run_loop = reduce::loops(Reduce::Add, self.dtype).run_loop(&run, 1);
        // SAFETY: the positions are as the caller promises, there is a value for each, or one a group of times, and buffers are
        // aligned for every dtype.
        unsafe { run_loop(self.buffer.bytes_mut().as_mut_ptr(), positions, values, &run, 1) };
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

/// In the place of a bin: it is not certain.
const UNSURE: u32 = u32::MAX;

/// How bins are guessed, for each column: as numbers of the type that they are guessed in.
pub(super) struct Guess {
    pub(super) low: PerDim<f64>,
    pub(super) scale: PerDim<f64>,
    pub(super) bins: PerDim<u32>,
    /// How far from the middle of a bin a value is in it for certain.
    pub(super) limit: f64,
}

/// A number that bins are guessed in.
pub(super) trait Number: Copy {
    /// The nearest number.
    fn nearest(value: f64) -> Self;
    /// `(value − low) · scale`.
    fn scaled(self, low: Self, scale: Self) -> Self;
    /// The bin of a scaled value, and how far it is from the middle.
    fn bin(self) -> (u32, f64);
    /// As float64.
    fn number(self) -> f64;
}

/// Added to a small integer, these leave that integer in the low bits. Half of one is subtracted first, so that a number is not rounded to
/// the nearest integer but to the one below.
pub(super) const SHIFT: f32 = 12_582_912.0;
const DOUBLE_SHIFT: f64 = 6_755_399_441_055_744.0;

impl Number for f32 {
    fn nearest(value: f64) -> Self {
        value as Self
    }
    #[inline(always)]
    fn scaled(self, low: Self, scale: Self) -> Self {
        (self - low) * scale
    }
    #[inline(always)]
    fn bin(self) -> (u32, f64) {
        let shifted = self - 0.5 + SHIFT;
        (shifted.to_bits().wrapping_sub(SHIFT.to_bits()), (self - (shifted - SHIFT) - 0.5).abs().into())
    }
    fn number(self) -> f64 {
        self.into()
    }
}

impl Number for f64 {
    fn nearest(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn scaled(self, low: Self, scale: Self) -> Self {
        (self - low) * scale
    }
    #[inline(always)]
    fn bin(self) -> (u32, f64) {
        let shifted = self - 0.5 + DOUBLE_SHIFT;
        let bin = shifted.to_bits().wrapping_sub(DOUBLE_SHIFT.to_bits());
        (bin.min(UNSURE.into()) as u32, (self - (shifted - DOUBLE_SHIFT) - 0.5).abs())
    }
    fn number(self) -> f64 {
        self
    }
}

impl Guess {
    /// A guess; `None` where the edges are far from equal distances, or closer than the numbers are.
    fn new<T: Number>(axes: &Axes<'_>) -> Option<Self> {
        let mut guess = Self { low: PerDim::new(), scale: PerDim::new(), bins: axes.bins, limit: 0.0 };
        let mut off = 0f64;
        for edges in axes.edges.iter() {
            let (&first, &last) = (edges.first()?, edges.last()?);
            let (low, scale) = (T::nearest(first), T::nearest(f64::from(bins(edges)) / (last - first)));
            for (at, &edge) in edges.iter().enumerate() {
                let here = (T::nearest(edge).scaled(low, scale).number() - at as f64).abs();
                // Not so of NaN. Where bins are many, numbers have no place for the fraction.
                if !(here < 0.25 && at < 1 << 22) {
                    return None;
                }
                off = off.max(here);
            }
            guess.low.push(low.number());
            guess.scale.push(scale.number());
        }
        // The distance from the middle of a bin is rounded too.
        guess.limit = T::nearest(0.499_999 - off).number();
        Some(guess)
    }

    /// The bins of whole samples, column by column; whether all are certain and inside. What is outside has the number of bins for its
    /// bin. So has NaN: its bits, and those of all numbers that are too large to be computed with, are taken for a large bin.
    #[inline(never)]
    pub(super) fn each<T: Number>(&self, values: &[T], bins: &mut [u32]) -> bool {
        let columns = self.low.len();
        let mut all = true;
        for (column, ((&low, &scale), &most)) in
            self.low.iter().zip(self.scale.iter()).zip(self.bins.iter()).enumerate()
        {
            let (low, scale) = (T::nearest(low), T::nearest(scale));
            for (slots, row) in bins.chunks_exact_mut(columns).zip(values.chunks_exact(columns)) {
                let (Some(slot), Some(&value)) = (slots.get_mut(column), row.get(column)) else { break };
                let (bin, from_middle) = value.scaled(low, scale).bin();
                let is_unsure = from_middle > self.limit;
                *slot = if is_unsure { UNSURE } else { bin.min(most) };
                all &= !is_unsure && bin < most;
            }
        }
        all
    }
}
