//! The innermost loops over entries, and their arguments.

use crate::Bits;
use crate::engine::cpu::kernels::vector;
use crate::engine::cpu::kernels::{Lane, Operation};
use crate::plan::Loop;

/// The number of entries that are compared at a time, to see whether all address one slot.
pub(crate) const GROUP: usize = 8;

/// A loop over entries. Its arguments are the slots in the table and in the values where the first round begins, the entries, and the
/// operation. Only the loops of `small.rs` call the operation: the others have it built in.
///
/// # Safety
/// Every addressed slot and value must be valid and aligned. With a value stride of 0, the value must be in memory [`GROUP`] times.
pub(crate) type EntryLoop = unsafe fn(*mut u8, *const u8, &Rounds<'_>, CombineBits);

/// Combines one element with one update, as bits. Only the loops for rare cases call it: they are compiled for each element width and not
/// for each operation.
pub(crate) type CombineBits = fn(Bits, Bits) -> Bits;

/// A loop over entries by lists: of the numbers of elements of the table, and of the values. Its arguments are the table, the values, and
/// these lists.
///
/// # Safety
/// Every element must be valid and aligned.
pub(crate) type IndexedLoop = unsafe fn(*mut u8, *const u8, &[u32], &[u32]);

/// The entries of the two innermost loops of a plan: rounds of one run each. One call of a loop handles all rounds, because a run may
/// have a single entry. All counts and strides are in elements.
#[derive(Clone, Copy)]
pub(crate) struct Rounds<'a> {
    /// The positions of all rounds, or of one round if all have the same (the round's index stride is then 0).
    pub(crate) positions: &'a [u32],
    pub(crate) round: Loop,
    pub(crate) run: Loop,
    pub(crate) slot_stride: usize,
}

/// A single value as loops over entries read it: repeated for each entry of a group.
#[inline(always)]
pub(crate) fn repeated(size: usize, element: Bits) -> [u64; GROUP] {
    let word = match size {
        1 => element.wrapping_mul(0x0101_0101_0101_0101),
        2 => element.wrapping_mul(0x0001_0001_0001_0001),
        4 => element.wrapping_mul(0x0000_0001_0000_0001),
        _ => element,
    };
    [word; GROUP]
}

pub(crate) const ONCE: Loop = Loop { len: 1, table_stride: 0, value_stride: 0, index_stride: 0 };

impl<'a> Rounds<'a> {
    /// One round with an entry for each position. A position is the number of an element of the table. The values of two entries are
    /// `value_stride` elements apart.
    pub(crate) fn single(positions: &'a [u32], value_stride: usize) -> Self {
        let run = Loop { len: positions.len(), table_stride: 0, value_stride, index_stride: 1 };
        Self { positions, round: ONCE, run, slot_stride: 1 }
    }

    /// The distance of round `number` from the first round, in elements of the table and of the values; and the round's positions.
    #[inline(always)]
    pub(crate) fn at(&self, number: usize) -> (usize, usize, &'a [u32]) {
        let first = number * self.round.index_stride;
        let positions = self.positions.get(first..first + self.run.len).unwrap_or_default();
        (number * self.round.table_stride, number * self.round.value_stride, positions)
    }
}

/// Combines entries that may address the same slot with consecutive values, or with one value that is repeated [`GROUP`] times. If all
/// entries of a group address one slot, the slot is read and written once: a chain of operations through memory takes several times as
/// long as through a register. With `UNIT`, slots are consecutive, which saves a multiplication for each entry.
///
/// # Safety
/// As for every [`EntryLoop`].
#[inline(never)]
pub(crate) unsafe fn combine_shared<E: Lane, C: Operation<E>, const UNIT: bool>(
    table: *mut u8,
    values: *const u8,
    entries: &Rounds<'_>,
    _: CombineBits,
) {
    // A copy: its fields can stay in registers.
    let entries = *entries;
    let slot_bytes = if UNIT { size_of::<E>() } else { entries.slot_stride * size_of::<E>() };
    for number in 0..entries.round.len {
        let (table_start, value_start, positions) = entries.at(number);
        let (groups, rest) = positions.as_chunks::<GROUP>();
        // SAFETY: as the caller promises.
        unsafe {
            let (table, mut values) =
                (table.cast::<E>().add(table_start), values.cast::<E>().add(value_start));
            for group in groups {
                let slot = |position: u32| table.byte_add(position as usize * slot_bytes);
                // If entries address different slots, the first and the last usually differ. That test is faster.
                if !C::REPLACES && group[0] == group[7] && vector::are_equal(group) {
                    let slot = slot(group[0]);
                    let mut value = *slot;
                    for i in 0..GROUP {
                        value = C::combine(value, *values.add(i));
                    }
                    *slot = value;
                } else if size_of::<E>() == 2 {
                    // Half of the two-byte types are floats with many instructions, so this code is repeated twice and not eight times.
                    for at in (0..GROUP).step_by(2) {
                        let (one, two) = pair(group, at);
                        update::<E, C>(slot(one), *values.add(at));
                        update::<E, C>(slot(two), *values.add(at + 1));
                    }
                } else {
                    // Unrolled by hand, because compilers that optimise for size do not unroll.
                    let (one, two) = pair(group, 0);
                    update::<E, C>(slot(one), *values);
                    update::<E, C>(slot(two), *values.add(1));
                    let (one, two) = pair(group, 2);
                    update::<E, C>(slot(one), *values.add(2));
                    update::<E, C>(slot(two), *values.add(3));
                    let (one, two) = pair(group, 4);
                    update::<E, C>(slot(one), *values.add(4));
                    update::<E, C>(slot(two), *values.add(5));
                    let (one, two) = pair(group, 6);
                    update::<E, C>(slot(one), *values.add(6));
                    update::<E, C>(slot(two), *values.add(7));
                }
                values = values.add(GROUP * entries.run.value_stride);
            }
            for &position in rest {
                update::<E, C>(table.byte_add(position as usize * slot_bytes), *values);
                values = values.add(entries.run.value_stride);
            }
        }
    }
}

/// The positions at `at` and `at + 1`, read by one load.
///
/// # Safety
/// Both must exist.
#[inline(always)]
pub(crate) unsafe fn pair(positions: &[u32], at: usize) -> (u32, u32) {
    // SAFETY: as the caller promises.
    let pair = unsafe { positions.as_ptr().add(at).cast::<u64>().read_unaligned() };
    let [one, two] = bytemuck::cast(pair);
    (one, two)
}

/// # Safety
/// The slot must be valid and aligned.
#[inline(always)]
unsafe fn update<E: Lane, C: Operation<E>>(slot: *mut E, value: E) {
    // SAFETY: as the caller promises.
    unsafe { *slot = C::combine(*slot, value) };
}

/// Combines entries by lists, in order. Unrolled by hand, because compilers that optimise for size do not unroll.
///
/// # Safety
/// As for every [`IndexedLoop`].
#[inline(never)]
pub(crate) unsafe fn combine_indexed<E: Lane, C: Operation<E>>(
    table: *mut u8,
    values: *const u8,
    slots: &[u32],
    numbers: &[u32],
) {
    let (table, values) = (table.cast::<E>(), values.cast::<E>());
    let ((fours, rest), (own, own_rest)) = (slots.as_chunks::<4>(), numbers.as_chunks::<4>());
    // SAFETY: as the caller promises.
    unsafe {
        for (four, own) in fours.iter().zip(own) {
            let ((one, two), (first, second)) = (pair(four, 0), pair(own, 0));
            update::<E, C>(table.add(one as usize), *values.add(first as usize));
            update::<E, C>(table.add(two as usize), *values.add(second as usize));
            let ((one, two), (first, second)) = (pair(four, 2), pair(own, 2));
            update::<E, C>(table.add(one as usize), *values.add(first as usize));
            update::<E, C>(table.add(two as usize), *values.add(second as usize));
        }
        for (&slot, &number) in rest.iter().zip(own_rest) {
            update::<E, C>(table.add(slot as usize), *values.add(number as usize));
        }
    }
}

/// # Safety
/// As for every [`EntryLoop`].
#[inline(never)]
pub(crate) unsafe fn combine_strided<E: Lane, C: Operation<E>>(
    table: *mut u8,
    values: *const u8,
    entries: &Rounds<'_>,
    _: CombineBits,
) {
    // A copy: its fields can stay in registers.
    let entries = *entries;
    for number in 0..entries.round.len {
        let (table_start, value_start, positions) = entries.at(number);
        // SAFETY: as the caller promises.
        unsafe {
            let (table, values) = (table.cast::<E>().add(table_start), values.cast::<E>().add(value_start));
            for (i, &position) in positions.iter().enumerate() {
                let slot = table.add(i * entries.run.table_stride + position as usize * entries.slot_stride);
                update::<E, C>(slot, *values.add(i * entries.run.value_stride));
            }
        }
    }
}

/// Combines entries one by one, with the run's strides in table and values 1. Unrolled by hand, because compilers that optimise for size
/// do not unroll.
///
/// # Safety
/// As for every [`EntryLoop`]; both strides of the run must be 1.
#[inline(never)]
pub(crate) unsafe fn combine_strided_unit<E: Lane, C: Operation<E>>(
    table: *mut u8,
    values: *const u8,
    entries: &Rounds<'_>,
    _: CombineBits,
) {
    // A copy: its fields can stay in registers.
    let entries = *entries;
    for number in 0..entries.round.len {
        let (table_start, value_start, positions) = entries.at(number);
        let (fours, rest) = positions.as_chunks::<4>();
        // SAFETY: as the caller promises.
        unsafe {
            let (mut table, mut values) =
                (table.cast::<E>().add(table_start), values.cast::<E>().add(value_start));
            for four in fours {
                let slot = |position: u32| table.add(position as usize * entries.slot_stride);
                let (one, two) = pair(four, 0);
                update::<E, C>(slot(one), *values);
                update::<E, C>(slot(two).add(1), *values.add(1));
                let (one, two) = pair(four, 2);
                update::<E, C>(slot(one).add(2), *values.add(2));
                update::<E, C>(slot(two).add(3), *values.add(3));
                (table, values) = (table.add(4), values.add(4));
            }
            for (i, &position) in rest.iter().enumerate() {
                update::<E, C>(table.add(i + position as usize * entries.slot_stride), *values.add(i));
            }
        }
    }
}
