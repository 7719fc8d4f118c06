//! The loops. They run in storage order and check nothing: the plan has, and the index was validated.
//!
//! What cuts a call into pieces is compiled once, and knows bytes; the innermost loops are compiled for each way to combine
//! and each element type, or width. They are called by pointer, and so functions of their own: the engine then has a register
//! for whatever they use.

use std::mem::MaybeUninit;
use std::ptr;

use crate::backend::cpu::positions::Positions;
use crate::backend::cpu::vector::{self, CombineLanes, Lanes};
use crate::dtype::Bits;
use crate::plan::{IndexPlan, Loop, Row};
use crate::shape::MAX_OP_RANK;

/// Rows of fewer bytes are copied in a loop; `memory.copy` is a call out of WebAssembly.
const SHORT_COPY: usize = 128;

/// Entries that are looked at together for whether all name one place.
const GROUP: usize = 8;

/// [`meet`] of some type.
type Meet = unsafe fn(*mut u8, &[[u32; GROUP]], *const u8, usize, usize);

/// What is compiled for each element type and way to combine: the innermost loops. What is around them is the same for
/// all, so there is one of it.
pub(super) struct Loops {
    size: usize,
    /// Of what combines; where updates replace, `spread` is all that is needed.
    meet: Option<Meet>,
    spread: unsafe fn(*mut u8, &[u32], *const u8, Loop, usize),
    rows: unsafe fn(*mut u8, *const u8, *const u8, &Rows<'_>),
}

/// Rows of a table that meet others.
pub(super) struct Rows<'a> {
    /// Which they are, and how many elements are from one to the next.
    pub(super) positions: &'a [u32],
    pub(super) place_stride: usize,
    pub(super) row: Row,
    /// How many elements of the values are from one row to the next.
    pub(super) value_stride: usize,
}

impl Loops {
    pub(super) const fn of<E: Lanes, C: CombineLanes<E>>() -> Self {
        Self {
            size: size_of::<E>(),
            meet: if C::REPLACES { None } else { Some(meet::<E, C>) },
            spread: spread::<E, C>,
            rows: combine_rows::<E, C>,
        }
    }

    /// One update of one element, as bits.
    pub(super) fn combine(&self, value: Bits, update: Bits) -> Bits {
        let (mut place, update) = (value.to_le(), update.to_le());
        let once = Loop { len: 1, table_stride: 0, value_stride: 0 };
        // SAFETY: one element of either, which is no wider than `Bits` and aligned like them.
        unsafe {
            (self.spread)((&raw mut place).cast(), &[0], (&raw const update).cast(), once, 0);
        }
        u64::from_le(place)
    }

    /// `out row = combine(x row, value row)` for every position, in their order: see [`combine_rows`].
    ///
    /// # Safety
    /// Every row that is addressed must be there and aligned, in `out` and in x, which are the same or do not overlap, and as
    /// many rows of values, or one element where the row's stride is 0, in other memory than `out`.
    pub(super) unsafe fn combine_rows(&self, out: *mut u8, x: *const u8, values: *const u8, rows: &Rows<'_>) {
        // SAFETY: as the caller promises.
        unsafe { (self.rows)(out, x, values, rows) }
    }
}

/// `table row = combine(table row, value row)` for every index entry, in row-major order. All bytes are those of elements.
pub(super) fn scatter(
    plan: &IndexPlan,
    loops: &Loops,
    table: &mut [u8],
    positions: &mut Positions<'_>,
    values: &[u8],
) {
    let size = loops.size;
    check_lengths(plan, size, table, positions, values);
    let (row, place_stride) = (plan.row(), plan.place_stride());
    let (table, values) = (table.as_mut_ptr(), values.as_ptr());
    walk(plan, positions, &mut |piece| {
        // SAFETY: see `check_lengths`. The table is borrowed for writing, so the values are other memory.
        unsafe {
            let (table, values) = (table.add(piece.table * size), values.add(piece.value * size));
            if row.len != 1 {
                let (positions, value_stride) = (piece.positions, piece.run.value_stride);
                loops.combine_rows(
                    table,
                    table,
                    values,
                    &Rows { positions, place_stride, row, value_stride },
                );
                return;
            }
            for (round, positions) in piece.positions.chunks_exact(piece.run.len).enumerate() {
                let table = table.add(round * piece.round.table_stride * size);
                let values = values.add(round * piece.round.value_stride * size);
                let may_meet = piece.run.table_stride == 0 && piece.run.value_stride <= 1;
                let Some(meet) = loops.meet.filter(|_| may_meet) else {
                    (loops.spread)(table, positions, values, piece.run, place_stride);
                    continue;
                };
                let (groups, rest) = positions.as_chunks();
                meet(table, groups, values, piece.run.value_stride, place_stride);
                let values = values.add(groups.len() * GROUP * piece.run.value_stride * size);
                (loops.spread)(table, rest, values, piece.run, place_stride);
            }
        }
    });
}

/// The groups of a run of entries that may name the same place, with values that follow each other, or one for all. Where
/// a group does name one, its value stays in a register: the way through memory takes several times as long as an addition.
///
/// # Safety
/// Every place and value that is addressed must be there, and aligned.
#[inline(never)]
unsafe fn meet<E: Lanes, C: CombineLanes<E>>(
    table: *mut u8,
    groups: &[[u32; GROUP]],
    values: *const u8,
    value_stride: usize,
    place_stride: usize,
) {
    let (table, mut values) = (table.cast::<E>(), values.cast::<E>());
    let place_stride = place_stride * size_of::<E>();
    // SAFETY: as the caller promises.
    unsafe {
        let repeated;
        if value_stride == 0 && !groups.is_empty() {
            repeated = [*values; GROUP];
            values = repeated.as_ptr();
        }
        // Unrolled by hand, as compilers asked for small code do not.
        for group in groups {
            let value = |i| *values.add(i);
            if group[0] == group[7] && group.iter().all(|&position| position == group[0]) {
                let place = table.byte_add(group[0] as usize * place_stride);
                let first = C::combine(C::combine(C::combine(*place, value(0)), value(1)), value(2));
                let half = C::combine(C::combine(first, value(3)), value(4));
                *place = C::combine(C::combine(C::combine(half, value(5)), value(6)), value(7));
            } else {
                let place = |position: u32| table.byte_add(position as usize * place_stride);
                update::<E, C>(place(group[0]), value(0));
                update::<E, C>(place(group[1]), value(1));
                update::<E, C>(place(group[2]), value(2));
                update::<E, C>(place(group[3]), value(3));
                update::<E, C>(place(group[4]), value(4));
                update::<E, C>(place(group[5]), value(5));
                update::<E, C>(place(group[6]), value(6));
                update::<E, C>(place(group[7]), value(7));
            }
            values = values.add(GROUP * value_stride);
        }
    }
}

/// # Safety
/// The place must be there, and aligned.
#[inline(always)]
unsafe fn update<E: Lanes, C: CombineLanes<E>>(place: *mut E, value: E) {
    // SAFETY: as the caller promises.
    unsafe { *place = C::combine(*place, value) };
}

/// A run of entries that name different places, or replace.
///
/// # Safety
/// Every place and value that is addressed must be there, and aligned.
#[inline(never)]
unsafe fn spread<E: Lanes, C: CombineLanes<E>>(
    table: *mut u8,
    positions: &[u32],
    values: *const u8,
    run: Loop,
    place_stride: usize,
) {
    let (table, values) = (table.cast::<E>(), values.cast::<E>());
    for (i, &position) in positions.iter().enumerate() {
        // SAFETY: as the caller promises.
        unsafe {
            let place = table.add(i * run.table_stride + position as usize * place_stride);
            *place = C::combine(*place, *values.add(i * run.value_stride));
        }
    }
}

/// Rows of x with rows of the values, or with a scalar each, and their results in `out`.
///
/// # Safety
/// As for [`Loops::combine_rows`].
#[inline(never)]
unsafe fn combine_rows<E: Lanes, C: CombineLanes<E>>(
    out: *mut u8,
    x: *const u8,
    values: *const u8,
    rows: &Rows<'_>,
) {
    let (out, x, mut values) = (out.cast::<E>(), x.cast::<E>(), values.cast::<E>());
    for &position in rows.positions {
        let start = position as usize * rows.place_stride;
        // SAFETY: as the caller promises.
        unsafe {
            vector::combine_run::<E, C>(
                out.add(start),
                x.add(start),
                values,
                rows.row.len,
                rows.row.value_stride,
            );
            values = values.add(rows.value_stride);
        }
    }
}

/// `out row = table row` for every index entry, of elements of so many bytes. Every byte of `out` is written as far as there
/// are positions: the plan of a gather makes the values of its entries follow each other.
pub(super) fn gather(
    plan: &IndexPlan,
    size: usize,
    table: &[u8],
    positions: &mut Positions<'_>,
    out: &mut [MaybeUninit<u8>],
) {
    let pick = match size {
        1 => pick::<u8>,
        2 => pick::<u16>,
        4 => pick::<u32>,
        _ => pick::<u64>,
    };
    check_lengths(plan, size, table, positions, out);
    let (row, place_stride) = (plan.row().len * size, plan.place_stride() * size);
    let (table, out) = (table.as_ptr(), out.as_mut_ptr().cast::<u8>());
    walk(plan, positions, &mut |piece| {
        // SAFETY: see `check_lengths`. `out` is borrowed for writing, so the table is other memory.
        unsafe {
            let (table, mut out) = (table.add(piece.table * size), out.add(piece.value * size));
            if row != size {
                for &position in piece.positions {
                    copy_row(table.add(position as usize * place_stride), out, row);
                    out = out.add(row);
                }
                return;
            }
            for (round, positions) in piece.positions.chunks_exact(piece.run.len).enumerate() {
                let table = table.add(round * piece.round.table_stride * size);
                let out = out.add(round * piece.round.value_stride * size);
                pick(table, positions, out, piece.run.table_stride, plan.place_stride());
            }
        }
    });
}

/// # Safety
/// Every place that is addressed must be there and aligned, and as many elements of `out` as there are positions.
#[inline(never)]
unsafe fn pick<E: Copy>(
    table: *const u8,
    positions: &[u32],
    out: *mut u8,
    table_stride: usize,
    place_stride: usize,
) {
    let (table, out) = (table.cast::<E>(), out.cast::<E>());
    for (i, &position) in positions.iter().enumerate() {
        // SAFETY: as the caller promises.
        unsafe { *out.add(i) = *table.add(i * table_stride + position as usize * place_stride) };
    }
}

/// # Safety
/// Both must have `len` bytes, and not overlap.
#[inline(always)]
unsafe fn copy_row(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        if len >= SHORT_COPY {
            ptr::copy_nonoverlapping(from, to, len);
            return;
        }
        // Words, then bytes: of a loop over bytes alone the compiler would make a call.
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
/// every element of the values smaller than `value_len`. That leaves the lengths of the slices and where they begin: asking
/// once per call costs nothing and makes the kernels sound whatever calls them.
fn check_lengths<V>(plan: &IndexPlan, size: usize, table: &[u8], positions: &Positions<'_>, values: &[V]) {
    let entries = positions.entries() == plan.entries();
    assert!(entries && table.len() / size >= plan.table_len() && values.len() / size >= plan.value_len());
    // Of what is empty nothing is used, wherever it is.
    let aligned = |address: usize, len: usize| len == 0 || address.is_multiple_of(size);
    assert!(aligned(table.as_ptr().addr(), table.len()) && aligned(values.as_ptr().addr(), values.len()));
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
    let mut coordinates = [0; MAX_OP_RANK];
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
