//! The division at the end of a mean.

use std::ops::Range;
use std::slice;

use crate::backend::cpu::kernels::job::{Job, Output, Verdict, cut};
use crate::dtype::DType;
use crate::scalar::{Scalar, load, store};

/// Divides every row of a table that was updated by its number of terms, each element in its dtype. Rows without an update stay as they
/// are. The columns are the rows.
#[derive(Clone, Copy)]
pub(crate) struct Divide<'a> {
    dtype: DType,
    table: *mut u8,
    row_bytes: usize,
    counts: Counts<'a>,
    extra: u32,
}

/// How many updates each row had.
#[derive(Clone, Copy)]
pub(crate) enum Counts<'a> {
    /// For each row the number.
    Each(&'a [u32]),
    /// For each row, which is a segment's, the number of the update behind its last one.
    Ends(&'a [u32]),
}

impl Counts<'_> {
    /// The number of a row; 0 for one that is not there.
    fn of(self, row: usize) -> u32 {
        let get = |counts: &[u32], row: usize| counts.get(row).copied().unwrap_or(0);
        match self {
            Self::Each(counts) => get(counts, row),
            Self::Ends(ends) => {
                get(ends, row).wrapping_sub(row.checked_sub(1).map_or(0, |row| get(ends, row)))
            }
        }
    }

    fn len(self) -> usize {
        let (Self::Each(rows) | Self::Ends(rows)) = self;
        rows.len()
    }
}

impl<'a> Divide<'a> {
    /// Rows of `row` elements. `extra` is how many terms each row has beside its updates.
    pub(crate) fn new(dtype: DType, table: Output<'a>, row: usize, counts: Counts<'a>, extra: u32) -> Self {
        let table = table.elements(row * counts.len(), dtype.size());
        Self { dtype, table, row_bytes: row * dtype.size(), counts, extra }
    }
}

impl Job for Divide<'_> {
    fn len(&self) -> usize {
        if self.row_bytes == 0 { 0 } else { self.counts.len() }
    }

    #[inline(never)]
    fn run(&self, rows: Range<usize>) -> Verdict {
        for row in cut(rows, self.len()) {
            let count = self.counts.of(row);
            if count > 0 {
                // SAFETY: `new` has looked at the length, and the table is borrowed mutably.
                let bytes = unsafe {
                    slice::from_raw_parts_mut(self.table.add(row * self.row_bytes), self.row_bytes)
                };
                divide(self.dtype, bytes, u64::from(count) + u64::from(self.extra));
            }
        }
        Verdict::NOTHING
    }
}

/// Divides the elements of a row.
fn divide(dtype: DType, row: &mut [u8], terms: u64) {
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
        let job = Divide::new(DType::Int8, Output::new(&mut table), 1, Counts::Each(&[1, 2, 0]), 1);
        job.run(0..job.len());
        assert_eq!(table, [-4i8 as u8, 2, 9]);
    }
}
