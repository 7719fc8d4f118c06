//! Vectors of one element, of which the compiler may make longer ones. Each item has a twin of the same name in `simd/`.

use bytemuck::Pod;

use crate::backend::cpu::kernels::bins::Axis;
use crate::backend::cpu::kernels::operation::VectorOperation;

pub(crate) use crate::backend::cpu::kernels::vector::lanes::{
    wrap_each as wrap, wrap_each_pair as wrap_pairs,
};

pub(crate) type Single = f32;
pub(crate) type Double = f64;

/// An element type that vectors can be made of.
pub(crate) trait Lane: Pod {}
impl<E: Pod> Lane for E {}

/// Computes `out[i] = combine(x[i], y[i])` for `len` elements.
///
/// # Safety
/// There must be `len` aligned elements of each. `out` is x or does not overlap it, and it does not overlap y.
#[inline(always)]
pub(crate) unsafe fn combine_run<E: Lane, C: VectorOperation<E>>(
    out: *mut E,
    x: *const E,
    y: *const E,
    len: usize,
) {
    // SAFETY: as the caller promises.
    unsafe {
        if std::ptr::eq(out, x) {
            // In place there is a loop of its own, because compilers make vectors of the other loop only if nothing overlaps.
            for i in 0..len {
                *out.add(i) = C::combine(*out.add(i), *y.add(i));
            }
        } else {
            for i in 0..len {
                *out.add(i) = C::combine(*x.add(i), *y.add(i));
            }
        }
    }
}

/// Combines an element with `len` values that follow each other, in order.
///
/// # Safety
/// There must be `len` aligned values.
#[inline(always)]
pub(crate) unsafe fn combine_all<E: Lane, C: VectorOperation<E>>(
    first: E,
    values: *const E,
    len: usize,
) -> E {
    // SAFETY: as the caller promises.
    (0..len).fold(first, |value, i| C::combine(value, unsafe { *values.add(i) }))
}

/// Computes `out[i] = combine(x[i], value)` for `len` elements.
///
/// # Safety
/// As for [`combine_run`].
#[inline(always)]
pub(crate) unsafe fn combine_value<E: Lane, C: VectorOperation<E>>(
    out: *mut E,
    x: *const E,
    value: E,
    len: usize,
) {
    for i in 0..len {
        // SAFETY: as the caller promises.
        unsafe { *out.add(i) = C::combine(*x.add(i), value) };
    }
}

/// Whether all values are equal.
#[inline(always)]
pub(crate) fn are_equal(values: &[u32; 8]) -> bool {
    values.iter().all(|&value| value == values[0])
}

/// The largest value, or 0 where there is none. One value of each quarter of the list is read at a time, because with one value the loop
/// itself would take most of the time.
pub(crate) fn largest<'a>(values: &'a [u32]) -> u32 {
    let quarter = values.len() / 4;
    let split = |values: &'a [u32]| values.split_at_checked(quarter).unwrap_or_default();
    let (one, rest) = split(values);
    let (two, rest) = split(rest);
    let (three, rest) = split(rest);
    let (four, rest) = split(rest);
    let largest = one.iter().zip(two).zip(three.iter().zip(four)).fold(0, |largest: u32, (low, high)| {
        let ((&one, &two), (&three, &four)) = (low, high);
        largest.max(one.max(two).max(three.max(four)))
    });
    rest.iter().fold(largest, |largest, &value| largest.max(value))
}

/// Places of a histogram are guessed in float64 only: without vectors float32 would gain nothing.
pub(crate) const GUESSES_PLACES: bool = false;

/// Never called: see [`GUESSES_PLACES`].
pub(crate) fn guess_places(_: &[f32], _: &[Axis<'_>], _: &mut [u32]) -> bool {
    false
}

/// The smallest and the largest value; the ends of int32 in exchanged order where there are none.
pub(crate) fn extremes(values: &[i32]) -> (i32, i32) {
    values.iter().fold((i32::MAX, i32::MIN), |(min, max), &value| (min.min(value), max.max(value)))
}

/// The smallest and the largest of the low halves, and whether every value fits its low half.
pub(crate) fn extremes_wide(values: &[i64]) -> (i32, i32, bool) {
    let (mut min, mut max, mut beyond) = (i32::MAX, i32::MIN, 0);
    // A value fits if its high half only repeats the sign of the low one.
    for &[low, high] in bytemuck::cast_slice::<i64, [i32; 2]>(values) {
        beyond |= high ^ (low >> 31);
        min = min.min(low);
        max = max.max(low);
    }
    (min, max, beyond == 0)
}

/// An index value.
pub(crate) trait IndexLanes: Copy + Into<i64> {}
impl IndexLanes for i32 {}
impl IndexLanes for i64 {}
