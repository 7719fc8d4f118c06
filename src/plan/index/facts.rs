//! The ranges of index values that only a device can read. The CPU notes them at the upload.

use crate::plan::Addressing;
use crate::{MAX_OP_RANK, Result};

/// The ranges of an index's values. A tensor may be reshaped after its upload, and become an index with tuples of another length.
/// So there is a list for every length n from 1 to 8 that divides the number of values: one range for each of the n columns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ValueRanges(Vec<Vec<Range>>);

/// The smallest and the largest of some values, and the first position of each.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    min: (i64, usize),
    max: (i64, usize),
}

impl ValueRanges {
    /// The facts of these values, row-major; `None` if there are no values.
    pub(crate) fn of<T: Copy + Into<i64>>(values: &[T]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let mut facts = Self(Vec::new());
        for columns in (1..=MAX_OP_RANK).rev().filter(|&columns| values.len().is_multiple_of(columns)) {
            // The ranges of eight columns give those of four, two and one. So only a few numbers of columns need a pass over the
            // values.
            let wider = facts.0.iter().find(|wider| wider.len().is_multiple_of(columns));
            let ranges = wider.map_or_else(|| scan(values, columns), |wider| fold(wider, columns));
            facts.0.push(ranges);
        }
        Some(facts)
    }

    /// The smallest and the largest of all values, for values that may be counted but are no index. `None` if there are no values.
    /// The only list is for one column.
    pub(crate) fn ends_of<T: Copy + Ord + Into<i64>>(values: &[T]) -> Option<Self> {
        // Two loops without a condition become vector instructions; the positions of the ends are searched afterwards.
        let (&first, rest) = values.split_first()?;
        let min = rest.iter().fold(first, |min, &value| min.min(value));
        let max = rest.iter().fold(first, |max, &value| max.max(value));
        let slot = |end| values.iter().position(|&value| value == end).unwrap_or_default();
        Some(Self(vec![vec![Range { min: (min.into(), slot(min)), max: (max.into(), slot(max)) }]]))
    }

    /// The smallest value and its first position, then the largest value and its first position. Never `None`: every index has a
    /// list for one column.
    pub(crate) fn ends(&self) -> Option<[(i64, usize); 2]> {
        self.0.iter().find_map(|ranges| match **ranges {
            [range] => Some([range.min, range.max]),
            _ => None,
        })
    }

    /// The value at a row-major position, if it is an end of a range.
    pub(crate) fn value_at(&self, at: usize) -> Option<i64> {
        let ends = self.0.iter().flatten().flat_map(|range| [range.min, range.max]);
        ends.into_iter().find(|&(_, position)| position == at).map(|(value, _)| value)
    }

    /// Whether every value is in range for the call. `false`: the GPU must check, because no range was cached for tuples of this length, or a
    /// dimension of size 0 would make the reported position wrong.
    pub(crate) fn check(&self, plan: &Addressing) -> Result<bool> {
        let components = plan.components();
        let Some(ranges) = self.0.iter().find(|ranges| ranges.len() == components.len()) else {
            return Ok(false);
        };
        let faults = ranges.iter().zip(components);
        let first = faults
            .filter_map(|(range, component)| {
                range.beyond(component.bound as i64, plan.op().counts_from_end())
            })
            .min();
        let Some((at, value)) = first else { return Ok(true) };
        // Every value of an empty dimension is wrong, also the one in the first tuple.
        let empty = components.iter().position(|component| component.bound == 0);
        if empty.is_some_and(|empty| empty < at) { Ok(false) } else { Err(plan.index_error(at, value)) }
    }
}

impl Range {
    /// The range that covers both. If both have the same end, the lower position wins.
    fn union(self, other: Self) -> Self {
        // Pairs are compared by value, then by position. For the largest value the positions change sides, so that the lower
        // position wins here too.
        let is_larger = (other.max.0, self.max.1) > (self.max.0, other.max.1);
        Self { min: self.min.min(other.min), max: if is_larger { other.max } else { self.max } }
    }

    /// The position and value of an end outside −bound … bound − 1, or 0 … bound − 1 if negative values do not count from the end. If
    /// both ends are outside, the one at the lower position; `None` if neither is.
    fn beyond(self, bound: i64, counts_from_end: bool) -> Option<(usize, i64)> {
        let least = if counts_from_end { -bound } else { 0 };
        let ends = [self.min, self.max].into_iter().filter(|&(value, _)| value < least || value >= bound);
        ends.map(|(value, at)| (at, value)).min()
    }
}

/// The range of each column of the values, as rows of `columns` numbers. `values` is not empty, and `columns` divides its length.
fn scan<T: Copy + Into<i64>>(values: &[T], columns: usize) -> Vec<Range> {
    let (first, rest) = values.split_at(columns);
    let one = |(at, &value): (usize, &T)| Range { min: (value.into(), at), max: (value.into(), at) };
    let mut ranges: Vec<Range> = first.iter().enumerate().map(one).collect();
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
    ranges
}

/// The ranges of `columns` columns, from the ranges of a multiple of `columns`. Column c of the narrower rows has the values of
/// columns c, c + `columns`, c + 2 · `columns` … of the wider rows.
fn fold(wider: &[Range], columns: usize) -> Vec<Range> {
    let (first, rest) = wider.split_at(columns);
    let mut ranges = first.to_vec();
    for more in rest.chunks_exact(columns) {
        for (range, &other) in ranges.iter_mut().zip(more) {
            *range = range.union(other);
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Addressed, Arguments, Op, Operand};
    use crate::{DType, Shape};

    fn plan(form: Addressed, table: &[usize], index: &[usize]) -> Addressing {
        let [table, index] = [table, index].map(|dims| Shape::new("test", dims).unwrap());
        let [table, index] = [&table, &index].map(|shape| Operand { shape, dtype: DType::Int32 });
        Addressing::scatter(&Arguments { op: Op::ScatterAdd, form, table, index, src: None }).unwrap()
    }

    fn along(size: usize, entries: usize) -> Addressing {
        plan(Addressed::Along(0), &[size], &[entries])
    }

    fn tuples(sizes: &[usize], entries: usize) -> Addressing {
        plan(Addressed::Tuples(0), sizes, &[entries, sizes.len()])
    }

    fn position(facts: &ValueRanges, plan: &Addressing) -> Option<Vec<usize>> {
        let check_result = facts.check(plan);
        assert_ne!(check_result, Ok(false), "unknown");
        check_result.err().map(|error| error.position_fact().unwrap().to_vec())
    }

    #[test]
    fn both_ends_of_a_range_are_checked() {
        let check = |values: [i32; 4]| position(&ValueRanges::of(&values).unwrap(), &along(3, 4));
        assert_eq!(check([-3, 2, 0, -1]), None);
        assert_eq!(check([0, 3, 0, -4]), Some(vec![1]));
        assert_eq!(check([0, 2, 0, -4]), Some(vec![3]));
        assert_eq!(ValueRanges::of::<i32>(&[]), None);
    }

    #[test]
    fn every_number_of_columns_is_exact() {
        // For each number of columns: a value in range for every column but the first.
        for columns in 1..=MAX_OP_RANK {
            let entries = 840 / columns; // 840 is a multiple of every number up to 8
            let sizes: Vec<usize> = (0..columns).map(|column| if column == 0 { 4 } else { 5 }).collect();
            let plan = tuples(&sizes, entries);
            let mut values = vec![3i64; 840];
            assert_eq!(position(&ValueRanges::of(&values).unwrap(), &plan), None, "{columns}");
            for column in 0..columns {
                values[columns * 7 + column] = 4;
                let expected = (column == 0).then(|| vec![7, 0]);
                assert_eq!(
                    position(&ValueRanges::of(&values).unwrap(), &plan),
                    expected,
                    "{columns} {column}"
                );
                values[columns * 7 + column] = 3;
            }
        }
    }

    #[test]
    fn the_first_of_equal_values_is_named() {
        let mut values = vec![0i32; 48];
        (values[20], values[29], values[38]) = (9, 9, 9);
        let facts = ValueRanges::of(&values).unwrap();
        assert_eq!(position(&facts, &along(3, 48)), Some(vec![20]));
        assert_eq!(position(&facts, &tuples(&[3, 10], 24)), Some(vec![10, 0]));
        assert_eq!(position(&facts, &tuples(&[10, 3], 24)), Some(vec![14, 1]));
        assert_eq!(position(&facts, &tuples(&[10, 10, 10], 16)), None);
        assert_eq!(facts.check(&tuples(&[10; 5], 1)), Ok(false), "48 values are no tuples of five");
    }
}
