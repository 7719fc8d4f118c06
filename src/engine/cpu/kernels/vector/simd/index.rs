//! Vector operations on index values and positions.

use core::arch::wasm32::*;
use std::mem::MaybeUninit;

use super::lanes::{lanes, vectors};
use crate::engine::cpu::kernels::vector::lanes::{wrap_each, wrap_each_pair};

/// An index value. The low halves of four values make a vector. The low half of a value in range has the value's sign, because sizes on
/// 32-bit platforms are at most 2^28 (`Shape::of_result`).
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

/// Writes the positions of index values that are in range into all slots. Negative values count from the bound. The last values, fewer
/// than four, are computed one by one.
pub(crate) fn wrap<T: IndexLanes>(values: &[T], bound: u32, slots: &mut [MaybeUninit<u32>]) {
    let bounds = u32x4_splat(bound);
    let (value_vectors, values) = values.get(..slots.len()).unwrap_or_default().as_chunks();
    let (vectors, slots) = slots.as_chunks_mut();
    for (slots, values) in vectors.iter_mut().zip(value_vectors) {
        write(slots, wrap_vector(T::low(values), bounds));
    }
    wrap_each(values, bound, slots);
}

/// Writes the positions of pairs of index values that are in range into all slots. Each component has its bound and its stride. A
/// position is the sum of both values times their strides. Negative values count from their bound.
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
        // Adds the first values' parts of four positions and the second values' parts.
        write(slots, u32x4_add(u32x4_shuffle::<0, 2, 4, 6>(one, two), u32x4_shuffle::<1, 3, 5, 7>(one, two)));
    }
    wrap_each_pair(values, both, slots);
}

/// Copies positions, but for those that are `u32::MAX`: these become one of four numbers in turn.
pub(crate) fn replace_skipped(positions: &[u32], spare: [u32; 4], places: &mut [MaybeUninit<u32>]) {
    let [spares] = vectors(&spare);
    let ((fours, rest), (chunks, slots)) = (positions.as_chunks::<4>(), places.as_chunks_mut::<4>());
    for (places, four) in chunks.iter_mut().zip(fours) {
        let [positions] = vectors(four);
        write(places, v128_bitselect(spares, positions, u32x4_eq(positions, u32x4_splat(u32::MAX))));
    }
    for ((place, &position), spare) in slots.iter_mut().zip(rest).zip(spare) {
        place.write(if position == u32::MAX { spare } else { position });
    }
}

/// Replaces the results whose positions are not `u32::MAX`.
pub(crate) fn replace_others(positions: &[u32], gathered: &[u32], out: &mut [u32]) {
    let (fours, rest) = positions.as_chunks::<4>();
    let ((from, from_rest), (to, to_rest)) = (gathered.as_chunks::<4>(), out.as_chunks_mut::<4>());
    for ((positions, from), to) in fours.iter().zip(from).zip(to) {
        let ([positions], [new], [old]) = (vectors(positions), vectors(from), vectors(to));
        *to = lanes(v128_bitselect(old, new, u32x4_eq(positions, u32x4_splat(u32::MAX))));
    }
    for ((&position, &from), to) in rest.iter().zip(from_rest).zip(to_rest) {
        *to = if position == u32::MAX { *to } else { from };
    }
}

/// Adds the bounds to negative values. The sign of a value, shifted, is a mask: all bits set if negative, else none.
#[inline(always)]
fn wrap_vector(values: v128, bounds: v128) -> v128 {
    u32x4_add(values, v128_and(bounds, i32x4_shr(values, 31)))
}

#[inline(always)]
fn write(slots: &mut [MaybeUninit<u32>; 4], vector: v128) {
    *slots = lanes(vector).map(MaybeUninit::new);
}

/// The smallest and the largest value. If the list is empty, the ends of int32 in reverse order.
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

/// A number. A vector compares several with the numbers after them.
pub(crate) trait Comparable: PartialOrd {
    fn are_at_most(ones: v128, others: v128) -> v128;
}
macro_rules! comparable {
    ($($ty:ty: $compare:expr;)*) => {$(
        impl Comparable for $ty {
            #[inline(always)]
            fn are_at_most(ones: v128, others: v128) -> v128 { $compare(ones, others) }
        }
    )*};
}
comparable! {
    i32: i32x4_le;
    i64: i64x2_le;
    f32: f32x4_le;
    f64: f64x2_le;
}

/// Whether no number is less than the one before. False if there is a NaN, but for a list of one.
#[cfg_attr(not(feature = "sort"), allow(dead_code, reason = "only searches ask"))]
pub(crate) fn ascends<T: Comparable>(numbers: &[T]) -> bool {
    let lanes = 16 / size_of::<T>();
    let mut at = 0;
    while at + 2 * lanes < numbers.len() {
        // SAFETY: both vectors end within the numbers, also one number further. Vectors need not be aligned.
        let vector = |from: usize| unsafe { numbers.as_ptr().add(from).cast::<v128>().read_unaligned() };
        let are_at_most = |from| T::are_at_most(vector(from), vector(from + 1));
        if !i8x16_all_true(v128_and(are_at_most(at), are_at_most(at + lanes))) {
            return false;
        }
        at += 2 * lanes;
    }
    numbers.get(at..).unwrap_or_default().is_sorted()
}

/// The smallest and the largest low half, and whether every value fits its low half.
pub(crate) fn extremes_wide(values: &[i64]) -> (i32, i32, bool) {
    let (chunks, rest) = values.as_chunks::<4>();
    let (mut min, mut max, mut beyond) = (i32x4_splat(i32::MAX), i32x4_splat(i32::MIN), i32x4_splat(0));
    for values in chunks {
        let (low, high) = halves(values);
        // A value fits if its high half only repeats the sign of the low half.
        beyond = v128_or(beyond, v128_xor(high, i32x4_shr(low, 31)));
        min = i32x4_min(min, low);
        max = i32x4_max(max, low);
    }
    let (min, max) = ends(min, max, rest.iter().map(|&value| value as i32));
    let fits = !v128_any_true(beyond) && rest.iter().all(|&value| value == i64::from(value as i32));
    (min, max, fits)
}

/// The smallest of the lanes of `min` and `rest`, and the largest of the lanes of `max` and `rest`.
fn ends(min: v128, max: v128, rest: impl Iterator<Item = i32>) -> (i32, i32) {
    let both = lanes(min).into_iter().zip(lanes(max)).map(|(min, max)| (min as i32, max as i32));
    both.chain(rest.map(|value| (value, value)))
        .fold((i32::MAX, i32::MIN), |(min, max), (low, high)| (min.min(low), max.max(high)))
}

#[inline(always)]
fn halves(values: &[i64; 4]) -> (v128, v128) {
    let [one, two] = vectors(values);
    (u32x4_shuffle::<0, 2, 4, 6>(one, two), u32x4_shuffle::<1, 3, 5, 7>(one, two))
}

#[inline(always)]
pub(crate) fn are_equal(values: &[u32; 8]) -> bool {
    let first = u32x4_splat(values[0]);
    let [one, two] = vectors(values);
    u32x4_all_true(v128_and(u32x4_eq(one, first), u32x4_eq(two, first)))
}

/// The largest value, or 0 if the list is empty. Reads four vectors at a time: with one at a time, the loop itself would take most of the
/// time.
pub(crate) fn largest(values: &[u32]) -> u32 {
    let (chunks, rest) = values.as_chunks::<16>();
    let mut largest = u32x4_splat(0);
    for values in chunks {
        let [one, two, three, four] = vectors(values);
        largest = u32x4_max(largest, u32x4_max(u32x4_max(one, two), u32x4_max(three, four)));
    }
    lanes(largest).iter().chain(rest).fold(0, |largest, &value| largest.max(value))
}
