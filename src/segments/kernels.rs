//! Reductions of neighbouring rows.

use std::ops::Range;

use crate::engine::cpu::kernels::{CheckResult, Job, Loops, Output, Rounds, RowUpdates, cut, elements};
use crate::index::kernels::positions::WINDOW;
use crate::plan::Row;

/// Combines the row of each segment with the segment's rows of values, in order. The columns are the segments.
#[derive(Clone, Copy)]
pub(crate) struct Segments<'a> {
    loops: &'static Loops,
    out: *mut u8,
    values: *const u8,
    /// For each segment the number of the row after its last one.
    ends: &'a [u32],
    row: usize,
}

impl<'a> Segments<'a> {
    /// The segments that end at these rows. A row has `row` elements.
    ///
    /// # Safety
    /// Ends must not decrease.
    pub(crate) unsafe fn new(
        loops: &'static Loops,
        out: Output<'a>,
        values: &'a [u8],
        ends: &'a [u32],
        row: usize,
    ) -> Self {
        let rows = ends.last().map_or(0, |&end| end as usize);
        let (out, values) =
            (out.elements(ends.len() * row, loops.size), elements(values, rows * row, loops.size));
        Self { loops, out, values, ends, row }
    }

    /// Combines rows of any length by the loops of a scatter, a window at a time. The position of each row is the number of its segment.
    /// `begin` is the first row, the segments end at `ends`, and `out` is the row of the first segment.
    ///
    /// # Safety
    /// These rows and segments must exist.
    #[inline(never)]
    unsafe fn combine_windows(&self, out: *mut u8, begin: usize, ends: &[u32]) {
        let Self { loops, row, .. } = *self;
        let rows = ends.last().map_or(begin, |&end| end as usize);
        let mut window = [0; WINDOW];
        let mut segment = 0;
        for first in (begin..rows).step_by(WINDOW) {
            let positions = window.get_mut(..WINDOW.min(rows - first)).unwrap_or_default();
            let mut at = 0; // the first row of the window that has no position yet
            while at < positions.len()
                && let Some(&end) = ends.get(segment)
            {
                let end = end as usize - first;
                let after = end.min(positions.len());
                positions.get_mut(at..after).unwrap_or_default().fill(segment as u32);
                at = after;
                // A segment that continues after the window is the first of the next window.
                segment += usize::from(end <= positions.len());
            }
            // SAFETY: as the caller promises; every position is the number of a segment.
            unsafe {
                let values = self.values.add(first * row * loops.size);
                if row == 1 {
                    loops.combine_entries(out, values, &Rounds::single(positions, 1));
                } else {
                    let along = Row { len: row, value_stride: 1 };
                    let rows = RowUpdates { positions, slot_stride: row, row: along, value_stride: row };
                    loops.combine_rows(out, out, values, &rows);
                }
            }
        }
    }
}

impl Job for Segments<'_> {
    fn len(&self) -> usize {
        if self.row == 0 { 0 } else { self.ends.len() }
    }

    fn work(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize).saturating_mul(self.row)
    }

    #[inline(never)]
    fn run(&self, segments: Range<usize>) -> CheckResult {
        let Range { start, end } = cut(segments, self.len());
        let ends = self.ends.get(start..end).unwrap_or_default();
        let before = start.checked_sub(1).and_then(|before| self.ends.get(before));
        let begin = before.map_or(0, |&end| end as usize);
        // SAFETY: `new` has checked the lengths; the rows of `out` are borrowed mutably.
        unsafe {
            let out = self.out.add(start * self.row * self.loops.size);
            match self.loops.combine_segments.filter(|_| self.row == 1) {
                Some(combine) => combine(out, self.values, begin, ends),
                None => self.combine_windows(out, begin, ends),
            }
        }
        CheckResult::NOTHING
    }
}
