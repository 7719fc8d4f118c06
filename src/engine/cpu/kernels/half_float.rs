//! The arithmetic of float16 and bfloat16: each operation is computed in binary32 and rounded.

use std::ops::{BitAnd, BitOr};

use bytemuck::Pod;
use half::{bf16, f16};

/// A 32-bit word in each of one or several lanes. The half types are computed with these words, so one definition without branches serves
/// elements and vectors. Each operation says what it takes a word for: bits, a signed number or a binary32.
pub(crate) trait Words: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// The word, in every lane.
    fn splat(word: u32) -> Self;
    fn wrapping_add(self, other: Self) -> Self;
    /// All bits set if this is greater than the other as a signed number; else no bits.
    fn gt_mask(self, other: Self) -> Self;
    fn shl(self, bits: u32) -> Self;
    /// Shifted right by `bits`, filling with zeros.
    fn shr(self, bits: u32) -> Self;
    /// The result of binary32 numbers, rounded to binary32. The words are their bits.
    fn f32(self, operation: F32Operation, other: Self) -> Self;
    /// All bits set for a binary32 NaN; else no bits.
    fn is_nan_f32(self) -> Self;
    /// `yes` if all bits of this mask are set, `no` if none is.
    fn select(self, yes: Self, no: Self) -> Self;
}

impl Words for u32 {
    #[inline(always)]
    fn splat(word: u32) -> Self {
        word
    }
    #[inline(always)]
    fn wrapping_add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn gt_mask(self, other: Self) -> Self {
        // 1 becomes all bits, and 0 no bits.
        Self::from(self as i32 > other as i32).wrapping_neg()
    }
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        self << bits
    }
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        self >> bits
    }
    #[inline(always)]
    fn f32(self, operation: F32Operation, other: Self) -> Self {
        let (one, other) = (f32::from_bits(self), f32::from_bits(other));
        let result = match operation {
            F32Operation::Add => one + other,
            F32Operation::Subtract => one - other,
            F32Operation::Multiply => one * other,
            F32Operation::Divide => one / other,
        };
        result.to_bits()
    }
    #[inline(always)]
    fn is_nan_f32(self) -> Self {
        Self::from(f32::from_bits(self).is_nan()).wrapping_neg()
    }
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        if self == 0 { no } else { yes }
    }
}

/// A float of two bytes that is computed in binary32. Binary32 has at least twice its digits plus two. So rounding first to binary32
/// and then to the half type gives the same as rounding once. The bit patterns are those of the `half` crate, but its branches would
/// prevent vectors.
pub(crate) trait HalfFloat: Pod {
    /// Widens to the bits of a binary32. `bits` is the half type, in the low half of each word; the high half is 0.
    fn widen<W: Words>(bits: W) -> W;
    /// Rounds the bits of a binary32 to the nearest number of the half type, ties to even. The result is in the low half of each word.
    fn round<W: Words>(bits: W) -> W;
}

/// The sign bit of a binary32.
const SIGN: u32 = 1 << 31;
/// Infinity as a binary32.
const INFINITY: u32 = 0x7f80_0000;

impl HalfFloat for f16 {
    #[inline(always)]
    fn widen<W: Words>(bits: W) -> W {
        /// 2^112: the exponent biases of the two types differ by 112.
        const SCALE: u32 = (127 + 112) << 23;
        // The number without its sign.
        let magnitude = bits & W::splat(0x7fff);
        // Above the largest finite number are infinity and NaN. Their exponents have all bits set in both types.
        let special = magnitude.gt_mask(W::splat(0x7bff)) & W::splat(INFINITY);
        // A shift by 13 bits moves exponent and significand to their places in a binary32. The product then corrects the exponent's bias
        // and normalises subnormals.
        magnitude.shl(13).f32(F32Operation::Multiply, W::splat(SCALE))
            | special
            | (bits & W::splat(0x8000)).shl(16)
    }

    #[inline(always)]
    fn round<W: Words>(bits: W) -> W {
        /// 2^−14, the smallest normal number.
        const NORMAL: u32 = (127 - 14) << 23;
        /// 2^16, above the finite numbers. Numbers just below it become infinity, because rounding carries into the exponent.
        const BEYOND: u32 = (127 + 16) << 23;
        /// 0.5. Its last bit stands for 2^−24, like the last bit of a subnormal float16. So the sum with a number below `NORMAL` has the
        /// rounded subnormal in its low bits.
        const SHIFT: u32 = (127 - 1) << 23;
        // The number without its sign.
        let magnitude = bits & W::splat(!SIGN);
        // The last bit that is kept. Adding it and just under half of its weight rounds to nearest, ties to even. The same addition
        // changes the bias of the exponent from 127 to 15.
        let odd = magnitude.shr(13) & W::splat(1);
        let normal = magnitude
            .wrapping_add(W::splat((15u32.wrapping_sub(127) << 23) + 0xfff))
            .wrapping_add(odd)
            .shr(13);
        let subnormal =
            magnitude.f32(F32Operation::Add, W::splat(SHIFT)).wrapping_add(W::splat(SHIFT.wrapping_neg()));
        // A quiet NaN, or infinity.
        let special = bits.is_nan_f32().select(W::splat(0x7e00), W::splat(0x7c00));
        let finite = W::splat(NORMAL).gt_mask(magnitude).select(subnormal, normal);
        W::splat(BEYOND).gt_mask(magnitude).select(finite, special) | (bits & W::splat(SIGN)).shr(16)
    }
}

impl HalfFloat for bf16 {
    #[inline(always)]
    fn widen<W: Words>(bits: W) -> W {
        bits.shl(16)
    }

    #[inline(always)]
    fn round<W: Words>(bits: W) -> W {
        let upper = bits.shr(16);
        // Rounds to nearest, ties to even: the last kept bit decides whether a tie carries.
        let even = bits.wrapping_add(W::splat(0x7fff)).wrapping_add(upper & W::splat(1)).shr(16);
        // Rounding could turn a NaN into infinity, so its upper half is kept, with the quiet bit set.
        bits.is_nan_f32().select(upper | W::splat(0x40), even)
    }
}

/// Applies an operation on the bits of binary32 numbers to two elements and rounds the result. It is not inlined, because unrolled loops
/// would repeat its many instructions.
#[inline(never)]
pub(crate) fn through_f32<H: HalfFloat>(value: H, update: H, operation: impl Fn(u32, u32) -> u32) -> H {
    let wide = |half: H| H::widen(u32::from(bytemuck::cast::<H, u16>(half)));
    bytemuck::cast(H::round(operation(wide(value), wide(update))) as u16)
}

/// An operation of binary32. Where it is a constant, the compiler keeps only that arm of [`Words::f32`].
#[derive(Clone, Copy)]
pub(crate) enum F32Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// [`through_f32`] for an operation by its number: compiled once for each half type, for elements that are not in whole vectors.
#[inline(always)]
pub(crate) fn halves<H: HalfFloat>(value: H, update: H, operation: F32Operation) -> H {
    through_f32(value, update, move |value, update| value.f32(operation, update))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether these are the bits of `expected`, or any NaN if that is NaN.
    fn is_f16(bits: u16, expected: f16) -> bool {
        bits == expected.to_bits() || expected.is_nan() && f16::from_bits(bits).is_nan()
    }

    /// As `is_f16`.
    fn is_bf16(bits: u16, expected: bf16) -> bool {
        bits == expected.to_bits() || expected.is_nan() && bf16::from_bits(bits).is_nan()
    }

    /// Converts every value, and numbers around and far beyond it. Adds and multiplies some pairs.
    #[test]
    fn halves_are_what_the_half_crate_computes() {
        let distances =
            [-0x1001i32, -0x1000, -0xfff, -1, 0, 1, 0xfff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001];
        for bits in 0..=u16::MAX {
            let wide = u32::from(bits);
            for (wide, theirs) in [
                (f16::widen(wide), f16::from_bits(bits).to_f32()),
                (bf16::widen(wide), bf16::from_bits(bits).to_f32()),
            ] {
                assert!(wide == theirs.to_bits() || theirs.is_nan() && f32::from_bits(wide).is_nan());
                for distance in distances {
                    let x = theirs.to_bits().wrapping_add_signed(distance);
                    let near = f32::from_bits(x);
                    assert!(is_f16(f16::round(x) as u16, f16::from_f32(near)), "{near:e}");
                    assert!(is_bf16(bf16::round(x) as u16, bf16::from_f32(near)), "{near:e}");
                }
            }
        }
        let [add, multiply] = [F32Operation::Add, F32Operation::Multiply]
            .map(|operation| move |value: u32, update| value.f32(operation, update));
        let pairs = (0..=u16::MAX).step_by(61).flat_map(|a| (0..=u16::MAX).step_by(997).map(move |b| (a, b)));
        for (a, b) in pairs {
            let (x, y) = (f16::from_bits(a), f16::from_bits(b));
            assert!(is_f16(through_f32(x, y, add).to_bits(), x + y), "{x:e} + {y:e}");
            assert!(is_f16(through_f32(x, y, multiply).to_bits(), x * y), "{x:e} · {y:e}");
            let (x, y) = (bf16::from_bits(a), bf16::from_bits(b));
            assert!(is_bf16(through_f32(x, y, add).to_bits(), x + y), "{x:e} + {y:e}");
            assert!(is_bf16(through_f32(x, y, multiply).to_bits(), x * y), "{x:e} · {y:e}");
        }
    }
}
