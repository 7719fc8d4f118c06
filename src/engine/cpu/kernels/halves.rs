//! The maximum and the minimum of float16 and bfloat16. They are found among the bits, which have the order of the numbers: no rounding is
//! needed, and vectors have eight elements. IEEE 754-2019: NaN wins and −0 < +0.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

use crate::engine::cpu::kernels::{Operation, VectorOperation};

pub(crate) trait Ordered: bytemuck::Pod {
    /// The bits of infinity. Those of NaN are above, without the sign.
    const INFINITY: u16;
}

impl Ordered for f16 {
    const INFINITY: u16 = 0x7c00;
}

impl Ordered for bf16 {
    const INFINITY: u16 = 0x7f80;
}

/// Maps bits to unsigned integers that are ordered as the numbers are, −0 below +0. NaN with a sign are below −∞, other NaN above ∞.
#[inline(always)]
const fn ordered(bits: u16) -> u16 {
    bits ^ ((bits as i16 >> 15) as u16 | 1 << 15)
}

/// The keys of a maximum count from the integer of −∞: so NaN with a sign wrap to the largest, like other NaN.
pub(crate) const fn least_of_maximum<H: Ordered>() -> u16 {
    ordered(H::INFINITY | 1 << 15)
}

/// The keys of a minimum count from the integer after that of ∞: so NaN without a sign wrap to the smallest.
pub(crate) const fn least_of_minimum<H: Ordered>() -> u16 {
    ordered(H::INFINITY) + 1
}

/// [`ordered`], counted from `least`, in the upper half of 32 bits: of 16 bits the compiler makes a branch for the sign, which processors
/// cannot predict.
#[inline(always)]
pub(crate) fn key(bits: u16, least: u16) -> u32 {
    let bits = u32::from(bits) << 16;
    let ordered = bits ^ ((bits as i32 >> 31) as u32 & 0x7fff_0000 | 1 << 31);
    ordered.wrapping_sub(u32::from(least) << 16)
}

/// [`ordered`], counted from `least`, in each lane.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
pub(crate) fn keys(bits: v128, least: u16) -> v128 {
    let ordered = v128_xor(bits, v128_or(i16x8_shr(bits, 15), u16x8_splat(1 << 15)));
    u16x8_sub(ordered, u16x8_splat(least))
}

macro_rules! extreme {
    ($($name:ident: $is:tt $vector:ident, $least:ident;)*) => {$(
        pub(crate) enum $name {}

        impl<H: Ordered> Operation<H> for $name {
            #[inline(always)]
            fn combine(value: H, update: H) -> H {
                let least = const { $least::<H>() };
                let key = |half: H| key(bytemuck::cast(half), least);
                if key(value) $is key(update) { value } else { update }
            }
        }

        impl<H: Ordered> VectorOperation<H> for $name {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn combine_vectors(value: v128, update: v128) -> v128 {
                let least = const { $least::<H>() };
                v128_bitselect(value, update, $vector(keys(value, least), keys(update, least)))
            }
        }
    )*};
}
extreme! {
    Maximum: > u16x8_gt, least_of_maximum;
    Minimum: < u16x8_lt, least_of_minimum;
}
