//! Vectors of one element, which the compiler may make longer. Each item does what its twin in `simd.rs` says.

use bytemuck::Pod;

use crate::backend::cpu::histogram::GuessPlaces;
use crate::backend::cpu::reduce::CombineVectors;

pub(crate) use crate::backend::cpu::vector::{wrap_each as wrap, wrap_each_pair as wrap_pairs};

pub(crate) type Single = f32;
pub(crate) type Double = f64;

pub(crate) trait Lane: Pod {}
impl<E: Pod> Lane for E {}

/// # Safety
/// As for its twin.
#[inline(always)]
pub(crate) unsafe fn combine_run<E: Lane, C: CombineVectors<E>>(
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

/// # Safety
/// As for its twin.
#[inline(always)]
pub(crate) unsafe fn combine_all<E: Lane, C: CombineVectors<E>>(first: E, values: *const E, len: usize) -> E {
    // SAFETY: as the caller promises.
    (0..len).fold(first, |value, i| C::combine(value, unsafe { *values.add(i) }))
}

/// # Safety
/// As for its twin.
#[inline(always)]
pub(crate) unsafe fn combine_value<E: Lane, C: CombineVectors<E>>(
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

#[inline(always)]
pub(crate) fn are_equal(values: &[u32; 8]) -> bool {
    values.iter().all(|&value| value == values[0])
}

pub(crate) fn largest(values: &[u32]) -> u32 {
    let quarter = values.len() / 4;
    let (one, rest) = values.split_at(quarter);
    let (two, rest) = rest.split_at(quarter);
    let (three, rest) = rest.split_at(quarter);
    let (four, rest) = rest.split_at(quarter);
    let largest = one.iter().zip(two).zip(three.iter().zip(four)).fold(0, |largest: u32, (low, high)| {
        let ((&one, &two), (&three, &four)) = (low, high);
        largest.max(one.max(two).max(three.max(four)))
    });
    rest.iter().fold(largest, |largest, &value| largest.max(value))
}

/// Without vectors, float64 is as good.
pub(crate) const GUESS_PLACES: Option<GuessPlaces> = None;

pub(crate) fn extremes(values: &[i32]) -> (i32, i32) {
    values.iter().fold((i32::MAX, i32::MIN), |(min, max), &value| (min.min(value), max.max(value)))
}

pub(crate) fn extremes_wide(values: &[i64]) -> (i32, i32, bool) {
    let (mut min, mut max, mut beyond) = (i32::MAX, i32::MIN, 0);
    for &[low, high] in bytemuck::cast_slice::<i64, [i32; 2]>(values) {
        beyond |= high ^ (low >> 31);
        min = min.min(low);
        max = max.max(low);
    }
    (min, max, beyond == 0)
}

pub(crate) trait IndexLanes: Copy + Into<i64> {}
impl IndexLanes for i32 {}
impl IndexLanes for i64 {}
