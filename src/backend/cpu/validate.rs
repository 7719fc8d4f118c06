//! Every index value is looked at before anything is written.

use std::borrow::Cow;

use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{IndexPlan, IndexRange, RangeVerdict};
#[cfg(feature = "webgpu")]
use crate::shape::{MAX_OP_RANK, Shape};
use crate::storage::{HostBuffer, out_of_memory};

/// One position per index entry, from 0. Borrows where the data already is that.
///
/// # Errors
/// `IndexError` for the first value, in row-major order, that is out of range.
pub fn normalise<'a>(plan: &IndexPlan, index: &'a HostBuffer, dtype: DType) -> Result<Cow<'a, [u32]>> {
    if plan.entries() == 0 {
        return Ok(Cow::Borrowed(&[]));
    }
    if dtype == DType::Int64 {
        let values = index.elements::<i64>();
        check(plan, values)?;
        return positions(plan, values);
    }
    let values = index.elements::<i32>();
    let smallest = check(plan, values)?;
    if plan.components().len() == 1 && smallest >= 0 {
        return Ok(Cow::Borrowed(index.elements::<u32>()));
    }
    positions(plan, values)
}

/// The ranges of an index: one for each place in its last dimension where that may hold tuples, else of all
/// values together. `None` for what is no index, and without values.
#[cfg(feature = "webgpu")]
pub fn index_ranges(index: &HostBuffer, dtype: DType, shape: &Shape) -> Option<Vec<IndexRange>> {
    let columns = match *shape.dims() {
        [_, .., last] if last <= MAX_OP_RANK => last,
        _ => 1,
    };
    match dtype {
        DType::Int32 => ranges(index.elements::<i32>(), columns),
        DType::Int64 => ranges(index.elements::<i64>(), columns),
        _ => None,
    }
}

#[cfg(feature = "webgpu")]
fn ranges<T: Copy + Ord + Into<i64>>(values: &[T], columns: usize) -> Option<Vec<IndexRange>> {
    let (first, rest) = values.split_at_checked(columns).filter(|(first, _)| !first.is_empty())?;
    let one = |(at, &value): (usize, &T)| IndexRange { min: (value.into(), at), max: (value.into(), at) };
    let mut ranges: Vec<_> = first.iter().enumerate().map(one).collect();
    for (row, tuple) in rest.chunks_exact(columns).enumerate() {
        for (column, (range, &value)) in ranges.iter_mut().zip(tuple).enumerate() {
            let (value, at) = (value.into(), (row + 1) * columns + column);
            if value < range.min.0 {
                range.min = (value, at);
            }
            if value > range.max.0 {
                range.max = (value, at);
            }
        }
    }
    Some(ranges)
}

/// Branch-free over all values, so that it vectorises; a closer look is only taken when it has to be.
/// Returns the smallest value.
fn check<T: Copy + Ord + Into<i64>>(plan: &IndexPlan, values: &[T]) -> Result<i64> {
    let Some((min, max)) = extremes(values) else { return Ok(0) };
    let (min, max) = (min.into(), max.into());
    if plan.range_verdict(&[IndexRange { min: (min, 0), max: (max, 0) }]) == RangeVerdict::Fine {
        return Ok(min);
    }
    let bounds = plan.components().iter().map(|component| component.bound as i64).cycle();
    let mut values = values.iter().map(|&value| value.into()).zip(bounds).enumerate();
    match values.find(|&(_, (value, bound))| value < -bound || value >= bound) {
        Some((at, (value, _))) => Err(plan.index_error(at, value)),
        None => Ok(min),
    }
}

fn extremes<T: Copy + Ord>(values: &[T]) -> Option<(T, T)> {
    let first = *values.first()?;
    Some(values.iter().fold((first, first), |(min, max), &value| (min.min(value), max.max(value))))
}

/// Wraps negative values, and folds tuples.
fn positions<'a, T: Copy + Into<i64>>(plan: &IndexPlan, values: &[T]) -> Result<Cow<'a, [u32]>> {
    let mut positions: Vec<u32> = Vec::new();
    positions
        .try_reserve_exact(plan.entries())
        .map_err(|_| out_of_memory(plan.op().name(), plan.entries() * size_of::<u32>()))?;
    let wrap = |value: T, bound: usize| {
        let value: i64 = value.into();
        if value < 0 { value + bound as i64 } else { value }
    };
    match *plan.components() {
        [] => positions.resize(plan.entries(), 0),
        [only] => positions.extend(values.iter().map(|&value| wrap(value, only.bound) as u32)),
        ref components => positions.extend(values.chunks_exact(components.len()).map(|tuple| {
            let part = |(&value, component): (&T, &crate::plan::Component)| {
                wrap(value, component.bound) * component.stride as i64
            };
            tuple.iter().zip(components).map(part).sum::<i64>() as u32
        })),
    }
    Ok(Cow::Owned(positions))
}
