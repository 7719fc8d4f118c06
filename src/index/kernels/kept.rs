//! Entries of an index that skips some of them, when a row is a single element. Processors cannot predict which entries are skipped. So there
//! is no branch for each: they go to spare slots behind the table, or entries are packed or chosen, a block at a time.

use std::mem::MaybeUninit;
use std::slice;

use bytemuck::Pod;

use crate::engine::cpu::kernels::{Loops, Rounds, gather_loop, vector};
use crate::index::kernels::SKIPPED;

/// Entries of a block, on the stack.
pub(crate) const BLOCK: usize = 512;

/// The spare slots that skipped entries take in turn. With a single one, each would wait for the one before.
pub(crate) const SPARE_SLOTS: usize = 4;

/// Memory for a block of entries: a position and a value of any size for each.
pub(crate) struct Block {
    positions: [MaybeUninit<u32>; BLOCK],
    values: [MaybeUninit<u64>; BLOCK],
}

impl Block {
    pub(crate) fn new() -> Self {
        Self { positions: [MaybeUninit::uninit(); BLOCK], values: [MaybeUninit::uninit(); BLOCK] }
    }

    /// Combines the entries of a run that are not dropped, in order: packs them first. `table` and `values` are those of the first entry.
    ///
    /// # Safety
    /// There are at most [`BLOCK`] positions. As for [`Loops::combine_entries`], for those that are not skipped; a value must exist for
    /// each entry. 32 bits must number the elements of the table.
    pub(crate) unsafe fn scatter(
        &mut self,
        loops: &Loops,
        table: *mut u8,
        values: *const u8,
        entries: &Rounds<'_>,
    ) {
        // SAFETY: as the caller promises; `pack` has written as many positions and values as it says.
        unsafe {
            let count = match loops.size {
                1 => self.pack::<u8>(values, entries),
                2 => self.pack::<u16>(values, entries),
                4 => self.pack::<u32>(values, entries),
                _ => self.pack::<u64>(values, entries),
            };
            let Some(places) = self.positions.get(..count) else { return };
            loops.combine_entries(
                table,
                self.values.as_ptr().cast(),
                &Rounds::single(places.assume_init_ref(), 1),
            );
        }
    }

    /// Combines the entries of a run in order, where [`SPARE_SLOTS`] elements behind the table take the skipped ones. `spare` is the distance of
    /// the first of these from `table`, in elements. This takes half the time of [`Block::scatter`].
    ///
    /// # Safety
    /// As for [`Block::scatter`]; the spare slots must be valid.
    pub(crate) unsafe fn scatter_all(
        &mut self,
        loops: &Loops,
        table: *mut u8,
        spare: usize,
        values: *const u8,
        entries: &Rounds<'_>,
    ) {
        let Rounds { positions, run, slot_stride, .. } = *entries;
        let Some(places) = self.positions.get_mut(..positions.len()) else { return };
        if slot_stride == 1 && run.table_stride == 0 {
            vector::replace_skipped(positions, [0, 1, 2, 3].map(|at| (spare + at) as u32), places);
        } else {
            let mut column = 0;
            for (at, (place, &position)) in places.iter_mut().zip(positions).enumerate() {
                let own = (position as usize).wrapping_mul(slot_stride).wrapping_add(column);
                place.write(if position == SKIPPED { spare + at % SPARE_SLOTS } else { own } as u32);
                column += run.table_stride;
            }
        }
        // SAFETY: as the caller promises; each place was written.
        unsafe {
            let places = Rounds::single(places.assume_init_ref(), run.value_stride);
            loops.combine_entries(table, values, &places);
        }
    }

    /// The positions that are not dropped, and their values. Of longer lists as many are read as a block has.
    pub(crate) fn kept<T: Pod>(&mut self, positions: &[u32], values: &[T]) -> (&[u32], &[T]) {
        const { assert!(size_of::<T>() == 4 || size_of::<T>() == 8) };
        let len = BLOCK.min(positions.len()).min(values.len());
        let (positions, from) = (positions.get(..len).unwrap_or_default(), values.as_ptr().cast());
        let entries = Rounds::single(positions, 1);
        // SAFETY: each position has a value. `pack` has written as many positions and values as it says, and words are aligned for a `T`.
        unsafe {
            let count = match size_of::<T>() {
                4 => self.pack::<u32>(from, &entries),
                _ => self.pack::<u64>(from, &entries),
            };
            let kept = self.positions.get(..count).unwrap_or_default().assume_init_ref();
            (kept, slice::from_raw_parts(self.values.as_ptr().cast(), kept.len()))
        }
    }

    /// Writes the places and the values of entries that are not skipped, and returns their number. Each entry is written after those
    /// before it, and counts if it is not dropped.
    ///
    /// # Safety
    /// As for [`Block::scatter`].
    #[inline(never)]
    unsafe fn pack<E: Copy>(&mut self, values: *const u8, entries: &Rounds<'_>) -> usize {
        let Rounds { positions, run, slot_stride, .. } = *entries;
        let (places, packed) = (self.positions.as_mut_ptr(), self.values.as_mut_ptr().cast::<E>());
        let mut count = 0;
        let (mut value, mut column) = (values.cast::<E>(), 0);
        for &position in positions {
            // The place of a skipped entry means nothing.
            let place = (position as usize).wrapping_mul(slot_stride).wrapping_add(column) as u32;
            // SAFETY: at most as many entries are packed as there are positions, so they fit. The caller promises the values.
            unsafe {
                places.add(count).write(MaybeUninit::new(place));
                packed.add(count).write(*value);
                value = value.wrapping_add(run.value_stride);
            }
            column += run.table_stride;
            count += usize::from(position != SKIPPED);
        }
        count
    }

    /// Gathers the entries of a run. Those that are dropped read position 0, and their results stay as they were. `table` and `out` are
    /// those of the first entry.
    ///
    /// # Safety
    /// There are at most [`BLOCK`] positions. As for a [`gather_loop`], also for position 0. All results must be written before.
    pub(crate) unsafe fn gather(
        &mut self,
        size: usize,
        table: *const u8,
        out: *mut u8,
        entries: &Rounds<'_>,
    ) {
        let positions = entries.positions;
        let Some(own) = self.positions.get_mut(..positions.len()) else { return };
        vector::replace_skipped(positions, [0; 4], own);
        // SAFETY: as the caller promises; these positions were written.
        unsafe {
            let entries = Rounds { positions: own.assume_init_ref(), ..*entries };
            let gathered = self.values.as_mut_ptr().cast::<u8>();
            gather_loop(size, &entries)(table, gathered, &entries);
            match size {
                1 => choose::<u8>(gathered, out, positions),
                2 => choose::<u16>(gathered, out, positions),
                4 => {
                    let gathered = slice::from_raw_parts(gathered.cast(), positions.len());
                    let out = slice::from_raw_parts_mut(out.cast(), positions.len());
                    vector::replace_others(positions, gathered, out);
                }
                _ => choose::<u64>(gathered, out, positions),
            }
        }
    }
}

/// Replaces the results of entries that are not skipped.
///
/// # Safety
/// Both must have an aligned element for each position.
#[inline(never)]
unsafe fn choose<E: Copy>(gathered: *const u8, out: *mut u8, positions: &[u32]) {
    let (gathered, out) = (gathered.cast::<E>(), out.cast::<E>());
    for (at, &position) in positions.iter().enumerate() {
        // SAFETY: as the caller promises.
        unsafe { *out.add(at) = if position == SKIPPED { *out.add(at) } else { *gathered.add(at) } };
    }
}
