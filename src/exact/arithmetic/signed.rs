//! Exact sums in signed words of 32 bits, the least first: what a GPU adds to. A sum has many such representations.

use crate::DType;
use crate::exact::arithmetic::limbs::MOST_WORDS;
use crate::exact::arithmetic::number::{ExactNumber, Kind};

/// The kinds, by flags: +∞ was a term, −∞ was one, something other than −0 was.
const FLAGS: [(Kind, u32); 5] = [
    (Kind::NegativeZero, 0),
    (Kind::Finite, 4),
    (Kind::Infinity, 5),
    (Kind::NegativeInfinity, 6),
    (Kind::Nan, 7),
];

impl ExactNumber {
    /// The sum of an accumulator whose lowest word is number `first`, with the flags of its terms and their count.
    pub(crate) fn from_signed(dtype: DType, first: usize, words: &[u32], flags: u32, count: u64) -> Self {
        let mut number = Self::new(dtype);
        number.kind = match flags & 3 {
            0 if flags & 4 == 0 => Kind::NegativeZero,
            0 => Kind::Finite,
            1 => Kind::Infinity,
            2 => Kind::NegativeInfinity,
            _ => Kind::Nan,
        };
        number.count = count;
        let limbs = number.limbs().iter_mut().skip(first);
        limbs.zip(words).for_each(|(limb, &word)| *limb = (word as i32).into());
        number
    }

    /// The accumulator as signed words, from word 0 on, and the flags.
    pub(crate) fn signed(&self) -> ([u32; MOST_WORDS], u32) {
        let mut words = self.words();
        let mut carry = 0;
        for word in &mut words {
            let sum = u64::from(*word) + carry;
            *word = sum as u32;
            // A word from 2^31 on is negative, and the next one gets what it lacks.
            carry = (sum + (1 << 31)) >> 32;
        }
        (words, FLAGS.iter().find(|(kind, _)| *kind == self.kind()).map_or(0, |(_, flags)| *flags))
    }
}
