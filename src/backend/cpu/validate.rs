//! Every index value is looked at before anything is written that anyone sees.

use crate::backend::cpu::vector::{self, IndexLanes};
use crate::error::Result;
use crate::plan::{Addressing, Component};

/// An index value.
pub(super) trait IndexValue: IndexLanes + Ord {
    /// Bounds of the values, found without branches: the largest, and the smallest, or 0 where none is negative.
    fn extremes(values: &[Self]) -> Option<(Self, Self)>;
}

/// Values that tell whether there are negative ones, before all of a longer index is looked at as if there were none.
const FIRST: usize = 1024;

impl IndexValue for i32 {
    fn extremes(values: &[Self]) -> Option<(Self, Self)> {
        // Read without a sign, a negative value is larger than any other: one comparison for each, not two.
        let unsigned: &[u32] = bytemuck::cast_slice(values);
        if unsigned.get(..=FIRST).is_none_or(|first| vector::largest(first) as i32 >= 0) {
            let largest = vector::largest(unsigned) as i32;
            if largest >= 0 {
                return (!values.is_empty()).then_some((0, largest));
            }
        }
        (!values.is_empty()).then(|| vector::extremes(values))
    }
}

impl IndexValue for i64 {
    /// WebAssembly compares eight bytes at less than half the speed of four, and values in range fit those.
    fn extremes(values: &[Self]) -> Option<(Self, Self)> {
        let (min, max, fits) = vector::extremes_wide(values);
        if fits && !values.is_empty() {
            return Some((min.into(), max.into()));
        }
        Some((*values.iter().min()?, *values.iter().max()?))
    }
}

/// Whether each value of such a range is in range, whatever component it is.
pub(super) fn fits(plan: &Addressing, (min, max): (i64, i64)) -> bool {
    let fits = |component: &Component| min >= -(component.bound as i64) && max < component.bound as i64;
    plan.components().iter().all(fits)
}

/// The range of no values.
pub(super) const NOTHING: (i64, i64) = (i64::MAX, i64::MIN);

/// Looks at values of an index, whole tuples from the one at `from` on. A closer look is only taken when it has to be.
/// Returns what [`IndexValue::extremes`] does.
///
/// # Errors
/// `IndexError` for the first that is out of range.
pub(super) fn check<T: IndexValue>(plan: &Addressing, values: &[T], from: usize) -> Result<(i64, i64)> {
    let Some((min, max)) = T::extremes(values) else { return Ok(NOTHING) };
    let range = (min.into(), max.into());
    // The common case first, without a detour: one component, or tuples of equal bounds.
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
