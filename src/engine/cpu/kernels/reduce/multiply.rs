//! Multiplication. Integers wrap, floats are rounded after each multiplication, and bool is AND.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::engine::cpu::kernels::vector::{half_vectors, vectors_through_f32};
use crate::engine::cpu::kernels::{F32Operation, Truth, Words, combine, through_f32};

combine! {
    /// The low half of a two's-complement product does not depend on the sign.
    Multiply
    [Bool] as Truth, any_order: |value: Truth, update: Truth| Truth(value.0 & update.0), v128_and;
    [Int8 Uint8] as u8, any_order: u8::wrapping_mul, multiply_bytes;
    [Int16 Uint16] as u16, any_order: u16::wrapping_mul, u16x8_mul;
    [Int32 Uint32] as u32, any_order: u32::wrapping_mul, u32x4_mul;
    [Int64 Uint64] as u64, any_order: u64::wrapping_mul, u64x2_mul;
    [Float16] as f16: |value, update| through_f32(value, update, |value, update| value.f32(F32Operation::Multiply, update)),
        |value, update| half_vectors::<f16>(value, update, F32Operation::Multiply);
    [Bfloat16] as bf16: |value, update| through_f32(value, update, |value, update| value.f32(F32Operation::Multiply, update)),
        multiply_bfloat16;
    [Float32] as f32: |value, update| value * update, f32x4_mul;
    [Float64] as f64: |value, update| value * update, f64x2_mul;
}

/// Products of bytes in each lane, which wrap. WebAssembly has no instruction for them: takes the low bytes of 16-bit products.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn multiply_bytes(value: v128, update: v128) -> v128 {
    let (low, high) = (u16x8_extmul_low_u8x16(value, update), u16x8_extmul_high_u8x16(value, update));
    u8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(low, high)
}

/// Products of bfloat16 in each lane. It is a function because the compiler would not inline a closure in the table.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn multiply_bfloat16(value: v128, update: v128) -> v128 {
    vectors_through_f32::<bf16>(value, update, F32Operation::Multiply)
}
