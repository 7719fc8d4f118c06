//! Keys in the order of the numbers of all dtypes.

use crate::{Bits, DType, Scalar};

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

impl NumberKey {
    const NAN: Self = Self { high: i64::MAX, low: u64::MAX };

    #[cfg_attr(not(feature = "masks"), allow(dead_code, reason = "sorts have an order for it"))]
    pub(crate) fn is_nan(self) -> bool {
        self.high == Self::NAN.high
    }
}

pub(crate) fn number_key(bits: Bits, dtype: DType) -> NumberKey {
    let (is_negative, magnitude, exponent) = match Scalar::load(bits, dtype) {
        Scalar::Bool(value) => (false, value.into(), 0),
        Scalar::Int(value) => (value < 0, value.unsigned_abs() as u64, 0),
        Scalar::Float(value) if value.is_nan() => return NumberKey::NAN,
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
