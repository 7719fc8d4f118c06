//! Division. Integers are truncated or rounded down, floats are rounded to their dtype.
//!
//! Integers of up to 32 bits are divided as floats, which takes a processor less time. The quotient of integers a and b, with |a| below
//! 2^p, is a whole number or at least 1/|b| away from one, so relatively more than 2^-p. A float with more than p bits rounds it by less:
//! it stays on its side of every whole number. float32 has 24 bits, for integers of 16 bits, and float64 has 53, for those of 32.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

use crate::DType;
use crate::elementwise::kernels::binary::table::operation;
use crate::elementwise::kernels::pairs::Pairs;
use crate::engine::cpu::kernels::half_float::halves;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::engine::cpu::kernels::vector::half_vectors;
use crate::engine::cpu::kernels::{F32Operation, Operation, SHIFT};

operation! {
    /// Divisors of integers that are zero, and all divisions of bool, are refused earlier. The only quotient that does not exist is the
    /// smallest integer divided by −1. It wraps to the value itself.
    Divide
    [Bool Uint8] as u8: |value, update| short(value, update, f32::trunc) as u8;
    [Int8] as i8: |value, update| short(value, update, f32::trunc) as i8;
    [Int16] as i16: |value, update| short(value, update, f32::trunc) as i16;
    [Uint16] as u16: |value, update| short(value, update, f32::trunc) as u16;
    [Int32] as i32: |value, update| word(value, update, f64::trunc) as i32;
    [Uint32] as u32: |value, update| word(value, update, f64::trunc);
    [Int64] as i64: |value: i64, update| value.checked_div(update).unwrap_or(value);
    [Uint64] as u64: |value: u64, update| value.checked_div(update).unwrap_or(value);
    [Float16] as f16: |value, update| halves(value, update, F32Operation::Divide),
        |value, update| half_vectors::<f16>(value, update, F32Operation::Divide);
    [Bfloat16] as bf16: |value, update| halves(value, update, F32Operation::Divide),
        |value, update| half_vectors::<bf16>(value, update, F32Operation::Divide);
    [Float32] as f32: |value, update| value / update, f32x4_div;
    [Float64] as f64: |value, update| value / update, f64x2_div;
}

/// The quotient of two integers of up to 16 bits as a whole number.
#[inline(always)]
fn short<E: Into<f32>>(value: E, update: E, whole: impl Fn(f32) -> f32) -> i32 {
    whole(value.into() / update.into()) as i32
}

/// The low 32 bits of the quotient of two integers of 32 bits. The sum with `SHIFT` has the whole number in its low bits, also 2^31, which
/// a conversion would saturate.
#[inline(always)]
fn word<E: Into<f64>>(value: E, update: E, whole: impl Fn(f64) -> f64) -> u32 {
    (whole(value.into() / update.into()) + SHIFT).to_bits() as u32
}

/// Division of integers, rounded down.
pub(crate) enum FloorDivide {}

impl Operation<i8> for FloorDivide {
    #[inline(always)]
    fn combine(value: i8, update: i8) -> i8 {
        short(value, update, f32::floor) as i8
    }
}

impl Operation<i16> for FloorDivide {
    #[inline(always)]
    fn combine(value: i16, update: i16) -> i16 {
        short(value, update, f32::floor) as i16
    }
}

impl Operation<i32> for FloorDivide {
    #[inline(always)]
    fn combine(value: i32, update: i32) -> i32 {
        word(value, update, f64::floor) as i32
    }
}

impl Operation<i64> for FloorDivide {
    #[inline(always)]
    fn combine(value: i64, update: i64) -> i64 {
        let quotient = value.checked_div(update).unwrap_or(value);
        let rest = value.wrapping_sub(quotient.wrapping_mul(update));
        // The quotient was rounded up where it is negative and not exact. The rest has the sign of the value.
        if rest != 0 && (rest ^ update) < 0 { quotient.wrapping_sub(1) } else { quotient }
    }
}

impl FloorDivide {
    /// The loops for elements of an integer dtype. No unsigned quotient is negative.
    pub(crate) fn pairs(dtype: DType) -> Pairs {
        match dtype {
            DType::Int8 => Pairs::each::<i8, Self>(),
            DType::Int16 => Pairs::each::<i16, Self>(),
            DType::Int32 => Pairs::each::<i32, Self>(),
            DType::Int64 => Pairs::each::<i64, Self>(),
            DType::Bool | DType::Uint8 | DType::Uint16 | DType::Uint32 | DType::Uint64 => {
                Divide::pairs(dtype)
            }
            DType::Float16 | DType::Bfloat16 | DType::Float32 | DType::Float64 => Divide::pairs(dtype),
        }
    }
}
