//! Groups of equal elements in a sorted row.

use crate::backend::cpu::kernels::sort::radix::{Pair, Wide};

/// The results of `unique` but its values. `index` and `counts` have a place for each group, `inverse` for each element.
pub(crate) struct Written<'a> {
    pub(crate) index: &'a mut [i64],
    pub(crate) inverse: &'a mut [i64],
    pub(crate) counts: &'a mut [i64],
}

/// A pair of a key and a position, as words of memory.
fn pairs(words: &[u64], size: usize) -> impl Iterator<Item = (u64, u32)> {
    let width = if size == 8 { size_of::<Wide>() / 8 } else { 1 };
    words.chunks_exact(width).map(move |pair| match *pair {
        [pair] => (pair.key(), pair.position()),
        [key, position, ..] => (key, position as u32),
        [] => (0, 0),
    })
}

/// The number of groups of sorted pairs of elements of `size` bytes.
#[inline(never)]
pub(crate) fn count(words: &[u64], size: usize) -> usize {
    let mut last = None;
    let mut count = 0;
    for (key, _) in pairs(words, size) {
        count += usize::from(last != Some(key));
        last = Some(key);
    }
    count
}

/// Writes the groups of sorted pairs. A group's first pair has its first position, because the sort is stable.
#[inline(never)]
pub(crate) fn write(words: &[u64], size: usize, out: &mut Written<'_>) {
    let (mut last, mut group, mut begin) = (None, 0, 0);
    for (at, (key, position)) in pairs(words, size).enumerate() {
        if last != Some(key) {
            if last.is_some() {
                put(out.counts, group, at - begin);
                group += 1;
            }
            put(out.index, group, position as usize);
            (last, begin) = (Some(key), at);
        }
        put(out.inverse, position as usize, group);
    }
    if last.is_some() {
        put(out.counts, group, out.inverse.len() - begin);
    }
}

/// Writes to a place that exists.
#[inline(always)]
fn put(list: &mut [i64], at: usize, value: usize) {
    if let Some(slot) = list.get_mut(at) {
        *slot = value as i64;
    }
}
