//! Checks index values. A call checks all of them before it writes anything that the caller can see.

use std::num::NonZero;
use std::ops::Range;

use crate::engine::cpu::kernels::{CheckResult, Fault, IndexLanes, Job, cut, vector};
use crate::index::kernels::values::Values;
use crate::plan::Component;

/// Its columns are the entries.
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
    fn run(&self, entries: Range<usize>) -> CheckResult {
        check(self.values, self.components, cut(entries, self.entries))
    }
}

/// Checks the values of some entries. An entry is a tuple with a value for each component.
pub(crate) fn check(values: Values<'_>, components: &[Component], entries: Range<usize>) -> CheckResult {
    let (first, last) = (entries.start * components.len(), entries.end * components.len());
    match values {
        Values::Narrow(values) => {
            check_values(values.get(first..last).unwrap_or_default(), components, first)
        }
        Values::Wide(values) => check_values(values.get(first..last).unwrap_or_default(), components, first),
    }
}

/// Checks whole tuples of values; `first` is the number of values before them.
fn check_values<T: IndexValue>(values: &[T], components: &[Component], first: usize) -> CheckResult {
    let Some(bounds) = T::extremes(values) else { return CheckResult::NOTHING };
    // The bounds cover the values of all components together. If the components differ in size, good tuples may fail this test. Then each
    // value is compared with the bound of its own component.
    let fault = if fits(components, bounds) { None } else { first_fault(values, components, first) };
    CheckResult { bounds, fault }
}

fn first_fault<T: IndexValue>(values: &[T], components: &[Component], first: usize) -> Option<Fault> {
    let bounds = components.iter().map(|component| component.bound as i64).cycle();
    let numbered = values.iter().map(|&value| value.into()).zip(bounds).zip(first..);
    let mut faults = numbered.filter(|&((value, bound), _)| value < -bound || value >= bound);
    faults.next().map(|((value, _), at)| Fault { number: NonZero::<usize>::MIN.saturating_add(at), value })
}

/// Whether all values within these bounds are in range (−bound … bound − 1) for every component.
#[inline(always)]
pub(crate) fn fits(components: &[Component], (min, max): (i64, i64)) -> bool {
    let fits = |component: &Component| min >= -(component.bound as i64) && max < component.bound as i64;
    components.iter().all(fits)
}

pub(crate) trait IndexValue: IndexLanes + Ord {
    /// Bounds of the values: a lower bound and the largest value. The lower bound is the smallest value, or may be 0 if no value is
    /// negative. `None` without values. The loop has no branch for each value.
    fn extremes(values: &[Self]) -> Option<(i64, i64)>;
}

/// In an index with more than `FIRST` values, the first `FIRST + 1` are checked for negative ones. If none is negative, the whole index
/// is treated as if it had no negative values.
const FIRST: usize = 1024;

impl IndexValue for i32 {
    fn extremes(values: &[Self]) -> Option<(i64, i64)> {
        values.first()?;
        // As an unsigned number a negative value is above all others. So the largest one shows whether a value is negative, and one
        // comparison for each value is enough.
        let unsigned: &[u32] = bytemuck::cast_slice(values);
        // If the start of a long index has negative values, both ends are needed at once.
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
    /// WebAssembly compares eight-byte numbers at less than half the speed of four-byte numbers. So the first pass compares the
    /// low halves, and finds whether every value fits four bytes, as values in range do. If one does not, a second pass compares whole values.
    fn extremes(values: &[Self]) -> Option<(i64, i64)> {
        let (min, max, fits) = vector::extremes_wide(values);
        if fits && !values.is_empty() {
            return Some((min.into(), max.into()));
        }
        Some((*values.iter().min()?, *values.iter().max()?))
    }
}
