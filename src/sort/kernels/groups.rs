//! Groups of equal elements in a sorted row.

use crate::sort::kernels::radix::Pair;

/// The results of `unique` but its values. `index` and `counts` have a place for each group, `inverse` for each element.
pub(crate) struct Written<'a> {
    pub(crate) index: &'a mut [i64],
    pub(crate) inverse: &'a mut [i64],
    pub(crate) counts: &'a mut [i64],
}

#[inline(never)]
pub(crate) fn count<P: Pair>(pairs: &[P]) -> usize {
    let Some((first, rest)) = pairs.split_first() else { return 0 };
    let mut last = first.key();
    rest.iter()
        .fold(1, |count, pair| count + usize::from(std::mem::replace(&mut last, pair.key()) != pair.key()))
}

/// Writes the groups of sorted pairs. A group's first pair has its first position, because the sort is stable.
#[inline(never)]
pub(crate) fn write<P: Pair>(pairs: &[P], out: &mut Written<'_>) {
    let (mut last, mut group, mut begin) = (None, 0, 0);
    for (at, pair) in pairs.iter().enumerate() {
        let (key, position) = (pair.key(), pair.position());
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
        put(out.counts, group, pairs.len() - begin);
    }
}

#[inline(always)]
fn put(list: &mut [i64], at: usize, value: usize) {
    if let Some(slot) = list.get_mut(at) {
        *slot = value as i64;
    }
}
