//! The specification of exact sums: big integers, and a search for the nearest number. It shares nothing with the product.

use scatterwise::{DType, Scalar};

/// Words of an integer in units of 2^−1075: half of the smallest float64, so that the middle between two numbers is an integer. Sums of 2^32
/// terms fit with their sign, times a count of 32 bits.
const WORDS: usize = 35;

/// A signed integer in two's complement, the least word first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Big([u64; WORDS]);

impl Big {
    pub(crate) const ZERO: Self = Self([0; WORDS]);

    /// A finite number.
    pub(crate) fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let (field, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
        let (significand, exponent) = if field == 0 { (fraction, 1) } else { (fraction | 1 << 52, field) };
        // `exponent` is that of the last bit, in units.
        Self::shifted(significand, exponent as usize).with_sign(x.is_sign_negative())
    }

    /// `significand · 2^shift` units.
    fn shifted(significand: u64, shift: usize) -> Self {
        let mut words = [0; WORDS];
        let wide = u128::from(significand) << (shift % 64);
        words[shift / 64] = wide as u64;
        words[shift / 64 + 1] = (wide >> 64) as u64;
        Self(words)
    }

    fn with_sign(self, is_negative: bool) -> Self {
        if is_negative { self.negative() } else { self }
    }

    fn negative(self) -> Self {
        let mut carry = true;
        Self(self.0.map(|word| {
            let (word, carries) = (!word).overflowing_add(u64::from(carry));
            carry = carries;
            word
        }))
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let mut carry = 0;
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            let sum = u128::from(*word) + u128::from(other) + carry;
            (*word, carry) = (sum as u64, sum >> 64);
        }
        Self(words)
    }

    /// The sum where the carry out of one word is lost: a fault that tests have to find.
    pub(crate) fn plus_without_a_carry(self, other: Self, word: usize) -> Self {
        let (low, high) = (self.part(0..word + 1).plus(other.part(0..word + 1)), self.part(word + 1..WORDS));
        low.part(0..word + 1).plus(high.plus(other.part(word + 1..WORDS)))
    }

    /// The words of a range; the others are 0.
    fn part(self, range: std::ops::Range<usize>) -> Self {
        let mut part = Self::ZERO;
        part.0[range.clone()].copy_from_slice(&self.0[range]);
        part
    }

    /// A number that is not negative, times another.
    fn times(self, factor: u64) -> Self {
        let mut carry = 0;
        Self(self.0.map(|word| {
            let product = u128::from(word) * u128::from(factor) + carry;
            carry = product >> 64;
            product as u64
        }))
    }

    fn is_negative(&self) -> bool {
        self.0[WORDS - 1] >> 63 == 1
    }

    /// Whether this is less than the other; neither is negative.
    fn is_less(&self, other: &Self) -> bool {
        self.0.iter().rev().lt(other.0.iter().rev())
    }
}

/// A float dtype's number of those bits, which are without a sign; for the bits of infinity the power of two behind the largest number.
fn magnitude(dtype: DType, bits: u64) -> Big {
    let fraction_bits = match dtype {
        DType::Float16 => 10,
        DType::Bfloat16 => 7,
        DType::Float32 => 23,
        _ => 52,
    };
    let least = match dtype {
        DType::Float16 => 1075 - 24,
        DType::Bfloat16 => 1075 - 133,
        DType::Float32 => 1075 - 149,
        _ => 1,
    };
    let (field, fraction) = (bits >> fraction_bits, bits & ((1 << fraction_bits) - 1));
    match field {
        0 => Big::shifted(fraction, least),
        _ => Big::shifted(fraction | 1 << fraction_bits, least + field as usize - 1),
    }
}

/// The bits of infinity.
pub(crate) fn infinity(dtype: DType) -> u64 {
    Scalar::Float(f64::INFINITY).cast(dtype)
}

/// `sum / count`, rounded once to the nearest number of the dtype, ties to even; +0 of 0. Numbers from the middle between the largest one
/// and the power of two behind it are infinite.
pub(crate) fn nearest(dtype: DType, sum: Big, count: u64) -> u64 {
    if sum == Big::ZERO {
        return 0;
    }
    let sign = u64::from(sum.is_negative()) << (8 * dtype.size() - 1);
    let sum = if sum.is_negative() { sum.negative() } else { sum };
    // The largest number that is not above the quotient. Numbers without a sign are in the order of their bits.
    let (mut low, mut high) = (0, infinity(dtype));
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if sum.is_less(&magnitude(dtype, middle).times(count)) { high = middle } else { low = middle }
    }
    let twice_middle = magnitude(dtype, low).plus(magnitude(dtype, high)).times(count);
    let twice = sum.plus(sum);
    let is_up = twice_middle.is_less(&twice) || (twice == twice_middle && low & 1 == 1);
    sign | if is_up { high } else { low }
}

/// The exact sum of terms of a dtype, divided by `count` and rounded once, as the definition has it, NaN as NaN's usual bits.
pub(crate) fn quotient(dtype: DType, terms: &[f64], count: u64) -> u64 {
    let has = |wanted: fn(&f64) -> bool| terms.iter().any(wanted);
    let value = |x: f64| Scalar::Float(x).cast(dtype);
    match (has(|&x| x == f64::INFINITY), has(|&x| x == f64::NEG_INFINITY)) {
        _ if has(|x| x.is_nan()) => value(f64::NAN),
        (true, true) => value(f64::NAN),
        (true, false) => value(f64::INFINITY),
        (false, true) => value(f64::NEG_INFINITY),
        _ if terms.iter().all(|x| *x == 0.0 && x.is_sign_negative()) => value(-0.0),
        _ => nearest(dtype, terms.iter().fold(Big::ZERO, |sum, &x| sum.plus(Big::of(x))), count),
    }
}
