//! Traverses the elements of a call, a window at a time: the slot of each element in the table, and the number of its value.

use std::ops::Range;

use crate::engine::cpu::kernels::{ONCE, cut, divided};
use crate::index::kernels::{Odometer, SKIPPED, Start};
use crate::plan::{Addressing, Loop, Row};

/// Elements of a window: few enough for the stack. A window without numbers may have more.
pub(crate) const WINDOW: usize = 512;

/// A line of fewer elements shares its windows with others.
const LONG: usize = 32;

/// The elements of a call, in its order. 32 bits number the elements of the table.
#[derive(Clone, Copy)]
pub(crate) enum Elements<'a> {
    /// Slots in a list; values that follow each other, or the first value for all.
    List { slots: &'a [u32], is_single: bool },
    /// The elements of a scatter, at a checked position for each entry of the index, or [`SKIPPED`].
    Scatter { plan: &'a Addressing, positions: &'a [u32] },
    /// Segments of rows of `row` elements, each ending before the row with that number.
    Segments { ends: &'a [u32], row: usize },
}

/// Neighbouring elements.
pub(crate) struct Window<'w> {
    /// Their slots; [`SKIPPED`] for an element that does not count.
    pub(crate) slots: &'w [u32],
    pub(crate) numbers: Numbers<'w>,
}

/// The numbers of the values of a window.
pub(crate) enum Numbers<'w> {
    From(usize),
    Each(&'w [usize]),
}

impl Window<'_> {
    #[inline(always)]
    pub(crate) fn number(&self, at: usize) -> usize {
        match self.numbers {
            Numbers::From(first) => first + at,
            Numbers::Each(numbers) => numbers.get(at).copied().unwrap_or(usize::MAX),
        }
    }
}

impl<'a> Elements<'a> {
    /// The elements of a scatter: a list if its slots are its positions, and its values follow each other or are a single one.
    pub(crate) fn of_scatter(plan: &'a Addressing, positions: &'a [u32]) -> Self {
        let is_unit = |l: &Loop| l.table_stride == 0 && l.value_stride <= 1 && l.index_stride == 1;
        let is_list = plan.loops().len() <= 1 && plan.loops().iter().all(is_unit);
        if !is_list || plan.slot_stride() != 1 || plan.row().len != 1 || plan.entries() != positions.len() {
            return Self::Scatter { plan, positions };
        }
        Self::List { slots: positions, is_single: plan.value_len() == 1 && plan.entries() > 1 }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::List { slots, .. } => slots.len(),
            Self::Scatter { plan, .. } => plan.entries() * plan.row().len,
            Self::Segments { ends, row } => ends.last().map_or(0, |&end| end as usize) * row,
        }
    }

    /// A traversal over the elements of a range that exist.
    #[inline(always)]
    pub(crate) fn traverse(self, range: Range<usize>) -> Traversal<'a> {
        let Range { start: next, end } = cut(range, self.len());
        let mut traversal = Traversal {
            elements: self,
            next,
            end,
            outer: Odometer::new(&[], Start::default()),
            line: ONCE,
            inner: 0,
            slots: [0; WINDOW],
            numbers: [0; WINDOW],
        };
        traversal.begin();
        traversal
    }
}

pub(crate) struct Traversal<'a> {
    elements: Elements<'a>,
    /// The number of the next element.
    next: usize,
    end: usize,
    /// Of a scatter: the loops around the innermost one, and that: the elements of a row, or else the entries of a run.
    outer: Odometer<'a>,
    line: Loop,
    /// The coordinate in the line; or the segment.
    inner: usize,
    slots: [u32; WINDOW],
    numbers: [usize; WINDOW],
}

impl Traversal<'_> {
    /// Finds the first element.
    #[inline(never)]
    fn begin(&mut self) {
        match self.elements {
            Elements::List { .. } => {}
            Elements::Scatter { plan, .. } => {
                let Row { len, value_stride } = plan.row();
                let (run, around) = plan.loops().split_last().unwrap_or((&ONCE, &[]));
                let (line, loops) = match len {
                    1 => (*run, around),
                    _ => (Loop { len, table_stride: 1, value_stride, index_stride: 0 }, plan.loops()),
                };
                let (number, inner) = divided(self.next, line.len);
                self.outer = Odometer::at(loops, number);
                (self.line, self.inner) = (line, inner);
            }
            Elements::Segments { ends, row } => {
                let (at, _) = divided(self.next, row);
                self.inner = ends.partition_point(|&end| end as usize <= at);
            }
        }
    }

    /// The next window; `None` after the last element.
    #[inline(never)]
    pub(crate) fn next(&mut self) -> Option<Window<'_>> {
        let first = self.next;
        if first >= self.end {
            return None;
        }
        let len = match self.elements {
            Elements::List { .. } => self.end - first,
            Elements::Scatter { .. } if self.is_long() => {
                WINDOW.min(self.end - first).min(self.line.len - self.inner)
            }
            Elements::Scatter { .. } | Elements::Segments { .. } => WINDOW.min(self.end - first),
        };
        self.next += len;
        match self.elements {
            Elements::List { slots, is_single } => {
                let slots = slots.get(first..first + len)?;
                if !is_single {
                    return Some(Window { slots, numbers: Numbers::From(first) });
                }
                // All numbers are 0.
                self.next = first + WINDOW.min(len);
                let slots = slots.get(..WINDOW).unwrap_or(slots);
                Some(Window { slots, numbers: Numbers::Each(self.numbers.get(..slots.len())?) })
            }
            Elements::Scatter { plan, positions } => {
                let first = self.outer.start.after(self.inner, &self.line).value;
                self.fill_scatter(plan, positions, len);
                let slots = self.slots.get(..len)?;
                let numbers = match self.is_long() {
                    true => Numbers::From(first),
                    false => Numbers::Each(self.numbers.get(..len)?),
                };
                Some(Window { slots, numbers })
            }
            Elements::Segments { ends, row } => {
                self.fill_segments(ends, row, len);
                Some(Window { slots: self.slots.get(..len)?, numbers: Numbers::From(first) })
            }
        }
    }

    /// Whether a window of a scatter is a part of one line, whose values follow each other.
    fn is_long(&self) -> bool {
        self.line.value_stride == 1 && self.line.len >= LONG
    }

    /// Writes the next elements of a scatter.
    fn fill_scatter(&mut self, plan: &Addressing, positions: &[u32], len: usize) {
        let (line, stride, is_long) = (self.line, plan.slot_stride(), self.is_long());
        let mut at = 0;
        while at < len {
            let own = at..len.min(at + line.len - self.inner);
            at = own.end;
            let start = self.outer.start.after(self.inner, &line);
            self.inner += own.len();
            let Some(slots) = self.slots.get_mut(own.clone()) else { return };
            let (mut index, mut table) = (start.index, start.table);
            for to in slots {
                let Some(&position) = positions.get(index) else { return };
                // Of an element that is dropped the slot means nothing, and 32 bits may not hold it.
                let slot = table.wrapping_add((position as usize).wrapping_mul(stride));
                *to = if position == SKIPPED { SKIPPED } else { slot as u32 };
                (index, table) = (index + line.index_stride, table.wrapping_add(line.table_stride));
            }
            if !is_long {
                let mut value = start.value;
                for from in self.numbers.get_mut(own).unwrap_or_default() {
                    (*from, value) = (value, value.wrapping_add(line.value_stride));
                }
            }
            if self.inner >= line.len {
                self.inner = 0;
                self.outer.advance();
            }
        }
    }

    /// Writes the slots of the next elements of segments.
    fn fill_segments(&mut self, ends: &[u32], row: usize, len: usize) {
        let (mut number, mut at) = (self.next - len, 0);
        let (_, mut in_row) = divided(number, row);
        while at < len {
            // A segment without rows ends where it begins.
            let end = ends.get(self.inner).map_or(usize::MAX, |&end| end as usize * row);
            let rest = if row == 1 { end - number } else { (row - in_row).min(end - number) };
            let own = at..len.min(at + rest);
            (number, at) = (number + own.len(), own.end);
            let first = self.inner * row + in_row;
            let slots = self.slots.get_mut(own.clone()).unwrap_or_default();
            if row == 1 {
                slots.fill(first as u32);
            } else {
                slots.iter_mut().zip(first as u32..).for_each(|(to, slot)| *to = slot);
                in_row = divided(in_row + own.len(), row).1;
            }
            self.inner += usize::from(number == end);
        }
    }
}
