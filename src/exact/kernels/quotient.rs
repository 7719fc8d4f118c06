//! The one rounding of an exact sum that floats and an accumulator have together.

use crate::dtype::DType;
use crate::engine::cpu::kernels::vector::lanes::F64Lanes;
use crate::exact::arithmetic::limbs::{Unit, add, carry};
use crate::exact::arithmetic::round::round;
use crate::scalar::{Bits, Scalar};

/// The sum of two floats divided by a number, rounded once to `dtype`. The first is the sum but for what the second has, which is little.
///
/// Where the second is 0, one division in float64 and a conversion are one rounding too. A result could only differ if the quotient were so near
/// to the middle m between two numbers of the dtype that it became m. But m has at most 25 bits and the divisor 28, so that their product is a
/// float64. Either the sum is that product, and the quotient is m; or they differ by at least a last bit of the sum, and the quotient is more than
/// half of a last bit away from m.
pub(crate) fn quotient_of_floats(dtype: DType, high: f64, low: f64, divisor: u64) -> Bits {
    // A division would take most of the time of short sums.
    if dtype == DType::Float32 && divisor == 1 && low == 0.0 {
        return (high as f32).to_bits().into();
    }
    if low == 0.0 && (divisor < 1 << 28 || dtype == DType::Float64 || high == 0.0 || !high.is_finite()) {
        return Scalar::Float(high / divisor as f64).cast(dtype);
    }
    if divisor == 1 {
        return Scalar::Float(if dtype == DType::Float64 { high + low } else { sum_to_odd(high, low) })
            .cast(dtype);
    }
    quotient_of_all(Unit::of(dtype), dtype, [high, low], &[], divisor)
}

/// The sum of floats and an accumulator of a unit, divided by a number and rounded once to `dtype`.
pub(crate) fn quotient_of_all(
    unit: Unit,
    dtype: DType,
    floats: [f64; 2],
    limbs: &[i64],
    divisor: u64,
) -> Bits {
    match unit {
        Unit::Single => quotient_of_limbs([0; Unit::Single.limbs()], (unit, dtype), floats, limbs, divisor),
        Unit::Double => quotient_of_limbs([0; Unit::Double.limbs()], (unit, dtype), floats, limbs, divisor),
    }
}

/// The same, in an accumulator of its own.
fn quotient_of_limbs<const LIMBS: usize>(
    mut all: [i64; LIMBS],
    (unit, dtype): (Unit, DType),
    floats: [f64; 2],
    limbs: &[i64],
    divisor: u64,
) -> Bits {
    all.iter_mut().zip(limbs).for_each(|(all, limb)| *all = *limb);
    floats.into_iter().filter(|&float| float != 0.0).for_each(|float| add(&mut all, unit, float));
    carry(&mut all);
    round(&mut all, unit, dtype, divisor)
}

/// The sum of two floats, rounded to odd: rounding it again, to fewer bits, then gives what rounding once would have given.
fn sum_to_odd(high: f64, low: f64) -> f64 {
    let (sum, error) = two_sum(high, low);
    if error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    // The neighbour on the side of the error.
    let bits = sum.to_bits();
    f64::from_bits(if (error > 0.0) == (sum > 0.0) { bits + 1 } else { bits - 1 })
}

/// Knuth's TwoSum: the rounded sum and its error, so that a + x = sum + error. Where the sum overflows, the error is NaN.
#[inline(always)]
pub(crate) fn two_sum<L: F64Lanes>(a: L, x: L) -> (L, L) {
    let sum = a + x;
    let v = sum - a;
    (sum, (a - (sum - v)) + (x - v))
}
