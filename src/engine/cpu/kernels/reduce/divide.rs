//! Division. Integers are truncated toward zero, and floats are rounded after each division.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

use crate::engine::cpu::kernels::half_float::halves;
use crate::engine::cpu::kernels::{F32Operation, combine};

combine! {
    /// Integer divisors of zero and all bool divisions are refused earlier. The only quotient that does not exist is the smallest integer
    /// divided by −1. It wraps to the value itself.
    Divide
    [Bool Uint8] as u8: |value: u8, update| value.checked_div(update).unwrap_or(value);
    [Int8] as i8: |value: i8, update| value.checked_div(update).unwrap_or(value);
    [Int16] as i16: |value: i16, update| value.checked_div(update).unwrap_or(value);
    [Uint16] as u16: |value: u16, update| value.checked_div(update).unwrap_or(value);
    [Int32] as i32: |value: i32, update| value.checked_div(update).unwrap_or(value);
    [Uint32] as u32: |value: u32, update| value.checked_div(update).unwrap_or(value);
    [Int64] as i64: |value: i64, update| value.checked_div(update).unwrap_or(value);
    [Uint64] as u64: |value: u64, update| value.checked_div(update).unwrap_or(value);
    [Float16] as f16: |value, update| halves(value, update, F32Operation::Divide);
    [Bfloat16] as bf16: |value, update| halves(value, update, F32Operation::Divide);
    [Float32] as f32: |value, update| value / update, f32x4_div;
    [Float64] as f64: |value, update| value / update, f64x2_div;
}
