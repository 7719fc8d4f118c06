//! Checks index values. Every one is checked before anything is written that a caller can see.

use std::num::NonZero;
use std::ops::Range;

use crate::backend::cpu::kernels::job::{Fault, Job, Verdict, cut};
use crate::backend::cpu::kernels::values::Values;
use crate::backend::cpu::kernels::vector::{self, IndexLanes};
use crate::plan::Component;

/// Checks the values of an index. Its columns are the entries.
#[derive(Clone, Copy)]
pub(crate) struct Check<'a> {
    pub(crate) values: Values<'a>,
    pub(crate) components: &'a [Component],
    pub(crate) entries: usize,
}

impl Job for Check<'_> {
    fn len(&self) -> usize {
        self.entries
    }

    #[inline(never)]
    fn run(&self, entries: Range<usize>) -> Verdict {
        check(self.values, self.components, cut(entries, self.entries))
    }
}

/// Checks the values of some entries: tuples with a value for each component.
pub(crate) fn check(values: Values<'_>, components: &[Component], entries: Range<usize>) -> Verdict {
    let (first, last) = (entries.start * components.len(), entries.end * components.len());
    match values {
        Values::Narrow(values) => {
            check_values(values.get(first..last).unwrap_or_default(), components, first)
        }
        Values::Wide(values) => check_values(values.get(first..last).unwrap_or_default(), components, first),
    }
}

/// Checks values, which are whole tuples; `first` is the number of values in front of them.
fn check_values<T: IndexValue>(values: &[T], components: &[Component], first: usize) -> Verdict {
    let Some(bounds) = T::extremes(values) else { return Verdict::NOTHING };
    // The bounds are those of all components together, so tuples whose components differ in size may fail this test without having a bad
    // value: each value is then compared with the bound of its own component.
    let fault = if fits(components, bounds) { None } else { first_fault(values, components, first) };
    Verdict { bounds, fault }
}

/// The first value that is out of range for its component.
fn first_fault<T: IndexValue>(values: &[T], components: &[Component], first: usize) -> Option<Fault> {
    let bounds = components.iter().map(|component| component.bound as i64).cycle();
    let numbered = values.iter().map(|&value| value.into()).zip(bounds).zip(first..);
    let mut faults = numbered.filter(|&((value, bound), _)| value < -bound || value >= bound);
    faults.next().map(|((value, _), at)| Fault { number: NonZero::<usize>::MIN.saturating_add(at), value })
}

/// Whether all values within these bounds are in range for every component: in −bound … bound − 1.
#[inline(always)]
pub(crate) fn fits(components: &[Component], (min, max): (i64, i64)) -> bool {
    let fits = |component: &Component| min >= -(component.bound as i64) && max < component.bound as i64;
    components.iter().all(fits)
}

/// An index value.
pub(crate) trait IndexValue: IndexLanes + Ord {
    /// Bounds of the values: a number that none is below, and the largest. The first is the smallest value where that is negative;
    /// else it may be 0. `None` where there are no values. The values are read without a branch for each.
    fn extremes(values: &[Self]) -> Option<(i64, i64)>;
}

/// An index with more values than this is first tried by its first `FIRST + 1` values. Only if none of them is negative is the whole index
/// treated as if it had no negative values.
const FIRST: usize = 1024;

impl IndexValue for i32 {
    fn extremes(values: &[Self]) -> Option<(i64, i64)> {
        values.first()?;
        // As an unsigned number, a negative value is larger than any other, so the largest one alone says whether there are any, and
        // one comparison per value is enough.
        let unsigned: &[u32] = bytemuck::cast_slice(values);
        // Where the start of a long index has negative values, this walk would be in vain: both ends are needed.
        if unsigned.get(..=FIRST).is_none_or(|first| vector::largest(first) as i32 >= 0) {
            let largest = vector::largest(unsigned) as i32;
            if largest >= 0 {
                return Some((0, largest.into()));
            }
        }
        let (min, max) = vector::extremes(values);
        Some((min.into(), max.into()))
    }
}

impl IndexValue for i64 {
    /// WebAssembly compares numbers of eight bytes at less than half the speed of those of four, so the low halves are compared where
    /// every value fits four bytes, as values that are in range do.
    fn extremes(values: &[Self]) -> Option<(i64, i64)> {
        let (min, max, fits) = vector::extremes_wide(values);
        if fits && !values.is_empty() {
            return Some((min.into(), max.into()));
        }
        Some((*values.iter().min()?, *values.iter().max()?))
    }
}
