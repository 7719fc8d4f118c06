//! The exact sum of a long run of floats, in a time that does not depend on the numbers.
//!
//! The sign and the exponent of a float choose a bin. There its bits are added as an integer, with one more bit above, which counts. In a
//! bin all terms have the same sign and exponent, so the count says what these bits have added, and the rest is the sum of the
//! significands. Bins go to an accumulator before they could overflow.

use crate::engine::cpu::kernels::aligned;
use crate::exact::arithmetic::limbs::{MOST_LIMBS, Unit, carry};
use crate::exact::arithmetic::round::round;
use crate::{Bits, DType, Scalar};

/// A bin: sums that are kept apart, so that neighbours with the same exponent do not wait for each other. Those of float32 are four sums
/// of its bits. Those of float64 are two, each of two words: the lower halves of its bits, and the upper ones.
type Bin = [u64; 4];

/// What each term adds to the count of its bin.
const ONE: u64 = 1 << 48;

/// The most terms in all bins. Fewer than 2^16 halves of 32 bits stay below 2^48, and their count below 2^16: no word overflows.
const MOST: usize = (1 << 16) - 16;

/// Bins for each sign and exponent of a float.
pub(crate) struct Bins<const BINS: usize> {
    bins: [Bin; BINS],
    terms: usize,
    limbs: [i64; MOST_LIMBS],
    /// −0 as long as all terms are; else +0, or what infinities and NaN make of it.
    special: f64,
}

/// Bins for float32, and for float64.
pub(crate) const SINGLE: usize = 1 << 9;
pub(crate) const DOUBLE: usize = 1 << 12;

impl<const BINS: usize> Bins<BINS> {
    const UNIT: Unit = if BINS == SINGLE { Unit::Single } else { Unit::Double };
    /// The bits of the exponent.
    const EXPONENT: u32 = BINS.ilog2() - 1;
    /// The bits of the significand in the upper half of a term, and how many more are in the lower one.
    const UPPER: u32 = 31 - Self::EXPONENT;
    const LOWER: u32 = if BINS == SINGLE { 0 } else { 32 };

    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { bins: [[0; 4]; BINS], terms: 0, limbs: [0; MOST_LIMBS], special: -0.0 }
    }

    /// Adds the floats in `bytes`.
    #[inline(never)]
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        if BINS == SINGLE {
            return self.add_blocks(aligned(bytes), |bins, terms: &[u32]| {
                let (quads, rest) = terms.as_chunks::<4>();
                let mut put = |bits: u32, word: usize| {
                    let bin = bins.get_mut((bits >> 23) as usize);
                    if let Some(word) = bin.and_then(|bin| bin.get_mut(word)) {
                        *word += u64::from(bits) + ONE;
                    }
                };
                for &[one, two, three, four] in quads {
                    put(one, 0);
                    put(two, 1);
                    put(three, 2);
                    put(four, 3);
                }
                rest.iter().for_each(|&bits| put(bits, 0));
            });
        }
        self.add_blocks(aligned(bytes), |bins, terms: &[u64]| {
            let (pairs, rest) = terms.as_chunks::<2>();
            let mut put = |bits: u64, word: usize| {
                let bin = bins.get_mut((bits >> 52) as usize);
                if let Some([lower, upper]) = bin.and_then(|bin| bin.get_mut(word..word + 2)) {
                    *lower += bits & 0xffff_ffff;
                    *upper += (bits >> 32) + ONE;
                }
            };
            for &[one, two] in pairs {
                put(one, 0);
                put(two, 2);
            }
            rest.iter().for_each(|&bits| put(bits, 0));
        });
    }

    /// Adds terms to the bins, and empties these in between.
    #[inline(always)]
    fn add_blocks<T>(&mut self, terms: &[T], add: impl Fn(&mut [Bin; BINS], &[T])) {
        let mut rest = terms;
        while !rest.is_empty() {
            let len = rest.len().min(MOST - self.terms);
            add(&mut self.bins, rest.get(..len).unwrap_or_default());
            rest = rest.get(len..).unwrap_or_default();
            self.terms += len;
            if self.terms == MOST {
                self.empty();
            }
        }
    }

    /// Moves what the bins have to the accumulator. A part is below 2^49, and a limb gets fewer than 2^9 of them before the carry.
    #[inline(never)]
    fn empty(&mut self) {
        for (number, bin) in self.bins.iter_mut().enumerate() {
            let [one, two, three, four] = *bin;
            if (one | two | three | four) == 0 {
                continue;
            }
            *bin = [0; 4];
            let (lower, upper) =
                if Self::LOWER == 0 { (0, one + two + three + four) } else { (one + three, two + four) };
            let (count, exponent) = (upper / ONE, number as u32 & ((1 << Self::EXPONENT) - 1));
            let is_negative = number >= BINS / 2;
            // What the sign and the exponent of each term have added goes.
            let upper = upper % ONE - ((count * number as u64) << Self::UPPER);
            if exponent == (1 << Self::EXPONENT) - 1 {
                let infinity = if is_negative { f64::NEG_INFINITY } else { f64::INFINITY };
                self.special += if upper | lower == 0 { infinity } else { f64::NAN };
                continue;
            }
            if !is_negative || exponent > 0 || upper | lower != 0 {
                self.special += 0.0;
            }
            // Each normal number has a hidden bit.
            let hidden = if exponent > 0 { count << Self::UPPER } else { 0 };
            let shift = exponent.max(1) - 1;
            put(&mut self.limbs, upper + hidden, shift + Self::LOWER, is_negative);
            put(&mut self.limbs, lower, shift, is_negative);
        }
        carry(self.limbs.get_mut(..Self::UNIT.limbs()).unwrap_or_default());
        self.terms = 0;
    }

    /// Takes the sum, divided by a number and rounded once to `dtype`, out of the bins.
    #[inline(never)]
    pub(crate) fn finish(&mut self, dtype: DType, divisor: u64) -> Bits {
        self.empty();
        let special = std::mem::replace(&mut self.special, -0.0);
        let mut limbs = std::mem::replace(&mut self.limbs, [0; MOST_LIMBS]);
        if special.is_finite() && limbs.iter().any(|&limb| limb != 0) {
            return round(
                limbs.get_mut(..Self::UNIT.limbs()).unwrap_or_default(),
                Self::UNIT,
                dtype,
                divisor,
            );
        }
        Scalar::Float(if special.is_nan() { f64::NAN } else { special }).cast(dtype)
    }
}

/// Adds a part, times a power of two, to an accumulator.
#[inline(always)]
fn put(limbs: &mut [i64], part: u64, shift: u32, is_negative: bool) {
    let own = limbs.get_mut(shift as usize / 32..);
    if let Some([low, high]) = own.and_then(<[_]>::first_chunk_mut) {
        let by = shift % 32;
        let parts = [part << by & 0xffff_ffff, part >> (32 - by)].map(|part| part as i64);
        let sign = if is_negative { -1 } else { 1 };
        *low += sign * parts[0];
        *high += sign * parts[1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::arithmetic::number::ExactNumber;

    /// Adds terms in two calls, more than the bins take at once, and compares the sum and a quotient with those of an accumulator alone.
    fn compare<const BINS: usize>(terms: &[u64], what: &str) {
        let dtype = if BINS == SINGLE { DType::Float32 } else { DType::Float64 };
        let (mut bins, mut number) = (Box::new(Bins::<BINS>::new()), ExactNumber::new(dtype));
        let mut bytes = Vec::new();
        for &bits in terms {
            number.add(Scalar::load(bits, dtype).as_f64());
            bytes.extend(bits.to_le_bytes().into_iter().take(dtype.size()));
        }
        let words: Vec<u64> = bytes.chunks(8).map(crate::scalar::load).collect();
        let bytes = &bytemuck::cast_slice(&words)[..bytes.len()];
        for divisor in [1, terms.len() as u64] {
            let (one, two) = bytes.split_at(terms.len() / 3 * dtype.size());
            bins.add(one);
            bins.add(two);
            let expected = if divisor == 1 { number.sum() } else { number.mean() };
            assert_eq!(bins.finish(dtype, divisor), expected, "{dtype} {what} by {divisor}");
        }
    }

    fn in_bins<const BINS: usize>() {
        let dtype = if BINS == SINGLE { DType::Float32 } else { DType::Float64 };
        let (fraction, exponents) = (Bins::<BINS>::UPPER + Bins::<BINS>::LOWER, BINS as u64 / 2);
        let sign = exponents << fraction;
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33 ^ state << 31
        };
        let mask = (1u64 << fraction) - 1;
        for exponent in 0..exponents - 1 {
            let mut number = || exponent << fraction | next() & mask;
            let terms = [number(), number(), number() | sign, number(), number() | sign, 1, number()];
            compare::<BINS>(&terms, &format!("exponent {exponent}"));
            compare::<BINS>(&terms.map(|bits| bits ^ sign), &format!("exponent -{exponent}"));
            // The largest significands, as many as come before the bins are emptied, and more.
            if exponent % 253 == 0 {
                compare::<BINS>(&vec![exponent << fraction | mask; 70_001], &format!("many of {exponent}"));
            }
        }
        let infinity = (exponents - 1) << fraction;
        let finite = |bits: u64| if bits & infinity == infinity { bits & mask } else { bits };
        let all: Vec<u64> = (0..70_000).map(|_| finite(next() & (sign << 1).wrapping_sub(1))).collect();
        compare::<BINS>(&all, "all exponents");
        let cancelling: Vec<u64> = all.iter().flat_map(|&bits| [bits, bits ^ sign]).chain([3]).collect();
        compare::<BINS>(&cancelling, "cancelling");
        compare::<BINS>(&cancelling[..200], "nothing left");
        let one = Scalar::Float(1.0).cast(dtype);
        for terms in [
            &[sign, sign, sign][..],
            &[sign, 0, sign],
            &[one, one | sign],
            &[infinity, one, infinity],
            &[infinity | sign, one],
            &[infinity, infinity | sign],
            &[one, infinity | 1 << (fraction - 1)],
            &[infinity - 1, infinity - 1],
            &[infinity - 1, infinity - 1, (infinity - 1) | sign],
        ] {
            compare::<BINS>(terms, &format!("{terms:x?}"));
        }
    }

    #[test]
    fn every_exponent_of_float32() {
        in_bins::<SINGLE>();
    }

    #[test]
    fn every_exponent_of_float64() {
        in_bins::<DOUBLE>();
    }
}
