//! The loops. They run in storage order and check nothing: the plan has, and the index was validated.
//!
//! `walk` cuts a call into pieces and is compiled once; the loops over a piece are compiled for each way to combine
//! and each element type, or width. The innermost are functions of their own (`inline(never)`, and `tools/package.mjs`
//! asks wasm-opt to leave them so): the engine then has a register for whatever they use.

use std::mem::MaybeUninit;
use std::ptr;

use smallvec::SmallVec;

use crate::backend::cpu::positions::Positions;
use crate::plan::{IndexPlan, Loop, Row};
use crate::shape::MAX_OP_RANK;

/// Rows of fewer bytes are copied in a loop; `memory.copy` is a call out of WebAssembly.
const SHORT_COPY: usize = 128;

/// Entries that are looked at together for whether all name one place.
const GROUP: usize = 8;

/// How an update meets the value that is there.
pub(super) trait Combine<E>: Copy + 'static {
    /// Whether the value that is there does not matter.
    const REPLACES: bool = false;
    /// What is there afterwards.
    fn combine(value: E, update: E) -> E;
}

/// `table row = combine(table row, value row)` for every index entry, in row-major order.
pub(super) fn scatter<E: Copy, C: Combine<E>>(
    plan: &IndexPlan,
    table: &mut [E],
    positions: &mut Positions<'_>,
    values: &[E],
) {
    check_lengths(plan, table.len(), positions, values.len());
    let (row, place_stride) = (plan.row(), plan.place_stride());
    let (table, values) = (table.as_mut_ptr(), values.as_ptr());
    walk(plan, positions, &mut |piece| {
        // What is captured is in memory, where a store might change it: it would be read again for every entry.
        let (row, place_stride, table, values) = (row, place_stride, table, values);
        // SAFETY: see `check_lengths`. The table is borrowed for writing, so the values are other memory.
        unsafe {
            if row.len != 1 {
                let (table, values) = (table.add(piece.table), values.add(piece.value));
                combine_rows::<E, C>(
                    table,
                    piece.positions,
                    values,
                    row,
                    place_stride,
                    piece.run.value_stride,
                );
                return;
            }
            for (round, positions) in piece.positions.chunks_exact(piece.run.len).enumerate() {
                let table = table.add(piece.table + round * piece.round.table_stride);
                let values = values.add(piece.value + round * piece.round.value_stride);
                if C::REPLACES || piece.run.table_stride != 0 || piece.run.value_stride > 1 {
                    spread::<E, C>(table, positions, values, piece.run, place_stride);
                } else {
                    let (groups, rest) = positions.as_chunks();
                    meet::<E, C>(table, groups, values, piece.run.value_stride, place_stride);
                    let values = values.add(groups.len() * GROUP * piece.run.value_stride);
                    spread::<E, C>(table, rest, values, piece.run, place_stride);
                }
            }
        }
    });
}

/// The groups of a run of entries that may name the same place, with values that follow each other, or one for all. Where
/// a group does name one, its value stays in a register: the way through memory takes several times as long as an addition.
///
/// # Safety
/// Every place and value that is addressed must be there.
#[inline(never)]
unsafe fn meet<E: Copy, C: Combine<E>>(
    table: *mut E,
    groups: &[[u32; GROUP]],
    mut values: *const E,
    value_stride: usize,
    place_stride: usize,
) {
    // SAFETY: as the caller promises.
    unsafe {
        let repeated;
        if value_stride == 0 && !groups.is_empty() {
            repeated = [*values; GROUP];
            values = repeated.as_ptr();
        }
        for group in groups {
            let [first, .., last] = *group;
            if first == last && group.iter().all(|&position| position == first) {
                let place = table.add(first as usize * place_stride);
                let mut value = *place;
                for i in 0..GROUP {
                    value = C::combine(value, *values.add(i));
                }
                *place = value;
            } else {
                for (i, &position) in group.iter().enumerate() {
                    let place = table.add(position as usize * place_stride);
                    *place = C::combine(*place, *values.add(i));
                }
            }
            values = values.add(GROUP * value_stride);
        }
    }
}

/// A run of entries that name different places, or replace.
///
/// # Safety
/// Every place and value that is addressed must be there.
#[inline(never)]
unsafe fn spread<E: Copy, C: Combine<E>>(
    table: *mut E,
    positions: &[u32],
    values: *const E,
    run: Loop,
    place_stride: usize,
) {
    for (i, &position) in positions.iter().enumerate() {
        // SAFETY: as the caller promises.
        unsafe {
            let place = table.add(i * run.table_stride + position as usize * place_stride);
            *place = C::combine(*place, *values.add(i * run.value_stride));
        }
    }
}

/// Rows of the table with rows of the values, or with a scalar each.
///
/// # Safety
/// Every row that is addressed must be there, and as many rows of values, or one element where the row's stride is 0.
#[inline(never)]
unsafe fn combine_rows<E: Copy, C: Combine<E>>(
    table: *mut E,
    positions: &[u32],
    mut values: *const E,
    row: Row,
    place_stride: usize,
    value_stride: usize,
) {
    for &position in positions {
        // SAFETY: as the caller promises.
        unsafe {
            let to = table.add(position as usize * place_stride);
            if row.value_stride == 0 {
                let value = *values;
                for l in 0..row.len {
                    *to.add(l) = C::combine(*to.add(l), value);
                }
            } else {
                for l in 0..row.len {
                    *to.add(l) = C::combine(*to.add(l), *values.add(l));
                }
            }
            values = values.add(value_stride);
        }
    }
}

/// `out row = table row` for every index entry. Every element of `out` is written as far as there are positions: the plan
/// of a gather makes the values of its entries follow each other.
pub(super) fn gather<E: Copy>(
    plan: &IndexPlan,
    table: &[E],
    positions: &mut Positions<'_>,
    out: &mut [MaybeUninit<E>],
) {
    check_lengths(plan, table.len(), positions, out.len());
    let (row, place_stride) = (plan.row(), plan.place_stride());
    let (table, out) = (table.as_ptr(), out.as_mut_ptr().cast::<E>());
    walk(plan, positions, &mut |piece| {
        let (row, place_stride, table, out) = (row, place_stride, table, out); // as above
        // SAFETY: see `check_lengths`. `out` is borrowed for writing, so the table is other memory.
        unsafe {
            if row.len != 1 {
                let mut to = out.add(piece.value);
                for &position in piece.positions {
                    copy_row(table.add(piece.table + position as usize * place_stride), to, row.len);
                    to = to.add(row.len);
                }
                return;
            }
            for (round, positions) in piece.positions.chunks_exact(piece.run.len).enumerate() {
                let table = table.add(piece.table + round * piece.round.table_stride);
                let out = out.add(piece.value + round * piece.round.value_stride);
                pick(table, positions, out, piece.run.table_stride, place_stride);
            }
        }
    });
}

/// # Safety
/// Every place that is addressed must be there, and as many elements of `out` as there are positions.
#[inline(never)]
unsafe fn pick<E: Copy>(
    table: *const E,
    positions: &[u32],
    out: *mut E,
    table_stride: usize,
    place_stride: usize,
) {
    for (i, &position) in positions.iter().enumerate() {
        // SAFETY: as the caller promises.
        unsafe { *out.add(i) = *table.add(i * table_stride + position as usize * place_stride) };
    }
}

/// # Safety
/// Both must have `len` elements, and not overlap.
#[inline(always)]
unsafe fn copy_row<E: Copy>(from: *const E, to: *mut E, len: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        if len * size_of::<E>() >= SHORT_COPY {
            ptr::copy_nonoverlapping(from, to, len);
            return;
        }
        // Two at a time: the compiler would make a call of a loop over one.
        for l in (0..len & !1).step_by(2) {
            let pair = from.add(l).cast::<[E; 2]>().read();
            to.add(l).cast::<[E; 2]>().write(pair);
        }
        if len & 1 == 1 {
            *to.add(len - 1) = *from.add(len - 1);
        }
    }
}

/// Calls `visit` with entry, table element and value element of every write that `scatter` makes, or every read of
/// `gather`, in its order.
pub(super) fn for_each_element(
    plan: &IndexPlan,
    positions: &mut Positions<'_>,
    visit: &mut dyn FnMut(usize, usize, usize),
) {
    let (row, place_stride) = (plan.row(), plan.place_stride());
    let mut entry = 0;
    walk(plan, positions, &mut |piece| {
        for (round, positions) in piece.positions.chunks_exact(piece.run.len).enumerate() {
            let table = piece.table + round * piece.round.table_stride;
            let value = piece.value + round * piece.round.value_stride;
            for (i, &position) in positions.iter().enumerate() {
                let place = table + i * piece.run.table_stride + position as usize * place_stride;
                for l in 0..row.len {
                    visit(entry, place + l, value + i * piece.run.value_stride + l * row.value_stride);
                }
                entry += 1;
            }
        }
    });
}

/// What the unchecked accesses rely on. The plan makes every element that an entry addresses smaller than
/// `table_len` as long as each position is below the product of the bounds, which `validate` has seen to, and
/// every element of the values smaller than `value_len`. That leaves the lengths of the slices; asking once
/// per call costs nothing and makes the kernels sound whatever calls them.
fn check_lengths(plan: &IndexPlan, table: usize, positions: &Positions<'_>, values: usize) {
    let entries = positions.entries() == plan.entries();
    assert!(entries && table >= plan.table_len() && values >= plan.value_len());
}

/// Entries of the two innermost loops that are run together: rounds, each a run.
struct Piece<'a> {
    /// Those of all rounds.
    positions: &'a [u32],
    /// Where the first round starts in the table, but for the position.
    table: usize,
    /// Where it starts in the values.
    value: usize,
    round: Loop,
    run: Loop,
}

/// Calls `visit` for pieces that make up all entries, in row-major order, as far as there are positions.
fn walk(plan: &IndexPlan, positions: &mut Positions<'_>, visit: &mut dyn FnMut(Piece<'_>)) {
    if plan.entries() == 0 || plan.row().len == 0 {
        return;
    }
    const SINGLE: Loop = Loop { len: 1, table_stride: 0, value_stride: 0 };
    let (run, outer) = plan.loops().split_last().unwrap_or((&SINGLE, &[]));
    let (round, outer) = outer.split_last().unwrap_or((&SINGLE, &[]));
    let most = positions.most();
    let (rounds, len) = ((most / run.len).clamp(1, round.len), run.len.min(most));
    let mut coordinates: SmallVec<[usize; MAX_OP_RANK]> = outer.iter().map(|_| 0).collect();
    let (mut table, mut value, mut entry) = (0, 0, 0);
    while entry < plan.entries() {
        for first in (0..round.len).step_by(rounds) {
            let rounds = rounds.min(round.len - first);
            // More than one part only where there is one round.
            for begin in (0..run.len).step_by(len) {
                let len = len.min(run.len - begin);
                let Some(positions) = positions.get(entry, rounds * len) else { return };
                visit(Piece {
                    positions,
                    table: table + first * round.table_stride + begin * run.table_stride,
                    value: value + first * round.value_stride + begin * run.value_stride,
                    round: Loop { len: rounds, ..*round },
                    run: Loop { len, ..*run },
                });
                entry += rounds * len;
            }
        }
        for (l, coordinate) in outer.iter().zip(&mut coordinates).rev() {
            *coordinate += 1;
            table += l.table_stride;
            value += l.value_stride;
            if *coordinate < l.len {
                break;
            }
            *coordinate = 0;
            table -= l.len * l.table_stride;
            value -= l.len * l.value_stride;
        }
    }
}
