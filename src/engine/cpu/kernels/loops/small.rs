//! The loops for dtypes that an operation rarely gets. They call the operation through a pointer for each element, so they are compiled
//! once for each element width.

use bytemuck::Pod;

use crate::Bits;
use crate::engine::cpu::kernels::{
    CombineBits, EntryLoop, Loops, Operation, Rounds, RowLoop, RowUpdates, combine_bits,
};

impl Loops {
    /// The loops of one operation on one element type: a loop over entries with any strides, and a loop over rows. Both call the
    /// operation for each element.
    pub(crate) const fn small<E: Pod, C: Operation<E>>() -> Self {
        let (entries, rows) = match size_of::<E>() {
            1 => (combine_each::<u8> as EntryLoop, combine_each_row::<u8> as RowLoop),
            2 => (combine_each::<u16> as EntryLoop, combine_each_row::<u16> as RowLoop),
            4 => (combine_each::<u32> as EntryLoop, combine_each_row::<u32> as RowLoop),
            _ => (combine_each::<u64> as EntryLoop, combine_each_row::<u64> as RowLoop),
        };
        Self {
            size: size_of::<E>(),
            combine: combine_bits::<E, C>,
            combine_shared_unit: entries,
            combine_shared: entries,
            combine_strided_unit: entries,
            combine_strided: entries,
            combine_rows: rows,
            combine_rows_with_scalar: rows,
            combine_segments: None,
            combine_indexed: None,
        }
    }
}

/// # Safety
/// As for every [`EntryLoop`].
#[inline(never)]
unsafe fn combine_each<W: Word>(
    table: *mut u8,
    values: *const u8,
    entries: &Rounds<'_>,
    combine: CombineBits,
) {
    for number in 0..entries.round.len {
        let (table_start, value_start, positions) = entries.at(number);
        for (i, &position) in positions.iter().enumerate() {
            // SAFETY: as the caller promises.
            unsafe {
                let at = table_start + i * entries.run.table_stride + position as usize * entries.slot_stride;
                let slot = table.cast::<W>().add(at);
                let update = *values.cast::<W>().add(value_start + i * entries.run.value_stride);
                *slot = W::cut(combine((*slot).into(), update.into()));
            }
        }
    }
}

/// # Safety
/// As for [`Loops::combine_rows`].
#[inline(never)]
unsafe fn combine_each_row<W: Word>(
    out: *mut u8,
    x: *const u8,
    values: *const u8,
    rows: &RowUpdates<'_>,
    combine: CombineBits,
) {
    let (out, x, mut values) = (out.cast::<W>(), x.cast::<W>(), values.cast::<W>());
    for &position in rows.positions {
        let start = position as usize * rows.slot_stride;
        // SAFETY: as the caller promises.
        unsafe {
            for l in 0..rows.row.len {
                let update = *values.add(l * rows.row.value_stride);
                *out.add(start + l) = W::cut(combine((*x.add(start + l)).into(), update.into()));
            }
            values = values.add(rows.value_stride);
        }
    }
}

/// The bits of an element, as an unsigned integer of its width.
trait Word: Copy + Into<Bits> {
    /// Takes the low bits that the word can hold.
    fn cut(bits: Bits) -> Self;
}

macro_rules! words {
    ($($word:ty)*) => {$(
        impl Word for $word {
            fn cut(bits: Bits) -> Self {
                bits as Self
            }
        }
    )*};
}
words!(u8 u16 u32 u64);
