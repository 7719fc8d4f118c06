//! Sums of rows of a few floats that follow each other, each in float64.
//!
//! Where no addition of a row rounds, its sum is exact, and so is a division by a power of two. Then only the result is rounded. Two float32 are
//! added in float64 and rounded again as if they were rounded once, because 53 bits are more than twice 24; two float64 are rounded once.

use std::ops::Range;

use crate::dims::plan::DimsPlan;
use crate::dtype::DType;
use crate::exact::kernels::quotient::two_sum;

/// The most terms of a row. Longer ones gain from vectors.
const MOST: usize = 8;

/// Rows whose sums are the columns of a job, one behind the other.
#[derive(Clone, Copy)]
pub(crate) struct Short {
    terms: usize,
    divisor: f64,
    is_double: bool,
}

impl Short {
    /// `None` if the terms of a plan are not short rows, or if float64 rarely holds their sums.
    pub(crate) fn of(plan: &DimsPlan) -> Option<Self> {
        let (&[kept], &[reduced]) = (plan.kept(), plan.reduced()) else { return None };
        let (terms, divisor) = (reduced.len, plan.divisor());
        let most = match plan.dtype() {
            DType::Float32 if divisor.is_power_of_two() => MOST,
            DType::Float64 if divisor == 1 => 2,
            _ => return None,
        };
        let is_row = reduced.stride == 1 && kept.stride == terms && (2..=most).contains(&terms);
        let is_double = plan.dtype() == DType::Float64;
        (is_row && plan.from() == plan.dtype()).then_some(Self { terms, divisor: divisor as f64, is_double })
    }

    /// Writes the results of rows from the first of a range on, up to one that float64 does not hold. Returns its number, or the end of the range.
    ///
    /// # Safety
    /// The terms of all rows and their results must exist, aligned.
    pub(crate) unsafe fn sum(&self, values: *const u8, out: *mut u8, rows: Range<usize>) -> usize {
        // SAFETY: as the caller promises.
        unsafe {
            match (self.is_double, self.terms) {
                (true, _) => sum_pairs::<f64>(values.cast(), out.cast(), 1.0, rows),
                (false, 2) => sum_pairs::<f32>(values.cast(), out.cast(), self.divisor, rows),
                (false, terms) => sum_rows(values.cast(), out.cast(), terms, self.divisor, rows),
            }
        }
    }
}

/// A float of a row and of a result.
trait Float: Copy + Into<f64> {
    /// The nearest number. NaN has the bits of all NaN of exact sums.
    fn of(number: f64) -> Self;
}

impl Float for f32 {
    #[inline(always)]
    fn of(number: f64) -> Self {
        if number.is_nan() { Self::NAN } else { number as Self }
    }
}

impl Float for f64 {
    #[inline(always)]
    fn of(number: f64) -> Self {
        if number.is_nan() { Self::NAN } else { number }
    }
}

/// # Safety
/// As for [`Short::sum`].
#[inline(never)]
unsafe fn sum_pairs<T: Float>(values: *const T, out: *mut T, divisor: f64, rows: Range<usize>) -> usize {
    for row in rows.clone() {
        // SAFETY: as the caller promises.
        unsafe {
            let sum: f64 = (*values.add(2 * row)).into() + (*values.add(2 * row + 1)).into();
            out.add(row).write(T::of(sum / divisor));
        }
    }
    rows.end
}

/// # Safety
/// As for [`Short::sum`], for rows of three terms or more.
#[inline(never)]
unsafe fn sum_rows(
    values: *const f32,
    out: *mut f32,
    terms: usize,
    divisor: f64,
    rows: Range<usize>,
) -> usize {
    let mut row = values.wrapping_add(rows.start * terms);
    for number in rows.clone() {
        // SAFETY: as the caller promises.
        unsafe {
            let (mut sum, mut errors) = two_sum(f64::from(*row), f64::from(*row.add(1)));
            errors = errors.abs();
            for at in 2..terms {
                let (next, error) = two_sum(sum, f64::from(*row.add(at)));
                (sum, errors) = (next, errors + error.abs());
            }
            // A few float32 never add to an infinite float64, so infinities and NaN are terms.
            if errors != 0.0 && sum.is_finite() {
                return number;
            }
            out.add(number).write(f32::of(sum / divisor));
        }
        row = row.wrapping_add(terms);
    }
    rows.end
}
