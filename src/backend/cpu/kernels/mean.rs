//! The division at the end of a mean.

use crate::dtype::DType;
use crate::scalar::{Scalar, load, store};

/// Divides every row of the table that was updated by its number of terms, each element in its dtype. `counts` has the number of updates of
/// each row; `extra` is how many terms each row has beside them. Rows without an update stay as they are. A row has `row_bytes` bytes.
pub(crate) fn divide(
    dtype: DType,
    table: &mut [u8],
    row_bytes: usize,
    counts: impl Iterator<Item = u32>,
    extra: u32,
) {
    if row_bytes == 0 {
        return;
    }
    for (row, count) in table.chunks_exact_mut(row_bytes).zip(counts).filter(|&(_, count)| count > 0) {
        let terms = u64::from(count) + u64::from(extra);
        match dtype {
            // A float32 holds every whole number up to 2^24, so that one division rounds once. For more terms, see `divide_single`.
            DType::Float32 if terms <= 1 << 24 => {
                replace_each(row, |element| (f32::from_le_bytes(element) / terms as f32).to_le_bytes());
            }
            DType::Float64 => {
                replace_each(row, |element| (f64::from_le_bytes(element) / terms as f64).to_le_bytes());
            }
            _ => divide_row(dtype, row, terms),
        }
    }
}

/// Replaces each element of `SIZE` bytes by its quotient; both are little-endian.
#[inline(always)]
fn replace_each<const SIZE: usize>(row: &mut [u8], quotient: impl Fn([u8; SIZE]) -> [u8; SIZE]) {
    for element in row.as_chunks_mut().0 {
        *element = quotient(*element);
    }
}

/// Divides the elements of a row of any dtype. The number of terms is below 2^33. A mean of bool is refused before, so bool elements are
/// only kept.
fn divide_row(dtype: DType, row: &mut [u8], terms: u64) {
    for element in row.chunks_exact_mut(dtype.size()) {
        let quotient = match (Scalar::load(load(element), dtype), dtype) {
            (Scalar::Bool(value), _) => Scalar::Bool(value),
            (Scalar::Int(value), DType::Uint64) => Scalar::Int((value as u64 / terms).into()),
            // By a positive divisor this is division by floor.
            (Scalar::Int(value), _) => Scalar::Int((value as i64).div_euclid(terms as i64).into()),
            (Scalar::Float(value), DType::Float32) => Scalar::Float(divide_single(value as f32, terms)),
            // The quotient of a half type by 33 bits is never so near to the middle of two numbers that rounding it to float64
            // first could matter.
            (Scalar::Float(value), _) => Scalar::Float(value / terms as f64),
        };
        store(element, quotient.cast(dtype));
    }
}

/// A quotient as float64 that becomes, once it is rounded to float32, what the exact quotient would be rounded to. `terms` is above 2^24
/// and below 2^33. Such a number of terms need not be a float32, and the quotient of two float64 numbers would be rounded twice.
fn divide_single(value: f32, terms: u64) -> f64 {
    if !value.is_finite() {
        return f64::from(value) / terms as f64;
    }
    // |value| = significand · 2^(exponent − 127 − 23), where subnormal numbers have the exponent 1 and no hidden bit.
    let bits = value.to_bits();
    let exponent = (bits >> 23 & 0xff).max(1);
    let hidden = u64::from(bits >> 23 & 0xff != 0) << 23;
    // With 40 more bits, the quotient of a normal number has at least 30 bits, more than a float32. Its last bit is set where the
    // division leaves a remainder, so that no inexact quotient looks like a tie. It is below 2^40, so a float64 holds it.
    let significand = (hidden | u64::from(bits & 0x7f_ffff)) << 40;
    let quotient = (significand / terms) | u64::from(!significand.is_multiple_of(terms));
    // The weight of the quotient's last bit: a power of two, by which multiplying is exact.
    let unit = f64::from_bits(u64::from(exponent + 1023 - 127 - 23 - 40) << 52);
    (quotient as f64 * unit).copysign(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_terms_are_divided_exactly() {
        let mut state = 0x2545_f491u32;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        // The significand of a number that is not negative, and its exponent.
        let parts = |x: f32| {
            let hidden = if x.is_normal() { 1 << 23 } else { 0 };
            (i128::from(x.to_bits() & 0x7f_ffff | hidden), (x.to_bits() >> 23).max(1))
        };
        for _ in 0..100_000 {
            // Below the bits of infinity, the value is finite and not negative. There are more than 2^24 terms.
            let (value, terms) = (f32::from_bits(next() % 0x7f80_0000), u64::from(next() | 1 << 24) + 1);
            let (value_significand, value_exponent) = parts(value);
            let (significand, exponent) = parts(divide_single(value, terms) as f32);
            // The quotient times the terms, in units of its last place, is off by at most half a unit for each.
            let off = (value_significand << (value_exponent - exponent)) - significand * i128::from(terms);
            assert!(2 * off.abs() <= terms.into(), "{value:e} / {terms}");
        }
        assert_eq!(divide_single(f32::INFINITY, 1 << 30), f64::INFINITY);
        assert_eq!(divide_single(-0.0, 1 << 30).to_bits(), (-0.0f64).to_bits());
    }

    #[test]
    fn integers_are_divided_by_floor() {
        let mut table = [-7i8 as u8, 7, 9];
        divide(DType::Int8, &mut table, 1, &mut [1, 2, 0].into_iter(), 1);
        assert_eq!(table, [-4i8 as u8, 2, 9]);
    }
}
