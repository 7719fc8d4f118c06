//! How updates meet what is there, and the parts of a shader that do it.

use crate::backend::gpu::{Arithmetic, Width};
use crate::dtype::DType;
use crate::plan::Reduce;

/// How an update meets the value that is there, for one kind of element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Combine {
    /// Bits move.
    Replace,
    /// Truth values: OR.
    AddBool,
    /// Truth values: AND.
    MultiplyBool,
    /// Integers of up to 32 bits, wrapping.
    AddInt,
    /// Integers of up to 32 bits, wrapping.
    MultiplyInt,
    /// 64-bit integers, wrapping.
    AddInt64,
    /// 64-bit integers, wrapping.
    MultiplyInt64,
    /// float16 in integer arithmetic.
    AddFloat16,
    /// float16 in integer arithmetic.
    MultiplyFloat16,
    /// bfloat16 in integer arithmetic.
    AddBfloat16,
    /// bfloat16 in integer arithmetic.
    MultiplyBfloat16,
    /// float32 in the adapter's arithmetic.
    AddFloat,
    /// float32 in the adapter's arithmetic.
    MultiplyFloat,
    /// float32 in integer arithmetic.
    AddStrict,
    /// float32 in the adapter's arithmetic where that is sure to be right, else in integers: by
    /// [`Pass::Multiply`](crate::backend::gpu::Pass::Multiply) alone.
    MultiplyGuarded,
    /// float32 in integer arithmetic.
    MultiplyStrict,
    /// float64 in integer arithmetic.
    AddFloat64,
    /// float64 in integer arithmetic.
    MultiplyFloat64,
}

/// 64-bit integers.
pub(super) const WIDE: &str = shader!("lib/wide.wgsl");

impl Combine {
    /// The way for a dtype. Every dtype has one for each reduction; docs/DTYPES.md lists them.
    pub fn select(dtype: DType, reduce: Reduce, float32: Arithmetic) -> Self {
        let (add, multiply) = match (dtype, float32) {
            (DType::Bool, _) => (Self::AddBool, Self::MultiplyBool),
            (DType::Int8 | DType::Uint8, _)
            | (DType::Int16 | DType::Uint16, _)
            | (DType::Int32 | DType::Uint32, _) => (Self::AddInt, Self::MultiplyInt),
            (DType::Int64 | DType::Uint64, _) => (Self::AddInt64, Self::MultiplyInt64),
            (DType::Float16, _) => (Self::AddFloat16, Self::MultiplyFloat16),
            (DType::Bfloat16, _) => (Self::AddBfloat16, Self::MultiplyBfloat16),
            (DType::Float32, Arithmetic::Native) => (Self::AddFloat, Self::MultiplyFloat),
            // A scatter mends nothing afterwards: what is sure in one update is not sure in the next.
            (DType::Float32, Arithmetic::Guarded | Arithmetic::Strict) => {
                (Self::AddStrict, Self::MultiplyStrict)
            }
            (DType::Float64, _) => (Self::AddFloat64, Self::MultiplyFloat64),
        };
        match reduce {
            Reduce::Replace => Self::Replace,
            Reduce::Add => add,
            Reduce::Multiply => multiply,
        }
    }

    /// Whether a scalar that is applied any number of times takes a bounded number of rounds.
    pub(super) fn repeats_in_few_rounds(self) -> bool {
        match self {
            Self::Replace | Self::AddBool | Self::MultiplyBool => true,
            Self::AddInt | Self::MultiplyInt | Self::AddInt64 | Self::MultiplyInt64 => true,
            Self::AddFloat | Self::AddStrict | Self::AddFloat16 | Self::AddBfloat16 => true,
            Self::MultiplyFloat | Self::MultiplyGuarded | Self::MultiplyStrict => false,
            Self::MultiplyFloat16 | Self::MultiplyBfloat16 => false,
            Self::AddFloat64 | Self::MultiplyFloat64 => false,
        }
    }

    /// The arithmetic that the combination calls.
    pub(super) fn arithmetic(self) -> &'static [&'static str] {
        const NATIVE: &str = shader!("lib/native_float.wgsl");
        const FLOAT: &str = shader!("lib/strict_float.wgsl");
        const HALF: &str = shader!("lib/strict_half.wgsl");
        const DOUBLE: &str = shader!("lib/strict_double.wgsl");
        match self {
            Self::Replace | Self::AddBool | Self::MultiplyBool => &[],
            Self::AddInt | Self::MultiplyInt => &[],
            Self::AddFloat | Self::MultiplyFloat => &[NATIVE],
            Self::AddInt64 | Self::MultiplyInt64 => &[WIDE],
            Self::AddStrict | Self::MultiplyStrict => &[FLOAT],
            Self::MultiplyGuarded => &[FLOAT, NATIVE],
            Self::AddFloat16 | Self::MultiplyFloat16 | Self::AddBfloat16 | Self::MultiplyBfloat16 => {
                &[FLOAT, HALF]
            }
            Self::AddFloat64 | Self::MultiplyFloat64 => &[WIDE, DOUBLE],
        }
    }

    pub(super) fn part(self) -> &'static str {
        match self {
            Self::Replace => shader!("lib/combine_replace.wgsl"),
            Self::AddBool => shader!("lib/combine_add_bool.wgsl"),
            Self::MultiplyBool => shader!("lib/combine_multiply_bool.wgsl"),
            Self::AddInt => shader!("lib/combine_add_int.wgsl"),
            Self::MultiplyInt => shader!("lib/combine_multiply_int.wgsl"),
            Self::AddInt64 => shader!("lib/combine_add_int64.wgsl"),
            Self::MultiplyInt64 => shader!("lib/combine_multiply_int64.wgsl"),
            Self::AddFloat16 => shader!("lib/combine_add_float16.wgsl"),
            Self::MultiplyFloat16 => shader!("lib/combine_multiply_float16.wgsl"),
            Self::AddBfloat16 => shader!("lib/combine_add_bfloat16.wgsl"),
            Self::MultiplyBfloat16 => shader!("lib/combine_multiply_bfloat16.wgsl"),
            Self::AddFloat => shader!("lib/combine_add_float.wgsl"),
            Self::MultiplyFloat => shader!("lib/combine_multiply_float.wgsl"),
            Self::AddStrict => shader!("lib/combine_add_strict.wgsl"),
            Self::MultiplyStrict | Self::MultiplyGuarded => shader!("lib/combine_multiply_strict.wgsl"),
            Self::AddFloat64 => shader!("lib/combine_add_float64.wgsl"),
            Self::MultiplyFloat64 => shader!("lib/combine_multiply_float64.wgsl"),
        }
    }
}

/// How a shader applies one scalar many times.
pub(super) fn repeat_parts(combine: Combine) -> &'static [&'static str] {
    const WHOLE: &str = shader!("lib/repeat_whole.wgsl");
    const IN_ORDER: &str = shader!("lib/repeat_in_order.wgsl");
    const FLOAT_ADD: &str = shader!("lib/repeat_float_add.wgsl");
    match combine {
        Combine::Replace | Combine::AddBool | Combine::MultiplyBool => &[WHOLE],
        Combine::AddInt | Combine::MultiplyInt | Combine::AddInt64 | Combine::MultiplyInt64 => &[WHOLE],
        Combine::AddFloat | Combine::AddStrict => &["const FRACTION_BITS: u32 = 23u;\n", FLOAT_ADD],
        Combine::AddFloat16 => &["const FRACTION_BITS: u32 = 10u;\n", FLOAT_ADD],
        Combine::AddBfloat16 => &["const FRACTION_BITS: u32 = 7u;\n", FLOAT_ADD],
        Combine::MultiplyFloat16 | Combine::MultiplyBfloat16 => &[IN_ORDER],
        Combine::MultiplyFloat | Combine::MultiplyGuarded | Combine::MultiplyStrict => &[IN_ORDER],
        Combine::AddFloat64 | Combine::MultiplyFloat64 => &[IN_ORDER],
    }
}

/// How a shader applies an update atomically.
pub(super) fn atomic_part(width: Width, combine: Combine) -> &'static str {
    match (combine, width) {
        (Combine::AddBool, _) => shader!("lib/atomic_or.wgsl"),
        (Combine::MultiplyBool, _) => shader!("lib/atomic_and.wgsl"),
        (Combine::AddInt64, _) => shader!("lib/atomic_add_8.wgsl"),
        (Combine::Replace, Width::One | Width::Two) => {
            shader!("lib/atomic_store_packed.wgsl")
        }
        (Combine::Replace, Width::Eight) => shader!("lib/atomic_store_8.wgsl"),
        (Combine::Replace, _) => shader!("lib/atomic_store_4.wgsl"),
        _ => shader!("lib/atomic_add_4.wgsl"),
    }
}
