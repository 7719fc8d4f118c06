//! Several elements at a time: what the hot loops are written with. The build with SIMD takes `simd`, every other one its twin
//! `scalar`, whose vectors are single elements. Both give the same bits: each lane is computed as an element is.

#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128"), path = "simd.rs")]
#[cfg_attr(not(all(target_arch = "wasm32", target_feature = "simd128")), path = "scalar.rs")]
mod chosen;

use std::mem::MaybeUninit;
use std::ops::{Add, Div, Mul, Neg, Sub};

use bytemuck::Pod;

pub(super) use chosen::{
    Double, IndexLanes, Single, are_equal, combine_run, combine_value, extremes, extremes_wide, largest,
    wrap, wrap_pairs,
};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use chosen::{U32x4, vectors_through_f32};

/// float32 or float64 numbers, one or several at a time.
pub(super) trait FloatLanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The type of one of them.
    type Element: Pod;
    /// A truth value for each.
    type Mask: Copy;
    /// How many there are.
    const COUNT: usize = size_of::<Self>() / size_of::<Self::Element>();

    /// That number. Attributes of activations are float32 numbers.
    fn splat(value: f32) -> Self;
    /// The size without the sign.
    fn abs(self) -> Self;
    /// √x.
    fn sqrt(self) -> Self;
    /// The whole number at or above.
    fn ceil(self) -> Self;
    /// The whole number at or below.
    fn floor(self) -> Self;
    /// The whole number towards 0.
    fn trunc(self) -> Self;
    /// With the sign of the other.
    fn copysign(self, sign: Self) -> Self;
    /// Where this is the smaller one.
    fn lt_mask(self, other: Self) -> Self::Mask;
    /// Where this is not the larger one, nor NaN.
    fn le_mask(self, other: Self) -> Self::Mask;
    /// One or the other.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Puts the function's results in the place of the numbers, as far as they fill vectors.
    #[inline(always)]
    fn each(values: &mut [Self::Element], mut function: impl FnMut(Self) -> Self) {
        for vector in values.chunks_exact_mut(Self::COUNT) {
            let place = vector.as_mut_ptr().cast::<Self>();
            // SAFETY: that many elements are as long as the vector, and either may have any bits.
            unsafe { place.write_unaligned(function(place.read_unaligned())) };
        }
    }

    /// The same of the numbers and others.
    #[inline(always)]
    fn each_with(
        values: &mut [Self::Element],
        others: &[Self::Element],
        function: impl Fn(Self, Self) -> Self,
    ) {
        let mut others = others.chunks_exact(Self::COUNT);
        Self::each(values, |value| match others.next() {
            // SAFETY: as in `each`.
            Some(other) => function(value, unsafe { other.as_ptr().cast::<Self>().read_unaligned() }),
            None => value,
        });
    }
}

/// float64 numbers, one or several at a time.
pub(super) trait F64Lanes: FloatLanes<Element = f64> {
    /// That number.
    fn splat_f64(value: f64) -> Self;
    /// 2^x, of whole numbers between −1022 and 1023.
    fn power_of_two(self) -> Self;
}

/// Added to a small whole number, it leaves that in the lowest bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;

macro_rules! float {
    ($($ty:ty)*) => {$(
        impl FloatLanes for $ty {
            type Element = Self;
            type Mask = bool;
            fn splat(value: f32) -> Self { value.into() }
            fn abs(self) -> Self { <$ty>::abs(self) }
            fn sqrt(self) -> Self { <$ty>::sqrt(self) }
            fn ceil(self) -> Self { <$ty>::ceil(self) }
            fn floor(self) -> Self { <$ty>::floor(self) }
            fn trunc(self) -> Self { <$ty>::trunc(self) }
            fn copysign(self, sign: Self) -> Self { <$ty>::copysign(self, sign) }
            fn lt_mask(self, other: Self) -> bool { self < other }
            fn le_mask(self, other: Self) -> bool { self <= other }
            fn select(mask: bool, yes: Self, no: Self) -> Self { if mask { yes } else { no } }
        }
    )*};
}
float!(f32 f64);

impl F64Lanes for f64 {
    fn splat_f64(value: f64) -> Self {
        value
    }
    fn power_of_two(self) -> Self {
        Self::from_bits((self + SHIFT).to_bits().wrapping_add(1023) << 52)
    }
}

/// Positions of values, one by one: negative ones count from the bound.
pub(in crate::backend::cpu) fn wrap_each<T: Copy + Into<i64>>(
    values: &[T],
    bound: u32,
    slots: &mut [MaybeUninit<u32>],
) {
    for (slot, &value) in slots.iter_mut().zip(values) {
        slot.write(wrapped(value, bound));
    }
}

/// Positions of pairs of values, each with its bound and stride, one by one.
pub(in crate::backend::cpu) fn wrap_each_pair<T: Copy + Into<i64>>(
    values: &[T],
    [first, second]: [(u32, u32); 2],
    slots: &mut [MaybeUninit<u32>],
) {
    let (pairs, _) = values.as_chunks::<2>();
    for (slot, &[one, two]) in slots.iter_mut().zip(pairs) {
        let one = wrapped(one, first.0).wrapping_mul(first.1);
        slot.write(one.wrapping_add(wrapped(two, second.0).wrapping_mul(second.1)));
    }
}

/// The position of an index value: a negative one counts from the bound. Every position fits 32 bits.
#[inline(always)]
pub(super) fn wrapped<T: Into<i64>>(value: T, bound: u32) -> u32 {
    let value = value.into();
    (value as u32).wrapping_add(bound & (value >> 63) as u32)
}
