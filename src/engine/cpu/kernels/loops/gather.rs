//! The innermost loops of gathers, compiled for each size of elements: see `loops.rs`.

use crate::engine::cpu::kernels::{Rounds, pair};

/// A loop over the entries of a gather of single elements. Its arguments are the entries, and the slots in the table and in the results
/// where the first round begins.
///
/// # Safety
/// Every addressed element must be valid and aligned. There must be a result for each entry, outside the memory of the table. The results
/// of a run are consecutive.
type GatherLoop = unsafe fn(*const u8, *mut u8, &Rounds<'_>);

/// The most entries of a run that are columns of a loop each, and the least rounds of such a loop.
const COLUMNS: usize = 2;
const ROUNDS: usize = 8;

/// The loop that gathers these entries, with elements of `size` bytes. The usual strides are constants of their own loops: (0, 1) is a
/// gather along the last dimension; with a table stride of 1, neighbouring entries read neighbouring columns.
pub(crate) fn gather_loop(size: usize, entries: &Rounds<'_>) -> GatherLoop {
    let is_of_columns =
        entries.round.index_stride == 0 && entries.run.len <= COLUMNS && entries.round.len >= ROUNDS;
    match (size, entries.run.table_stride, entries.slot_stride) {
        (1, ..) if is_of_columns => gather_columns::<u8>,
        (2, ..) if is_of_columns => gather_columns::<u16>,
        (4, ..) if is_of_columns => gather_columns::<u32>,
        (..) if is_of_columns => gather_columns::<u64>,
        (1, 0, 1) => gather_unit::<u8, 0, 1>,
        (1, 1, _) => gather_unit::<u8, 1, 0>,
        (1, ..) => gather::<u8>,
        (2, 0, 1) => gather_unit::<u16, 0, 1>,
        (2, ..) => gather::<u16>,
        (4, 0, 1) => gather_unit::<u32, 0, 1>,
        (4, 1, _) => gather_unit::<u32, 1, 0>,
        (4, ..) => gather::<u32>,
        (_, 0, 1) => gather_unit::<u64, 0, 1>,
        _ => gather::<u64>,
    }
}

/// # Safety
/// As for every [`GatherLoop`].
#[inline(never)]
unsafe fn gather<E: Copy>(table: *const u8, out: *mut u8, entries: &Rounds<'_>) {
    // A copy: its fields can stay in registers.
    let entries = *entries;
    for number in 0..entries.round.len {
        let (table_start, value_start, positions) = entries.at(number);
        // SAFETY: as the caller promises.
        unsafe {
            let (table, out) = (table.cast::<E>().add(table_start), out.cast::<E>().add(value_start));
            for (i, &position) in positions.iter().enumerate() {
                *out.add(i) =
                    *table.add(i * entries.run.table_stride + position as usize * entries.slot_stride);
            }
        }
    }
}

/// Gathers entries with constant strides. `TABLE_STRIDE` is that of the run. `SLOT_STRIDE` is that of the entries, or 0 if it is no
/// constant. The loop is unrolled by hand, because compilers that optimise for size do not unroll.
///
/// # Safety
/// As for every [`GatherLoop`]; the constants must be the strides of the entries.
#[inline(never)]
unsafe fn gather_unit<E: Copy, const TABLE_STRIDE: usize, const SLOT_STRIDE: usize>(
    table: *const u8,
    out: *mut u8,
    entries: &Rounds<'_>,
) {
    // A copy: its fields can stay in registers.
    let entries = *entries;
    let stride = if SLOT_STRIDE == 0 { entries.slot_stride } else { SLOT_STRIDE };
    for number in 0..entries.round.len {
        let (table_start, value_start, positions) = entries.at(number);
        let (fours, rest) = positions.as_chunks::<4>();
        // SAFETY: as the caller promises.
        unsafe {
            let (mut table, mut out) = (table.cast::<E>().add(table_start), out.cast::<E>().add(value_start));
            for four in fours {
                let slot = |position: u32| table.add(position as usize * stride);
                // `pair` reads two positions by one load.
                let (one, two) = pair(four, 0);
                *out = *slot(one);
                *out.add(1) = *slot(two).add(TABLE_STRIDE);
                let (one, two) = pair(four, 2);
                *out.add(2) = *slot(one).add(2 * TABLE_STRIDE);
                *out.add(3) = *slot(two).add(3 * TABLE_STRIDE);
                (table, out) = (table.add(4 * TABLE_STRIDE), out.add(4));
            }
            for &position in rest {
                *out = *table.add(position as usize * stride);
                (table, out) = (table.add(TABLE_STRIDE), out.add(1));
            }
        }
    }
}

/// Gathers the same few positions in every round, as columns of a matrix: one after the other for a block of rounds, which stays in the
/// first-level cache. A run of one or two entries would take longer to begin than to copy.
///
/// # Safety
/// As for every [`GatherLoop`]; all rounds must have the same positions.
#[inline(never)]
unsafe fn gather_columns<E: Copy>(table: *const u8, out: *mut u8, entries: &Rounds<'_>) {
    const BLOCK: usize = 256;
    let Rounds { positions, round, run, slot_stride } = *entries;
    let (from_stride, to_stride) = (round.table_stride, round.value_stride);
    let mut first = 0;
    while first < round.len {
        let count = BLOCK.min(round.len - first);
        for (i, &position) in positions.iter().enumerate().take(run.len) {
            let slot = first * from_stride + i * run.table_stride + position as usize * slot_stride;
            let mut from = table.cast::<E>().wrapping_add(slot);
            let mut to = out.cast::<E>().wrapping_add(first * to_stride + i);
            // SAFETY: as the caller promises: these are the elements of `count` rounds. The last steps go beyond them and read nothing.
            unsafe {
                for _ in 0..count / 4 {
                    let four = [0, 1, 2, 3].map(|number| *from.add(number * from_stride));
                    *to = four[0];
                    *to.add(to_stride) = four[1];
                    *to.add(2 * to_stride) = four[2];
                    *to.add(3 * to_stride) = four[3];
                    (from, to) = (from.wrapping_add(4 * from_stride), to.wrapping_add(4 * to_stride));
                }
                for _ in 0..count % 4 {
                    *to = *from;
                    (from, to) = (from.wrapping_add(from_stride), to.wrapping_add(to_stride));
                }
            }
        }
        first += count;
    }
}
