//! Division. Integers are truncated or rounded down, floats are rounded to their dtype.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

use crate::backend::cpu::kernels::binary::table::operation;
use crate::backend::cpu::kernels::half_float::{F32Operation, halves};
use crate::backend::cpu::kernels::loops::pairs::Pairs;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::backend::cpu::kernels::vector::half_vectors;
use crate::dtype::DType;

operation! {
    /// Divisors of integers that are zero, and all divisions of bool, are refused earlier. The only quotient that does not exist is the
    /// smallest integer divided by −1. It wraps to the value itself.
    Divide
    [Bool Uint8] as u8: |value: u8, update| value.checked_div(update).unwrap_or(value);
    [Int8] as i8: |value: i8, update| value.checked_div(update).unwrap_or(value);
    [Int16] as i16: |value: i16, update| value.checked_div(update).unwrap_or(value);
    [Uint16] as u16: |value: u16, update| value.checked_div(update).unwrap_or(value);
    [Int32] as i32: |value: i32, update| value.checked_div(update).unwrap_or(value);
    [Uint32] as u32: |value: u32, update| value.checked_div(update).unwrap_or(value);
    [Int64] as i64: |value: i64, update| value.checked_div(update).unwrap_or(value);
    [Uint64] as u64: |value: u64, update| value.checked_div(update).unwrap_or(value);
    [Float16] as f16: |value, update| halves(value, update, F32Operation::Divide),
        |value, update| half_vectors::<f16>(value, update, F32Operation::Divide);
    [Bfloat16] as bf16: |value, update| halves(value, update, F32Operation::Divide),
        |value, update| half_vectors::<bf16>(value, update, F32Operation::Divide);
    [Float32] as f32: |value, update| value / update, f32x4_div;
    [Float64] as f64: |value, update| value / update, f64x2_div;
}

/// Division of integers, rounded down.
pub(crate) enum FloorDivide {}

macro_rules! floor {
    ($($dtype:ident as $element:ty;)*) => {
        $(impl crate::backend::cpu::kernels::operation::Operation<$element> for FloorDivide {
            #[inline(always)]
            fn combine(value: $element, update: $element) -> $element {
                let quotient = value.checked_div(update).unwrap_or(value);
                let rest = value.wrapping_sub(quotient.wrapping_mul(update));
                // The quotient was rounded up where it is negative and not exact. The rest has the sign of the value.
                if rest != 0 && (rest ^ update) < 0 { quotient.wrapping_sub(1) } else { quotient }
            }
        })*

        impl FloorDivide {
            /// The loops for elements of an integer dtype. No unsigned quotient is negative.
            pub(crate) fn pairs(dtype: DType) -> Pairs {
                match dtype {
                    $(DType::$dtype => Pairs::each::<$element, Self>(),)*
                    DType::Bool | DType::Uint8 | DType::Uint16 | DType::Uint32 | DType::Uint64 => Divide::pairs(dtype),
                    DType::Float16 | DType::Bfloat16 | DType::Float32 | DType::Float64 => Divide::pairs(dtype),
                }
            }
        }
    };
}
floor! {
    Int8 as i8;
    Int16 as i16;
    Int32 as i32;
    Int64 as i64;
}
