//! The innermost loops: for each element type, or width, and each way to combine. They are called by pointer, and so functions of
//! their own: the engine then has a register for whatever they use.
//!
//! What takes time in them is the number of instructions. The usual strides are compiled in where updates replace, for gathers, and
//! for all elements of four bytes.

use bytemuck::Pod;

use crate::backend::cpu::reduce::Combine;
use crate::backend::cpu::vector;
use crate::dtype::Bits;
use crate::plan::{Loop, Row};

/// Entries that are looked at together for whether all name one place.
pub(super) const GROUP: usize = 8;

/// A loop over a run of entries: the table from where the run begins, the positions, the values from there, the run's strides,
/// and elements from one place to the next.
///
/// # Safety
/// Every place and value that is addressed must be there, and aligned; where the values' stride is 0, the value [`GROUP`] times.
type RunLoop = unsafe fn(*mut u8, &[u32], *const u8, &Loop, usize);

/// A loop over rows: results, x, values, and which rows.
type RowLoop = unsafe fn(*mut u8, *const u8, *const u8, &Rows<'_>);

/// What is compiled for each element type and way to combine: the innermost loops. What is around them is the same for
/// all, so there is one of it.
pub(super) struct Loops {
    /// Bytes per element.
    pub(super) size: usize,
    /// Where entries may name one place, with values that follow each other or one for all. Places are next to each other …
    combine_shared_unit: RunLoop,
    /// … or are not.
    combine_shared: RunLoop,
    /// Where the places of position 0, and the values, follow each other.
    combine_strided_unit: RunLoop,
    /// Whatever the strides are.
    combine_strided: RunLoop,
    /// Rows of x with rows of values.
    combine_rows: RowLoop,
    /// Rows of x with a value for each.
    combine_rows_with_scalar: RowLoop,
}

/// Rows of a table that others are combined with.
pub(super) struct Rows<'a> {
    /// Which they are, and how many elements are from one to the next.
    pub(super) positions: &'a [u32],
    pub(super) place_stride: usize,
    pub(super) row: Row,
    /// How many elements of the values are from one row to the next.
    pub(super) value_stride: usize,
}

impl Loops {
    pub(super) const fn of<E: Pod, C: Combine<E>>() -> Self {
        Self {
            size: size_of::<E>(),
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
        }
    }

    /// One update of one element, as bits.
    pub(super) fn combine(&self, value: Bits, update: Bits) -> Bits {
        let (mut place, update) = (value.to_le(), update.to_le());
        let once = Loop { len: 1, table_stride: 0, value_stride: 0 };
        // SAFETY: one element of either, which is no wider than `Bits` and aligned like them.
        unsafe {
            (self.combine_strided)((&raw mut place).cast(), &[0], (&raw const update).cast(), &once, 0);
        }
        u64::from_le(place)
    }

    /// The loop for such a run.
    pub(super) fn run_loop(&self, run: &Loop, place_stride: usize) -> RunLoop {
        match (run.table_stride, run.value_stride, place_stride) {
            (0, 0 | 1, 1) => self.combine_shared_unit,
            (0, 0 | 1, _) => self.combine_shared,
            (1, 1, _) => self.combine_strided_unit,
            _ => self.combine_strided,
        }
    }

    /// `out row = combine(x row, value row)` for every position, in their order: see [`combine_rows`].
    ///
    /// # Safety
    /// Every row that is addressed must be there and aligned, in `out` and in x, which are the same or do not overlap, and as
    /// many rows of values, or one element where the row's stride is 0, in other memory than `out`.
    pub(super) unsafe fn combine_rows(&self, out: *mut u8, x: *const u8, values: *const u8, rows: &Rows<'_>) {
        // SAFETY: as the caller promises.
        unsafe {
            match rows.row.value_stride {
                0 => (self.combine_rows_with_scalar)(out, x, values, rows),
                _ => (self.combine_rows)(out, x, values, rows),
            }
        }
    }
}

/// Entries that may name the same place, with values that follow each other, or one for all, repeated for a group. Where a
/// group names one place, its value stays in a register: the way through memory takes several times as long as an addition.
/// `UNIT`: places are next to each other, which saves multiplying.
///
/// # Safety
/// As for every [`RunLoop`].
#[inline(never)]
unsafe fn combine_shared<E: Pod, C: Combine<E>, const UNIT: bool>(
    table: *mut u8,
    positions: &[u32],
    values: *const u8,
    run: &Loop,
    place_stride: usize,
) {
    let (table, mut values) = (table.cast::<E>(), values.cast::<E>());
    let place_bytes = if UNIT { size_of::<E>() } else { place_stride * size_of::<E>() };
    let (groups, rest) = positions.as_chunks::<GROUP>();
    // SAFETY: as the caller promises.
    unsafe {
        for group in groups {
            let place = |position: u32| table.byte_add(position as usize * place_bytes);
            if !C::REPLACES && group[0] == group[7] && vector::are_equal(group) {
                let place = place(group[0]);
                let mut value = *place;
                for i in 0..GROUP {
                    value = C::combine(value, *values.add(i));
                }
                *place = value;
            } else if size_of::<E>() == 2 {
                // Half of these are floats, whose arithmetic is long: there once, and not eight times.
                for at in (0..GROUP).step_by(2) {
                    let (one, two) = pair(group, at);
                    update::<E, C>(place(one), *values.add(at));
                    update::<E, C>(place(two), *values.add(at + 1));
                }
            } else {
                // Unrolled by hand, as compilers asked for small code do not unroll.
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
            values = values.add(GROUP * run.value_stride);
        }
        combine_strided::<E, C>(table.cast(), rest, values.cast(), run, place_stride);
    }
}

/// Two positions by one load.
///
/// # Safety
/// They must be there.
#[inline(always)]
unsafe fn pair(positions: &[u32], at: usize) -> (u32, u32) {
    // SAFETY: as the caller promises.
    let pair = unsafe { positions.as_ptr().add(at).cast::<u64>().read_unaligned() };
    let [one, two] = bytemuck::cast(pair);
    (one, two)
}

/// # Safety
/// The place must be there, and aligned.
#[inline(always)]
unsafe fn update<E: Pod, C: Combine<E>>(place: *mut E, value: E) {
    // SAFETY: as the caller promises.
    unsafe { *place = C::combine(*place, value) };
}

/// Entries one by one.
///
/// # Safety
/// As for every [`RunLoop`].
#[inline(never)]
unsafe fn combine_strided<E: Pod, C: Combine<E>>(
    table: *mut u8,
    positions: &[u32],
    values: *const u8,
    run: &Loop,
    place_stride: usize,
) {
    let (table, values) = (table.cast::<E>(), values.cast::<E>());
    for (i, &position) in positions.iter().enumerate() {
        // SAFETY: as the caller promises.
        unsafe {
            let place = table.add(i * run.table_stride + position as usize * place_stride);
            update::<E, C>(place, *values.add(i * run.value_stride));
        }
    }
}

/// The same where both strides are 1.
///
/// # Safety
/// As for every [`RunLoop`].
#[inline(never)]
unsafe fn combine_strided_unit<E: Pod, C: Combine<E>>(
    table: *mut u8,
    positions: &[u32],
    values: *const u8,
    run: &Loop,
    place_stride: usize,
) {
    let (mut table, mut values) = (table.cast::<E>(), values.cast::<E>());
    let (fours, rest) = positions.as_chunks::<4>();
    // SAFETY: as the caller promises.
    unsafe {
        for four in fours {
            let place = |position: u32| table.add(position as usize * place_stride);
            let (one, two) = pair(four, 0);
            update::<E, C>(place(one), *values);
            update::<E, C>(place(two).add(1), *values.add(1));
            let (one, two) = pair(four, 2);
            update::<E, C>(place(one).add(2), *values.add(2));
            update::<E, C>(place(two).add(3), *values.add(3));
            (table, values) = (table.add(4), values.add(4));
        }
        combine_strided::<E, C>(table.cast(), rest, values.cast(), run, place_stride);
    }
}

/// Rows of x with rows of the values, or, where `IS_SCALAR`, with one value each, and their results in `out`. Two functions of one text: one loop for
/// both would keep its pointers in memory.
///
/// # Safety
/// As for [`Loops::combine_rows`].
#[inline(never)]
unsafe fn combine_rows<E: Pod, C: Combine<E>, const IS_SCALAR: bool>(
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

/// A loop over a run of a gather's entries: the table from where the run begins, the positions, the results, elements of the table
/// from one entry to the next, and from one place to the next.
///
/// # Safety
/// Every place that is addressed must be there and aligned, and as many elements of `out` as there are positions.
type GatherLoop = unsafe fn(*const u8, &[u32], *mut u8, usize, usize);

/// The loop for such runs of elements of so many bytes.
pub(super) fn gather_loop(size: usize, run: &Loop, place_stride: usize) -> GatherLoop {
    match (size, run.table_stride, place_stride) {
        (1, 0, 1) => gather_run_unit::<u8, 0, 1>,
        (1, ..) => gather_run::<u8>,
        (2, 0, 1) => gather_run_unit::<u16, 0, 1>,
        (2, ..) => gather_run::<u16>,
        (4, 0, 1) => gather_run_unit::<u32, 0, 1>,
        (4, 1, _) => gather_run_unit::<u32, 1, 0>,
        (4, ..) => gather_run::<u32>,
        (_, 0, 1) => gather_run_unit::<u64, 0, 1>,
        _ => gather_run::<u64>,
    }
}

/// Entries one by one.
///
/// # Safety
/// As for every [`GatherLoop`].
#[inline(never)]
unsafe fn gather_run<E: Copy>(
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

/// The same where the strides are known; a `PLACE_STRIDE` of 0 is not.
///
/// # Safety
/// As for every [`GatherLoop`]; `table_stride` is not looked at.
#[inline(never)]
unsafe fn gather_run_unit<E: Copy, const TABLE_STRIDE: usize, const PLACE_STRIDE: usize>(
    table: *const u8,
    positions: &[u32],
    out: *mut u8,
    _: usize,
    place_stride: usize,
) {
    let (mut table, mut out) = (table.cast::<E>(), out.cast::<E>());
    let stride = if PLACE_STRIDE == 0 { place_stride } else { PLACE_STRIDE };
    let (fours, rest) = positions.as_chunks::<4>();
    // SAFETY: as the caller promises.
    unsafe {
        for four in fours {
            let place = |position: u32| table.add(position as usize * stride);
            let (one, two) = pair(four, 0);
            *out = *place(one);
            *out.add(1) = *place(two).add(TABLE_STRIDE);
            let (one, two) = pair(four, 2);
            *out.add(2) = *place(one).add(2 * TABLE_STRIDE);
            *out.add(3) = *place(two).add(3 * TABLE_STRIDE);
            (table, out) = (table.add(4 * TABLE_STRIDE), out.add(4));
        }
        gather_run::<E>(table.cast(), rest, out.cast(), TABLE_STRIDE, place_stride);
    }
}
