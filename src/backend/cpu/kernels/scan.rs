//! What the values that go to one place combine to.

use crate::backend::cpu::kernels::loops::Loops;
use crate::scalar::{load, store};

/// Goes through writes, each by the numbers of its element of the table and of its element of the values; from the last one back where
/// `is_reversed`. The element of `out` for the value becomes what the values before it combine to, for the same element of the table;
/// `so_far` has that for each element of the table.
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
