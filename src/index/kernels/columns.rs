//! Turns ranges of the columns of a scatter or gather into loops.
//!
//! Entries can collide only if they differ in the colliding loop. So a column is one combination of the coordinates in the other loops.
//! Columns are numbered in row-major order. If no entries collide, each entry is a column.

use std::ops::Range;

use crate::engine::cpu::kernels::divided;
use crate::plan::Loop;
use crate::{MAX_OP_RANK, PerDim};

#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    /// Outermost first.
    pub(crate) loops: &'a [Loop],
    /// The number of the colliding loop.
    pub(crate) colliding_loop: Option<usize>,
}

/// The slots where entries begin.
#[derive(Clone, Copy, Default)]
pub(crate) struct Start {
    pub(crate) index: usize,
    /// Without the part of the position.
    pub(crate) table: usize,
    pub(crate) value: usize,
}

impl Start {
    #[inline(always)]
    pub(crate) fn after(self, rounds: usize, of: &Loop) -> Self {
        Self {
            index: self.index.wrapping_add(rounds.wrapping_mul(of.index_stride)),
            table: self.table.wrapping_add(rounds.wrapping_mul(of.table_stride)),
            value: self.value.wrapping_add(rounds.wrapping_mul(of.value_stride)),
        }
    }
}

impl Columns<'_> {
    pub(crate) fn count(&self) -> usize {
        self.inside(0)
    }

    /// The number of columns of the loops from number `first` on.
    fn inside(&self, first: usize) -> usize {
        let inside = self.loops.iter().enumerate().skip(first);
        inside.filter(|&(at, _)| Some(at) != self.colliding_loop).map(|(_, l)| l.len).product()
    }

    /// How many columns one round of the colliding loop visits, one after the other. A job should keep these in one chunk. 1 if no entries
    /// collide.
    pub(crate) fn neighbours(&self) -> usize {
        self.colliding_loop.map_or(1, |number| self.inside(number + 1))
    }

    /// The largest block of columns at the start of a range that is not empty: its loops, its start, and the number of its columns. A
    /// block is some rounds of one loop. The loops around that loop stand still; the loops inside it run in full.
    pub(crate) fn block(&self, range: Range<usize>) -> (PerDim<Loop>, Start, usize) {
        let mut loops = PerDim::from(self.loops);
        let (mut start, mut at) = (Start::default(), range.start);
        for (number, l) in loops.iter_mut().enumerate() {
            if Some(number) == self.colliding_loop {
                continue;
            }
            // The range is not empty, so no loop has length 0, and the divisor is not 0 anyway.
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

/// A loop that moves a start.
pub(crate) trait Step {
    type Start: Copy + Default;
    fn len(&self) -> usize;
    /// The start after some rounds. It wraps: as many rounds less than 0 move it back.
    fn after(&self, start: Self::Start, rounds: usize) -> Self::Start;
}

impl Step for Loop {
    type Start = Start;
    fn len(&self) -> usize {
        self.len
    }
    #[inline(always)]
    fn after(&self, start: Start, rounds: usize) -> Start {
        start.after(rounds, self)
    }
}

/// Visits all coordinates of some loops, in row-major order.
pub(crate) struct Odometer<'a, L: Step = Loop> {
    loops: &'a [L],
    coordinates: [usize; MAX_OP_RANK],
    /// The start at the current coordinates.
    pub(crate) start: L::Start,
}

impl<'a, L: Step> Odometer<'a, L> {
    pub(crate) fn new(loops: &'a [L], start: L::Start) -> Self {
        Self { loops, coordinates: [0; MAX_OP_RANK], start }
    }

    /// Starts at the coordinates with a number, counted in row-major order.
    pub(crate) fn at(loops: &'a [L], number: usize) -> Self {
        let mut odometer = Self::new(loops, L::Start::default());
        let mut rest = number;
        for (l, coordinate) in loops.iter().zip(&mut odometer.coordinates).rev() {
            (rest, *coordinate) = divided(rest, l.len());
            odometer.start = l.after(odometer.start, *coordinate);
        }
        odometer
    }

    /// The coordinate of loop number `number`; 0 if there is no such loop.
    pub(crate) fn coordinate(&self, number: usize) -> usize {
        self.coordinates.get(number).copied().unwrap_or(0)
    }

    /// Moves to the next coordinates. Returns false after the last ones, and is at the first again.
    pub(crate) fn advance(&mut self) -> bool {
        for (l, coordinate) in self.loops.iter().zip(&mut self.coordinates).rev() {
            *coordinate += 1;
            self.start = l.after(self.start, 1);
            if *coordinate < l.len() {
                return true;
            }
            *coordinate = 0;
            self.start = l.after(self.start, l.len().wrapping_neg());
        }
        false
    }
}
