//! Exact sums that outlive a call: merged with others, and read from numbers.

use crate::dtype::DType;
use crate::engine::cpu::kernels::vector;
use crate::error::Result;
use crate::exact::arithmetic::limbs::{MOST_LIMBS, Unit, carry, merge};
use crate::exact::arithmetic::number::{ExactNumber, Kind};
use crate::exact::cpu::sums::ExactSums;
use crate::host::{HostBuffer, UninitBuffer};
use crate::scalar::{Scalar, store};

impl ExactSums {
    /// The most terms that a place has.
    pub(crate) fn most_terms(&self) -> u64 {
        if self.count_size() == 4 {
            return vector::largest(self.counts.elements()).into();
        }
        self.counts.elements::<u64>().iter().copied().max().unwrap_or(0)
    }

    /// Adds the terms of other sums, of as many places and the same dtype, which has room for them.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted: some of the terms were added then.
    pub(crate) fn merge(&mut self, other: &Self) -> Result<()> {
        // The counts are added apart: what is added below are parts of sums.
        let counts = std::mem::take(&mut self.counts);
        let merged = self.merge_parts(other);
        self.counts = counts;
        (0..self.places()).for_each(|place| self.add_count(place, other.count(place)));
        merged
    }

    /// [`ExactSums::merge`] without the counts.
    fn merge_parts(&mut self, other: &Self) -> Result<()> {
        let (mut places, mut parts) = ([0u32; 256], [0.0; 256]);
        for floats in [&other.high, &other.low] {
            let mut first = 0;
            for window in floats.elements::<f64>().chunks(256) {
                for (at, (place, part)) in places.iter_mut().zip(&mut parts).enumerate() {
                    let float = window.get(at).copied().unwrap_or(-0.0);
                    // Of second floats only those count that are not 0, whatever their sign.
                    *part = if float == 0.0 && std::ptr::eq(floats, &other.low) { -0.0 } else { float };
                    *place = first + at as u32;
                }
                self.add(places.get(..window.len()).unwrap_or_default(), &parts)?;
                first += window.len() as u32;
            }
        }
        let has_accumulators = other.is_dense || other.tally.used > 0;
        for place in 0..if has_accumulators { other.places() } else { 0 } {
            if let (_, _, Some(limbs)) = other.parts(place) {
                let limbs = carried(limbs);
                merge_into(self.accumulator_of(place)?, &limbs);
            }
        }
        Ok(())
    }

    /// Begins a place with a number, whose terms it gets.
    pub(crate) fn put(&mut self, place: usize, mut number: ExactNumber) -> Result<()> {
        let mut floats = [-0.0, -0.0];
        match number.kind() {
            Kind::NegativeZero => {}
            Kind::Infinity => floats = [f64::INFINITY, -0.0],
            Kind::NegativeInfinity => floats = [f64::NEG_INFINITY, -0.0],
            Kind::Nan => floats = [f64::NAN, -0.0],
            Kind::Finite => {
                let high = number.take_part().unwrap_or(0.0);
                let has_second = self.dtype() == DType::Float64;
                floats = [high, if has_second { number.take_part() } else { None }.unwrap_or(-0.0)];
                let limbs = number.carried();
                if limbs.iter().any(|&limb| limb != 0) {
                    merge_into(self.accumulator_of(place)?, limbs);
                }
            }
        }
        for (buffer, float) in [&mut self.high, &mut self.low].into_iter().zip(floats) {
            buffer.elements_mut().get_mut(place).into_iter().for_each(|slot| *slot = float);
        }
        self.add_count(place, number.count());
        Ok(())
    }

    /// The accumulator of a place, which gets one if it has none.
    fn accumulator_of(&mut self, place: usize) -> Result<&mut [i64]> {
        let count = Unit::of(self.dtype()).limbs();
        if !self.is_dense {
            if self.numbers.len() == 0 || (self.tally.used + 1) * count * 8 > self.limbs.len() {
                self.grow()?;
            }
            let number = self.numbers.elements_mut::<u32>().get_mut(place);
            if let Some(number) = number.filter(|number| **number == 0) {
                self.tally.used += 1;
                *number = self.tally.used as u32;
            }
        }
        let at = if self.is_dense { place } else { self.number_of(place).saturating_sub(1) };
        Ok(self.limbs.elements_mut().get_mut(at * count..(at + 1) * count).unwrap_or_default())
    }

    /// The sums or the means, rounded once, as elements. At places without terms a sum is +0 and a mean NaN.
    pub(crate) fn rounded(&self, means: bool) -> Result<HostBuffer> {
        // One division and a conversion are one rounding: see `quotient_of_floats`.
        let has_floats = self.dtype() == DType::Float32 && self.low.len() == 0 && !self.is_dense;
        if means && has_floats && self.count_size() == 4 && self.most_terms() < 1 << 28 {
            let mut out = UninitBuffer::new(self.op, 4 * self.places())?;
            let sums = self.high.elements::<f64>().iter().zip(self.counts.elements::<u32>());
            for (mean, (&sum, &count)) in out.slots::<f32>().iter_mut().zip(sums) {
                let quotient = (sum / f64::from(count)) as f32;
                mean.write(if count == 0 || quotient.is_nan() { f32::NAN } else { quotient });
            }
            // SAFETY: every slot was filled: places have a float and a count each.
            let mut out = unsafe { out.assume_filled() };
            if self.numbers.len() > 0 {
                let divisor = |place: usize| (self.number_of(place) > 0).then(|| self.count(place));
                self.finish(out.bytes_mut(), &divisor);
            }
            return Ok(out);
        }
        let size = self.dtype().size();
        let mut out = HostBuffer::zeroed(self.op, self.places() * size)?;
        let of_none = Scalar::Float(if means { f64::NAN } else { 0.0 }).cast(self.dtype());
        out.bytes_mut().chunks_exact_mut(size).for_each(|element| store(element, of_none));
        self.finish(out.bytes_mut(), &|place| {
            let count = self.count(place);
            (count > 0).then_some(if means { count } else { 1 })
        });
        Ok(out)
    }
}

/// A copy of an accumulator with carries done.
fn carried(limbs: &[i64]) -> [i64; MOST_LIMBS] {
    let mut all = [0; MOST_LIMBS];
    all.iter_mut().zip(limbs).for_each(|(all, limb)| *all = *limb);
    carry(all.get_mut(..limbs.len()).unwrap_or_default());
    all
}

/// Adds an accumulator, in which carries are done, to another one.
fn merge_into(limbs: &mut [i64], other: &[i64]) {
    carry(limbs);
    merge(limbs, other);
}
