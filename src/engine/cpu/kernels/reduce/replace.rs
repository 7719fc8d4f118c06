//! Replacement: the last of several updates remains. It copies bits, so dtypes of one width share their loops.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use core::arch::wasm32::v128;

use crate::DType;
use crate::engine::cpu::kernels::{Loops, Operation, VectorOperation};

pub(crate) enum Replace {}

impl<E> Operation<E> for Replace {
    const REPLACES: bool = true;
    #[inline(always)]
    fn combine(_: E, update: E) -> E {
        update
    }
}

impl<E> VectorOperation<E> for Replace {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline(always)]
    fn combine_vectors(_: v128, update: v128) -> v128 {
        update
    }
}

impl Replace {
    /// The loops for a dtype: those of unsigned integers of its width.
    pub(crate) fn loops(dtype: DType) -> &'static Loops {
        match dtype {
            DType::Bool | DType::Int8 | DType::Uint8 => const { &Loops::of::<u8, Replace>() },
            DType::Int16 | DType::Uint16 | DType::Float16 | DType::Bfloat16 => {
                const { &Loops::of::<u16, Replace>() }
            }
            DType::Int32 | DType::Uint32 | DType::Float32 => const { &Loops::of::<u32, Replace>() },
            DType::Int64 | DType::Uint64 | DType::Float64 => const { &Loops::of::<u64, Replace>() },
        }
    }
}
