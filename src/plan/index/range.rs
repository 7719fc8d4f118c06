//! Whether all values of an index are in range, by what is known of them.

use crate::plan::{Addressing, Component};

/// The smallest and the largest value of an index tensor and where each is first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexRange {
    /// The smallest value and its row-major position.
    pub min: (i64, usize),
    /// The largest value and its row-major position.
    pub max: (i64, usize),
}

impl IndexRange {
    /// The range of both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        // Of equal values the one seen first.
        let larger = |one: (i64, usize), two: (i64, usize)| {
            if (two.0, one.1) > (one.0, two.1) { two } else { one }
        };
        Self { min: self.min.min(other.min), max: larger(self.max, other.max) }
    }
}

/// What a range of index values says about a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeVerdict {
    /// Every value is in range.
    Fine,
    /// The value at that position of the index is not.
    Bad(usize, i64),
    /// Tuples whose components have unequal bounds need a closer look.
    Unknown,
}

impl Addressing {
    /// What known ranges of index values say: one for each component of the tuples, or of all values together.
    pub fn range_verdict(&self, ranges: &[IndexRange]) -> RangeVerdict {
        let bound = |component: &Component| component.bound as i64;
        if ranges.len() == self.components.len() {
            let pairs = ranges.iter().zip(self.components.iter());
            let faults = pairs.filter_map(|(range, component)| beyond(*range, bound(component)));
            return faults.min().map_or(RangeVerdict::Fine, |(at, value)| RangeVerdict::Bad(at, value));
        }
        let bounds = self.components.iter().map(bound);
        let (Some(least), Some(most)) = (bounds.clone().min(), bounds.max()) else {
            return RangeVerdict::Fine;
        };
        let Some(all) = ranges.iter().copied().reduce(IndexRange::union) else {
            return RangeVerdict::Unknown;
        };
        match (beyond(all, least), beyond(all, most)) {
            (None, _) => RangeVerdict::Fine,
            (_, Some((at, value))) => RangeVerdict::Bad(at, value),
            (Some(_), None) => RangeVerdict::Unknown,
        }
    }
}

/// Which end of a range is out of bounds, if any: position and value, the earlier one where both are.
fn beyond(range: IndexRange, bound: i64) -> Option<(usize, i64)> {
    let low = (range.min.0 < -bound).then_some((range.min.1, range.min.0));
    let high = (range.max.0 >= bound).then_some((range.max.1, range.max.0));
    low.into_iter().chain(high).min()
}
