//! Maximum and minimum of float32 by comparing integers, for entries that address many slots.
//!
//! The instructions for floats have branches that depend on the values. If few entries meet at a slot, its largest value still changes
//! often, and processors predict these branches wrong. If many entries collide, it rarely changes, and the branches are faster: they do not
//! wait for the previous write.

use crate::engine::cpu::kernels::Operation;

/// Maps the bits of a float32 to an unsigned integer so that integers are ordered as the numbers are, −0 below +0. NaN with a sign are
/// below −∞, other NaN above ∞.
#[inline(always)]
fn ordered(bits: u32) -> u32 {
    bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
}

/// [`ordered`] of −∞ and of ∞.
const ENDS: [u32; 2] = [0x007f_ffff, 0xff80_0000];

/// The larger of two float32 numbers, as bits.
pub(crate) enum MaximumInIntegers {}

impl Operation<u32> for MaximumInIntegers {
    const ANY_ORDER: bool = true;

    #[inline(always)]
    fn combine(value: u32, update: u32) -> u32 {
        // Subtracting the integer of −∞ wraps NaN with a sign to the largest integers, like other NaN: NaN wins.
        let key = |bits| ordered(bits).wrapping_sub(ENDS[0]);
        if key(value) > key(update) { value } else { update }
    }
}

/// The smaller of two float32 numbers, as bits.
pub(crate) enum MinimumInIntegers {}

impl Operation<u32> for MinimumInIntegers {
    const ANY_ORDER: bool = true;

    #[inline(always)]
    fn combine(value: u32, update: u32) -> u32 {
        // Subtracting the integer of ∞, plus one, makes ∞ the largest and wraps NaN without a sign to the smallest integers: NaN wins.
        let key = |bits| ordered(bits).wrapping_sub(ENDS[1] + 1);
        if key(value) < key(update) { value } else { update }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;
    use crate::engine::cpu::kernels::reduce::loops;
    use crate::plan::Reduce;

    #[test]
    fn integers_give_what_floats_give() {
        let ends = [0.0, 1e-45, f32::MIN_POSITIVE, 1.0, 1.5, f32::MAX, f32::INFINITY].map(f32::to_bits);
        let quiet_and_signalling = [0x7fc0_0001, 0x7f80_0001, 0x7fff_ffff];
        let all: Vec<u32> =
            ends.into_iter().chain(quiet_and_signalling).flat_map(|bits| [bits, bits | 1 << 31]).collect();
        let cases = [
            (Reduce::Maximum, MaximumInIntegers::combine as fn(u32, u32) -> u32),
            (Reduce::Minimum, MinimumInIntegers::combine),
        ];
        for (reduce, combine) in cases {
            for &value in &all {
                for &update in &all {
                    let expected = loops(reduce, DType::Float32).combine(value.into(), update.into()) as u32;
                    let got = combine(value, update);
                    let are_nan = [got, expected].map(|bits| f32::from_bits(bits).is_nan());
                    assert!(
                        got == expected || are_nan == [true; 2],
                        "{reduce:?} {value:x} {update:x}: {got:x}"
                    );
                }
            }
        }
    }
}
