//! Combines consecutive elements with other elements or with one.

use core::arch::wasm32::*;

use super::lanes::Lane;
use crate::engine::cpu::kernels::VectorOperation;
use crate::engine::cpu::kernels::vector::lanes;

/// Writes `len` results to `out`: whole vectors of x first, then the remaining elements. It is a macro because compilers that optimise
/// for size do not inline large closures.
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
        // With single instructions the loop itself would take most of the time, so it is unrolled. Other widths gain nothing.
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

/// # Safety
/// As for the twin in `scalar.rs`.
#[inline(always)]
pub(crate) unsafe fn combine_run<E: Lane, C: VectorOperation<E>>(
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

/// Combines an element with `len` consecutive values: in order, or in vectors if the order cannot change the bits.
///
/// # Safety
/// There must be `len` aligned values.
#[inline(always)]
pub(crate) unsafe fn combine_all<E: Lane, C: VectorOperation<E>>(
    first: E,
    values: *const E,
    len: usize,
) -> E {
    let lanes = 16 / size_of::<E>();
    let (mut value, mut at) = (first, 0);
    // SAFETY: as the caller promises. Vectors need not be aligned.
    unsafe {
        if C::ANY_ORDER && len >= 2 * lanes {
            let vector = |at| values.add(at).cast::<v128>().read_unaligned();
            // Two chains of operations: in a single chain each operation would wait for the one before.
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

/// # Safety
/// As for the twin in `scalar.rs`.
#[inline(always)]
pub(crate) unsafe fn combine_value<E: Lane, C: VectorOperation<E>>(
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

/// How many elements at the start differ from their partners, as bits: whole blocks of 64 bytes, up to the first one in which not all do.
/// The partners follow each other, or with `STEP` 0 are a block of equal elements.
///
/// # Safety
/// There must be `len` elements, and as many partners or a block of them, aligned.
#[inline(always)]
pub(crate) unsafe fn unequal<W, const STEP: usize>(
    values: *const W,
    partners: *const W,
    len: usize,
) -> usize {
    let equal = |one, two| match size_of::<W>() {
        1 => i8x16_eq(one, two),
        2 => i16x8_eq(one, two),
        4 => i32x4_eq(one, two),
        _ => i64x2_eq(one, two),
    };
    let block = 64 / size_of::<W>();
    let mut at = 0;
    while at + block <= len {
        // SAFETY: as the caller promises. Vectors need not be aligned.
        let pairs = |number: usize| unsafe {
            let vector = |start: *const W| start.byte_add(16 * number).cast::<v128>().read_unaligned();
            equal(vector(values.add(at)), vector(partners.add(STEP * at)))
        };
        if v128_any_true(v128_or(v128_or(pairs(0), pairs(1)), v128_or(pairs(2), pairs(3)))) {
            break;
        }
        at += block;
    }
    at
}

/// Adds values to the sums of their slots, two at a time, and 1 to their counts if they are not null, until a result is not exact. Returns how
/// many were added. May stop earlier, but only where a single one is left. A pair takes the instructions of one.
///
/// # Safety
/// The sums and the counts of the slots must exist, aligned.
#[inline(always)]
pub(crate) unsafe fn add_to_slots(sums: *mut f64, counts: *mut u32, slots: &[u32], values: &[f32]) -> usize {
    let mut done = 0;
    let count = |slot: u32| {
        if !counts.is_null() {
            // SAFETY: as the caller promises.
            unsafe { *counts.add(slot as usize) += 1 };
        }
    };
    for (slots @ &[one, two], pair) in slots.as_chunks::<2>().0.iter().zip(values.as_chunks::<2>().0) {
        // SAFETY: as the caller promises. Vectors need not be aligned.
        unsafe {
            let (first, second) = (sums.add(one as usize), sums.add(two as usize));
            let own = v128_load64_lane::<1>(v128_load64_zero(first.cast()), second.cast());
            let values = f64x2_promote_low_f32x4(v128_load64_zero(pair.as_ptr().cast()));
            let (totals, is_rounded) = add_checked(own, values);
            if one != two && !v128_any_true(is_rounded) {
                v128_store64_lane::<0>(totals, first.cast());
                v128_store64_lane::<1>(totals, second.cast());
                count(one);
                count(two);
                done += 2;
                continue;
            }
            for (&slot, &value) in slots.iter().zip(pair) {
                if !lanes::add_checked(&mut *sums.add(slot as usize), value.into()) {
                    return done;
                }
                count(slot);
                done += 1;
            }
        }
    }
    done
}

/// Sums, and for each whether it is not exact. One of the differences is exact, so both give the numbers back if and only if the sum is exact.
#[inline(always)]
fn add_checked(sums: v128, values: v128) -> (v128, v128) {
    let totals = f64x2_add(sums, values);
    let is_rounded =
        v128_or(f64x2_ne(f64x2_sub(totals, sums), values), f64x2_ne(f64x2_sub(totals, values), sums));
    (totals, is_rounded)
}
