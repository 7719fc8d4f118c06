//! Maximum and minimum of float16 and bfloat16 for many entries at each slot.
//!
//! Such an entry rarely changes its slot. So eight slots are compared with their updates at once, and mostly nothing is written. One by
//! one, each pair takes a dozen instructions for the order of its bits.

use core::arch::wasm32::*;

use crate::engine::cpu::kernels::halves::{
    Maximum, Minimum, Ordered, key, keys, least_of_maximum, least_of_minimum,
};
use crate::engine::cpu::kernels::{CombineBits, GROUP, Loops, Rounds, pair};

/// How an extreme ranks the bits of a half type: the highest rank wins.
#[derive(Clone, Copy)]
pub(crate) struct Ranks {
    /// The key counts from this integer.
    least: u16,
    /// The bits of the key that are inverted: all for a minimum.
    inverted: u16,
}

impl Ranks {
    /// The one of two elements that has the higher rank.
    #[inline(always)]
    fn higher(self, value: u16, update: u16) -> u16 {
        let inverted = u32::from(self.inverted) << 16;
        let (rank, other) = (key(value, self.least) ^ inverted, key(update, self.least) ^ inverted);
        if rank > other { value } else { update }
    }

    /// A bit for each lane whose update ranks higher than its value.
    #[inline(always)]
    fn higher_lanes(self, updates: v128, values: v128) -> u8 {
        let inverted = u16x8_splat(self.inverted);
        let (keys, others) = (keys(updates, self.least), keys(values, self.least));
        i16x8_bitmask(u16x8_gt(v128_xor(keys, inverted), v128_xor(others, inverted)))
    }
}

/// An extreme of a half type by its ranks.
pub(crate) trait Ranked<H> {
    const RANKS: Ranks;
}

impl<H: Ordered> Ranked<H> for Maximum {
    const RANKS: Ranks = Ranks { least: least_of_maximum::<H>(), inverted: 0 };
}

impl<H: Ordered> Ranked<H> for Minimum {
    const RANKS: Ranks = Ranks { least: least_of_minimum::<H>(), inverted: 0xffff };
}

impl Loops {
    /// The same, but for many entries at each slot.
    pub(crate) const fn with_likely<H: Ordered, C: Ranked<H>>(self) -> Self {
        Self { combine_shared_unit: combine_likely::<H, C>, combine_shared: combine_likely::<H, C>, ..self }
    }
}

/// Calls [`combine_ranked`]: that is compiled once for both half types and both extremes.
///
/// # Safety
/// As for every [`EntryLoop`](crate::engine::cpu::kernels::EntryLoop).
unsafe fn combine_likely<H: Ordered, C: Ranked<H>>(
    table: *mut u8,
    values: *const u8,
    entries: &Rounds<'_>,
    _: CombineBits,
) {
    // SAFETY: as the caller promises.
    unsafe { combine_ranked(table, values, entries, C::RANKS) }
}

/// Combines entries that may address the same slot with consecutive values, or with one value that is repeated [`GROUP`] times, for any
/// distance of the slots.
///
/// # Safety
/// As for every [`EntryLoop`](crate::engine::cpu::kernels::EntryLoop).
#[inline(never)]
unsafe fn combine_ranked(table: *mut u8, values: *const u8, entries: &Rounds<'_>, ranks: Ranks) {
    // A copy: its fields can stay in registers.
    let entries = *entries;
    let slot_bytes = entries.slot_stride * 2;
    for number in 0..entries.round.len {
        let (table_start, value_start, positions) = entries.at(number);
        let (groups, rest) = positions.as_chunks::<GROUP>();
        // SAFETY: as the caller promises.
        unsafe {
            let (table, mut values) =
                (table.cast::<u16>().add(table_start), values.cast::<u16>().add(value_start));
            let slot = |position: u32| table.byte_add(position as usize * slot_bytes);
            for group in groups {
                let mut slots = u16x8_splat(0);
                let (one, two) = pair(group, 0);
                slots = v128_load16_lane::<0>(slots, slot(one));
                slots = v128_load16_lane::<1>(slots, slot(two));
                let (one, two) = pair(group, 2);
                slots = v128_load16_lane::<2>(slots, slot(one));
                slots = v128_load16_lane::<3>(slots, slot(two));
                let (one, two) = pair(group, 4);
                slots = v128_load16_lane::<4>(slots, slot(one));
                slots = v128_load16_lane::<5>(slots, slot(two));
                let (one, two) = pair(group, 6);
                slots = v128_load16_lane::<6>(slots, slot(one));
                slots = v128_load16_lane::<7>(slots, slot(two));
                let higher = u32::from(ranks.higher_lanes(v128_load(values.cast()), slots));
                if higher & higher.wrapping_sub(1) != 0 {
                    // Updates in ascending order change most slots.
                    for (i, &position) in group.iter().enumerate() {
                        update(slot(position), *values.add(i), ranks);
                    }
                } else if higher != 0 {
                    let i = higher.trailing_zeros() as usize;
                    *slot(*group.as_ptr().add(i)) = *values.add(i);
                }
                values = values.add(GROUP * entries.run.value_stride);
            }
            for &position in rest {
                update(slot(position), *values, ranks);
                values = values.add(entries.run.value_stride);
            }
        }
    }
}

/// # Safety
/// The slot must be valid and aligned.
#[inline(always)]
unsafe fn update(slot: *mut u16, value: u16, ranks: Ranks) {
    // SAFETY: as the caller promises.
    unsafe { *slot = ranks.higher(*slot, value) };
}
