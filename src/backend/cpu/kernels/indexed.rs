//! Scatters and gathers. They walk the index in storage order and check nothing: the plan was checked when it was made, and the
//! positions by [`Positions`].
//!
//! The code that divides a call into pieces works on bytes and is compiled once. The innermost loops (`loops.rs`, `gather.rs`) are
//! compiled for each operation and element type.

use std::mem::MaybeUninit;
use std::ptr;

use crate::backend::cpu::kernels::loops::gather::gather_loop;
use crate::backend::cpu::kernels::loops::{GROUP, Loops, ONCE, Rounds, Rows};
use crate::backend::cpu::kernels::positions::Positions;
use crate::backend::cpu::rely_on;
use crate::plan::{Addressing, Loop};
use crate::scalar::{Bits, load};
use crate::shape::MAX_OP_RANK;

/// Shorter rows, in bytes, are copied by a loop, because `memory.copy` is a call out of WebAssembly.
const SHORT_COPY: usize = 128;

/// Computes `table row = combine(table row, value row)` for every index entry, in row-major order; entries that are left out are
/// passed over. Ends early where a position is refused. `table` and `values` are the bytes of elements, of which there are at least
/// as many as the plan says.
pub(crate) fn scatter(loops: &Loops, table: &mut [u8], positions: &mut Positions<'_>, values: &[u8]) {
    let (plan, size) = (positions.plan(), loops.size);
    check_lengths(plan, size, table, values);
    let row = plan.row();
    // The stride of the values is 0 only where there is at most one value. The loops then read it once for each entry of a
    // group.
    let repeated;
    let values = if plan.value_len() == 1 {
        repeated = [word_of(size, values.get(..size).map_or(0, load)); GROUP];
        repeated.as_ptr().cast()
    } else {
        values.as_ptr()
    };
    let table = table.as_mut_ptr();
    walk(positions, &mut |piece| {
        // SAFETY: see `check_lengths`. The table is borrowed mutably, so the values are other memory.
        unsafe {
            let (table, values) = (table.add(piece.table * size), values.add(piece.value * size));
            if row.len == 1 {
                loops.combine_entries(table, values, &piece.entries);
                return;
            }
            // Where a row has more than one element, the innermost loop is the meeting loop, whose table stride is 0.
            let Rounds { round, run, place_stride, .. } = piece.entries;
            for number in 0..round.len {
                let (table_start, value_start, positions) = piece.entries.at(number);
                let (table, values) = (table.add(table_start * size), values.add(value_start * size));
                let rows = Rows { positions, place_stride, row, value_stride: run.value_stride };
                loops.combine_rows(table, table, values, &rows);
            }
        }
    });
}

/// An element of `size` bytes, repeated to fill 64 bits.
#[inline(always)]
pub(crate) fn word_of(size: usize, element: Bits) -> u64 {
    match size {
        1 => element.wrapping_mul(0x0101_0101_0101_0101),
        2 => element.wrapping_mul(0x0001_0001_0001_0001),
        4 => element.wrapping_mul(0x0000_0001_0000_0001),
        _ => element,
    }
}

/// Copies `out row = table row` for every index entry, for elements of `size` bytes. Every byte of `out` is written unless the
/// positions end early or leave entries out: the plan of a gather places the values of its entries one after the other.
pub(crate) fn gather(size: usize, table: &[u8], positions: &mut Positions<'_>, out: &mut [MaybeUninit<u8>]) {
    let plan = positions.plan();
    check_lengths(plan, size, table, out);
    let (row, place_stride) = (plan.row().len * size, plan.place_stride() * size);
    let (table, out) = (table.as_ptr(), out.as_mut_ptr().cast::<u8>());
    walk(positions, &mut |piece| {
        // SAFETY: see `check_lengths`. `out` is borrowed mutably, so the table is other memory.
        unsafe {
            let (table, out) = (table.add(piece.table * size), out.add(piece.value * size));
            if row == size {
                gather_loop(size, &piece.entries)(table, out, &piece.entries);
                return;
            }
            // As in `scatter`, the table stride of the innermost loop is 0.
            for number in 0..piece.entries.round.len {
                let (table_start, value_start, positions) = piece.entries.at(number);
                let (table, mut out) = (table.add(table_start * size), out.add(value_start * size));
                for &position in positions {
                    copy_row(table.add(position as usize * place_stride), out, row);
                    out = out.add(row);
                }
            }
        }
    });
}

/// Copies a row of `len` bytes.
///
/// # Safety
/// Both must be valid for `len` bytes and must not overlap.
#[inline(always)]
unsafe fn copy_row(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        if len >= SHORT_COPY {
            ptr::copy_nonoverlapping(from, to, len);
            return;
        }
        // Copies words of eight bytes, then one of four, then bytes: the compiler would turn a loop over bytes alone into a call of
        // `memory.copy`.
        let words = len & !7;
        for at in (0..words).step_by(8) {
            let word = from.add(at).cast::<u64>().read_unaligned();
            to.add(at).cast::<u64>().write_unaligned(word);
        }
        if len & 4 != 0 {
            let word = from.add(words).cast::<u32>().read_unaligned();
            to.add(words).cast::<u32>().write_unaligned(word);
        }
        for at in len & !3..len {
            *to.add(at) = *from.add(at);
        }
    }
}

/// Calls `visit(entry, table element, value element)`, each by its number, for every write of `scatter`, or every read of `gather`, in
/// its order. Entries that are left out are not visited.
pub(crate) fn for_each_element(positions: &mut Positions<'_>, visit: &mut dyn FnMut(usize, usize, usize)) {
    let row = positions.plan().row();
    walk(positions, &mut |piece| {
        let mut entry = piece.entry;
        let Rounds { round, run, place_stride, .. } = piece.entries;
        for number in 0..round.len {
            let (table_start, value_start, positions) = piece.entries.at(number);
            for (i, &position) in positions.iter().enumerate() {
                let place =
                    piece.table + table_start + i * run.table_stride + position as usize * place_stride;
                let value = piece.value + value_start + i * run.value_stride;
                for l in 0..row.len {
                    visit(entry, place + l, value + l * row.value_stride);
                }
                entry += 1;
            }
        }
    });
}

/// Asserts what the unchecked accesses rely on, for elements of `size` bytes. Both slices have bytes; those of a gather's result are not
/// initialised. The plan guarantees that every element that an entry addresses is below `table_len` if its position is below
/// `plan.positions()`, which [`Positions`] guarantees, and that every element of the values is below `value_len`. That leaves the
/// lengths of the slices and their alignment. Asserting them once per call costs nothing and makes the kernels sound for every
/// caller.
fn check_lengths<V>(plan: &Addressing, size: usize, table: &[u8], values: &[V]) {
    debug_assert!(plan.entries() * plan.row().len == 0 || plan.span() <= plan.table_len());
    let holds = |len: usize, elements: usize| elements.checked_mul(size).is_some_and(|needed| len >= needed);
    rely_on(holds(table.len(), plan.table_len()) && holds(values.len(), plan.value_len()));
    rely_on(is_aligned(table.as_ptr(), table.len(), size) && is_aligned(values.as_ptr(), values.len(), size));
}

/// Whether elements of `size` bytes are aligned in the `len` bytes at that address. Of no bytes nothing is accessed, so they may have
/// any address.
pub(crate) fn is_aligned<V>(bytes: *const V, len: usize, size: usize) -> bool {
    // The sizes of elements are powers of two, and a division takes longer than all else here.
    len == 0 || bytes.addr() & (size - 1) == 0
}

/// Entries that are processed together.
struct Piece<'a> {
    /// The number of the first entry.
    entry: usize,
    entries: Rounds<'a>,
    /// The element of the table where the first round starts, without the position's part.
    table: usize,
    /// The element of the values where the first round starts.
    value: usize,
}

/// Calls `visit` for pieces that together are all entries, in row-major order, but for those that are left out. Ends early when a position
/// is refused. The innermost loop of the plan is called a run, the one around it a round; a piece lies in the rounds of one combination
/// of coordinates of the outer loops.
fn walk(positions: &mut Positions<'_>, visit: &mut dyn FnMut(Piece<'_>)) {
    let plan = positions.plan();
    if plan.entries() == 0 || plan.row().len == 0 {
        return;
    }
    let (run, outer) = plan.loops().split_last().unwrap_or((&ONCE, &[]));
    let (round, outer) = outer.split_last().unwrap_or((&ONCE, &[]));
    match positions.whole() {
        // Most small calls are a single piece.
        Some(positions) if outer.is_empty() => {
            let entries = Rounds { positions, round: *round, run: *run, place_stride: plan.place_stride() };
            visit(Piece { entry: 0, entries, table: 0, value: 0 });
        }
        _ => walk_pieces(positions, run, round, outer, visit),
    }
}

/// Where the rounds of one combination of coordinates of the outer loops start.
#[derive(Clone, Copy, Default)]
struct Start {
    /// The number of the first entry.
    entry: usize,
    /// The entry of the index that it reads.
    index: usize,
    /// The element of the table, without the position's part.
    table: usize,
    /// The element of the values.
    value: usize,
}

/// Calls `visit` for the pieces of any call: goes through the outer loops, and through the rounds for each of their coordinates. A piece
/// is as many rounds as positions can be had at a time, or a part of one round.
#[inline(never)]
fn walk_pieces(
    positions: &mut Positions<'_>,
    run: &Loop,
    round: &Loop,
    outer: &[Loop],
    visit: &mut dyn FnMut(Piece<'_>),
) {
    let plan = positions.plan();
    // A piece has at most `len` entries of each run, and at most `rounds` rounds.
    let most = positions.most();
    let len = run.len.min(most);
    // It is one round where it may end early: at an entry that is left out, or before the end of a long run.
    let rounds = match round.index_stride {
        _ if positions.drops() || len < run.len => 1,
        // All rounds read the same entries of the index.
        0 => round.len,
        _ => (most / run.len).min(round.len),
    };
    let mut coordinates = [0; MAX_OP_RANK];
    let mut start = Start::default();
    while start.entry < plan.entries() {
        if walk_rounds(positions, (round, rounds), (run, len), start, visit).is_none() {
            return;
        }
        start.entry += round.len * run.len;
        for (l, coordinate) in outer.iter().zip(&mut coordinates).rev() {
            *coordinate += 1;
            start.table += l.table_stride;
            start.value += l.value_stride;
            start.index += l.index_stride;
            if *coordinate < l.len {
                break;
            }
            *coordinate = 0;
            start.table -= l.len * l.table_stride;
            start.value -= l.len * l.value_stride;
            start.index -= l.len * l.index_stride;
        }
    }
}

/// Calls `visit` for the pieces of the rounds that begin at `start`: each of at most `rounds` rounds, and of `len` entries of a run at
/// most. `None` where a position is refused.
#[inline(always)]
fn walk_rounds(
    positions: &mut Positions<'_>,
    (round, rounds): (&Loop, usize),
    (run, len): (&Loop, usize),
    start: Start,
    visit: &mut dyn FnMut(Piece<'_>),
) -> Option<()> {
    let place_stride = positions.plan().place_stride();
    let mut entry = start.entry;
    let mut first = 0;
    while first < round.len {
        let rounds = rounds.min(round.len - first);
        // A run is divided only where a piece has one round.
        let mut begin = 0;
        while begin < run.len {
            let len = len.min(run.len - begin);
            // How many entries of the index the rounds read, one after the other unless all read the same, and from which on.
            let held = if round.index_stride == 0 { len } else { rounds * len };
            let from = start.index + first * round.index_stride + begin;
            // Positions are given up to the next entry that is left out, so more than one request may be needed.
            let mut done = 0;
            while done < held {
                let (skipped, kept) = positions.get(from + done, held - done)?;
                let positions = kept.as_slice();
                done += skipped;
                if !positions.is_empty() {
                    let begin = begin + done;
                    visit(Piece {
                        entry: entry + done,
                        entries: Rounds {
                            positions,
                            round: Loop { len: rounds, ..*round },
                            run: Loop { len: if rounds == 1 { positions.len() } else { len }, ..*run },
                            place_stride,
                        },
                        table: start.table + first * round.table_stride + begin * run.table_stride,
                        value: start.value + first * round.value_stride + begin * run.value_stride,
                    });
                }
                done += positions.len();
            }
            entry += rounds * len;
            begin += len;
        }
        first += rounds;
    }
    Some(())
}
