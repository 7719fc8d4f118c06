//! The interface that elements and vectors share. The hot loops are written with it.

use std::mem::MaybeUninit;
use std::ops::{Add, Div, Mul, Neg, Sub};

use bytemuck::Pod;

use crate::engine::cpu::kernels::Span;

/// One or several float32 or float64 numbers.
pub(crate) trait FloatLanes:
    Pod + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    type Element: Pod;
    type Mask: Copy;
    const COUNT: usize = size_of::<Self>() / size_of::<Self::Element>();

    /// `value` in every lane. It is a float32, because attributes of activations are.
    fn splat(value: f32) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn ceil(self) -> Self;
    fn floor(self) -> Self;
    fn trunc(self) -> Self;
    /// The absolute value with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// The other where it is larger, else this: also where one of them is NaN, or both are zeros.
    fn pmax(self, other: Self) -> Self;
    /// The other where it is less, else this.
    fn pmin(self, other: Self) -> Self;
    /// True where this is less than the other; false for NaN.
    fn lt_mask(self, other: Self) -> Self::Mask;
    /// True where this is at most the other; false for NaN.
    fn le_mask(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Replaces each number by its result with the other number at its slot, a vector at a time. Numbers after the last whole vector, or
    /// without another number, stay as they are.
    #[inline(always)]
    fn each_with(
        values: &mut [Self::Element],
        others: &[Self::Element],
        function: impl Fn(Self, Self) -> Self,
    ) {
        const { assert!(Self::COUNT * size_of::<Self::Element>() == size_of::<Self>()) };
        let mut others = others.chunks_exact(Self::COUNT);
        Span::over(values).each(|value| match others.next() {
            // SAFETY: `COUNT` elements have the size of the vector, which is `Pod`.
            Some(other) => function(value, unsafe { other.as_ptr().cast::<Self>().read_unaligned() }),
            None => value,
        });
    }
}

/// One or several float64 numbers.
pub(crate) trait F64Lanes: FloatLanes<Element = f64> {
    fn splat_f64(value: f64) -> Self;
    /// 2^x from x + [`SHIFT`], for integers x from −1022 to 1023: moves the biased exponent to its place in a float64.
    fn power_of_two(self) -> Self;
    /// As many float32 numbers.
    ///
    /// # Safety
    /// They must exist, aligned.
    unsafe fn widened(values: *const f32) -> Self;
    /// Whether all numbers are 0.
    fn is_zero(self) -> bool;
}

/// 1.5 · 2^52. Added to a much smaller number, it leaves the nearest integer in the low bits, because the last bit of the sum stands for
/// 1.
pub(crate) const SHIFT: f64 = 6_755_399_441_055_744.0;

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
            fn pmax(self, other: Self) -> Self { if self < other { other } else { self } }
            fn pmin(self, other: Self) -> Self { if other < self { other } else { self } }
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
        Self::from_bits(self.to_bits().wrapping_add(1023) << 52)
    }
    unsafe fn widened(values: *const f32) -> Self {
        // SAFETY: as the caller promises.
        unsafe { *values }.into()
    }
    fn is_zero(self) -> bool {
        self == 0.0
    }
}

/// Writes the positions of index values that are in range into all slots, one by one. Negative values count from the bound.
pub(crate) fn wrap_each<T: Copy + Into<i64>>(values: &[T], bound: u32, slots: &mut [MaybeUninit<u32>]) {
    for (slot, &value) in slots.iter_mut().zip(values) {
        slot.write(wrapped(value, bound));
    }
}

/// Writes the positions of pairs of index values that are in range into all slots, one by one. Each component has its bound and its
/// stride. A position is the sum of both values times their strides. Negative values count from their bound.
pub(crate) fn wrap_each_pair<T: Copy + Into<i64>>(
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

/// The position of an index value that is in range. A negative value counts from the bound. Every position fits 32 bits.
#[inline(always)]
pub(crate) fn wrapped<T: Into<i64>>(value: T, bound: u32) -> u32 {
    let value = value.into();
    // The sign of the value, shifted, is a mask: all bits set if negative, else none. So this adds the bound or 0.
    (value as u32).wrapping_add(bound & (value >> 63) as u32)
}

/// Adds a term to a float if the sum is exact.
#[inline(always)]
pub(crate) fn add_checked(sum: &mut f64, x: f64) -> bool {
    let a = *sum;
    let b = a + x;
    // One of the differences is exact, whichever number is larger. So both give the numbers back if and only if the sum is exact. NaN is
    // never equal.
    let is_exact = b - a == x && b - x == a;
    if is_exact {
        *sum = b;
    }
    is_exact
}
