//! Every index value is looked at before anything is written.

use std::borrow::Cow;

use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{IndexPlan, IndexRange};
use crate::storage::{HostBuffer, out_of_memory};

/// The index as positions 0 … s − 1. Borrows where the data already is that.
///
/// # Errors
/// `IndexError` for the first value, in row-major order, outside −s … s − 1.
pub fn normalise<'a>(plan: &IndexPlan, index: &'a HostBuffer, dtype: DType) -> Result<Cow<'a, [u32]>> {
    if plan.entries() == 0 {
        return Ok(Cow::Borrowed(&[]));
    }
    if dtype == DType::Int64 {
        let values = index.elements::<i64>();
        check(plan, values)?;
        return wrap(plan, values);
    }
    let values = index.elements::<i32>();
    let smallest = check(plan, values)?;
    if smallest < 0 { wrap(plan, values) } else { Ok(Cow::Borrowed(index.elements::<u32>())) }
}

/// The smallest and the largest value and where each is first seen; `None` without entries.
pub fn index_range(index: &HostBuffer, dtype: DType) -> Option<IndexRange> {
    fn first<T: Copy + Ord + Into<i64>>(values: &[T]) -> Option<IndexRange> {
        let (min, max) = extremes(values)?;
        let at = |wanted: T| values.iter().position(|&value| value == wanted).unwrap_or(0);
        Some(IndexRange { min: (min.into(), at(min)), max: (max.into(), at(max)) })
    }
    match dtype {
        DType::Int32 => first(index.elements::<i32>()),
        DType::Int64 => first(index.elements::<i64>()),
        _ => None,
    }
}

/// Branch-free over all values, so that it vectorises; which one is bad is only looked for when one is.
fn check<T: Copy + Ord + Into<i64>>(plan: &IndexPlan, values: &[T]) -> Result<i64> {
    let Some((min, max)) = extremes(values) else { return Ok(0) };
    let bound = plan.component().bound as i64;
    let (min, max) = (min.into(), max.into());
    if min >= -bound && max < bound {
        return Ok(min);
    }
    let bad = values
        .iter()
        .map(|&value| value.into())
        .enumerate()
        .find(|&(_, value)| value < -bound || value >= bound);
    match bad {
        Some((entry, value)) => Err(plan.index_error(entry, value)),
        None => Ok(min),
    }
}

fn extremes<T: Copy + Ord>(values: &[T]) -> Option<(T, T)> {
    let first = *values.first()?;
    Some(values.iter().fold((first, first), |(min, max), &value| (min.min(value), max.max(value))))
}

fn wrap<'a, T: Copy + Into<i64>>(plan: &IndexPlan, values: &[T]) -> Result<Cow<'a, [u32]>> {
    let bound = plan.component().bound as i64;
    let mut positions: Vec<u32> = Vec::new();
    positions
        .try_reserve_exact(values.len())
        .map_err(|_| out_of_memory(plan.op().name(), values.len() * size_of::<u32>()))?;
    positions.extend(values.iter().map(|&value| {
        let value: i64 = value.into();
        (if value < 0 { value + bound } else { value }) as u32
    }));
    Ok(Cow::Owned(positions))
}
