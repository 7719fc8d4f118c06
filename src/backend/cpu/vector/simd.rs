//! WebAssembly's vectors: 16 bytes of elements. Relaxed instructions are not used, because their results differ between
//! machines.

use core::arch::wasm32::*;
use std::mem::MaybeUninit;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use bytemuck::{Pod, Zeroable};
use half::{bf16, f16};

use crate::backend::cpu::half_float::{HalfFloat, Words};
use crate::backend::cpu::histogram::{Axis, GuessPlaces};
use crate::backend::cpu::reduce::{CombineVectors, Truth};
use crate::backend::cpu::vector::{F64Lanes, FloatLanes, SHIFT, wrap_each, wrap_each_pair};

/// An element type. Each has its own `splat`: with one for all, made of bits, LLVM would compute with floats more slowly.
pub(crate) trait Lane: Pod {
    /// The vector with this element in every lane.
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

/// Applies an operation of binary32 to elements of a half type, as `through_f32` does to one.
#[inline(always)]
pub(crate) fn vectors_through_f32<H: HalfFloat>(
    value: v128,
    update: v128,
    operation: impl Fn(U32x4, U32x4) -> U32x4,
) -> v128 {
    let low =
        four_through_f32::<H>(u32x4_extend_low_u16x8(value), u32x4_extend_low_u16x8(update), &operation);
    let high =
        four_through_f32::<H>(u32x4_extend_high_u16x8(value), u32x4_extend_high_u16x8(update), &operation);
    u16x8_narrow_i32x4(low, high)
}

#[inline(always)]
fn four_through_f32<H: HalfFloat>(
    value: v128,
    update: v128,
    operation: &impl Fn(U32x4, U32x4) -> U32x4,
) -> v128 {
    H::round(operation(H::widen(U32x4(value)), H::widen(U32x4(update)))).0
}

/// An operation of binary32.
#[derive(Clone, Copy)]
pub(crate) enum F32Operation {
    Add,
    Multiply,
}

/// [`vectors_through_f32`] for float16. Its many instructions are compiled once and not in every loop. A function for each
/// operation, without the branch, was measured to be up to 4 % slower.
#[inline(never)]
pub(crate) fn float16_through_f32(value: v128, update: v128, operation: F32Operation) -> v128 {
    vectors_through_f32::<f16>(value, update, |value, update| match operation {
        F32Operation::Add => value.add_f32(update),
        F32Operation::Multiply => value.multiply_f32(update),
    })
}

/// Four words.
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
    fn add_f32(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }
    #[inline(always)]
    fn multiply_f32(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
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
        [$($operator:ident $method:ident $binary:expr),*], [$($function:ident $unary:expr),*], lt $lt:expr, le $le:expr;
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
    lt f32x4_lt, le f32x4_le;
    /// Two float64 numbers.
    Double, f64, sign u64x2_splat(1 << 63), splat f64x2_splat, neg f64x2_neg,
    [Add add f64x2_add, Sub sub f64x2_sub, Mul mul f64x2_mul, Div div f64x2_div],
    [abs f64x2_abs, sqrt f64x2_sqrt, ceil f64x2_ceil, floor f64x2_floor, trunc f64x2_trunc],
    lt f64x2_lt, le f64x2_le;
}

impl F64Lanes for Double {
    #[inline(always)]
    fn splat_f64(value: f64) -> Self {
        Self(f64x2_splat(value))
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(u64x2_shl(u64x2_add(f64x2_add(self.0, f64x2_splat(SHIFT)), u64x2_splat(1023)), 52))
    }
}

/// Writes to `out` the results for whole vectors of x, then for the elements that are left. It is a macro because compilers
/// that optimise for size do not inline large closures.
macro_rules! for_each_vector {
    ($element:ty, $out:expr, $x:expr, $len:expr, |$vector:ident| $combine_vectors:expr, |$one:ident| $combine:expr) => {
        let (mut out, mut x, mut left): (*mut $element, *const $element, usize) = ($out, $x, $len);
        let count = 16 / size_of::<$element>();
        macro_rules! next {
            ($at:expr) => {
                let $vector = x.byte_add(16 * $at).cast::<v128>().read_unaligned();
                let result = $combine_vectors;
                out.byte_add(16 * $at).cast::<v128>().write_unaligned(result);
            };
        }
        // For single instructions the loop itself would take most of the time, so it is unrolled. For other widths that was not
        // faster.
        while count == 4 && left >= 4 * count {
            next!(0);
            next!(1);
            next!(2);
            next!(3);
            (out, x, left) = (out.byte_add(64), x.byte_add(64), left - 4 * count);
        }
        while left >= count {
            next!(0);
            (out, x, left) = (out.byte_add(16), x.byte_add(16), left - count);
        }
        while left > 0 {
            let $one = *x;
            *out = $combine;
            (out, x, left) = (out.add(1), x.add(1), left - 1);
        }
    };
}

/// Computes `out[i] = combine(x[i], y[i])`.
///
/// # Safety
/// There must be `len` aligned elements of each. `out` is x or does not overlap it, and it does not overlap y.
#[inline(always)]
pub(crate) unsafe fn combine_run<E: Lane, C: CombineVectors<E>>(
    out: *mut E,
    x: *const E,
    mut y: *const E,
    len: usize,
) {
    // SAFETY: as the caller promises. Vectors need not be aligned.
    unsafe {
        for_each_vector!(
            E,
            out,
            x,
            len,
            |x| {
                let update = y.cast::<v128>().read_unaligned();
                y = y.byte_add(16);
                C::combine_vectors(x, update)
            },
            |x| {
                let update = *y;
                y = y.add(1);
                C::combine(x, update)
            }
        );
    }
}

/// Combines an element with values that follow each other: in order, or in vectors where the order cannot change the bits.
///
/// # Safety
/// There must be `len` aligned values.
#[inline(always)]
pub(crate) unsafe fn combine_all<E: Lane, C: CombineVectors<E>>(first: E, values: *const E, len: usize) -> E {
    let lanes = 16 / size_of::<E>();
    let (mut value, mut at) = (first, 0);
    // SAFETY: as the caller promises. Vectors need not be aligned.
    unsafe {
        if C::ANY_ORDER && len >= 2 * lanes {
            let vector = |at| values.add(at).cast::<v128>().read_unaligned();
            // Two, because each operation waits for the one before.
            let (mut one, mut two) = (vector(0), vector(lanes));
            at = 2 * lanes;
            while at + 2 * lanes <= len {
                one = C::combine_vectors(one, vector(at));
                two = C::combine_vectors(two, vector(at + lanes));
                at += 2 * lanes;
            }
            let all = C::combine_vectors(one, two);
            let all = (&raw const all).cast::<E>();
            for lane in 0..lanes {
                value = C::combine(value, *all.add(lane));
            }
        }
        while at < len {
            value = C::combine(value, *values.add(at));
            at += 1;
        }
    }
    value
}

/// Computes `out[i] = combine(x[i], value)`.
///
/// # Safety
/// As for [`combine_run`].
#[inline(always)]
pub(crate) unsafe fn combine_value<E: Lane, C: CombineVectors<E>>(
    out: *mut E,
    x: *const E,
    value: E,
    len: usize,
) {
    let all = value.splat();
    // SAFETY: as the caller promises.
    unsafe {
        for_each_vector!(E, out, x, len, |x| C::combine_vectors(x, all), |x| C::combine(x, value));
    }
}

/// Whether all values are equal.
#[inline(always)]
pub(crate) fn are_equal(values: &[u32; 8]) -> bool {
    let first = u32x4_splat(values[0]);
    let [one, two] = vectors(values);
    u32x4_all_true(v128_and(u32x4_eq(one, first), u32x4_eq(two, first)))
}

/// The largest value, or 0 where there is none. Four places are read at a time, because with one the loop itself would take
/// most of the time.
pub(crate) fn largest(values: &[u32]) -> u32 {
    let (chunks, rest) = values.as_chunks::<16>();
    let mut largest = u32x4_splat(0);
    for values in chunks {
        let [one, two, three, four] = vectors(values);
        largest = u32x4_max(largest, u32x4_max(u32x4_max(one, two), u32x4_max(three, four)));
    }
    lanes(largest).iter().chain(rest).fold(0, |largest, &value| largest.max(value))
}

/// See [`GuessPlaces`].
pub(crate) const GUESS_PLACES: Option<GuessPlaces> = Some(guess_places);

fn guess_places(values: &[f32], axes: &[Axis<'_>], places: &mut [u32]) -> bool {
    let low = four_of(axes.iter().map(|axis| axis.low as f32));
    let scale = four_of(axes.iter().map(|axis| axis.scale as f32));
    let most = four_of(axes.iter().map(|axis| axis.bins));
    let limit = four_of(axes.iter().map(|axis| axis.limit as f32));
    let constants = [low, scale, most, limit];
    let (chunks, _) = values.as_chunks::<8>();
    let mut unsure = u32x4_splat(0);
    if let [first, second] = axes {
        let (first, second) = (u32x4_splat(first.bins), u32x4_splat(second.bins));
        let outside = u32x4_mul(first, second);
        let (slots, _) = places.as_chunks_mut::<4>();
        for (slot, chunk) in slots.iter_mut().zip(chunks) {
            let [one, two] = vectors(chunk);
            let ((one, unsure_one), (two, unsure_two)) =
                (four_bins(one, constants), four_bins(two, constants));
            unsure = v128_or(unsure, v128_or(unsure_one, unsure_two));
            let (x, y) = (u32x4_shuffle::<0, 2, 4, 6>(one, two), u32x4_shuffle::<1, 3, 5, 7>(one, two));
            let is_outside = v128_or(u32x4_eq(x, first), u32x4_eq(y, second));
            let place = v128_bitselect(outside, u32x4_add(u32x4_mul(x, second), y), is_outside);
            let (x, y) = (
                u32x4_shuffle::<0, 2, 4, 6>(unsure_one, unsure_two),
                u32x4_shuffle::<1, 3, 5, 7>(unsure_one, unsure_two),
            );
            *slot = bytemuck::cast(v128_or(place, v128_or(x, y)));
        }
    } else {
        // What is outside has the number of bins for its bin, and that is its place.
        let (slots, _) = places.as_chunks_mut::<8>();
        for (slot, chunk) in slots.iter_mut().zip(chunks) {
            let [one, two] = vectors(chunk);
            let ((one, unsure_one), (two, unsure_two)) =
                (four_bins(one, constants), four_bins(two, constants));
            unsure = v128_or(unsure, v128_or(unsure_one, unsure_two));
            *slot = bytemuck::cast([v128_or(one, unsure_one), v128_or(two, unsure_two)]);
        }
    }
    !v128_any_true(unsure)
}

/// As `SHIFT`, for float32.
const SHIFT_SINGLE: f32 = 12_582_912.0;

/// Bins as [`Axis`] finds them, and where they are not certain. What is outside has the number of bins for its bin. So has NaN: its bits,
/// and those of all numbers that are too large to be computed with, are taken for a large bin.
#[inline(always)]
fn four_bins(values: v128, [low, scale, most, limit]: [v128; 4]) -> (v128, v128) {
    let (shift, half) = (f32x4_splat(SHIFT_SINGLE), f32x4_splat(0.5));
    let scaled = f32x4_mul(f32x4_sub(values, low), scale);
    let shifted = f32x4_add(f32x4_sub(scaled, half), shift);
    let from_middle = f32x4_abs(f32x4_sub(f32x4_sub(scaled, f32x4_sub(shifted, shift)), half));
    (u32x4_min(u32x4_sub(shifted, shift), most), f32x4_gt(from_middle, limit))
}

/// A vector of the columns' numbers, again and again.
fn four_of<T: Pod>(columns: impl Iterator<Item = T> + Clone) -> v128 {
    let mut numbers: [T; 4] = Zeroable::zeroed();
    for (number, column) in numbers.iter_mut().zip(columns.cycle()) {
        *number = column;
    }
    let [vector] = vectors(&numbers);
    vector
}

/// The smallest and the largest value.
pub(crate) fn extremes(values: &[i32]) -> (i32, i32) {
    let (chunks, rest) = values.as_chunks::<16>();
    let (mut min, mut max) = (i32x4_splat(i32::MAX), i32x4_splat(i32::MIN));
    for values in chunks {
        let [one, two, three, four] = vectors(values);
        min = i32x4_min(min, i32x4_min(i32x4_min(one, two), i32x4_min(three, four)));
        max = i32x4_max(max, i32x4_max(i32x4_max(one, two), i32x4_max(three, four)));
    }
    ends(min, max, rest.iter().copied())
}

/// The smallest and the largest of the low halves, and whether every value fits its low half.
pub(crate) fn extremes_wide(values: &[i64]) -> (i32, i32, bool) {
    let (chunks, rest) = values.as_chunks::<4>();
    let (mut min, mut max, mut beyond) = (i32x4_splat(i32::MAX), i32x4_splat(i32::MIN), i32x4_splat(0));
    for values in chunks {
        let (low, high) = halves(values);
        beyond = v128_or(beyond, v128_xor(high, i32x4_shr(low, 31)));
        min = i32x4_min(min, low);
        max = i32x4_max(max, low);
    }
    let (min, max) = ends(min, max, rest.iter().map(|&value| value as i32));
    let fits = !v128_any_true(beyond) && rest.iter().all(|&value| value == i64::from(value as i32));
    (min, max, fits)
}

fn ends(min: v128, max: v128, rest: impl Iterator<Item = i32>) -> (i32, i32) {
    let both = lanes(min).into_iter().zip(lanes(max)).map(|(min, max)| (min as i32, max as i32));
    both.chain(rest.map(|value| (value, value)))
        .fold((i32::MAX, i32::MIN), |(min, max), (low, high)| (min.min(low), max.max(high)))
}

fn lanes(vector: v128) -> [u32; 4] {
    bytemuck::cast(vector)
}

/// Reads `COUNT` vectors from an array of the same size.
#[inline(always)]
fn vectors<T, const LEN: usize, const COUNT: usize>(values: &[T; LEN]) -> [v128; COUNT] {
    const { assert!(size_of::<[T; LEN]>() == size_of::<[v128; COUNT]>()) };
    // SAFETY: the sizes are equal, and a vector may have any bits.
    unsafe { values.as_ptr().cast::<[v128; COUNT]>().read_unaligned() }
}

/// The low and the high halves of four values.
#[inline(always)]
fn halves(values: &[i64; 4]) -> (v128, v128) {
    let [one, two] = vectors(values);
    (u32x4_shuffle::<0, 2, 4, 6>(one, two), u32x4_shuffle::<1, 3, 5, 7>(one, two))
}

/// An index value. The low halves of four make a vector. For values that are in range the low half has the sign, because at
/// most 2^31 elements fit WebAssembly's memory.
pub(crate) trait IndexLanes: Copy + Into<i64> {
    fn low(values: &[Self; 4]) -> v128;
}
impl IndexLanes for i32 {
    #[inline(always)]
    fn low(values: &[Self; 4]) -> v128 {
        let [low] = vectors(values);
        low
    }
}
impl IndexLanes for i64 {
    #[inline(always)]
    fn low(values: &[Self; 4]) -> v128 {
        halves(values).0
    }
}

/// Computes positions of values. Negative values count from the bound.
pub(crate) fn wrap<T: IndexLanes>(values: &[T], bound: u32, slots: &mut [MaybeUninit<u32>]) {
    let bounds = u32x4_splat(bound);
    let (value_vectors, values) = values.get(..slots.len()).unwrap_or_default().as_chunks();
    let (vectors, slots) = slots.as_chunks_mut();
    for (slots, values) in vectors.iter_mut().zip(value_vectors) {
        write(slots, wrap_vector(T::low(values), bounds));
    }
    wrap_each(values, bound, slots);
}

/// Computes positions of pairs of values. Each component has its bound and stride.
pub(crate) fn wrap_pairs<T: IndexLanes>(
    values: &[T],
    both @ [first, second]: [(u32, u32); 2],
    slots: &mut [MaybeUninit<u32>],
) {
    let [bounds, strides] =
        [[first.0, second.0], [first.1, second.1]].map(|[one, two]| u32x4(one, two, one, two));
    let (chunks, values) = values.get(..slots.len() * 2).unwrap_or_default().as_chunks::<8>();
    let (vectors, slots) = slots.as_chunks_mut();
    for (slots, chunk) in vectors.iter_mut().zip(chunks) {
        let ([one, two], _) = chunk.as_chunks() else { continue };
        let parts = |values| u32x4_mul(wrap_vector(T::low(values), bounds), strides);
        let (one, two) = (parts(one), parts(two));
        write(slots, u32x4_add(u32x4_shuffle::<0, 2, 4, 6>(one, two), u32x4_shuffle::<1, 3, 5, 7>(one, two)));
    }
    wrap_each_pair(values, both, slots);
}

#[inline(always)]
fn wrap_vector(values: v128, bounds: v128) -> v128 {
    u32x4_add(values, v128_and(bounds, i32x4_shr(values, 31)))
}

#[inline(always)]
fn write(slots: &mut [MaybeUninit<u32>; 4], vector: v128) {
    *slots = lanes(vector).map(MaybeUninit::new);
}
