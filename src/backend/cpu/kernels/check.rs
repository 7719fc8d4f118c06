//! Checks index values. Every one is checked before anything is written that a caller can see.

use crate::backend::cpu::kernels::vector::{self, IndexLanes};
use crate::error::Result;
use crate::plan::{Addressing, Component};

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

/// Whether all values from `min` to `max` are in range for every component of the plan: in −bound … bound − 1.
#[inline(always)]
pub(crate) fn fits(plan: &Addressing, (min, max): (i64, i64)) -> bool {
    let fits = |component: &Component| min >= -(component.bound as i64) && max < component.bound as i64;
    plan.components().iter().all(fits)
}

/// The bounds of no values, as (smallest, largest): those of any other values take their place in a union.
pub(crate) const NO_VALUES: (i64, i64) = (i64::MAX, i64::MIN);

/// Checks values of an index, which are whole tuples; `from` is the number of values before the first of them. Returns the bounds that
/// [`IndexValue::extremes`] gives, or [`NO_VALUES`] where there are no values.
///
/// # Errors
/// `IndexError` for the first value that is out of range, which is looked for only where the bounds do not fit.
pub(crate) fn check<T: IndexValue>(plan: &Addressing, values: &[T], from: usize) -> Result<(i64, i64)> {
    let Some(range) = T::extremes(values) else { return Ok(NO_VALUES) };
    // The bounds are those of all components together, so tuples whose components differ in size may fail this test without having a bad
    // value: each value is then compared with the bound of its own component.
    if fits(plan, range) {
        return Ok(range);
    }
    let bounds = plan.components().iter().map(|component| component.bound as i64).cycle();
    let mut values = values.iter().map(|&value| value.into()).zip(bounds).enumerate();
    match values.find(|&(_, (value, bound))| value < -bound || value >= bound) {
        Some((at, (value, _))) => Err(plan.index_error(from + at, value)),
        None => Ok(range),
    }
}
