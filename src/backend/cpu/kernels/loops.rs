//! The innermost loops, compiled for each operation and element type. They are called through pointers and so not inlined: then the
//! engine can keep their variables in registers.
//!
//! Their time is the number of their instructions. Replacement, and every operation on four-byte elements, has separate loops with the
//! usual strides as constants. The loops of gathers are in `gather.rs`.

pub(crate) mod gather;
pub(crate) mod pairs;
mod segments;
mod small;

use bytemuck::Pod;

use crate::backend::cpu::kernels::loops::segments::{SegmentLoop, combine_segments};
use crate::backend::cpu::kernels::operation::{Operation, VectorOperation};
use crate::backend::cpu::kernels::vector::{self, Lane};
use crate::plan::{Loop, Row};
use crate::scalar::Bits;

/// Whether the build has loops over entries by lists, which only threads use.
const PICKS: bool = cfg!(any(test, all(target_arch = "wasm32", feature = "npm", feature = "webgpu")));

/// The number of entries that are compared at a time, to see whether all address one place.
pub(crate) const GROUP: usize = 8;

/// A loop over entries. Its arguments are the places in the table and in the values where the first round begins, the entries, and the
/// operation. Only the loops of `small.rs` call the operation: the others have it built in.
///
/// # Safety
/// Every addressed place and value must be valid and aligned. With a value stride of 0, the value must be in memory [`GROUP`] times.
type EntryLoop = unsafe fn(*mut u8, *const u8, &Rounds<'_>, CombineBits);

/// A loop over rows. Its arguments are the results, x, the values, the rows, and the operation, as for an [`EntryLoop`].
///
/// # Safety
/// As for [`Loops::combine_rows`].
type RowLoop = unsafe fn(*mut u8, *const u8, *const u8, &RowUpdates<'_>, CombineBits);

/// Combines one element with one update, as bits. Only the loops for rare cases call it: they are compiled for each element width and not
/// for each operation.
type CombineBits = fn(Bits, Bits) -> Bits;

/// A loop over entries by lists: of the numbers of elements of the table, and of the values. Its arguments are the table, the values, and
/// these lists.
///
/// # Safety
/// Every element must be valid and aligned.
pub(crate) type PickedLoop = unsafe fn(*mut u8, *const u8, &[u32], &[u32]);

/// The entries of the two innermost loops of a plan: rounds of one run each. One call of a loop handles all rounds, because a run may
/// have a single entry. All counts and strides are in elements.
#[derive(Clone, Copy)]
pub(crate) struct Rounds<'a> {
    /// The positions of all rounds, or of one round if all have the same (the round's index stride is then 0).
    pub(crate) positions: &'a [u32],
    /// The loop over rounds.
    pub(crate) round: Loop,
    /// The loop over the entries of a round.
    pub(crate) run: Loop,
    /// The distance of two places, in elements.
    pub(crate) place_stride: usize,
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

/// A loop of one step.
pub(crate) const ONCE: Loop = Loop { len: 1, table_stride: 0, value_stride: 0, index_stride: 0 };

impl<'a> Rounds<'a> {
    /// One round with an entry for each position. A position is the number of an element of the table. The values of two entries are
    /// `value_stride` elements apart.
    pub(crate) fn single(positions: &'a [u32], value_stride: usize) -> Self {
        let run = Loop { len: positions.len(), table_stride: 0, value_stride, index_stride: 1 };
        Self { positions, round: ONCE, run, place_stride: 1 }
    }

    /// The distance of round `number` from the first round, in elements of the table and of the values; and the round's positions.
    #[inline(always)]
    pub(crate) fn at(&self, number: usize) -> (usize, usize, &'a [u32]) {
        let first = number * self.round.index_stride;
        let positions = self.positions.get(first..first + self.run.len).unwrap_or_default();
        (number * self.round.table_stride, number * self.round.value_stride, positions)
    }
}

/// The innermost loops of one operation on one element type. The code around them is shared.
pub(crate) struct Loops {
    /// Bytes per element.
    pub(crate) size: usize,
    /// The operation itself.
    combine: CombineBits,
    /// For entries that may address the same place, with consecutive places, and with consecutive values or one value for all.
    combine_shared_unit: EntryLoop,
    /// The same for any distance of the places.
    combine_shared: EntryLoop,
    /// For entries in neighbouring columns: with equal positions, the places are consecutive, and so are the values.
    combine_strided_unit: EntryLoop,
    /// For any strides, and for runs of a few entries.
    combine_strided: EntryLoop,
    /// Combines rows of x with rows of values.
    combine_rows: RowLoop,
    /// Combines each row of x with one value.
    combine_rows_with_scalar: RowLoop,
    /// Combines the element of each segment with the segment's values. Only elements of four bytes are frequent enough for this loop.
    pub(crate) combine_segments: Option<SegmentLoop>,
    /// Combines entries by lists. For elements of four bytes alone, too.
    pub(crate) combine_picked: Option<PickedLoop>,
}

/// Which rows of x are combined with which values.
pub(crate) struct RowUpdates<'a> {
    /// The positions of the rows, and the distance of two positions in elements.
    pub(crate) positions: &'a [u32],
    pub(crate) place_stride: usize,
    /// The elements of each row.
    pub(crate) row: Row,
    /// The distance of the values of two rows, in elements.
    pub(crate) value_stride: usize,
}

impl RowUpdates<'static> {
    /// One row of so many elements, with as many values, or with one for the value stride 0.
    pub(crate) fn single(len: usize, value_stride: usize) -> Self {
        Self { positions: &[0], place_stride: 0, row: Row { len, value_stride }, value_stride: 0 }
    }
}

impl Loops {
    /// Loops with vectors, and with the usual strides as constants. Each loop with constants adds code to every download, so only
    /// replacement and elements of four bytes have them. Replacement never reads a place, so it needs no loop that keeps a place in a
    /// register.
    pub(crate) const fn of<E: Lane, C: VectorOperation<E>>() -> Self {
        Self {
            size: size_of::<E>(),
            combine: combine_bits::<E, C>,
            combine_shared_unit: if size_of::<E>() == 4 || C::REPLACES {
                combine_shared::<E, C, true>
            } else {
                combine_shared::<E, C, false>
            },
            combine_shared: if C::REPLACES { combine_strided::<E, C> } else { combine_shared::<E, C, false> },
            combine_strided_unit: if size_of::<E>() == 4 {
                combine_strided_unit::<E, C>
            } else {
                combine_strided::<E, C>
            },
            combine_strided: combine_strided::<E, C>,
            combine_rows: combine_rows::<E, C, false>,
            combine_rows_with_scalar: combine_rows::<E, C, true>,
            combine_segments: if size_of::<E>() == 4 && !C::REPLACES {
                Some(combine_segments::<E, C>)
            } else {
                None
            },
            combine_picked: if PICKS && size_of::<E>() == 4 { Some(combine_picked::<E, C>) } else { None },
        }
    }

    /// The same, but with another operation in `combine_shared_unit`, on elements of the same size. It must give the same bits, except
    /// for NaN.
    pub(crate) const fn with_shared_unit<E: Lane, C: Operation<E>>(self) -> Self {
        Self { combine_shared_unit: combine_shared::<E, C, true>, ..self }
    }

    /// Combines one element with one update, as bits.
    pub(crate) fn combine(&self, value: Bits, update: Bits) -> Bits {
        (self.combine)(value, update)
    }

    /// Computes `place = combine(place, value)` for every entry, in order.
    ///
    /// # Safety
    /// As for every [`EntryLoop`].
    #[inline(always)]
    pub(crate) unsafe fn combine_entries(&self, table: *mut u8, values: *const u8, entries: &Rounds<'_>) {
        let Rounds { run, place_stride, .. } = entries;
        // With a table stride of 0 entries may meet at one place. With 1, each entry is in the next column.
        let entry_loop = match (run.table_stride, run.value_stride, place_stride) {
            // The run is too short for the other loops to gain anything.
            _ if run.len < GROUP => self.combine_strided,
            (0, 0 | 1, 1) => self.combine_shared_unit,
            (0, 0 | 1, _) => self.combine_shared,
            (1, 1, _) => self.combine_strided_unit,
            _ => self.combine_strided,
        };
        // SAFETY: as the caller promises.
        unsafe { entry_loop(table, values, entries, self.combine) }
    }

    /// Computes `out row = combine(x row, value row)` for every position, in order.
    ///
    /// # Safety
    /// Every addressed row must be valid and aligned in `out` and in x, which are the same or do not overlap. There must be as many rows
    /// of values, or as many single values if `row` has the value stride 0, in memory that does not overlap `out`. Of a single row with a
    /// value for each element, the values may be `out` themselves.
    pub(crate) unsafe fn combine_rows(
        &self,
        out: *mut u8,
        x: *const u8,
        values: *const u8,
        rows: &RowUpdates<'_>,
    ) {
        // SAFETY: as the caller promises.
        unsafe {
            match rows.row.value_stride {
                0 => (self.combine_rows_with_scalar)(out, x, values, rows, self.combine),
                _ => (self.combine_rows)(out, x, values, rows, self.combine),
            }
        }
    }
}

/// Combines entries that may address the same place with consecutive values, or with one value that is repeated [`GROUP`] times. If all
/// entries of a group address one place, the place is read and written once: a chain of operations through memory takes several times as
/// long as through a register. With `UNIT`, places are consecutive, which saves a multiplication for each entry.
///
/// # Safety
/// As for every [`EntryLoop`].
#[inline(never)]
unsafe fn combine_shared<E: Lane, C: Operation<E>, const UNIT: bool>(
    table: *mut u8,
    values: *const u8,
    entries: &Rounds<'_>,
    _: CombineBits,
) {
    // A copy: its fields can stay in registers.
    let entries = *entries;
    let place_bytes = if UNIT { size_of::<E>() } else { entries.place_stride * size_of::<E>() };
    for number in 0..entries.round.len {
        let (table_start, value_start, positions) = entries.at(number);
        let (groups, rest) = positions.as_chunks::<GROUP>();
        // SAFETY: as the caller promises.
        unsafe {
            let (table, mut values) =
                (table.cast::<E>().add(table_start), values.cast::<E>().add(value_start));
            for group in groups {
                let place = |position: u32| table.byte_add(position as usize * place_bytes);
                // If entries address different places, the first and the last usually differ. That test is faster.
                if !C::REPLACES && group[0] == group[7] && vector::are_equal(group) {
                    let place = place(group[0]);
                    let mut value = *place;
                    for i in 0..GROUP {
                        value = C::combine(value, *values.add(i));
                    }
                    *place = value;
                } else if size_of::<E>() == 2 {
                    // Half of the two-byte types are floats with many instructions, so this code is repeated twice and not eight times.
                    for at in (0..GROUP).step_by(2) {
                        let (one, two) = pair(group, at);
                        update::<E, C>(place(one), *values.add(at));
                        update::<E, C>(place(two), *values.add(at + 1));
                    }
                } else {
                    // Unrolled by hand, because compilers that optimise for size do not unroll.
                    let (one, two) = pair(group, 0);
                    update::<E, C>(place(one), *values);
                    update::<E, C>(place(two), *values.add(1));
                    let (one, two) = pair(group, 2);
                    update::<E, C>(place(one), *values.add(2));
                    update::<E, C>(place(two), *values.add(3));
                    let (one, two) = pair(group, 4);
                    update::<E, C>(place(one), *values.add(4));
                    update::<E, C>(place(two), *values.add(5));
                    let (one, two) = pair(group, 6);
                    update::<E, C>(place(one), *values.add(6));
                    update::<E, C>(place(two), *values.add(7));
                }
                values = values.add(GROUP * entries.run.value_stride);
            }
            for &position in rest {
                update::<E, C>(table.byte_add(position as usize * place_bytes), *values);
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

/// Combines the element at a place with a value.
///
/// # Safety
/// The place must be valid and aligned.
#[inline(always)]
unsafe fn update<E: Lane, C: Operation<E>>(place: *mut E, value: E) {
    // SAFETY: as the caller promises.
    unsafe { *place = C::combine(*place, value) };
}

/// Combines entries by lists, in order. Unrolled by hand, because compilers that optimise for size do not unroll.
///
/// # Safety
/// As for every [`PickedLoop`].
#[inline(never)]
unsafe fn combine_picked<E: Lane, C: Operation<E>>(
    table: *mut u8,
    values: *const u8,
    places: &[u32],
    numbers: &[u32],
) {
    let (table, values) = (table.cast::<E>(), values.cast::<E>());
    let ((fours, rest), (own, own_rest)) = (places.as_chunks::<4>(), numbers.as_chunks::<4>());
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
        for (&place, &number) in rest.iter().zip(own_rest) {
            update::<E, C>(table.add(place as usize), *values.add(number as usize));
        }
    }
}

/// Combines entries one by one, with any strides.
///
/// # Safety
/// As for every [`EntryLoop`].
#[inline(never)]
unsafe fn combine_strided<E: Lane, C: Operation<E>>(
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
                let place =
                    table.add(i * entries.run.table_stride + position as usize * entries.place_stride);
                update::<E, C>(place, *values.add(i * entries.run.value_stride));
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
unsafe fn combine_strided_unit<E: Lane, C: Operation<E>>(
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
                let place = |position: u32| table.add(position as usize * entries.place_stride);
                let (one, two) = pair(four, 0);
                update::<E, C>(place(one), *values);
                update::<E, C>(place(two).add(1), *values.add(1));
                let (one, two) = pair(four, 2);
                update::<E, C>(place(one).add(2), *values.add(2));
                update::<E, C>(place(two).add(3), *values.add(3));
                (table, values) = (table.add(4), values.add(4));
            }
            for (i, &position) in rest.iter().enumerate() {
                update::<E, C>(table.add(i + position as usize * entries.place_stride), *values.add(i));
            }
        }
    }
}

/// Combines rows of x with rows of values, or with one value each if `IS_SCALAR`. Writes each result to `out`, at the place of its row of
/// x. The constant makes two functions, because a single one would keep its pointers in memory.
///
/// # Safety
/// As for [`Loops::combine_rows`].
#[inline(never)]
unsafe fn combine_rows<E: Lane, C: VectorOperation<E>, const IS_SCALAR: bool>(
    out: *mut u8,
    x: *const u8,
    values: *const u8,
    rows: &RowUpdates<'_>,
    _: CombineBits,
) {
    let (out, x, mut values) = (out.cast::<E>(), x.cast::<E>(), values.cast::<E>());
    for &position in rows.positions {
        let start = position as usize * rows.place_stride;
        // SAFETY: as the caller promises.
        unsafe {
            let (out, x) = (out.add(start), x.add(start));
            if IS_SCALAR {
                vector::combine_value::<E, C>(out, x, *values, rows.row.len);
            } else {
                vector::combine_run::<E, C>(out, x, values, rows.row.len);
            }
            values = values.add(rows.value_stride);
        }
    }
}

/// Combines one element with one update. Both and the result are the bits of an `E`, of at most eight bytes, in the low bytes of
/// [`Bits`]. The other bytes of the arguments are ignored, and those of the result are zero.
fn combine_bits<E: Pod, C: Operation<E>>(value: Bits, update: Bits) -> Bits {
    let mut bytes = [0; 8];
    let element = |bits: Bits| bytemuck::pod_read_unaligned(bits.to_le_bytes().split_at(size_of::<E>()).0);
    let combined = C::combine(element(value), element(update));
    bytes.split_at_mut(size_of::<E>()).0.copy_from_slice(bytemuck::bytes_of(&combined));
    Bits::from_le_bytes(bytes)
}
