//! What a traversal hands rows to.

use std::ops::Range;

/// The results of a tile of columns before they are complete. A traversal takes any of them, so that it is compiled once.
pub(crate) trait Accumulator {
    /// The width of rows that have several terms of a column.
    fn lanes(&self) -> usize;

    /// The most columns of a tile. `in_place`: whether its rows are read in place.
    fn most(&self, in_place: bool) -> usize;

    /// Begins a tile of `count` columns, whose results go to `out`. The width is a multiple of `count`.
    ///
    /// # Safety
    /// `out` must have room for the results, and neither number be beyond `most` or `lanes`.
    unsafe fn begin(&mut self, out: *mut u8, count: usize, width: usize);

    /// Adds rows: `count` of them, `stride` elements apart, of at most the tile's width.
    ///
    /// # Safety
    /// The rows must exist, aligned, outside the result.
    unsafe fn add(&mut self, values: *const u8, count: usize, stride: usize, width: usize);

    /// Writes the results of the tile that began with these arguments.
    ///
    /// # Safety
    /// As for [`Accumulator::begin`].
    unsafe fn finish(&mut self, out: *mut u8, count: usize, width: usize);

    /// The next of some columns of the tile whose results are not known, so that they have to be summed again; an empty range if there are
    /// none.
    fn unknown(&mut self, columns: Range<usize>) -> Range<usize> {
        columns.end..columns.end
    }
}
