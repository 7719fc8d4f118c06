//! Reductions of neighbouring rows.

use std::rc::Rc;

use crate::backend::CheckedSegments;
use crate::backend::cpu::kernels::indexed::is_aligned;
use crate::backend::cpu::kernels::loops::{Loops, Rounds, Rows};
use crate::backend::cpu::kernels::positions::WINDOW;
use crate::backend::cpu::kernels::reduce::CombineVectors;
use crate::backend::cpu::kernels::vector::{self, Lane};
use crate::backend::cpu::kernels::{mean, reduce};
use crate::backend::cpu::{Cpu, rely_on};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::{HostBuffer, unshare};
use crate::plan::{Op, Row, Update};

impl Cpu {
    /// Combines the row of each segment in `out` with the segment's rows of `data`, in order. `out` has a row for each segment, which
    /// holds what that segment starts from and always counts: `update.include_self` is not looked at.
    pub(crate) fn combine_segments(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<HostBuffer>,
        data: &HostBuffer,
    ) -> Result<()> {
        let out = unshare(Op::SegmentReduce.name(), out)?.bytes_mut();
        combine(reduce::loops(update.reduce, dtype), out, data.bytes(), segments);
        if update.is_mean() {
            let row = segments.row() * dtype.size();
            mean::divide(dtype, out, row, segments.lengths(), update.other_terms());
        }
        Ok(())
    }
}

/// Combines the row of each segment in `out` with the segment's rows of values, in order. Both are the bytes of elements: `out` has a row
/// for each segment, and `values` all rows.
pub(crate) fn combine(loops: &Loops, out: &mut [u8], values: &[u8], segments: &CheckedSegments) {
    let (row, rows, ends) = (segments.row(), segments.rows(), segments.ends());
    rely_on(out.len() == ends.len() * row * loops.size && values.len() == rows * row * loops.size);
    let is_aligned = |bytes: &[u8]| is_aligned(bytes.as_ptr(), bytes.len(), loops.size);
    rely_on(is_aligned(out) && is_aligned(values));
    if row == 0 {
        return;
    }
    let (out, values) = (out.as_mut_ptr(), values.as_ptr());
    if let (1, Some(combine)) = (row, loops.combine_segments) {
        // SAFETY: there is an element of `out` for each segment, and one of the values for each row. `out` is borrowed mutably.
        unsafe { combine(out, values, ends) };
        return;
    }
    // All else goes through the loops of a scatter, a window at a time, with the number of each row's segment for its position.
    let mut window = [0; WINDOW];
    // The segments that no window so far has completed, each with its number.
    let mut numbered = (0..).zip(ends).peekable();
    for first in (0..rows).step_by(WINDOW) {
        let positions = window.get_mut(..WINDOW.min(rows - first)).unwrap_or_default();
        // The first row of the window, counted from its start, whose number is still to be written.
        let mut at = 0;
        while let Some(&(number, &end)) = numbered.peek().filter(|_| at < positions.len()) {
            let end = end as usize - first;
            positions.get_mut(at..end.min(positions.len())).unwrap_or_default().fill(number);
            at = end;
            // A segment that goes on behind the window is left for the next one.
            numbered.next_if(|_| end <= positions.len());
        }
        // SAFETY: as above; every position is the number of a segment.
        unsafe {
            let values = values.add(first * row * loops.size);
            if row == 1 {
                loops.combine_entries(out, values, &Rounds::single(positions, 1));
            } else {
                let along = Row { len: row, value_stride: 1 };
                let rows = Rows { positions, place_stride: row, row: along, value_stride: row };
                loops.combine_rows(out, out, values, &rows);
            }
        }
    }
}

/// A loop over segments whose rows have one element. Its arguments are the element of each segment, the values that these are combined
/// with, and for each segment the number of the value at which it ends (exclusive).
///
/// # Safety
/// There must be an element for each segment, and as many values as the last end says, valid and aligned, in memory that does not
/// overlap. Ends do not decrease.
pub(crate) type SegmentLoop = unsafe fn(*mut u8, *const u8, &[u32]);

/// Combines the element of each segment with the segment's values, and keeps it in a register while it does so: the loops of a scatter
/// would read and write it for each value.
///
/// # Safety
/// As for every [`SegmentLoop`].
#[inline(never)]
pub(crate) unsafe fn combine_segments_of_elements<E: Lane, C: CombineVectors<E>>(
    out: *mut u8,
    values: *const u8,
    ends: &[u32],
) {
    let (out, values) = (out.cast::<E>(), values.cast::<E>());
    let mut begin = 0;
    for (number, &end) in ends.iter().enumerate() {
        let end = end as usize;
        // SAFETY: as the caller promises.
        unsafe {
            let out = out.add(number);
            *out = vector::combine_all::<E, C>(*out, values.add(begin), end - begin);
        }
        begin = end;
    }
}
