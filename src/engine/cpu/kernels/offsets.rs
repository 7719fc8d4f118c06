//! Slots in loops.

/// The quotient and the remainder of a division by a number that is not 0. A 0 counts as 1, because a division by 0 would panic.
pub(crate) fn divided(number: usize, by: usize) -> (usize, usize) {
    let by = by.max(1);
    (number / by, number % by)
}
