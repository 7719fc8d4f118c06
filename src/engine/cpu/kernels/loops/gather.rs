//! The innermost loops of gathers, compiled for each size of elements: see `loops.rs`.

use crate::engine::cpu::kernels::{Rounds, pair};

/// A loop over the entries of a gather of single elements. Its arguments are the entries, and the slots in the table and in the results
/// where the first round begins.
///
/// # Safety
/// Every addressed element must be valid and aligned. There must be a result for each entry, outside the memory of the table. The results
/// of a run are consecutive.
type GatherLoop = unsafe fn(*const u8, *mut u8, &Rounds<'_>);

/// The loop that gathers these entries, with elements of `size` bytes. The usual strides are constants of their own loops: (0, 1) is a
/// gather along the last dimension; with a table stride of 1, neighbouring entries read neighbouring columns.
pub(crate) fn gather_loop(size: usize, entries: &Rounds<'_>) -> GatherLoop {
    match (size, entries.run.table_stride, entries.slot_stride) {
        (1, 0, 1) => gather_unit::<u8, 0, 1>,
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
