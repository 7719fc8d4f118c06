//! Maximum and minimum. Floats follow IEEE 754-2019 `maximum` and `minimum`: NaN wins and −0 < +0. For bool they are OR and AND.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::*;

use half::{bf16, f16};

use crate::DType;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::engine::cpu::kernels::VectorOperation;
use crate::engine::cpu::kernels::{Loops, MaximumInIntegers, MinimumInIntegers, combine, halves};

/// Defines maximum or minimum. `$is` compares numbers, and `$zeros` combines the sign bits of two zeros. The other arguments name the
/// method of integers, the operation on float32 in integers, and the instructions for vectors.
macro_rules! extreme {
    ($name:ident: $is:tt $zeros:tt, $method:ident, $in_integers:ident,
     $u8:ident $i8:ident $i16:ident $u16:ident $i32:ident $u32:ident $i64:ident $f32:ident $f64:ident,
     $pseudo:ident $zero_bits:ident) => {
        combine! {
            $name
            [Bool Uint8] as u8, any_order: u8::$method, $u8;
            [Int8] as i8, any_order: i8::$method, $i8;
            [Int16] as i16, any_order: i16::$method, $i16;
            [Uint16] as u16, any_order: u16::$method, $u16;
            [Int32] as i32, any_order: i32::$method, $i32;
            [Uint32] as u32, any_order: u32::$method, $u32;
            [Int64] as i64, any_order: i64::$method, Self::int64;
            [Uint64] as u64, any_order: u64::$method, Self::uint64;
            [Float16] as f16, any_order: halves::$name::combine, <halves::$name as VectorOperation<f16>>::combine_vectors;
            [Bfloat16] as bf16, any_order: halves::$name::combine, <halves::$name as VectorOperation<bf16>>::combine_vectors;
            [Float32] as f32, any_order: Self::float32, Self::four_float32;
            [Float64] as f64, any_order: Self::float64, $f64;
        }

        impl $name {
            /// The float32 loops for entries that address many slots.
            pub(crate) fn loops_for_unlikely() -> &'static Loops {
                const { &Loops::of::<f32, $name>().with_shared_unit::<u32, $in_integers>() }
            }

            /// The loops for many entries at each slot.
            pub(crate) fn loops_for_likely(dtype: DType) -> &'static Loops {
                match dtype {
                    #[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "loops"))]
                    DType::Float16 => const { &Loops::of::<f16, $name>().with_likely::<f16, halves::$name>() },
                    #[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "loops"))]
                    DType::Bfloat16 => const { &Loops::of::<bf16, $name>().with_likely::<bf16, halves::$name>() },
                    _ => Self::loops(dtype),
                }
            }

            /// The extreme of two float32 numbers, in one instruction. The method of f32 is not used: it drops a NaN and does not order
            /// the zeros.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn float32(value: f32, update: f32) -> f32 {
                f32x4_extract_lane::<0>($f32(f32x4_splat(value), f32x4_splat(update)))
            }

            /// The extreme of two float64 numbers, in the same way.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn float64(value: f64, update: f64) -> f64 {
                f64x2_extract_lane::<0>($f64(f64x2_splat(value), f64x2_splat(update)))
            }

            /// The extreme of two float32 numbers. As float64 they have the same order.
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            #[inline(always)]
            fn float32(value: f32, update: f32) -> f32 {
                Self::float64(value.into(), update.into()) as f32
            }

            /// The extreme of two float64 numbers. Equal numbers have equal bits, except zeros. If the update is NaN, no comparison
            /// holds, and the update is the result.
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            #[inline(always)]
            fn float64(value: f64, update: f64) -> f64 {
                if value $is update || value.is_nan() {
                    value
                } else if value == update {
                    f64::from_bits(value.to_bits() $zeros update.to_bits())
                } else {
                    update
                }
            }

            /// The extreme of two float32 numbers in each lane, in fewer instructions of a processor than the one of WebAssembly. Both
            /// orders of the operands give the same result, except for two zeros, or a NaN and a number: there each order gives its first
            /// operand. The bits of both zeros are combined, and a lane in which the results differ as numbers has a NaN: it becomes one.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn four_float32(value: v128, update: v128) -> v128 {
                let (one, other) = ($pseudo(value, update), $pseudo(update, value));
                v128_or($zero_bits(one, other), f32x4_ne(one, other))
            }

            /// The extreme of two int64 numbers in each lane. WebAssembly only has the comparison of 64-bit integers.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn int64(value: v128, update: v128) -> v128 {
                v128_bitselect(value, update, $i64(value, update))
            }

            /// The extreme of two uint64 numbers in each lane. With the top bit inverted, unsigned integers are ordered as signed ones.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn uint64(value: v128, update: v128) -> v128 {
                let top_bit = i64x2_splat(i64::MIN);
                v128_xor(Self::int64(v128_xor(value, top_bit), v128_xor(update, top_bit)), top_bit)
            }
        }
    };
}

extreme! {
    Maximum: > &, max, MaximumInIntegers,
    u8x16_max i8x16_max i16x8_max u16x8_max i32x4_max u32x4_max i64x2_gt f32x4_max f64x2_max,
    f32x4_pmax v128_and
}
extreme! {
    Minimum: < |, min, MinimumInIntegers,
    u8x16_min i8x16_min i16x8_min u16x8_min i32x4_min u32x4_min i64x2_lt f32x4_min f64x2_min,
    f32x4_pmin v128_or
}
