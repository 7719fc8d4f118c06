//! The maximum and the minimum of float16 and bfloat16. They are found among the bits, which have the order of the numbers: no rounding is
//! needed, and vectors have eight elements. IEEE 754-2019: NaN wins and −0 < +0.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

use crate::engine::cpu::kernels::{Operation, VectorOperation};

pub(crate) trait Ordered: bytemuck::Pod {
    /// The bits of infinity. Those of NaN are above, without the sign.
    const INFINITY: i16;
}

impl Ordered for f16 {
    const INFINITY: i16 = 0x7c00;
}

impl Ordered for bf16 {
    const INFINITY: i16 = 0x7f80;
}

/// The key of a number: an integer with the number's order. A NaN gets the sign bit `nan`, so that it wins.
#[inline(always)]
fn key<H: Ordered>(bits: i16, nan: i16) -> i16 {
    let is_nan = bits & i16::MAX > H::INFINITY;
    turned(if is_nan { bits & i16::MAX | nan } else { bits })
}

/// Inverts the magnitude of a negative number. Its own inverse.
#[inline(always)]
fn turned(bits: i16) -> i16 {
    bits ^ (bits >> 15 & i16::MAX)
}

/// [`key`] in each lane.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn keys<H: Ordered>(bits: v128, nan: i16) -> v128 {
    let magnitudes = v128_and(bits, i16x8_splat(i16::MAX));
    let are_nan = i16x8_gt(magnitudes, i16x8_splat(H::INFINITY));
    let bits = v128_bitselect(v128_or(magnitudes, i16x8_splat(nan)), bits, are_nan);
    turned_lanes(bits)
}

/// [`turned`] in each lane.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn turned_lanes(bits: v128) -> v128 {
    v128_xor(bits, v128_and(i16x8_shr(bits, 15), i16x8_splat(i16::MAX)))
}

macro_rules! extreme {
    ($($name:ident: $method:ident $vector:ident, $nan:expr;)*) => {$(
        pub(crate) enum $name {}

        impl<H: Ordered> Operation<H> for $name {
            #[inline(always)]
            fn combine(value: H, update: H) -> H {
                let [value, update] = [value, update].map(|half| key::<H>(bytemuck::cast(half), $nan));
                bytemuck::cast(turned(value.$method(update)))
            }
        }

        impl<H: Ordered> VectorOperation<H> for $name {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn combine_vectors(value: v128, update: v128) -> v128 {
                turned_lanes($vector(keys::<H>(value, $nan), keys::<H>(update, $nan)))
            }
        }
    )*};
}
extreme! {
    Maximum: max i16x8_max, 0;
    Minimum: min i16x8_min, i16::MIN;
}
