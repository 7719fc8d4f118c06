//! Vectors of one element. The compiler may widen them. Each item has a counterpart of the same name in `simd/`.

use std::mem::MaybeUninit;

use bytemuck::Pod;

use crate::engine::cpu::kernels::VectorOperation;
use crate::engine::cpu::kernels::vector::lanes::add_checked;

pub(crate) use crate::engine::cpu::kernels::vector::lanes::{
    wrap_each as wrap, wrap_each_pair as wrap_pairs,
};

pub(crate) type Single = f32;
pub(crate) type Double = f64;

pub(crate) trait Lane: Pod {}
impl<E: Pod> Lane for E {}

/// Computes `out[i] = combine(x[i], y[i])` for `len` elements.
///
/// # Safety
/// These elements must exist, aligned. `out` is x, or does not overlap it; and so with y.
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
            // Compilers vectorise the general loop only if nothing overlaps, so the case in place has its own loop.
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

/// Copies positions, but for those that are `u32::MAX`: these become one of four numbers in turn.
pub(crate) fn replace_skipped(positions: &[u32], spare: [u32; 4], places: &mut [MaybeUninit<u32>]) {
    for (places, positions) in places.chunks_mut(4).zip(positions.chunks(4)) {
        for ((place, &position), spare) in places.iter_mut().zip(positions).zip(spare) {
            place.write(if position == u32::MAX { spare } else { position });
        }
    }
}

/// Replaces the results whose positions are not `u32::MAX`.
pub(crate) fn replace_others(positions: &[u32], gathered: &[u32], out: &mut [u32]) {
    for ((&position, &from), to) in positions.iter().zip(gathered).zip(out) {
        *to = if position == u32::MAX { *to } else { from };
    }
}

pub(crate) fn to_integers(values: &[f32; 16]) -> [i32; 16] {
    values.map(|value| value as i32)
}

pub(crate) fn to_bytes(values: &[f32; 16]) -> [u8; 16] {
    values.map(|value| value as u8)
}

pub(crate) fn to_floats(values: &[i32; 16]) -> [f32; 16] {
    values.map(|value| value as f32)
}

pub(crate) fn to_doubles(values: &[f32; 16]) -> [f64; 16] {
    values.map(|value| value.into())
}

pub(crate) fn bytes_to_integers(values: &[u8; 16]) -> [i32; 16] {
    values.map(|value| value.into())
}

pub(crate) fn bytes_to_floats(values: &[u8; 16]) -> [f32; 16] {
    values.map(|value| value.into())
}

/// Combines an element with `len` consecutive values, in order.
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

/// How many elements at the start differ from their partners: up to the first that does not. The partners follow each other, or with
/// `STEP` 0 are one element.
///
/// # Safety
/// There must be `len` elements, and as many partners or one, aligned.
#[inline(always)]
pub(crate) unsafe fn unequal<W: Copy + PartialEq, const STEP: usize>(
    values: *const W,
    partners: *const W,
    len: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let differ = |at: &usize| unsafe { *values.add(*at) != *partners.add(STEP * *at) };
    (0..len).take_while(differ).count()
}

/// Adds values to the sums of their slots, and 1 to their counts if they are not null, until a result is not exact. Returns how many were added.
///
/// # Safety
/// The sums and the counts of the slots must exist, aligned.
#[inline(always)]
pub(crate) unsafe fn add_to_slots(sums: *mut f64, counts: *mut u32, slots: &[u32], values: &[f32]) -> usize {
    for (at, (&slot, &value)) in slots.iter().zip(values).enumerate() {
        // SAFETY: as the caller promises.
        unsafe {
            if !add_checked(&mut *sums.add(slot as usize), value.into()) {
                return at;
            }
            if !counts.is_null() {
                *counts.add(slot as usize) += 1;
            }
        }
    }
    slots.len().min(values.len())
}

#[inline(always)]
pub(crate) fn are_equal(values: &[u32; 8]) -> bool {
    values.iter().all(|&value| value == values[0])
}

/// The largest value, or 0 if the list is empty. Reads one value of each quarter at a time: with one value at a time, the loop itself
/// would take most of the time.
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

/// Whether no number is less than the one before. False if there is a NaN.
#[cfg_attr(not(feature = "sort"), allow(dead_code, reason = "only searches ask"))]
pub(crate) fn ascends<T: PartialOrd>(numbers: &[T]) -> bool {
    numbers.is_sorted()
}

/// The smallest and the largest value. If the list is empty, the ends of int32 in reverse order.
pub(crate) fn extremes(values: &[i32]) -> (i32, i32) {
    values.iter().fold((i32::MAX, i32::MIN), |(min, max), &value| (min.min(value), max.max(value)))
}

/// The smallest and the largest low half, and whether every value fits its low half.
pub(crate) fn extremes_wide(values: &[i64]) -> (i32, i32, bool) {
    let (mut min, mut max, mut beyond) = (i32::MAX, i32::MIN, 0);
    // A value fits if its high half only repeats the sign of the low half.
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

/// An integer of up to 32 bits.
pub(crate) trait Narrow: Copy + Into<i64> {}
impl<T: Copy + Into<i64>> Narrow for T {}

/// Adds rows of 16 values to 16 sums.
///
/// # Safety
/// The rows must exist, `count` of them, `stride` values apart.
pub(crate) unsafe fn add_widened<T: Narrow>(
    sums: &mut [i64; 16],
    values: *const T,
    count: usize,
    stride: usize,
) {
    for row in 0..count {
        // SAFETY: as the caller promises.
        let row = unsafe { &*values.add(row * stride).cast::<[T; 16]>() };
        sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum = sum.wrapping_add(value.into()));
    }
}
