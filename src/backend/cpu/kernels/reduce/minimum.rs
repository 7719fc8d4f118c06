//! The smaller of both: of floats as IEEE 754-2019 `minimum`, so that NaN wins and −0 < +0; bool is AND.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

use crate::backend::cpu::kernels::half_float::through_f32;
use crate::backend::cpu::kernels::loops::Loops;
use crate::backend::cpu::kernels::reduce::spread::MinimumInIntegers;

combine! {
    Minimum
    [Bool Uint8] as u8, any_order: u8::min, u8x16_min;
    [Int8] as i8, any_order: i8::min, i8x16_min;
    [Int16] as i16, any_order: i16::min, i16x8_min;
    [Uint16] as u16, any_order: u16::min, u16x8_min;
    [Int32] as i32, any_order: i32::min, i32x4_min;
    [Uint32] as u32, any_order: u32::min, u32x4_min;
    [Int64] as i64, any_order: i64::min, smaller;
    [Uint64] as u64, any_order: u64::min, smaller_unsigned;
    [Float16] as f16, any_order: |value, update| through_f32(value, update, minimum_of_bits);
    [Bfloat16] as bf16, any_order: |value, update| through_f32(value, update, minimum_of_bits);
    [Float32] as f32, any_order: minimum, f32x4_min;
    [Float64] as f64, any_order: minimum_wide, f64x2_min;
}

/// The loops of float32 for entries that are spread over many places.
pub(crate) fn spread_loops() -> &'static Loops {
    const { &Loops::of::<f32, Minimum>().with_shared_unit::<u32, MinimumInIntegers>() }
}

/// The smaller of two binary32 numbers; arguments and result are bits.
fn minimum_of_bits(value: u32, update: u32) -> u32 {
    minimum(f32::from_bits(value), f32::from_bits(update)).to_bits()
}

/// The smaller of two float32 numbers, in one instruction where there are vectors. `f32::min` is not used, because it gives the
/// number where the other is NaN, and does not order the zeros.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn minimum(value: f32, update: f32) -> f32 {
    f32x4_extract_lane::<0>(f32x4_min(f32x4_splat(value), f32x4_splat(update)))
}

/// As `minimum`, of float64 numbers.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn minimum_wide(value: f64, update: f64) -> f64 {
    f64x2_extract_lane::<0>(f64x2_min(f64x2_splat(value), f64x2_splat(update)))
}

/// The smaller of two float32 numbers, which as float64 have the same order.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn minimum(value: f32, update: f32) -> f32 {
    minimum_wide(value.into(), update.into()) as f32
}

/// The smaller of two float64 numbers. Equal numbers have equal bits, but for zeros: of those the negative one. Where the update is NaN, no
/// comparison holds, and it is the result.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn minimum_wide(value: f64, update: f64) -> f64 {
    if value < update || value.is_nan() {
        value
    } else if value == update {
        f64::from_bits(value.to_bits() | update.to_bits())
    } else {
        update
    }
}

/// The smaller of two int64 numbers in each lane. WebAssembly compares integers of 64 bits, and has no minimum of them.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn smaller(value: v128, update: v128) -> v128 {
    v128_bitselect(update, value, i64x2_gt(value, update))
}

/// The smaller of two uint64 numbers in each lane. With the top bit inverted, unsigned integers are ordered as signed ones.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn smaller_unsigned(value: v128, update: v128) -> v128 {
    let top_bit = i64x2_splat(i64::MIN);
    v128_xor(smaller(v128_xor(value, top_bit), v128_xor(update, top_bit)), top_bit)
}
