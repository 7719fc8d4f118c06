//! The loops. They run in storage order and check nothing: the plan has, and the index was validated.
//!
//! `walk` cuts a call into pieces and is compiled once; the loops over a piece are compiled for each way to combine
//! and each element type, or width.

use std::mem::MaybeUninit;
use std::{ptr, slice};

use smallvec::SmallVec;

use crate::backend::cpu::positions::Positions;
use crate::plan::{IndexPlan, Loop};
use crate::shape::MAX_OP_RANK;

/// Rows of fewer elements are combined one element at a time; a call for each would cost more.
const SHORT_ROW: usize = 8;

/// Rows of fewer bytes are copied in a loop; `memory.copy` is a call out of WebAssembly.
const SHORT_COPY: usize = 128;

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
        // SAFETY: see `check_lengths`. The table is borrowed for writing, so the values are other memory.
        unsafe {
            if row.len != 1 {
                let mut value = piece.value;
                for &position in piece.positions {
                    let to = table.add(piece.table + position as usize * place_stride);
                    let to = slice::from_raw_parts_mut(to, row.len);
                    combine_row::<E, C>(to, values.add(value), row.value_stride);
                    value += piece.run.value_stride;
                }
                return;
            }
            for (round, positions) in piece.positions.chunks_exact(piece.run.len).enumerate() {
                let table = table.add(piece.table + round * piece.round.table_stride);
                let values = values.add(piece.value + round * piece.round.value_stride);
                if C::REPLACES || piece.run.table_stride != 0 {
                    spread::<E, C>(table, positions, values, piece.run, place_stride);
                } else {
                    meet::<E, C>(table, positions, values, piece.run.value_stride, place_stride);
                }
            }
        }
    });
}

/// A run of entries that may name the same place. While they do, its value stays in a register: the way through
/// memory takes several times as long as an addition.
///
/// # Safety
/// Every place and value that is addressed must be there.
#[inline(always)]
unsafe fn meet<E: Copy, C: Combine<E>>(
    table: *mut E,
    positions: &[u32],
    values: *const E,
    value_stride: usize,
    place_stride: usize,
) {
    let Some(&first) = positions.first() else { return };
    // SAFETY: as the caller promises.
    unsafe {
        let mut last = first;
        let mut place = table.add(last as usize * place_stride);
        let mut value = *place;
        for (i, &position) in positions.iter().enumerate() {
            if position != last {
                *place = value;
                last = position;
                place = table.add(position as usize * place_stride);
                value = *place;
            }
            value = C::combine(value, *values.add(i * value_stride));
        }
        *place = value;
    }
}

/// A run of entries that name different places, or replace.
///
/// # Safety
/// Every place and value that is addressed must be there.
#[inline(always)]
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

/// A row of the table with a row of the values, or with a scalar.
///
/// # Safety
/// The values must have as many elements as the row, or one where the stride is 0.
#[inline(always)]
unsafe fn combine_row<E: Copy, C: Combine<E>>(to: &mut [E], values: *const E, value_stride: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        if to.len() < SHORT_ROW || value_stride == 0 {
            for (l, to) in to.iter_mut().enumerate() {
                *to = C::combine(*to, *values.add(l * value_stride));
            }
        } else {
            combine_long::<E, C>(to, slice::from_raw_parts(values, to.len()));
        }
    }
}

/// A function of its own, so that the compiler sees two slices that do not overlap, and vectorises.
#[inline(never)]
fn combine_long<E: Copy, C: Combine<E>>(to: &mut [E], from: &[E]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = C::combine(*to, *from);
    }
}

/// `out row = table row` for every index entry. Every element of `out` is written: the plan of a gather makes the
/// values of its entries follow each other.
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
                for (i, &position) in positions.iter().enumerate() {
                    *out.add(i) = *table.add(i * piece.run.table_stride + position as usize * place_stride);
                }
            }
        }
    });
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

/// Calls `visit` for pieces that make up all entries, in row-major order.
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
                visit(Piece {
                    positions: positions.get(entry, rounds * len),
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
