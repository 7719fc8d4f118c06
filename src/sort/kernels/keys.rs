//! Keys: unsigned integers in the order of the numbers.

use crate::dtype::DType;
use crate::scalar::{Bits, Scalar};
use crate::sort::plan::KeyFormat;

/// How the bits of an element become its key. All NaN have one key, the largest of the dtype, and both zeros share one. The other keys of
/// floats are smaller.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    sign: u64,
    infinity: u64,
    /// All bits of an element.
    mask: u64,
    /// All bits of an element if the largest come first, else 0.
    reversed: u64,
    is_float: bool,
}

impl Keys {
    pub(crate) fn new(dtype: DType, is_descending: bool) -> Self {
        let KeyFormat { sign, infinity, is_float, .. } = KeyFormat::of(dtype);
        let mask = u64::MAX >> (64 - 8 * dtype.size());
        Self { sign, infinity, mask, reversed: if is_descending { mask } else { 0 }, is_float }
    }

    /// The key of an element.
    #[inline(always)]
    pub(crate) fn of(&self, bits: Bits) -> u64 {
        if !self.is_float {
            return bits ^ self.sign ^ self.reversed;
        }
        let magnitude = bits & !self.sign;
        let bits = if magnitude == 0 { 0 } else { bits };
        let key = if bits & self.sign == 0 { bits | self.sign } else { !bits & self.mask };
        if magnitude > self.infinity { self.mask } else { key ^ self.reversed }
    }
}

/// Above minus the least exponent of a number, −1074 − 63.
const BIAS: i128 = 2048;

/// A number of any dtype as an integer of 128 bits in the order of all numbers: its exponent, then its 64 most significant bits. NaN is the
/// largest, and both zeros are 0. Two words, because an i128 has another alignment than tensors.
#[derive(Clone, Copy, PartialEq, PartialOrd, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub(crate) struct NumberKey {
    high: i64,
    low: u64,
}

/// The key of a number of any dtype.
pub(crate) fn number_key(bits: Bits, dtype: DType) -> NumberKey {
    let (is_negative, magnitude, exponent) = match Scalar::load(bits, dtype) {
        Scalar::Bool(value) => (false, value.into(), 0),
        Scalar::Int(value) => (value < 0, value.unsigned_abs() as u64, 0),
        Scalar::Float(value) if value.is_nan() => return NumberKey { high: i64::MAX, low: u64::MAX },
        Scalar::Float(value) => {
            let bits = value.to_bits();
            let (field, fraction) = (bits << 1 >> 53, bits << 12 >> 12);
            let significand = if field == 0 { fraction } else { fraction | 1 << 52 };
            (value.is_sign_negative(), significand, i128::from(field.max(1)) - 1075)
        }
    };
    if magnitude == 0 {
        return NumberKey { high: 0, low: 0 };
    }
    let shift = magnitude.leading_zeros();
    let key = (exponent - i128::from(shift) + BIAS) << 64 | i128::from(magnitude << shift);
    let key = if is_negative { -key } else { key };
    NumberKey { high: (key >> 64) as i64, low: key as u64 }
}
