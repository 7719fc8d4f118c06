//! Combines the values that go to one element of the table.

use crate::engine::cpu::kernels::Loops;
use crate::{load, store};

/// Visits writes in order, or from the last to the first if `is_reversed`. A write is the numbers of its element in the table and of its
/// value. `so_far` has, for each element of the table, the combination of the values visited so far. The write's value receives it in
/// `out`, and then joins it.
#[inline(never)]
pub(crate) fn scan(
    loops: &Loops,
    writes: &[(usize, usize)],
    is_reversed: bool,
    values: &[u8],
    so_far: &mut [u8],
    out: &mut [u8],
) {
    let size = loops.size;
    let span = |at: usize| at * size..(at + 1) * size;
    for at in 0..writes.len() {
        let at = if is_reversed { writes.len() - 1 - at } else { at };
        let Some(&(element, value)) = writes.get(at) else { return };
        let update = values.get(span(value)).map_or(0, load);
        if let (Some(state), Some(slot)) = (so_far.get_mut(span(element)), out.get_mut(span(value))) {
            let before = load(state);
            store(slot, before);
            store(state, loops.combine(before, update));
        }
    }
}
