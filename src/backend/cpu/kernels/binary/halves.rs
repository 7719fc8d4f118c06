//! The maximum and the minimum of float16 and bfloat16, with vectors. A scatter's loops have none.

use half::{bf16, f16};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::v128;

use crate::backend::cpu::kernels::half_float::{F32Operation, halves};
use crate::backend::cpu::kernels::loops::pairs::Pairs;
use crate::backend::cpu::kernels::operation::{Operation, VectorOperation};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::backend::cpu::kernels::vector::half_vectors;
use crate::dtype::DType;

macro_rules! extreme {
    ($($name:ident: $($element:ty)*;)*) => {$(
        pub(crate) enum $name {}

        $(impl Operation<$element> for $name {
            #[inline(always)]
            fn combine(value: $element, update: $element) -> $element { halves(value, update, F32Operation::$name) }
        }
        impl VectorOperation<$element> for $name {
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            #[inline(always)]
            fn combine_vectors(value: v128, update: v128) -> v128 {
                half_vectors::<$element>(value, update, F32Operation::$name)
            }
        })*

        impl $name {
            /// The loops for float16 and bfloat16.
            pub(crate) fn pairs(dtype: DType) -> Pairs {
                match dtype {
                    DType::Float16 => Pairs::commuting::<f16, Self>(),
                    _ => Pairs::commuting::<bf16, Self>(),
                }
            }
        }
    )*};
}
extreme! {
    Maximum: f16 bf16;
    Minimum: f16 bf16;
}
