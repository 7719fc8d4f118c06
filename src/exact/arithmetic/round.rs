//! The one rounding of an exact sum, or of its quotient by a count: to nearest, ties to even, in any float dtype. A second rounding, by way
//! of float32 or float64, would give other results.

use crate::exact::arithmetic::limbs::{Unit, carry_signed};
use crate::{Bits, DType};

/// What rounding needs to know of a dtype: the bits of a significand with the hidden one, the exponent of the smallest number, and the field
/// of the exponent that means infinity.
const fn format(dtype: DType) -> (u32, i32, u64) {
    match dtype {
        DType::Float16 => (11, -24, 31),
        DType::Bfloat16 => (8, -133, 255),
        DType::Float64 => (53, -1074, 2047),
        _ => (24, -149, 255),
    }
}

/// The number of `dtype` nearest to `± (significand + a fraction) · 2^exponent`, as bits. The fraction is above 0 and below 1 where
/// `is_inexact`, else 0. An inexact significand has at least two bits more than those of the dtype.
fn pack(dtype: DType, is_negative: bool, significand: u64, is_inexact: bool, exponent: i32) -> Bits {
    let (digits, least, infinity) = format(dtype);
    let sign = u64::from(is_negative) << (8 * dtype.size() - 1);
    if significand == 0 {
        return sign;
    }
    let len = 64 - significand.leading_zeros();
    // How many low bits are rounded away: more where the number is subnormal.
    let cut = (len as i32 - digits as i32).max(least - exponent);
    let kept = if cut <= 0 {
        significand << -cut
    } else {
        let cut = cut as u32;
        let kept = significand.checked_shr(cut).unwrap_or(0);
        let half = significand.checked_shr(cut - 1).unwrap_or(0) & 1 == 1;
        let rest = significand & !(u64::MAX.checked_shl(cut - 1).unwrap_or(0)) != 0 || is_inexact;
        kept + u64::from(half && (rest || kept & 1 == 1))
    };
    // The field of the exponent, less one: a normal number brings its hidden bit, which adds that one. So does a carry out of the significand.
    let field = (exponent + cut - least) as u64;
    let largest = infinity << (digits - 1);
    sign | if field >= infinity { largest } else { ((field << (digits - 1)) + kept).min(largest) }
}

/// The quotient of an accumulator and a positive number up to [`MOST_TERMS`](crate::exact::arithmetic::limbs::MOST_TERMS), rounded once to `dtype`; the sum itself for a
/// divisor of 1. A sum of 0 gives +0. Carries must have been done. The accumulator is worthless afterwards.
pub(crate) fn round(limbs: &mut [i64], unit: Unit, dtype: DType, divisor: u64) -> Bits {
    let is_negative = limbs.last().is_some_and(|&limb| limb < 0);
    if is_negative {
        carry_signed(limbs, -1);
    }
    // The last limb has no more than 32 bits either: no sum has more terms than it may have.
    let Some(top) = limbs.iter().rposition(|&limb| limb != 0) else { return 0 };
    let (significand, is_inexact, exponent) = divided(limbs, top, divisor);
    pack(dtype, is_negative, significand, is_inexact, unit.exponent() + exponent)
}

/// The leading bits of a quotient, 63 at least where it is not exact; whether others follow that are not 0; and the exponent of the last
/// of the leading bits. `top` is the number of the highest limb that is not 0; none is negative.
fn divided(limbs: &[i64], top: usize, divisor: u64) -> (u64, bool, i32) {
    let word = |at: usize| limbs.get(at).map_or(0, |&limb| limb as u32);
    if divisor == 1 {
        let below = |by: usize| top.checked_sub(by).map_or(0, word);
        let (zeros, third) = (word(top).leading_zeros(), below(2));
        // The third word fills the slot of the leading zeros.
        let leading =
            (u64::from(word(top)) << 32 | u64::from(below(1))) << zeros | u64::from(third) << zeros >> 32;
        let rest = limbs.get(..top.saturating_sub(2)).unwrap_or_default();
        let is_inexact = third << zeros != 0 || rest.iter().any(|&limb| limb != 0);
        return (leading, is_inexact, 32 * (top as i32 - 1) - zeros as i32);
    }
    // Long division, one bit at a time, until the quotient has 63 bits. Below the last limb the bits are 0.
    let (mut quotient, mut remainder) = (0u64, 0u64);
    let mut at = 32 * (top as i32 + 1);
    while quotient >> 62 == 0 {
        at -= 1;
        let bit = if at < 0 { 0 } else { word(at as usize / 32) >> (at % 32) & 1 };
        remainder = remainder << 1 | u64::from(bit);
        quotient <<= 1;
        if remainder >= divisor {
            remainder -= divisor;
            quotient |= 1;
        }
    }
    let lowest = at.max(0) as usize;
    let partial = word(lowest / 32) & !(u32::MAX << (lowest % 32)) != 0;
    let rest = limbs.get(..lowest / 32).unwrap_or_default();
    (quotient, remainder != 0 || partial || rest.iter().any(|&limb| limb != 0), at)
}
