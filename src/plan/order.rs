//! The order of the numbers of a dtype, for sorts, searches, and maxima and minima with their positions.

use crate::{Bits, DType, Scalar};

/// How the bits of the elements of a dtype compare. Keys are unsigned integers in the order of the numbers: −0 is below +0, and all NaN
/// have one key, the largest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    /// The sign bit of floats; 0 for integers.
    pub(crate) sign: Bits,
    /// The bits of infinity: a float with larger ones, without its sign, is NaN. All bits for integers.
    pub(crate) infinity: Bits,
    all: Bits,
    /// The bits that change in an element with the sign bit of a float, and in any other.
    flips: [Bits; 2],
}

impl Order {
    pub(crate) fn of(dtype: DType) -> Self {
        let all = Bits::MAX >> (Bits::BITS as usize - 8 * dtype.size());
        let top = if dtype.int_range().is_none_or(|(min, _)| min < 0) { all ^ (all >> 1) } else { 0 };
        if !dtype.is_float() {
            return Self { sign: 0, infinity: Bits::MAX, all, flips: [top; 2] };
        }
        // The larger the magnitude of a negative float, the smaller is the float.
        Self { sign: top, infinity: Scalar::Float(f64::INFINITY).cast(dtype), all, flips: [all, top] }
    }

    /// The order in which all but NaN descend, if `is_reversed`: NaN still has the largest key.
    pub(crate) fn reversed_if(self, is_reversed: bool) -> Self {
        let down = if is_reversed { self.all } else { 0 };
        Self { flips: self.flips.map(|flip| flip ^ down), ..self }
    }

    #[inline(always)]
    pub(crate) fn key(&self, bits: Bits) -> u64 {
        let [negative, other] = self.flips;
        if negative == other {
            return bits ^ other; // integers, which have no NaN
        }
        if bits & !self.sign > self.infinity {
            return u64::MAX;
        }
        bits ^ if bits & self.sign == 0 { other } else { negative }
    }

    /// The key of an element for sorts: zeros of both signs share one, and no key has bits that elements have not. Selections instead of
    /// branches, so that processors need not predict signs.
    #[inline(always)]
    pub(crate) fn sort_key(&self, bits: Bits) -> u64 {
        let [_, other] = self.flips;
        if self.sign == 0 {
            return bits ^ other;
        }
        let magnitude = bits & !self.sign;
        let bits = if magnitude == 0 { 0 } else { bits };
        let key = if bits & self.sign == 0 { bits | self.sign } else { !bits & self.all };
        if magnitude > self.infinity { self.all } else { key ^ other ^ self.sign }
    }

    /// Whether two elements are equal as numbers, or both are NaN.
    #[inline(always)]
    pub(crate) fn equal(&self, one: Bits, two: Bits) -> bool {
        let (one_size, two_size) = (one & !self.sign, two & !self.sign);
        one == two || one_size | two_size == 0 || (one_size > self.infinity && two_size > self.infinity)
    }

    /// Whether an element is equal to the same bits alone.
    #[inline(always)]
    pub(crate) fn is_plain(&self, one: Bits) -> bool {
        let size = one & !self.sign;
        self.sign == 0 || (size != 0 && size <= self.infinity)
    }
}
