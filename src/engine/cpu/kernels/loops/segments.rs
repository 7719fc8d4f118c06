//! The loop over segments whose rows have one element.

use crate::engine::cpu::kernels::vector;
use crate::engine::cpu::kernels::{Lane, VectorOperation};

/// A loop over segments whose rows have one element. Its arguments are the element of the first segment, all values, the number of the
/// first segment's first value, and for each segment the number of the value at which it ends (exclusive).
///
/// # Safety
/// There must be an element for each segment, and as many values as the last end says. Both must be valid and aligned, and must not
/// overlap. Ends must not decrease.
pub(crate) type SegmentLoop = unsafe fn(*mut u8, *const u8, usize, &[u32]);

/// Combines the element of each segment with the segment's values. Keeps the element in a register: the loops of a scatter would read and
/// write it for each value.
///
/// # Safety
/// As for every [`SegmentLoop`].
#[inline(never)]
pub(crate) unsafe fn combine_segments<E: Lane, O: VectorOperation<E>>(
    out: *mut u8,
    values: *const u8,
    mut begin: usize,
    ends: &[u32],
) {
    let (out, values) = (out.cast::<E>(), values.cast::<E>());
    for (number, &end) in ends.iter().enumerate() {
        let end = end as usize;
        // SAFETY: as the caller promises.
        unsafe {
            let out = out.add(number);
            *out = vector::combine_all::<E, O>(*out, values.add(begin), end - begin);
        }
        begin = end;
    }
}
