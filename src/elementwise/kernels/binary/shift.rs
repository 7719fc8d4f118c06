//! Division of integers by a power of two, rounded down or toward zero. A shift takes a fifth of the time of a division.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use crate::elementwise::kernels::pairs::Pairs;
use crate::engine::cpu::kernels::{Lane, Operation, VectorOperation};
use crate::plan::{Binary, Rounding};
use crate::{Bits, DType};

/// Division by a power of two, rounded down.
enum Down {}

/// Division by a power of two, rounded toward zero. A negative number first gets the divisor less 1.
enum TowardZero {}

/// The forms of each operation: for one element, and for a vector whose divisors are equal.
macro_rules! shifts {
    ($($element:ident $vector_shr:ident $add:ident $sub:ident $splat:ident $lane:ident;)*) => {$(
        impl Operation<$element> for Down {
            #[inline(always)]
            fn combine(value: $element, update: $element) -> $element {
                value.wrapping_shr(update.trailing_zeros())
            }
        }
        impl VectorOperation<$element> for Down {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn combine_vectors(value: v128, update: v128) -> v128 {
                $vector_shr(value, ($lane::<0>(update) as $element).trailing_zeros())
            }
        }
        impl Operation<$element> for TowardZero {
            #[inline(always)]
            fn combine(value: $element, update: $element) -> $element {
                let sign = value.wrapping_shr($element::BITS - 1);
                Down::combine(value.wrapping_add(sign & update.wrapping_sub(1)), update)
            }
        }
        impl VectorOperation<$element> for TowardZero {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn combine_vectors(value: v128, update: v128) -> v128 {
                let sign = $vector_shr(value, $element::BITS - 1);
                let added = v128_and(sign, $sub(update, $splat(1)));
                <Down as VectorOperation<$element>>::combine_vectors($add(value, added), update)
            }
        }
    )*};
}
shifts! {
    i8 i8x16_shr i8x16_add i8x16_sub i8x16_splat i8x16_extract_lane;
    u8 u8x16_shr u8x16_add u8x16_sub u8x16_splat u8x16_extract_lane;
    i16 i16x8_shr i16x8_add i16x8_sub i16x8_splat i16x8_extract_lane;
    u16 u16x8_shr u16x8_add u16x8_sub u16x8_splat u16x8_extract_lane;
    i32 i32x4_shr i32x4_add i32x4_sub i32x4_splat i32x4_extract_lane;
    u32 u32x4_shr u32x4_add u32x4_sub u32x4_splat u32x4_extract_lane;
    i64 i64x2_shr i64x2_add i64x2_sub i64x2_splat i64x2_extract_lane;
    u64 u64x2_shr u64x2_add u64x2_sub u64x2_splat u64x2_extract_lane;
}

/// The loops for a division of integers whose only divisor has these bits; `None` if that is no power of two.
pub(crate) fn pairs_by(divisor: Bits, binary: Binary, dtype: DType, pairs: Pairs) -> Option<Pairs> {
    let Binary::Divide(rounding) = binary else { return None };
    if dtype.is_float() || !divisor.is_power_of_two() {
        return None;
    }
    fn signed<E: Lane>(pairs: Pairs, is_floor: bool) -> Pairs
    where
        Down: VectorOperation<E>,
        TowardZero: VectorOperation<E>,
    {
        if is_floor { pairs.with_element::<E, Down>() } else { pairs.with_element::<E, TowardZero>() }
    }
    // The smallest number is negative. Only its first bit is set.
    let sign = 1 << (8 * dtype.size() - 1);
    let is_floor = rounding == Some(Rounding::Floor);
    Some(match dtype {
        DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 if divisor == sign => return None,
        DType::Int8 => signed::<i8>(pairs, is_floor),
        DType::Int16 => signed::<i16>(pairs, is_floor),
        DType::Int32 => signed::<i32>(pairs, is_floor),
        DType::Int64 => signed::<i64>(pairs, is_floor),
        DType::Uint8 => pairs.with_element::<u8, Down>(),
        DType::Uint16 => pairs.with_element::<u16, Down>(),
        DType::Uint32 => pairs.with_element::<u32, Down>(),
        DType::Uint64 => pairs.with_element::<u64, Down>(),
        DType::Bool | DType::Float16 | DType::Bfloat16 | DType::Float32 | DType::Float64 => return None,
    })
}
