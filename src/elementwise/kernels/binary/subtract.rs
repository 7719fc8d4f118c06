//! Subtraction. Integers wrap, and floats are rounded.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

use crate::elementwise::kernels::binary::table::operation;
use crate::engine::cpu::kernels::F32Operation;
use crate::engine::cpu::kernels::half_float::halves;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::engine::cpu::kernels::vector::{half_vectors, vectors_through_f32};

operation! {
    /// Two's-complement subtraction does not depend on the sign. Plans refuse bool.
    Subtract
    [Bool Int8 Uint8] as u8: u8::wrapping_sub, u8x16_sub;
    [Int16 Uint16] as u16: u16::wrapping_sub, u16x8_sub;
    [Int32 Uint32] as u32: u32::wrapping_sub, u32x4_sub;
    [Int64 Uint64] as u64: u64::wrapping_sub, u64x2_sub;
    [Float16] as f16: |value, update| halves(value, update, F32Operation::Subtract),
        |value, update| half_vectors::<f16>(value, update, F32Operation::Subtract);
    [Bfloat16] as bf16: |value, update| halves(value, update, F32Operation::Subtract),
        subtract_bfloat16;
    [Float32] as f32: |value, update| value - update, f32x4_sub;
    [Float64] as f64: |value, update| value - update, f64x2_sub;
}

/// Differences of bfloat16 in each lane. It is a function because the compiler would not inline a closure in the table.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn subtract_bfloat16(value: v128, update: v128) -> v128 {
    vectors_through_f32::<bf16>(value, update, F32Operation::Subtract)
}
