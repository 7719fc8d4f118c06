//! Addition. Integers wrap, floats are rounded after each addition, and bool is OR.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::engine::cpu::kernels::vector::{half_vectors, vectors_through_f32};
use crate::engine::cpu::kernels::{F32Operation, Truth, Words, combine, through_f32};

combine! {
    /// Two's-complement addition does not depend on the sign.
    Add
    [Bool] as Truth, any_order: |value: Truth, update: Truth| Truth(value.0 | update.0), v128_or;
    [Int8 Uint8] as u8, any_order: u8::wrapping_add, u8x16_add;
    [Int16 Uint16] as u16, any_order: u16::wrapping_add, u16x8_add;
    [Int32 Uint32] as u32, any_order: u32::wrapping_add, u32x4_add;
    [Int64 Uint64] as u64, any_order: u64::wrapping_add, u64x2_add;
    [Float16] as f16: |value, update| through_f32(value, update, |value, update| value.f32(F32Operation::Add, update)),
        |value, update| half_vectors::<f16>(value, update, F32Operation::Add);
    [Bfloat16] as bf16: |value, update| through_f32(value, update, |value, update| value.f32(F32Operation::Add, update)),
        add_bfloat16;
    [Float32] as f32: |value, update| value + update, f32x4_add;
    [Float64] as f64: |value, update| value + update, f64x2_add;
}

/// Sums of bfloat16 in each lane. It is a function because the compiler would not inline a closure in the table.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn add_bfloat16(value: v128, update: v128) -> v128 {
    vectors_through_f32::<bf16>(value, update, F32Operation::Add)
}
