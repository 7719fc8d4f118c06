//! Checks index values. Every one is checked before anything is written that a caller can see.

use crate::backend::cpu::vector::{self, IndexLanes};
use crate::error::Result;
use crate::plan::{Addressing, Component};
/// An index value.
pub(super) trait IndexValue: IndexLanes + Ord {
    /// The smallest and the largest value, computed without branches. If none is negative, 0 stands for the smallest.
    fn extremes(values: &[Self]) -> Option<(i64, i64)>;
}

/// How many values are checked for negative ones before a longer index is treated as if it had none.
const FIRST: usize = 1024;

impl IndexValue for i32 {
    fn extremes(values: &[Self]) -> Option<(i64, i64)> {
        values.first()?;
        // As an unsigned number, a negative value is larger than any other, so one comparison per value is enough.
        let unsigned: &[u32] = bytemuck::cast_slice(values);
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
    /// WebAssembly compares numbers of eight bytes at less than half the speed of those of four, and values in range fit four.
    fn extremes(values: &[Self]) -> Option<(i64, i64)> {
        let (min, max, fits) = vector::extremes_wide(values);
        if fits && !values.is_empty() {
            return Some((min.into(), max.into()));
        }
        Some((*values.iter().min()?, *values.iter().max()?))
    }
}

/// Whether every value of such a range is in range for every component.
#[inline(always)]
pub(super) fn fits(plan: &Addressing, (min, max): (i64, i64)) -> bool {
    let fits = |component: &Component| min >= -(component.bound as i64) && max < component.bound as i64;
    plan.components().iter().all(fits)
}

/// The range of an empty set.
pub(super) const NOTHING: (i64, i64) = (i64::MAX, i64::MIN);

/// Checks values of an index, given as whole tuples; `from` is the place of the first one in the index. Looks for the first bad value
/// only where there is one. Returns what [`IndexValue::extremes`] does.
///
/// # Errors
/// `IndexError` for the first that is out of range.
pub(super) fn check<T: IndexValue>(plan: &Addressing, values: &[T], from: usize) -> Result<(i64, i64)> {
    let Some(range) = T::extremes(values) else { return Ok(NOTHING) };
    // The common case comes first: one component, or tuples whose bounds are equal.
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
