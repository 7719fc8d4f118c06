//! Exact sums that outlive a call: merged with others, and read from numbers.

use crate::engine::cpu::kernels::vector;
use crate::exact::arithmetic::limbs::{MOST_LIMBS, Unit, carry, merge};
use crate::exact::arithmetic::number::{ExactNumber, Kind};
use crate::exact::cpu::sums::ExactSums;
use crate::{DType, Result};

impl ExactSums {
    /// The most terms that a slot has.
    pub(crate) fn most_terms(&self) -> u64 {
        if self.count_size() == 4 {
            return vector::largest(self.counts.elements()).into();
        }
        self.counts.elements::<u64>().iter().copied().max().unwrap_or(0)
    }

    /// Adds the terms of other sums of as many slots and the same dtype. On an error some of the terms were added.
    pub(crate) fn merge(&mut self, other: &Self) -> Result<()> {
        // Merge the counts separately: what is added below are parts of sums.
        let (counts, count_size) = (std::mem::take(&mut self.counts), std::mem::take(&mut self.count_size));
        let merged = self.merge_parts(other);
        (self.counts, self.count_size) = (counts, count_size);
        let (slots, mut counts) = (self.slots(), self.lend().counts);
        (0..slots).for_each(|slot| counts.add_to(slot, other.count(slot)));
        merged
    }

    /// [`ExactSums::merge`] without the counts.
    fn merge_parts(&mut self, other: &Self) -> Result<()> {
        let (mut slots, mut parts) = ([0u32; 256], [0.0; 256]);
        for is_second in [false, true] {
            let floats = if is_second { &other.low } else { &other.high };
            let mut first = 0;
            for window in floats.elements::<f64>().chunks(256) {
                for (at, (slot, part)) in slots.iter_mut().zip(&mut parts).enumerate() {
                    let float = window.get(at).copied().unwrap_or(-0.0);
                    // Of second floats only those count that are not 0, whatever their sign.
                    *part = if float == 0.0 && is_second { -0.0 } else { float };
                    *slot = first + at as u32;
                }
                self.add(slots.get(..window.len()).unwrap_or_default(), &parts)?;
                first += window.len() as u32;
            }
        }
        for slot in 0..if other.tally.used > 0 { other.slots() } else { 0 } {
            if let (_, Some(limbs)) = other.view().parts(slot) {
                let mut copy = [0; MOST_LIMBS];
                copy.iter_mut().zip(limbs).for_each(|(to, limb)| *to = *limb);
                let copy = copy.get_mut(..limbs.len()).unwrap_or_default();
                carry(copy);
                self.add_limbs(slot, copy)?;
            }
        }
        Ok(())
    }

    /// Begins a slot with a number, whose terms it gets.
    pub(crate) fn put(&mut self, slot: usize, mut number: ExactNumber) -> Result<()> {
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
                    self.add_limbs(slot, limbs)?;
                }
            }
        }
        for (buffer, float) in [&mut self.high, &mut self.low].into_iter().zip(floats) {
            buffer.elements_mut().get_mut(slot).into_iter().for_each(|element| *element = float);
        }
        self.lend().counts.add_to(slot, number.count());
        Ok(())
    }

    /// Adds an accumulator, in which carries are done, to that of a slot, which gets one if it has none.
    fn add_limbs(&mut self, slot: usize, limbs: &[i64]) -> Result<()> {
        let unit = Unit::of(self.dtype);
        if self.lend().spilled.own(unit, slot).is_none() {
            self.grow()?;
        }
        if let Some(own) = self.lend().spilled.own(unit, slot) {
            carry(own);
            merge(own, limbs);
        }
        Ok(())
    }
}
