//! Positions of index values by vectors of four.

use core::arch::wasm32::*;
use std::mem::MaybeUninit;

use crate::engine::cpu::kernels::vector::IndexLanes;
use crate::index::kernels::offsets::{SKIPPED, add_offset, write_one_by_one};
use crate::plan::index::mode::{Component, IndexMode, OutOfRange};

/// Tuples whose positions fit the first-level cache with their values.
const BLOCK: usize = 1024;

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

/// How a vector of values becomes positions: values of one component, or of some in turn.
struct Lanes {
    /// The bounds of the values that stay as they are, where the mode clips.
    least: v128,
    most: v128,
    bounds: v128,
    /// What negative values count from.
    end: v128,
    /// What is subtracted from values above the bound.
    period: v128,
    strides: v128,
    ignores: v128,
    ignored: v128,
    wraps: bool,
}

/// What a vector of values becomes. Where a lane of `outside` or of `ignored` is set, the offset means nothing.
struct Offsets {
    offsets: v128,
    outside: v128,
    ignored: v128,
}

impl Lanes {
    #[inline(always)]
    fn new(components: [&Component; 4], IndexMode { out_of_range, ignored }: IndexMode) -> Self {
        let vector = |of: fn(&Component) -> usize| {
            let [one, two, three, four] = components.map(|component| of(component) as u32);
            u32x4(one, two, three, four)
        };
        let mask = |is: bool| u32x4_splat(if is { u32::MAX } else { 0 });
        let (clips, wraps) = (out_of_range == OutOfRange::Clip, out_of_range == OutOfRange::Wrap);
        let bounds = vector(|component| component.bound);
        let above = |ends: v128, otherwise: i32| v128_bitselect(ends, i32x4_splat(otherwise), mask(clips));
        // A value that does not fit int32 is none of those that fit.
        let ignored = ignored.and_then(|ignored| i32::try_from(ignored).ok());
        Self {
            least: above(i32x4_splat(0), i32::MIN),
            most: above(i32x4_sub(bounds, i32x4_splat(1)), i32::MAX),
            bounds,
            end: v128_and(bounds, mask(out_of_range != OutOfRange::Inside)),
            period: v128_and(bounds, mask(wraps)),
            strides: vector(|component| component.stride),
            ignores: mask(ignored.is_some()),
            ignored: i32x4_splat(ignored.unwrap_or_default()),
            wraps,
        }
    }

    #[inline(always)]
    fn offsets(&self, values: v128, has_strides: bool) -> Offsets {
        let value = i32x4_min(i32x4_max(values, self.least), self.most);
        let value = i32x4_add(value, v128_and(self.end, i32x4_shr(value, 31)));
        let mut value = i32x4_sub(value, v128_and(self.period, i32x4_ge(value, self.bounds)));
        let mut outside = u32x4_ge(value, self.bounds);
        // Only a value two periods outside needs a division.
        if self.wraps && v128_any_true(outside) {
            value = remainders(values, self.bounds);
            outside = u32x4_ge(value, self.bounds);
        }
        let offsets = if has_strides { u32x4_mul(value, self.strides) } else { value };
        Offsets { offsets, outside, ignored: v128_and(self.ignores, i32x4_eq(values, self.ignored)) }
    }

    /// The parts of values in the positions of tuples with `STEP` values, and into `refused` which of them are refused.
    #[inline(always)]
    fn parts<const STEP: usize>(&self, values: v128, refused: &mut v128) -> v128 {
        let Offsets { offsets, outside, ignored } = self.offsets(values, STEP > 1);
        *refused = v128_or(*refused, v128_andnot(outside, ignored));
        let skipped = v128_or(outside, ignored);
        // A single part is the position.
        if STEP == 1 {
            v128_or(offsets, skipped)
        } else {
            v128_bitselect(u32x4_splat(NO_OFFSET), offsets, skipped)
        }
    }
}

/// The values modulo the bounds, also of negative values. Quotients are exact: they are less than 2^31 apart from 0 and 2^−31 or more apart
/// from the next integer, unless they are integers. Modulo 0 a value stays as it is.
#[inline(never)]
fn remainders(values: v128, bounds: v128) -> v128 {
    let quotients = |values, bounds| {
        let quotients = f64x2_div(f64x2_convert_low_i32x4(values), f64x2_convert_low_u32x4(bounds));
        i32x4_trunc_sat_f64x2_zero(f64x2_floor(quotients))
    };
    let high = |vector| u32x4_shuffle::<2, 3, 2, 3>(vector, vector);
    let quotients =
        u32x4_shuffle::<0, 1, 4, 5>(quotients(values, bounds), quotients(high(values), high(bounds)));
    i32x4_sub(values, i32x4_mul(quotients, bounds))
}

/// Writes the position of each entry, or [`SKIPPED`]. Returns false if an entry without an ignored value may have no position.
pub(crate) fn write_positions<T: ModeLanes>(
    values: &[T],
    components: &[Component],
    mode: IndexMode,
    slots: &mut [MaybeUninit<u32>],
) -> bool {
    // Each slot has a tuple. If not, nothing may be read.
    if slots.len().saturating_mul(components.len()) > values.len() {
        slots.fill(MaybeUninit::new(SKIPPED));
        return false;
    }
    // Small code counts more for rare tuples, and for int64, which is read at half the speed anyway.
    match components {
        [a] if size_of::<T>() == 4 => write_each::<T, 1>(values, [a; 4], components, mode, slots),
        [a, b] if size_of::<T>() == 4 => write_each::<T, 2>(values, [a, b, a, b], components, mode, slots),
        _ => write_by_component(values, components, mode, slots),
    }
}

/// Stands for the offset of a value whose entry is skipped. No position is as large, because tables have fewer than 2^28 elements where
/// addresses have 32 bits. The sum of two is no negative number.
const NO_OFFSET: u32 = 1 << 29;

/// [`write_positions`] for one value or two in an entry.
#[inline(always)]
fn write_each<T: ModeLanes, const STEP: usize>(
    values: &[T],
    in_vector: [&Component; 4],
    components: &[Component],
    mode: IndexMode,
    slots: &mut [MaybeUninit<u32>],
) -> bool {
    let lanes = Lanes::new(in_vector, mode);
    let (mut refused, mut others) = (u32x4_splat(0), true);
    let (groups, rest) = slots.as_chunks_mut::<4>();
    let first_of_rest = groups.len() * 4 * STEP;
    let mut next = values.as_ptr();
    for slots in groups {
        // SAFETY: each slot has a tuple.
        let read = unsafe { (T::four(next, 1), T::four(next.wrapping_add(4 * STEP - 4), 1)) };
        if let (Some(one), Some(two)) = read {
            let mut positions = lanes.parts::<STEP>(one, &mut refused);
            if STEP == 2 {
                let two = lanes.parts::<STEP>(two, &mut refused);
                let sums = u32x4_add(
                    u32x4_shuffle::<0, 2, 4, 6>(positions, two),
                    u32x4_shuffle::<1, 3, 5, 7>(positions, two),
                );
                positions = v128_or(sums, i32x4_ge(sums, u32x4_splat(NO_OFFSET)));
            }
            // SAFETY: they are the four slots. Vectors need not be aligned.
            unsafe { slots.as_mut_ptr().cast::<v128>().write_unaligned(positions) };
        } else {
            // SAFETY: each slot has a tuple.
            let values = unsafe { std::slice::from_raw_parts(next, 4 * STEP) };
            others &= write_one_by_one(values, components, mode, slots);
        }
        next = next.wrapping_add(4 * STEP);
    }
    let rest = write_one_by_one(values.get(first_of_rest..).unwrap_or_default(), components, mode, rest);
    others & rest & !v128_any_true(refused)
}

/// [`write_positions`] for tuples of any length. The components take turns while the slots of a block are in the first-level cache.
#[inline(never)]
fn write_by_component<T: ModeLanes>(
    values: &[T],
    components: &[Component],
    mode: IndexMode,
    slots: &mut [MaybeUninit<u32>],
) -> bool {
    let (step, mut all) = (components.len(), true);
    for (block, slots) in slots.chunks_mut(BLOCK).enumerate() {
        slots.fill(MaybeUninit::new(0));
        // SAFETY: they were just written.
        let slots = unsafe { slots.assume_init_mut() };
        for (number, component) in components.iter().enumerate() {
            let values = values.get(block * BLOCK * step + number..).unwrap_or_default();
            all &= add_offsets(values, step, component, mode, slots);
        }
    }
    all
}

/// [`add_offset`] for each slot. Entries are `step` values apart.
#[inline(always)]
fn add_offsets<T: ModeLanes>(
    values: &[T],
    step: usize,
    component: &Component,
    mode: IndexMode,
    slots: &mut [u32],
) -> bool {
    let lanes = Lanes::new([component; 4], mode);
    let (mut refused, mut all) = (u32x4_splat(0), true);
    let (groups, rest) = slots.as_chunks_mut::<4>();
    let first_of_rest = groups.len() * 4 * step;
    let mut next = values.as_ptr();
    for slots in groups {
        // SAFETY: each slot has a tuple.
        if let Some(values) = unsafe { T::four(next, step) } {
            let Offsets { offsets, outside, ignored } = lanes.offsets(values, true);
            refused = v128_or(refused, v128_andnot(outside, ignored));
            let own = slots.as_mut_ptr().cast::<v128>();
            // SAFETY: they are the four slots. Vectors need not be aligned.
            unsafe {
                let sums = own.read_unaligned();
                let skipped = v128_or(v128_or(outside, ignored), u32x4_eq(sums, u32x4_splat(SKIPPED)));
                own.write_unaligned(v128_or(u32x4_add(sums, offsets), skipped));
            }
        } else {
            for (number, slot) in slots.iter_mut().enumerate() {
                // SAFETY: each slot has a tuple.
                all &= add_offset(unsafe { *next.add(number * step) }, component, mode, slot);
            }
        }
        next = next.wrapping_add(4 * step);
    }
    for (number, slot) in rest.iter_mut().enumerate() {
        if let Some(&value) = values.get(first_of_rest + number * step) {
            all &= add_offset(value, component, mode, slot);
        }
    }
    all & !v128_any_true(refused)
}
