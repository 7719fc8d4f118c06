//! The division at the end of a mean.

use std::ops::Range;
use std::slice;

use crate::engine::cpu::kernels::{CheckResult, Job, Output, cut};
use crate::{DType, Scalar, load, store};

/// Divides every row of an updated table by its number of terms, in the dtype. Rows without an update stay as they are. The columns are
/// the rows.
#[derive(Clone, Copy)]
pub(crate) struct Divide<'a> {
    dtype: DType,
    table: *mut u8,
    row_bytes: usize,
    counts: Counts<'a>,
    extra: u32,
}

#[derive(Clone, Copy)]
pub(crate) enum Counts<'a> {
    Each(&'a [u32]),
    /// Each row is a segment: for each row, the index just past its last update. Its updates begin where those of the row before end.
    Ends(&'a [u32]),
}

impl Counts<'_> {
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
    /// Rows of `row` elements. Each row has `extra` terms in addition to its updates.
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
    fn run(&self, rows: Range<usize>) -> CheckResult {
        for row in cut(rows, self.len()) {
            let count = self.counts.of(row);
            if count > 0 {
                // SAFETY: `new` has checked the length, and the table is borrowed mutably.
                let bytes = unsafe {
                    slice::from_raw_parts_mut(self.table.add(row * self.row_bytes), self.row_bytes)
                };
                divide(self.dtype, bytes, u64::from(count) + u64::from(self.extra));
            }
        }
        CheckResult::NOTHING
    }
}

fn divide(dtype: DType, row: &mut [u8], terms: u64) {
    match dtype {
        // A float32 holds every integer up to 2^24, so one division rounds once. `divide_single` handles more terms.
        DType::Float32 if terms <= 1 << 24 => {
            replace_each(row, |element| (f32::from_le_bytes(element) / terms as f32).to_le_bytes());
        }
        DType::Float64 => {
            replace_each(row, |element| (f64::from_le_bytes(element) / terms as f64).to_le_bytes());
        }
        _ => divide_row(dtype, row, terms),
    }
}

/// Replaces each little-endian element of `SIZE` bytes by its quotient.
#[inline(always)]
fn replace_each<const SIZE: usize>(row: &mut [u8], quotient: impl Fn([u8; SIZE]) -> [u8; SIZE]) {
    for element in row.as_chunks_mut().0 {
        *element = quotient(*element);
    }
}

/// Divides the elements of a row of any dtype. The number of terms is below 2^33. Plans refuse a mean of bool, so bool elements just
/// stay.
fn divide_row(dtype: DType, row: &mut [u8], terms: u64) {
    for element in row.chunks_exact_mut(dtype.size()) {
        let quotient = match (Scalar::load(load(element), dtype), dtype) {
            (Scalar::Bool(value), _) => Scalar::Bool(value),
            (Scalar::Int(value), DType::Uint64) => Scalar::Int((value as u64 / terms).into()),
            // With a positive divisor, this rounds toward −∞.
            (Scalar::Int(value), _) => Scalar::Int((value as i64).div_euclid(terms as i64).into()),
            (Scalar::Float(value), DType::Float32) => Scalar::Float(divide_single(value as f32, terms)),
            // The quotient of a half type by a divisor of 33 bits is never so close to a tie that rounding it to float64 first could
            // change the result.
            (Scalar::Float(value), _) => Scalar::Float(value / terms as f64),
        };
        store(element, quotient.cast(dtype));
    }
}

/// Returns a quotient in float64 that rounds to the same float32 as the exact quotient. `terms` is above 2^24 and below 2^33. A float32
/// may not hold so many terms, and the quotient of two float64 numbers would be rounded twice.
fn divide_single(value: f32, terms: u64) -> f64 {
    if !value.is_finite() {
        return f64::from(value) / terms as f64;
    }
    // |value| = significand · 2^(exponent − 127 − 23). Subnormal numbers have the exponent 1 and no hidden bit.
    let bits = value.to_bits();
    let exponent = (bits >> 23 & 0xff).max(1);
    let hidden = u64::from(bits >> 23 & 0xff != 0) << 23;
    // With 40 more bits, the quotient of a normal number has at least 30 bits, more than a float32. Its last bit is set if the division
    // leaves a remainder, so that no inexact quotient looks like a tie. It is below 2^40, so a float64 holds it.
    let significand = (hidden | u64::from(bits & 0x7f_ffff)) << 40;
    let quotient = (significand / terms) | u64::from(!significand.is_multiple_of(terms));
    // The weight of the quotient's last bit. It is a power of two, so multiplying by it is exact.
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
        // The significand and the exponent of a number that is not negative.
        let parts = |x: f32| {
            let hidden = if x.is_normal() { 1 << 23 } else { 0 };
            (i128::from(x.to_bits() & 0x7f_ffff | hidden), (x.to_bits() >> 23).max(1))
        };
        for _ in 0..100_000 {
            // Bits below those of infinity are a finite value that is not negative. There are more than 2^24 terms.
            let (value, terms) = (f32::from_bits(next() % 0x7f80_0000), u64::from(next() | 1 << 24) + 1);
            let (value_significand, value_exponent) = parts(value);
            let (significand, exponent) = parts(divide_single(value, terms) as f32);
            // The quotient times the terms, in units of its last place, may be off by half a unit for each term.
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
