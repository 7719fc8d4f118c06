//! The loops of `group_by` on the CPU: a counting sort.

use std::mem::MaybeUninit;

/// The code of a row that is left out: the position of an entry that is skipped.
const NONE: u32 = u32::MAX;

/// Writes the group of each row, [`NONE`] for rows that are left out, and counts the rows of each group. `mask` has a byte for each row, or none
/// at all. Returns the first row whose code is no group.
#[inline(never)]
pub(crate) fn number<T: Copy + Into<i64>>(
    codes: &[T],
    (mask, ignored): (&[u8], Option<i64>),
    groups: &mut [MaybeUninit<u32>],
    counts: &mut [u32],
) -> Option<usize> {
    let mut mask = mask.iter();
    for (row, (code, group)) in codes.iter().zip(groups).enumerate() {
        let code: i64 = (*code).into();
        let is_left_out = mask.next() == Some(&0) || Some(code) == ignored;
        if is_left_out {
            group.write(NONE);
            continue;
        }
        let Some(count) = usize::try_from(code).ok().and_then(|code| counts.get_mut(code)) else {
            return Some(row);
        };
        *count += 1;
        group.write(code as u32);
    }
    None
}

/// Counts the rows of each group, where no row is left out. Returns the first row whose code is no group.
#[inline(never)]
pub(crate) fn count(codes: &[u32], counts: &mut [u32]) -> Option<usize> {
    codes.iter().position(|&code| match counts.get_mut(code as usize) {
        Some(count) => {
            *count += 1;
            false
        }
        None => true,
    })
}

/// Writes where each group begins, and at last where the last one ends.
#[inline(never)]
pub(crate) fn offsets(counts: &[u32], offsets: &mut [MaybeUninit<u32>]) {
    let mut begin = 0;
    for (offset, count) in offsets.iter_mut().zip(counts.iter().chain(&[0])) {
        offset.write(begin);
        begin += count;
    }
}

/// Writes the rows of each group, then those that are left out. `places` has the place of the first row of each group and, behind them, that of
/// the first row that is left out.
#[inline(never)]
pub(crate) fn order(groups: &[u32], places: &mut [u32], order: &mut [u32]) {
    let last = places.len().saturating_sub(1);
    for (row, &group) in (0..).zip(groups) {
        if let Some(place) = places.get_mut((group as usize).min(last)) {
            if let Some(slot) = order.get_mut(*place as usize) {
                *slot = row;
            }
            *place += 1;
        }
    }
}

/// Sorts the values of each group, none of them NaN; equal ones stay in order. The time grows with the square of the length of a group.
#[inline(never)]
pub(crate) fn sort_each(values: &mut [f64], offsets: &[u32]) {
    for (&begin, &end) in offsets.iter().zip(offsets.iter().skip(1)) {
        let group = values.get_mut(begin as usize..end as usize).unwrap_or_default();
        let first = group.as_mut_ptr();
        for at in 1..group.len() {
            // SAFETY: `at` is below the length, and `to` is `at` at most.
            unsafe {
                let (value, mut to) = (*first.add(at), at);
                while to > 0 && *first.add(to - 1) > value {
                    *first.add(to) = *first.add(to - 1);
                    to -= 1;
                }
                *first.add(to) = value;
            }
        }
    }
}

/// Writes for each row how many rows of its group come before it, −1 for rows that are left out. `counts` begins with zeros.
#[inline(never)]
pub(crate) fn number_within(groups: &[u32], counts: &mut [u32], numbers: &mut [MaybeUninit<u32>]) {
    for (&group, number) in groups.iter().zip(numbers) {
        number.write(match counts.get_mut(group as usize) {
            Some(count) => {
                *count += 1;
                *count - 1
            }
            None => NONE,
        });
    }
}
