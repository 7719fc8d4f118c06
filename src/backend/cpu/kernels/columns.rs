//! Ranges of the columns of a scatter or gather, as loops.
//!
//! Entries can only meet if they differ in the meeting loop. So each combination of the coordinates in the other loops is a column: they are
//! numbered in row-major order. Where no entries meet, each entry is a column.

use std::ops::Range;

use crate::plan::Loop;
use crate::shape::{MAX_OP_RANK, PerDim};

/// The columns of some loops over entries.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    /// Outermost first.
    pub(crate) loops: &'a [Loop],
    /// The number of the meeting loop.
    pub(crate) meeting_loop: Option<usize>,
}

/// Where entries begin.
#[derive(Clone, Copy, Default)]
pub(crate) struct Start {
    /// The entry of the index.
    pub(crate) index: usize,
    /// The element of the table, without the position's part.
    pub(crate) table: usize,
    /// The element of the values.
    pub(crate) value: usize,
}

impl Start {
    /// Behind `rounds` rounds of a loop.
    #[inline(always)]
    pub(crate) fn after(self, rounds: usize, of: &Loop) -> Self {
        Self {
            index: self.index + rounds * of.index_stride,
            table: self.table + rounds * of.table_stride,
            value: self.value + rounds * of.value_stride,
        }
    }
}

impl Columns<'_> {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.inside(0)
    }

    /// How many columns the loops from number `first` on have.
    fn inside(&self, first: usize) -> usize {
        let inside = self.loops.iter().enumerate().skip(first);
        inside.filter(|&(at, _)| Some(at) != self.meeting_loop).map(|(_, l)| l.len).product()
    }

    /// The largest block of columns at the beginning of a range that is not empty: its loops, where its entries begin, and how many columns it
    /// has. A block is rounds of one loop: those around that loop stay where they are, and those inside it run in full.
    pub(crate) fn block(&self, range: Range<usize>) -> (PerDim<Loop>, Start, usize) {
        let mut loops = PerDim::from(self.loops);
        let (mut start, mut at) = (Start::default(), range.start);
        for (number, l) in loops.iter_mut().enumerate() {
            if Some(number) == self.meeting_loop {
                continue;
            }
            // A range that is not empty has no loop of length 0, so there are columns to divide by.
            let inside = self.inside(number + 1).max(1);
            start = start.after(at / inside, l);
            let rest = l.len - at / inside;
            at %= inside;
            let rounds = rest.min(range.len() / inside);
            if at == 0 && rounds > 0 {
                l.len = rounds;
                return (loops, start, rounds * inside);
            }
            l.len = 1;
        }
        (loops, start, 1)
    }
}

/// Goes through all coordinates of some loops, in row-major order.
pub(crate) struct Odometer<'a> {
    loops: &'a [Loop],
    coordinates: [usize; MAX_OP_RANK],
    /// Where the entries of the current coordinates begin.
    pub(crate) start: Start,
}

impl<'a> Odometer<'a> {
    /// Begins at the first coordinates, whose entries begin at `start`.
    pub(crate) fn new(loops: &'a [Loop], start: Start) -> Self {
        Self { loops, coordinates: [0; MAX_OP_RANK], start }
    }

    /// Goes on to the next coordinates. False behind the last ones.
    pub(crate) fn advance(&mut self) -> bool {
        for (l, coordinate) in self.loops.iter().zip(&mut self.coordinates).rev() {
            *coordinate += 1;
            self.start = self.start.after(1, l);
            if *coordinate < l.len {
                return true;
            }
            *coordinate = 0;
            self.start.index -= l.len * l.index_stride;
            self.start.table -= l.len * l.table_stride;
            self.start.value -= l.len * l.value_stride;
        }
        false
    }
}
