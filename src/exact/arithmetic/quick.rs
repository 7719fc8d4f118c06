//! A quick rounding of most sums to float32, which knows when it does not suffice.

/// The sum of two finite floats and an accumulator of [`Unit::Single`](crate::exact::arithmetic::limbs::Unit::Single), rounded once to float32. Carries need not have been
/// done. `None` where only the exact way can tell: the sum is near the middle between two float32, or mostly cancelled.
#[inline(always)]
pub(crate) fn quick_single([high, low]: [f64; 2], limbs: &[i64]) -> Option<f32> {
    /// The largest integer below which every integer is a float64.
    const WHOLE: i64 = 1 << 53;
    let top = limbs.iter().rposition(|&limb| limb != 0)?.max(2);
    let base = top - 2;
    let [third, second, first] = *limbs.get(base..)?.first_chunk()?;
    let are_whole = [first, second, third].into_iter().all(|limb| -WHOLE < limb && limb < WHOLE);
    if !are_whole {
        return None;
    }
    // The sum in units of the last bit of the third limb, in float64. A limb below these three is less than 2^62 in magnitude, so all of them
    // together are less than 2^31.
    let unit = power_of_two(32 * base as i32 - 149);
    let per_unit = power_of_two(149 - 32 * base as i32);
    let upper = first as f64 * power_of_two(64) + second as f64 * power_of_two(32);
    let all = upper + third as f64;
    let with_high = all + high * per_unit;
    let sum = with_high + low * per_unit;
    // Each addition was rounded, by at most 2^-53 of its result.
    let rounded = upper.abs() + all.abs() + with_high.abs() + sum.abs();
    let error = rounded * power_of_two(-52) + if base == 0 { 0.0 } else { power_of_two(32) };
    let (least, most) = (((sum - error) * unit) as f32, ((sum + error) * unit) as f32);
    (least == most && least != 0.0).then_some(least)
}

/// 2 to an exponent that a normal float64 has.
#[inline(always)]
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::exact::arithmetic::limbs::{Unit, add, add_single, carry};
    use crate::exact::arithmetic::round::round;

    /// Random accumulators: what is known is right, and most are known.
    #[test]
    fn what_it_knows_is_right() {
        let mut state = 5u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        let (mut known, mut all) = (0, 0);
        for round_number in 0..40_000 {
            let mut limbs = [0i64; Unit::Single.limbs()];
            let spread = [1, 8, 60, 254][round_number % 4];
            let from = if round_number % 5 == 0 { 0 } else { next() % (255 - spread) };
            for _ in 0..1 + next() % 20 {
                let bits = (next() & 0x807f_ffff) | (from + next() % spread) << 23;
                add_single(&mut limbs, f32::from_bits(bits));
                if round_number % 7 == 0 {
                    add_single(&mut limbs, -f32::from_bits(bits ^ (next() & 1)));
                }
            }
            let floats = match round_number % 3 {
                0 => [-0.0, -0.0],
                1 => [f64::from(f32::from_bits(next() & 0xbfff_ffff)), -0.0],
                _ => [
                    f64::from(f32::from_bits(next() & 0xbfff_ffff)),
                    f64::from(f32::from_bits(next() & 0x9fff_ffff)),
                ],
            };
            let mut exact = limbs;
            floats.into_iter().for_each(|float| add(&mut exact, Unit::Single, float));
            carry(&mut exact);
            let expected = f32::from_bits(round(&mut exact, Unit::Single, DType::Float32, 1) as u32);
            all += 1;
            if let Some(sum) = quick_single(floats, &limbs) {
                known += 1;
                assert_eq!(sum.to_bits(), expected.to_bits(), "{floats:?} {limbs:?}");
            }
        }
        assert!(known * 2 > all, "{known} of {all}");
    }
}
