//! The positions of index values by a mode that may move values or skip entries.

use core::arch::wasm32::*;

use crate::engine::cpu::kernels::vector::IndexLanes;
use crate::index::kernels::values::{Rule, SKIPPED, add_offset};
use crate::plan::index::mode::OutOfRange;

/// An index value. A vector brings four into range.
pub(crate) trait ModeLanes: IndexLanes {
    /// Four values as int32, if each of them fits.
    ///
    /// # Safety
    /// There must be four values, `step` apart.
    unsafe fn four(values: *const Self, step: usize) -> Option<v128>;
}
impl ModeLanes for i32 {
    #[inline(always)]
    unsafe fn four(values: *const Self, step: usize) -> Option<v128> {
        let at = |number: usize| values.wrapping_add(number * step).cast();
        // SAFETY: as the caller promises. Vectors need not be aligned.
        Some(unsafe {
            if step == 1 {
                values.cast::<v128>().read_unaligned()
            } else {
                let two = v128_load32_lane::<1>(v128_load32_zero(at(0)), at(1));
                v128_load32_lane::<3>(v128_load32_lane::<2>(two, at(2)), at(3))
            }
        })
    }
}
impl ModeLanes for i64 {
    #[inline(always)]
    unsafe fn four(values: *const Self, step: usize) -> Option<v128> {
        let at = |number: usize| values.wrapping_add(number * step).cast();
        // SAFETY: as the caller promises. Vectors need not be aligned.
        let [one, two] = unsafe {
            if step == 1 {
                values.cast::<[v128; 2]>().read_unaligned()
            } else {
                [0, 2].map(|first| v128_load64_lane::<1>(v128_load64_zero(at(first)), at(first + 1)))
            }
        };
        let low = u32x4_shuffle::<0, 2, 4, 6>(one, two);
        let same = [i64x2_eq(i64x2_extend_low_i32x4(low), one), i64x2_eq(i64x2_extend_high_i32x4(low), two)];
        i64x2_all_true(v128_and(same[0], same[1])).then_some(low)
    }
}

/// [`add_offset`] for each slot. Entries are `step` values apart.
pub(crate) fn add_offsets<T: ModeLanes>(values: &[T], step: usize, rule: &Rule, slots: &mut [u32]) -> bool {
    let splat = |is: bool, value: u32| u32x4_splat(if is { value } else { 0 });
    let (clips, wraps) = (rule.out_of_range == OutOfRange::Clip, rule.out_of_range == OutOfRange::Wrap);
    let bound = rule.component.bound as u32;
    let (least, most) = if clips { (0, bound.wrapping_sub(1) as i32) } else { (i32::MIN, i32::MAX) };
    let (least, most) = (i32x4_splat(least), i32x4_splat(most));
    let (bounds, period, stride) =
        (u32x4_splat(bound), splat(wraps, bound), u32x4_splat(rule.component.stride as u32));
    // What negative values count from.
    let end = splat(rule.out_of_range != OutOfRange::Inside, bound);
    // A value that does not fit int32 is none of those that fit.
    let ignored = rule.ignored.and_then(|ignored| i32::try_from(ignored).ok());
    let (ignores, ignored) = (splat(ignored.is_some(), u32::MAX), i32x4_splat(ignored.unwrap_or_default()));
    let (mut all, mut others) = (u32x4_splat(u32::MAX), true);
    // Each slot has a value. If not, nothing may be read.
    if slots.len().saturating_sub(1).saturating_mul(step) >= values.len() {
        return slots.is_empty();
    }
    let (groups, rest) = slots.as_chunks_mut::<4>();
    let first_of_rest = groups.len() * 4 * step;
    let mut next = values.as_ptr();
    for slots in groups {
        // SAFETY: each slot has a value.
        let values = unsafe { T::four(next, step) };
        let own = slots.as_mut_ptr().cast::<v128>();
        let mut is_done = false;
        if let Some(values) = values {
            let value = i32x4_min(i32x4_max(values, least), most);
            let value = i32x4_add(value, v128_and(end, i32x4_shr(value, 31)));
            let value = i32x4_sub(value, v128_and(period, i32x4_ge(value, bounds)));
            let is_inside = u32x4_lt(value, bounds);
            // Only a value two periods outside needs a division.
            if !wraps || u32x4_all_true(is_inside) {
                let is_ignored = v128_and(ignores, i32x4_eq(values, ignored));
                // SAFETY: they are the four slots. Vectors need not be aligned.
                unsafe {
                    let sums = own.read_unaligned();
                    let is_used = v128_andnot(is_inside, is_ignored);
                    let is_used = v128_and(is_used, u32x4_ne(sums, u32x4_splat(SKIPPED)));
                    let sums = u32x4_add(sums, u32x4_mul(value, stride));
                    own.write_unaligned(v128_or(sums, v128_not(is_used)));
                }
                all = v128_and(all, v128_or(is_inside, is_ignored));
                is_done = true;
            }
        }
        if !is_done {
            for (number, slot) in slots.iter_mut().enumerate() {
                // SAFETY: each slot has a value.
                others &= add_offset(unsafe { *next.add(number * step) }, rule, slot);
            }
        }
        next = next.wrapping_add(4 * step);
    }
    for (number, slot) in rest.iter_mut().enumerate() {
        if let Some(&value) = values.get(first_of_rest + number * step) {
            others &= add_offset(value, rule, slot);
        }
    }
    others & u32x4_all_true(all)
}
