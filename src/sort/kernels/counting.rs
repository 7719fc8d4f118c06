//! Groups of equal elements whose keys are few: a counter for each key, in the place of a sort.

use bytemuck::Pod;

use crate::plan::Order;
use crate::sort::kernels::groups::Written;

/// A key: how many elements have it, and the place of the first one; then, in the place of the latter, the number of its group.
#[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub(crate) struct Counter {
    count: u32,
    place: u32,
}

/// Elements of a block. After each block the range of keys must still be small.
const BLOCK: usize = 4096;

/// The least key and the number of keys from there to the largest one, if there are at most `most`.
#[inline(never)]
pub(crate) fn range<T: Pod + Into<u64>>(elements: &[T], order: Order, most: usize) -> Option<(u64, usize)> {
    let (mut least, mut largest) = (u64::MAX, 0);
    for block in elements.chunks(BLOCK) {
        for &element in block {
            let key = order.sort_key(element.into());
            (least, largest) = (least.min(key), largest.max(key));
        }
        if largest - least >= most as u64 {
            return None;
        }
    }
    (least <= largest).then(|| (least, (largest - least) as usize + 1))
}

/// Counts elements. `counters` has a counter for each key from `least` on. Returns the number of groups.
#[inline(never)]
pub(crate) fn count<T: Pod + Into<u64>>(
    elements: &[T],
    order: Order,
    least: u64,
    counters: &mut [Counter],
) -> usize {
    // From the last to the first, so that the first place is the one that stays.
    for (at, &element) in elements.iter().enumerate().rev() {
        if let Some(counter) = counters.get_mut((order.sort_key(element.into()) - least) as usize) {
            *counter = Counter { count: counter.count + 1, place: at as u32 };
        }
    }
    counters.iter().filter(|counter| counter.count > 0).count()
}

/// Writes the groups of counted elements.
#[inline(never)]
pub(crate) fn write<T: Pod + Into<u64>>(
    elements: &[T],
    order: Order,
    least: u64,
    counters: &mut [Counter],
    out: &mut Written<'_>,
) {
    let groups = out.index.iter_mut().zip(out.counts.iter_mut()).enumerate();
    let counters_of_groups = counters.iter_mut().filter(|counter| counter.count > 0);
    for (counter, (group, (index, count))) in counters_of_groups.zip(groups) {
        (*index, *count) = (counter.place.into(), counter.count.into());
        counter.place = group as u32;
    }
    for (slot, &element) in out.inverse.iter_mut().zip(elements) {
        let counter = counters.get((order.sort_key(element.into()) - least) as usize);
        *slot = counter.map_or(0, |counter| counter.place.into());
    }
}
