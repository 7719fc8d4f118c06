//! What a conversion is, in exact integer arithmetic: numbers are magnitude · 2^exponent, and the nearest float
//! is found by bisection. Shares nothing with the library but its dtypes.

use std::cmp::Ordering;

use scatterwise::DType;

use crate::dtypes::elements::format;

/// Whether a finite element is negative, its magnitude as a whole number, and the exponent of 2 that it is multiplied with. Of infinities
/// and NaN the numbers mean nothing.
pub(crate) fn decode(bits: u64, dtype: DType) -> (bool, u128, i32) {
    let width = 8 * dtype.size() as u32;
    let is_top = bits >> (width - 1) & 1 == 1;
    let Some((exponent_bits, fraction_bits)) = format(dtype) else {
        let is_signed = matches!(dtype, DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64);
        let magnitude = if is_top && is_signed { (1 << width) - u128::from(bits) } else { bits.into() };
        return (is_top && is_signed, magnitude, 0);
    };
    let field = (bits >> fraction_bits & ((1 << exponent_bits) - 1)) as i32;
    let low = u128::from(bits & ((1 << fraction_bits) - 1));
    let bias = (1 << (exponent_bits - 1)) - 1;
    let hidden = u128::from(field != 0) << fraction_bits;
    (is_top, low | hidden, field.max(1) - bias - fraction_bits as i32)
}

/// The bits of a float dtype's infinity.
fn infinity(dtype: DType) -> Option<u64> {
    format(dtype).map(|(exponent_bits, fraction_bits)| ((1 << exponent_bits) - 1) << fraction_bits)
}

/// The bits of an element without its top bit.
fn without_sign(bits: u64, dtype: DType) -> u64 {
    bits & ((1 << (8 * dtype.size() - 1)) - 1)
}

/// Whether an element is NaN; integers never are.
pub(crate) fn is_nan(bits: u64, dtype: DType) -> bool {
    infinity(dtype).is_some_and(|infinity| without_sign(bits, dtype) > infinity)
}

/// Compares two numbers magnitude · 2^exponent.
fn compare(one: (u128, i32), two: (u128, i32)) -> Ordering {
    // First by the place of the top bit, then by the bits from it on.
    let top = |(magnitude, exponent): (u128, i32)| exponent - magnitude.leading_zeros() as i32;
    let aligned = |(magnitude, _): (u128, i32)| magnitude << magnitude.leading_zeros();
    match (one.0, two.0) {
        (0, _) | (_, 0) => one.0.cmp(&two.0),
        _ => top(one).cmp(&top(two)).then_with(|| aligned(one).cmp(&aligned(two))),
    }
}

/// The bits of the float nearest to a number magnitude · 2^exponent, in a tie the even one. `infinity` is the dtype's.
fn nearest(number: (u128, i32), dtype: DType, infinity: u64) -> u64 {
    let value = |bits| {
        let (_, magnitude, exponent) = decode(bits, dtype);
        (magnitude, exponent)
    };
    // below ≤ number < above
    let (mut below, mut above) = (0, infinity);
    while above - below > 1 {
        let middle = (below + above) / 2;
        match compare(value(middle), number) {
            Ordering::Greater => above = middle,
            _ => below = middle,
        }
    }
    // The midpoint to the next number: half a unit of the last place further.
    let (magnitude, exponent) = value(below);
    match compare(number, (2 * magnitude + 1, exponent - 1)) {
        Ordering::Less => below,
        Ordering::Equal => below + (below & 1),
        Ordering::Greater => above,
    }
}

/// The bits of an element of `from` as an element of `to`; `None` for any NaN. To bool: whether it is not 0. To a float: the nearest, in a
/// tie the even one. To an integer: fractions are cut; beyond its range an integer wraps, and a float becomes the nearest end; NaN becomes
/// 0.
pub(crate) fn converted(bits: u64, from: DType, to: DType) -> Option<u64> {
    let (is_negative, magnitude, exponent) = decode(bits, from);
    let is_infinite = infinity(from).is_some_and(|infinity| without_sign(bits, from) == infinity);
    let is_nan = is_nan(bits, from);
    let width = 8 * to.size() as u32;
    if to == DType::Bool {
        return Some((magnitude != 0).into());
    }
    if let Some(infinity) = infinity(to) {
        let sign = u64::from(is_negative) << (width - 1);
        let finite = || nearest((magnitude, exponent), to, infinity);
        return (!is_nan).then(|| sign | if is_infinite { infinity } else { finite() });
    }
    // The whole part of the magnitude, at most 2^128 − 1: more than any limit.
    let whole = match exponent {
        _ if is_nan => 0,
        _ if is_infinite => u128::MAX,
        0 => magnitude,
        1.. if magnitude != 0 && exponent as u32 >= magnitude.leading_zeros() => u128::MAX,
        1.. => magnitude << exponent,
        ..0 => magnitude.checked_shr(exponent.unsigned_abs()).unwrap_or(0),
    };
    let is_signed = matches!(to, DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64);
    // The largest magnitude that `to` has with this sign.
    let limit = match (is_negative, is_signed) {
        (false, false) => (1 << width) - 1,
        (false, true) => (1 << (width - 1)) - 1,
        (true, false) => 0,
        (true, true) => 1 << (width - 1),
    };
    let whole = if from.is_float() { whole.min(limit) } else { whole };
    // 2^64 is a multiple of 2^width, so that adding it changes nothing of the result.
    let wrapped = if is_negative { (1u128 << 64).wrapping_sub(whole) } else { whole };
    Some((wrapped % (1 << width)) as u64)
}
