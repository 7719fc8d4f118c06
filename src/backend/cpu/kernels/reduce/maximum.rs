//! The larger of both: of floats as IEEE 754-2019 `maximum`, so that NaN wins and −0 < +0; bool is OR.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

use crate::backend::cpu::kernels::half_float::through_f32;
use crate::backend::cpu::kernels::loops::Loops;
use crate::backend::cpu::kernels::reduce::spread::MaximumInIntegers;

combine! {
    Maximum
    [Bool Uint8] as u8, any_order: u8::max, u8x16_max;
    [Int8] as i8, any_order: i8::max, i8x16_max;
    [Int16] as i16, any_order: i16::max, i16x8_max;
    [Uint16] as u16, any_order: u16::max, u16x8_max;
    [Int32] as i32, any_order: i32::max, i32x4_max;
    [Uint32] as u32, any_order: u32::max, u32x4_max;
    [Int64] as i64, any_order: i64::max, larger;
    [Uint64] as u64, any_order: u64::max, larger_unsigned;
    [Float16] as f16, any_order: |value, update| through_f32(value, update, maximum_of_bits);
    [Bfloat16] as bf16, any_order: |value, update| through_f32(value, update, maximum_of_bits);
    [Float32] as f32, any_order: maximum, f32x4_max;
    [Float64] as f64, any_order: maximum_wide, f64x2_max;
}

/// The loops of float32 for entries that are spread over many places.
pub(crate) fn spread_loops() -> &'static Loops {
    const { &Loops::of::<f32, Maximum>().with_shared_unit::<u32, MaximumInIntegers>() }
}

/// The larger of two binary32 numbers; arguments and result are bits.
fn maximum_of_bits(value: u32, update: u32) -> u32 {
    maximum(f32::from_bits(value), f32::from_bits(update)).to_bits()
}

/// The larger of two float32 numbers, in one instruction where there are vectors. `f32::max` is not used, because it gives the number where
/// the other is NaN, and does not order the zeros.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn maximum(value: f32, update: f32) -> f32 {
    f32x4_extract_lane::<0>(f32x4_max(f32x4_splat(value), f32x4_splat(update)))
}

/// As `maximum`, of float64 numbers.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn maximum_wide(value: f64, update: f64) -> f64 {
    f64x2_extract_lane::<0>(f64x2_max(f64x2_splat(value), f64x2_splat(update)))
}

/// The larger of two float32 numbers, which as float64 have the same order.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn maximum(value: f32, update: f32) -> f32 {
    maximum_wide(value.into(), update.into()) as f32
}

/// The larger of two float64 numbers. Equal numbers have equal bits, but for zeros: of those the positive one. Where the update is NaN, no
/// comparison holds, and it is the result.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn maximum_wide(value: f64, update: f64) -> f64 {
    if value > update || value.is_nan() {
        value
    } else if value == update {
        f64::from_bits(value.to_bits() & update.to_bits())
    } else {
        update
    }
}

/// The larger of two int64 numbers in each lane. WebAssembly compares integers of 64 bits, and has no maximum of them.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn larger(value: v128, update: v128) -> v128 {
    v128_bitselect(value, update, i64x2_gt(value, update))
}

/// The larger of two uint64 numbers in each lane. With the top bit inverted, unsigned integers are ordered as signed ones.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn larger_unsigned(value: v128, update: v128) -> v128 {
    let top_bit = i64x2_splat(i64::MIN);
    v128_xor(larger(v128_xor(value, top_bit), v128_xor(update, top_bit)), top_bit)
}
