//! The positions of elements that are not 0.

use std::mem::MaybeUninit;

use bytemuck::Pod;

/// How many elements have one of the `significant` bits.
#[inline(never)]
pub(crate) fn count<T: Pod + Into<u64>>(elements: &[T], significant: u64) -> usize {
    elements.iter().map(|&element| usize::from(element.into() & significant != 0)).sum()
}

/// Writes the positions of these elements, as far as there are slots, and returns how many it has written.
#[inline(never)]
pub(crate) fn write<T: Pod + Into<u64>, P>(
    elements: &[T],
    significant: u64,
    position: impl Fn(usize) -> P,
    slots: &mut [MaybeUninit<P>],
) -> usize {
    let mut written = 0;
    for (at, &element) in elements.iter().enumerate() {
        // Always written, and overwritten if the element is 0: that takes no branch that depends on elements.
        let Some(slot) = slots.get_mut(written) else { break };
        slot.write(position(at));
        written += usize::from(element.into() & significant != 0);
    }
    written
}
