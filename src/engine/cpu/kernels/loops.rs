//! The innermost loops, compiled for each operation and element type. They are called through pointers and so not inlined: then the
//! engine can keep their variables in registers.
//!
//! Their time is the number of their instructions. Replacement, and every operation on four-byte elements, has separate loops with the
//! usual strides as constants. The loops of gathers are in `gather.rs`.

pub(crate) mod entries;
pub(crate) mod gather;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "loops"))]
pub(crate) mod likely;
pub(crate) mod segments;
pub(crate) mod small;

use bytemuck::Pod;

use crate::Bits;
use crate::engine::cpu::kernels::vector;
use crate::engine::cpu::kernels::{
    CombineBits, EntryLoop, GROUP, IndexedLoop, Lane, Operation, Rounds, SegmentLoop, VectorOperation,
    combine_indexed, combine_segments, combine_shared, combine_strided, combine_strided_unit,
};
use crate::plan::Row;

/// Whether the build has loops over entries by lists, which only threads use.
const PICKS: bool = cfg!(any(test, all(target_arch = "wasm32", feature = "npm", feature = "webgpu")));

/// Whether the build has loops with the usual strides as constants, and with vectors for elements of two bytes.
const HAS_ALL: bool = cfg!(feature = "loops");

/// A loop over rows. Its arguments are the results, x, the values, the rows, and the operation, as for an [`EntryLoop`].
///
/// # Safety
/// As for [`Loops::combine_rows`].
pub(crate) type RowLoop = unsafe fn(*mut u8, *const u8, *const u8, &RowUpdates<'_>, CombineBits);

/// The innermost loops of one operation on one element type. The code around them is shared.
pub(crate) struct Loops {
    pub(crate) size: usize,
    pub(crate) combine: CombineBits,
    /// For entries that may address the same slot, with consecutive slots, and with consecutive values or one value for all.
    combine_shared_unit: EntryLoop,
    /// The same for any distance of the slots.
    combine_shared: EntryLoop,
    /// For entries in neighbouring columns: with equal positions, the slots are consecutive, and so are the values.
    combine_strided_unit: EntryLoop,
    /// For any strides, and for runs of a few entries.
    combine_strided: EntryLoop,
    /// Combines rows of x with rows of values.
    pub(crate) combine_rows: RowLoop,
    /// Combines each row of x with one value.
    pub(crate) combine_rows_with_scalar: RowLoop,
    /// Combines the element of each segment with the segment's values. Only elements of four bytes are frequent enough for this loop.
    pub(crate) combine_segments: Option<SegmentLoop>,
    /// Combines entries by lists. For elements of four bytes alone, too.
    pub(crate) combine_indexed: Option<IndexedLoop>,
}

pub(crate) struct RowUpdates<'a> {
    /// The positions of the rows, and the distance of two positions in elements.
    pub(crate) positions: &'a [u32],
    pub(crate) slot_stride: usize,
    pub(crate) row: Row,
    pub(crate) value_stride: usize,
}

impl RowUpdates<'static> {
    /// One row of so many elements, with as many values, or with one for the value stride 0.
    pub(crate) fn single(len: usize, value_stride: usize) -> Self {
        Self { positions: &[0], slot_stride: 0, row: Row { len, value_stride }, value_stride: 0 }
    }
}

impl Loops {
    /// Loops with vectors, and with the usual strides as constants. Each loop with constants adds code to every download, so only
    /// replacement and elements of four bytes have them. Replacement never reads a slot, so it needs no loop that keeps a slot in a
    /// register.
    pub(crate) const fn of<E: Lane, C: VectorOperation<E>>() -> Self {
        if !HAS_ALL && size_of::<E>() == 2 && !C::REPLACES {
            return Self::small::<E, C>();
        }
        Self {
            size: size_of::<E>(),
            combine: combine_bits::<E, C>,
            combine_shared_unit: if HAS_ALL && (size_of::<E>() == 4 || C::REPLACES) {
                combine_shared::<E, C, true>
            } else {
                combine_shared::<E, C, false>
            },
            combine_shared: if C::REPLACES { combine_strided::<E, C> } else { combine_shared::<E, C, false> },
            combine_strided_unit: if HAS_ALL && size_of::<E>() == 4 {
                combine_strided_unit::<E, C>
            } else {
                combine_strided::<E, C>
            },
            combine_strided: combine_strided::<E, C>,
            combine_rows: combine_rows::<E, C, false>,
            combine_rows_with_scalar: combine_rows::<E, C, true>,
            combine_segments: if cfg!(feature = "segments") && size_of::<E>() == 4 && !C::REPLACES {
                Some(combine_segments::<E, C>)
            } else {
                None
            },
            combine_indexed: if PICKS && size_of::<E>() == 4 { Some(combine_indexed::<E, C>) } else { None },
        }
    }

    /// The same, but with another operation in `combine_shared_unit`, on elements of the same size. It must give the same bits, except
    /// for NaN.
    pub(crate) const fn with_shared_unit<E: Lane, C: Operation<E>>(self) -> Self {
        if HAS_ALL { Self { combine_shared_unit: combine_shared::<E, C, true>, ..self } } else { self }
    }

    pub(crate) fn combine(&self, value: Bits, update: Bits) -> Bits {
        (self.combine)(value, update)
    }

    /// # Safety
    /// As for every [`EntryLoop`].
    #[inline(always)]
    pub(crate) unsafe fn combine_entries(&self, table: *mut u8, values: *const u8, entries: &Rounds<'_>) {
        let Rounds { run, slot_stride, .. } = entries;
        // With a table stride of 0 entries may collide at one slot. With 1, each entry is in the next column.
        let entry_loop = match (run.table_stride, run.value_stride, slot_stride) {
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

/// Combines rows of x with rows of values, or with one value each if `IS_SCALAR`. Writes each result to `out`, at the slot of its row of
/// x. The constant makes two functions, because a single one would keep its pointers in memory.
///
/// # Safety
/// As for [`Loops::combine_rows`].
#[inline(never)]
pub(crate) unsafe fn combine_rows<E: Lane, C: VectorOperation<E>, const IS_SCALAR: bool>(
    out: *mut u8,
    x: *const u8,
    values: *const u8,
    rows: &RowUpdates<'_>,
    _: CombineBits,
) {
    let (out, x, mut values) = (out.cast::<E>(), x.cast::<E>(), values.cast::<E>());
    for &position in rows.positions {
        let start = position as usize * rows.slot_stride;
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
pub(crate) fn combine_bits<E: Pod, C: Operation<E>>(value: Bits, update: Bits) -> Bits {
    let mut bytes = [0; 8];
    let element = |bits: Bits| bytemuck::pod_read_unaligned(bits.to_le_bytes().split_at(size_of::<E>()).0);
    let combined = C::combine(element(value), element(update));
    bytes.split_at_mut(size_of::<E>()).0.copy_from_slice(bytemuck::bytes_of(&combined));
    Bits::from_le_bytes(bytes)
}
