//! What a walk hands rows to. It is one type, so that the walk is compiled once.

use crate::convert::kernels::RUN;
use crate::dims::kernels::combine;
use crate::dims::kernels::combine::Combine;
use crate::dims::kernels::tile;
use crate::dims::kernels::tile::Tile;

/// The results of a tile of columns before they are complete.
pub(crate) enum Accumulator<'a> {
    /// Integers, bool, maxima and minima.
    Combine(&'a mut Combine),
    /// Exact sums.
    Exact(&'a mut Tile),
}

impl Accumulator<'_> {
    /// The width of rows that have several terms of a column.
    pub(crate) fn lanes(&self) -> usize {
        match self {
            Self::Combine(_) => combine::LANES,
            Self::Exact(_) => tile::LANES,
        }
    }

    /// The most columns of a tile. `in_place`: whether its rows are read in place.
    pub(crate) fn most(&self, in_place: bool) -> usize {
        match self {
            Self::Combine(_) if in_place => combine::MOST,
            Self::Combine(_) => RUN,
            Self::Exact(tile) => tile.most(),
        }
    }

    /// Begins a tile of `count` columns, whose results go to `out`. The width is a multiple of `count`.
    ///
    /// # Safety
    /// `out` must have room for the results, and neither number be beyond `most` or `lanes`.
    pub(crate) unsafe fn begin(&mut self, out: *mut u8, count: usize, width: usize) {
        match self {
            // SAFETY: as the caller promises.
            Self::Combine(combine) => unsafe { combine.begin(out, count, width) },
            Self::Exact(tile) => tile.begin(width),
        }
    }

    /// Adds rows: `count` of them, `stride` elements apart, of at most the tile's width.
    ///
    /// # Safety
    /// The rows must exist, aligned, outside the result.
    pub(crate) unsafe fn add(&mut self, values: *const u8, count: usize, stride: usize, width: usize) {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Combine(combine) => combine.add(values, count, stride, width),
                Self::Exact(tile) => tile.add(values, count, stride, width),
            }
        }
    }

    /// Writes the results of the tile that began with these arguments.
    ///
    /// # Safety
    /// As for [`Accumulator::begin`].
    pub(crate) unsafe fn finish(&mut self, out: *mut u8, count: usize, width: usize) {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Combine(combine) => combine.finish(out, count, width),
                Self::Exact(tile) => tile.finish(out, count, width),
            }
        }
    }
}
