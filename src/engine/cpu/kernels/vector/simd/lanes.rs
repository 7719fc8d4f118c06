//! Vectors of each element type, and their operations.

use core::arch::wasm32::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use bytemuck::Pod;
use half::{bf16, f16};

use crate::engine::cpu::kernels::{F32Operation, F64Lanes, FloatLanes, HalfFloat, Truth, Words};

/// An element type. Each has its own `splat`: with one `splat` of bits for all, LLVM would compute slower with floats.
pub(crate) trait Lane: Pod {
    fn splat(self) -> v128;
}

macro_rules! lanes {
    ($($ty:ty: $splat:expr;)*) => {$(
        impl Lane for $ty {
            #[inline(always)]
            fn splat(self) -> v128 { $splat(self) }
        }
    )*};
}
lanes! {
    Truth: |x| u8x16_splat(bytemuck::cast(x));
    u8: u8x16_splat;
    i8: i8x16_splat;
    u16: u16x8_splat;
    i16: i16x8_splat;
    u32: u32x4_splat;
    i32: i32x4_splat;
    u64: u64x2_splat;
    i64: i64x2_splat;
    f16: |x: f16| u16x8_splat(x.to_bits());
    bf16: |x: bf16| u16x8_splat(x.to_bits());
    f32: f32x4_splat;
    f64: f64x2_splat;
}

/// Applies an operation of binary32 to eight elements of a half type, as `through_f32` does to one: widens each and rounds the result.
#[inline(always)]
pub(crate) fn vectors_through_f32<H: HalfFloat>(value: v128, update: v128, operation: F32Operation) -> v128 {
    // Of four elements, each in the low half of a word.
    let four = |value, update| H::round(H::widen(U32x4(value)).f32(operation, H::widen(U32x4(update)))).0;
    let low = four(u32x4_extend_low_u16x8(value), u32x4_extend_low_u16x8(update));
    let high = four(u32x4_extend_high_u16x8(value), u32x4_extend_high_u16x8(update));
    u16x8_narrow_i32x4(low, high)
}

/// [`vectors_through_f32`] for an operation by its number. Its many instructions are compiled once for each half type and not in every
/// loop. A function for each operation, without the branch, was up to 4 % slower.
#[inline(never)]
pub(crate) fn half_vectors<H: HalfFloat>(value: v128, update: v128, operation: F32Operation) -> v128 {
    vectors_through_f32::<H>(value, update, operation)
}

#[derive(Clone, Copy)]
pub(crate) struct U32x4(v128);

impl BitAnd for U32x4 {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }
}
impl BitOr for U32x4 {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }
}
impl Words for U32x4 {
    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(u32x4_splat(word))
    }
    #[inline(always)]
    fn wrapping_add(self, other: Self) -> Self {
        Self(u32x4_add(self.0, other.0))
    }
    #[inline(always)]
    fn gt_mask(self, other: Self) -> Self {
        Self(i32x4_gt(self.0, other.0))
    }
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Self(u32x4_shl(self.0, bits))
    }
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Self(u32x4_shr(self.0, bits))
    }
    #[inline(always)]
    fn f32(self, operation: F32Operation, other: Self) -> Self {
        Self(match operation {
            F32Operation::Add => f32x4_add(self.0, other.0),
            F32Operation::Subtract => f32x4_sub(self.0, other.0),
            F32Operation::Multiply => f32x4_mul(self.0, other.0),
            F32Operation::Divide => f32x4_div(self.0, other.0),
        })
    }
    #[inline(always)]
    fn is_nan_f32(self) -> Self {
        Self(f32x4_ne(self.0, self.0))
    }
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, self.0))
    }
}

macro_rules! float {
    ($(
        $(#[$doc:meta])*
        $name:ident, $element:ty, sign $sign:expr, splat $splat:expr, neg $neg:expr,
        [$($operator:ident $method:ident $binary:expr),*], [$($function:ident $unary:expr),*], lt $lt:expr, le $le:expr, pmax $pmax:expr, pmin $pmin:expr;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
        #[repr(transparent)]
        pub(crate) struct $name(v128);

        $(impl $operator for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self { Self($binary(self.0, other.0)) }
        })*
        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self { Self($neg(self.0)) }
        }
        impl FloatLanes for $name {
            type Element = $element;
            type Mask = v128;
            #[inline(always)]
            fn splat(value: f32) -> Self { Self($splat(value.into())) }
            $(#[inline(always)]
            fn $function(self) -> Self { Self($unary(self.0)) })*
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self { Self(v128_bitselect(sign.0, self.0, $sign)) }
            #[inline(always)]
            fn pmax(self, other: Self) -> Self { Self($pmax(self.0, other.0)) }
            #[inline(always)]
            fn pmin(self, other: Self) -> Self { Self($pmin(self.0, other.0)) }
            #[inline(always)]
            fn lt_mask(self, other: Self) -> v128 { $lt(self.0, other.0) }
            #[inline(always)]
            fn le_mask(self, other: Self) -> v128 { $le(self.0, other.0) }
            #[inline(always)]
            fn select(mask: v128, yes: Self, no: Self) -> Self { Self(v128_bitselect(yes.0, no.0, mask)) }
        }
    )*};
}
float! {
    /// Four float32 numbers.
    Single, f32, sign u32x4_splat(1 << 31), splat f32x4_splat, neg f32x4_neg,
    [Add add f32x4_add, Sub sub f32x4_sub, Mul mul f32x4_mul, Div div f32x4_div],
    [abs f32x4_abs, sqrt f32x4_sqrt, ceil f32x4_ceil, floor f32x4_floor, trunc f32x4_trunc],
    lt f32x4_lt, le f32x4_le, pmax f32x4_pmax, pmin f32x4_pmin;
    /// Two float64 numbers.
    Double, f64, sign u64x2_splat(1 << 63), splat f64x2_splat, neg f64x2_neg,
    [Add add f64x2_add, Sub sub f64x2_sub, Mul mul f64x2_mul, Div div f64x2_div],
    [abs f64x2_abs, sqrt f64x2_sqrt, ceil f64x2_ceil, floor f64x2_floor, trunc f64x2_trunc],
    lt f64x2_lt, le f64x2_le, pmax f64x2_pmax, pmin f64x2_pmin;
}

impl F64Lanes for Double {
    #[inline(always)]
    fn splat_f64(value: f64) -> Self {
        Self(f64x2_splat(value))
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(u64x2_shl(u64x2_add(self.0, u64x2_splat(1023)), 52))
    }
    #[inline(always)]
    unsafe fn widened(values: *const f32) -> Self {
        // SAFETY: as the caller promises.
        Self(f64x2_promote_low_f32x4(unsafe { v128_load64_zero(values.cast()) }))
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        !v128_any_true(f64x2_ne(self.0, f64x2_splat(0.0)))
    }
}

pub(crate) fn lanes(vector: v128) -> [u32; 4] {
    bytemuck::cast(vector)
}

/// Reads `COUNT` vectors from an array of the same size.
#[inline(always)]
pub(crate) fn vectors<T, const LEN: usize, const COUNT: usize>(values: &[T; LEN]) -> [v128; COUNT] {
    const { assert!(size_of::<[T; LEN]>() == size_of::<[v128; COUNT]>()) };
    // SAFETY: the sizes are equal, and a vector may have any bits.
    unsafe { values.as_ptr().cast::<[v128; COUNT]>().read_unaligned() }
}
