//! How a scatter combines an update with the value that is already there.
//!
//! Each operation is a file: a table with a row for each kind of arithmetic, which names the dtypes that are computed in it.
//! To add an operation, write its file and add it to [`loops`]. The compiler then names every dtype that the file leaves out,
//! and every row that lacks a form.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::v128;

use crate::backend::cpu::loops::Loops;
use crate::dtype::DType;
use crate::plan::Reduce;

/// One operation on elements of type `E`. Both forms give the same bits.
pub(super) trait Combine<E> {
    /// Whether the result does not depend on the value that is there.
    const REPLACES: bool = false;
    /// The result for one element.
    fn combine(value: E, update: E) -> E;
    /// The result for each element of a vector.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    fn combine_vectors(value: v128, update: v128) -> v128;
}

/// The truth value of a bool element, 0 or 1.
#[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(transparent)]
pub(super) struct Truth(u8);

/// Defines an operation by its table. A row has the dtypes, the element type that they are computed as, and the two forms of
/// the operation: for one element, and for a vector of WebAssembly. Kernels are compiled for each row, so dtypes share one
/// where the operation gives them the same bits: a signed and an unsigned dtype do where it does not depend on the sign.
macro_rules! combine {
    ($(#[$doc:meta])* $name:ident $([$($dtype:ident)*] as $element:ty: $scalar:expr, $vector:expr;)*) => {
        $(#[$doc])*
        enum $name {}

        $(impl Combine<$element> for $name {
            #[inline(always)]
            fn combine(value: $element, update: $element) -> $element { $scalar(value, update) }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn combine_vectors(value: v128, update: v128) -> v128 { $vector(value, update) }
        })*

        /// The loops for elements of a dtype.
        pub(super) fn loops(dtype: DType) -> &'static Loops {
            match dtype {
                $($(DType::$dtype)|* => const { &Loops::of::<$element, $name>() },)*
            }
        }
    };
}

mod add;
mod multiply;
mod replace;

/// The loops of an operation for elements of a dtype.
pub(super) fn loops(reduce: Reduce, dtype: DType) -> &'static Loops {
    match reduce {
        Reduce::Replace => replace::loops(dtype),
        Reduce::Add => add::loops(dtype),
        Reduce::Multiply => multiply::loops(dtype),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::Scalar;

    /// An operation that depends on the sign, as a table: what another reduce would be. The test is about single elements, so
    /// the half types have no vector form.
    mod maximum {
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        use core::arch::wasm32::*;

        use half::{bf16, f16};

        use super::*;

        combine! {
            Maximum
            [Bool Uint8] as u8: u8::max, u8x16_max;
            [Int8] as i8: i8::max, i8x16_max;
            [Int16] as i16: i16::max, i16x8_max;
            [Uint16] as u16: u16::max, u16x8_max;
            [Int32] as i32: i32::max, i32x4_max;
            [Uint32] as u32: u32::max, u32x4_max;
            [Int64] as i64: i64::max, |one, other| v128_bitselect(one, other, i64x2_gt(one, other));
            [Uint64] as u64: u64::max, |one, other| {
                let top = u64x2_splat(1 << 63);
                v128_bitselect(one, other, i64x2_gt(v128_xor(one, top), v128_xor(other, top)))
            };
            [Float16] as f16: f16::max, |one: v128, _: v128| one;
            [Bfloat16] as bf16: bf16::max, |one: v128, _: v128| one;
            [Float32] as f32: f32::max, f32x4_pmax;
            [Float64] as f64: f64::max, f64x2_pmax;
        }
    }

    #[test]
    fn an_operation_may_depend_on_the_sign() {
        for &dtype in DType::ALL {
            let numbers = [-100.0, -1.0, 0.0, 1.0, 2.0, 100.0].map(|x| Scalar::Float(x).cast(dtype));
            let value = |bits| Scalar::load(bits, dtype).as_f64();
            for (one, other) in numbers.iter().flat_map(|&one| numbers.map(|other| (one, other))) {
                let largest = maximum::loops(dtype).combine(one, other);
                assert_eq!(value(largest), value(one).max(value(other)), "{dtype}");
            }
        }
    }
}
