//! The arithmetic of float16 and bfloat16: each operation is computed in binary32 and rounded.

use std::ops::{BitAnd, BitOr};

use bytemuck::Pod;
use half::{bf16, f16};

/// One 32-bit word in each lane, of one lane or several. The half types are computed with them, so that one definition without
/// branches serves elements and vectors. What a word holds is said by the operation: bits, a signed number or a binary32.
pub(crate) trait Words: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// The word, in every lane.
    fn splat(word: u32) -> Self;
    fn wrapping_add(self, other: Self) -> Self;
    /// All bits set where this is greater than the other, both read as signed numbers; else no bits.
    fn gt_mask(self, other: Self) -> Self;
    /// Shifted left by `bits`.
    fn shl(self, bits: u32) -> Self;
    /// Shifted right by `bits`, filling with zeros.
    fn shr(self, bits: u32) -> Self;
    /// The sum of binary32 numbers, rounded as binary32; words are their bits.
    fn add_f32(self, other: Self) -> Self;
    /// The product of binary32 numbers, rounded as binary32; words are their bits.
    fn multiply_f32(self, other: Self) -> Self;
    /// All bits set where this is a binary32 NaN; else no bits.
    fn is_nan_f32(self) -> Self;
    /// `yes` where all bits of this mask are set, and `no` where none is.
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
        // 1 becomes all bits, and 0 none.
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
    fn add_f32(self, other: Self) -> Self {
        (f32::from_bits(self) + f32::from_bits(other)).to_bits()
    }
    #[inline(always)]
    fn multiply_f32(self, other: Self) -> Self {
        (f32::from_bits(self) * f32::from_bits(other)).to_bits()
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

/// A float of two bytes that is computed in binary32. Binary32 has at least twice its digits plus two, so rounding the result
/// a second time gives the same as rounding once. The bits are those of the `half` crate, whose branches would keep compilers
/// from making vectors.
pub(crate) trait HalfFloat: Pod {
    /// The bits of the same number as a binary32. `bits` are those of the half type, in the low half of each word, whose high half is 0.
    fn widen<W: Words>(bits: W) -> W;
    /// The bits, in the low half of each word, of the number nearest to a binary32, ties to even. `bits` are those of the binary32.
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
        // Above the largest finite number there are infinity and NaN, whose exponent has all bits set in both types.
        let special = magnitude.gt_mask(W::splat(0x7bff)) & W::splat(INFINITY);
        // Shifted by 13 bits, exponent and significand lie where a binary32 has its own. The product then corrects the bias of the
        // exponent, and normalises what was subnormal.
        magnitude.shl(13).multiply_f32(W::splat(SCALE)) | special | (bits & W::splat(0x8000)).shl(16)
    }

    #[inline(always)]
    fn round<W: Words>(bits: W) -> W {
        /// 2^−14, the smallest normal number.
        const NORMAL: u32 = (127 - 14) << 23;
        /// 2^16, above the finite numbers. The numbers just below it become infinity because rounding carries into the exponent.
        const BEYOND: u32 = (127 + 16) << 23;
        /// 0.5, whose last bit stands for 2^−24, as that of a subnormal of float16 does. So the sum with a number below `NORMAL` has the
        /// rounded bits of a subnormal in its low bits.
        const SHIFT: u32 = (127 - 1) << 23;
        // The number without its sign.
        let magnitude = bits & W::splat(!SIGN);
        // The last bit that is kept. With it, adding just under half of that bit's weight rounds to nearest, ties to even. The bias of
        // the exponent changes from 127 to 15 by the same addition.
        let odd = magnitude.shr(13) & W::splat(1);
        let normal = magnitude
            .wrapping_add(W::splat((15u32.wrapping_sub(127) << 23) + 0xfff))
            .wrapping_add(odd)
            .shr(13);
        let subnormal = magnitude.add_f32(W::splat(SHIFT)).wrapping_add(W::splat(SHIFT.wrapping_neg()));
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
        // Rounds to nearest, ties to even: by the last bit that is kept, a tie is carried upwards or not.
        let even = bits.wrapping_add(W::splat(0x7fff)).wrapping_add(upper & W::splat(1)).shr(16);
        // Rounding could make infinity of a NaN, so its upper half is kept, with the bit set that makes it quiet.
        bits.is_nan_f32().select(upper | W::splat(0x40), even)
    }
}

/// Applies an operation, which takes and returns the bits of binary32 numbers, to two elements and rounds its result. This is not
/// inlined, because kernels unroll their loops and would repeat its many instructions.
#[inline(never)]
pub(crate) fn through_f32<H: HalfFloat>(value: H, update: H, operation: impl Fn(u32, u32) -> u32) -> H {
    let wide = |half: H| H::widen(u32::from(bytemuck::cast::<H, u16>(half)));
    bytemuck::cast(H::round(operation(wide(value), wide(update))) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether these are the bits of a number, or any NaN where that is expected.
    fn is_f16(bits: u16, expected: f16) -> bool {
        bits == expected.to_bits() || expected.is_nan() && f16::from_bits(bits).is_nan()
    }

    /// As `is_f16`.
    fn is_bf16(bits: u16, expected: bf16) -> bool {
        bits == expected.to_bits() || expected.is_nan() && bf16::from_bits(bits).is_nan()
    }

    /// Converts every value, and numbers between, next to and far beyond two neighbours; adds and multiplies some pairs of values.
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
        let pairs = (0..=u16::MAX).step_by(61).flat_map(|a| (0..=u16::MAX).step_by(997).map(move |b| (a, b)));
        for (a, b) in pairs {
            let (x, y) = (f16::from_bits(a), f16::from_bits(b));
            assert!(is_f16(through_f32(x, y, u32::add_f32).to_bits(), x + y), "{x:e} + {y:e}");
            assert!(is_f16(through_f32(x, y, u32::multiply_f32).to_bits(), x * y), "{x:e} · {y:e}");
            let (x, y) = (bf16::from_bits(a), bf16::from_bits(b));
            assert!(is_bf16(through_f32(x, y, u32::add_f32).to_bits(), x + y), "{x:e} + {y:e}");
            assert!(is_bf16(through_f32(x, y, u32::multiply_f32).to_bits(), x * y), "{x:e} · {y:e}");
        }
    }
}
