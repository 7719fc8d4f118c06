//! The entries of a prepared index, divided by ranges of places.

use crate::engine::cpu::kernels::Partition;
use crate::index::kernels::SKIPPED;
use crate::{HostBuffer, Result};

/// Neighbouring positions are counted together, in so many buckets at most. A range consists of whole buckets.
const BUCKETS: usize = 1024;

/// The entries of an index by ranges of positions, with about as many entries in each range. Within a range they keep their order.
pub(crate) struct PartitionedIndex {
    /// Where the entries of each range begin; then their number. As uint32.
    starts: HostBuffer,
    /// The number of each entry in the index, as uint32.
    entries: HostBuffer,
    /// The position of each entry, as uint32.
    positions: HostBuffer,
}

impl PartitionedIndex {
    /// Divides entries into `ranges` ranges. Each position is below `bound`, or `SKIPPED`: skipped entries are not among them.
    pub(crate) fn new(op: &'static str, positions: &[u32], bound: usize, ranges: usize) -> Result<Self> {
        let kept = || positions.iter().zip(0u32..).filter(|(position, _)| **position != SKIPPED);
        let shift = (bound / BUCKETS).checked_ilog2().map_or(0, |log| log + 1);
        let bucket = |position: u32| position as usize >> shift;
        let mut counts = [0u32; BUCKETS];
        let mut total = 0u32;
        for (&position, _) in kept() {
            counts.get_mut(bucket(position)).into_iter().for_each(|count| *count += 1);
            total += 1;
        }
        // A bucket belongs to the range in which its first entry would be if ranges had equally many.
        let range_at =
            |before: u32| (u64::from(before) * ranges as u64 / u64::from(total.max(1u32))) as usize;
        let mut starts = HostBuffer::zeroed(op, 4 * (ranges + 1))?;
        let slots = starts.elements_mut::<u32>();
        let mut range_of = [0u16; BUCKETS];
        let mut before = 0;
        for (range, count) in range_of.iter_mut().zip(counts) {
            let own = range_at(before).min(ranges.saturating_sub(1));
            *range = own as u16;
            before += count;
            // What begins after this bucket, unless a later bucket says more.
            slots.get_mut(own + 1..).unwrap_or_default().fill(before);
        }
        let mut next = HostBuffer::copy_of(op, starts.bytes())?;
        let next = next.elements_mut::<u32>();
        let (mut entries, mut sorted) =
            (HostBuffer::zeroed(op, 4 * total as usize)?, HostBuffer::zeroed(op, 4 * total as usize)?);
        let (own_entries, own_positions) = (entries.elements_mut::<u32>(), sorted.elements_mut::<u32>());
        for (&position, entry) in kept() {
            let range = range_of.get(bucket(position)).map_or(0, |&range| range.into());
            let Some(at) = next.get_mut::<usize>(range) else { continue };
            let slot = *at as usize;
            if let (Some(to), Some(place)) = (own_entries.get_mut(slot), own_positions.get_mut(slot)) {
                (*to, *place) = (entry, position);
            }
            *at += 1;
        }
        Ok(Self { starts, entries, positions: sorted })
    }

    pub(crate) fn partition(&self) -> Partition<'_> {
        // SAFETY: `new` sorts the entries of an index by the ranges of their positions, which are checked.
        unsafe { Partition::new(self.starts.elements(), self.entries.elements(), self.positions.elements()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu::cuts::Random;

    #[test]
    fn a_split_is_stable_and_no_position_is_in_two_ranges() {
        let mut random = Random(3);
        for (count, bound, ranges) in [
            (0, 5usize, 4),
            (1, 1, 3),
            (7, 3, 4),
            (500, 10, 8),
            (3000, 1 << 20, 8),
            (2000, 1024, 64),
            (999, 2049, 1),
        ] {
            for skew in [1, 5] {
                let positions: Vec<u32> = (0..count)
                    .map(|_| match random.below(9) {
                        0 => SKIPPED,
                        at => random.below(bound.div_ceil(1 + at % skew)) as u32,
                    })
                    .collect();
                let partition = PartitionedIndex::new("test", &positions, bound, ranges).unwrap();
                let starts: &[u32] = partition.starts.elements();
                assert_eq!((starts.len(), starts[0]), (ranges + 1, 0));
                let (entries, own): (&[u32], &[u32]) =
                    (partition.entries.elements(), partition.positions.elements());
                assert_eq!(starts[ranges] as usize, entries.len());
                let kept = positions.iter().filter(|&&position| position != SKIPPED).count();
                assert_eq!((entries.len(), own.len()), (kept, kept));
                let mut below = 0;
                for range in starts.windows(2) {
                    let range = range[0] as usize..range[1] as usize;
                    assert!(entries[range.clone()].is_sorted_by(|one, two| one < two), "the order changes");
                    assert!(entries[range.clone()].iter().zip(&own[range.clone()]).all(
                        |(&entry, &position)| { positions[entry as usize] == position && position >= below }
                    ));
                    below = own[range].iter().max().map_or(below, |most| most + 1);
                }
            }
        }
    }

    #[test]
    fn ranges_have_about_as_many_entries() {
        let mut random = Random(4);
        let positions: Vec<u32> = (0..100_000).map(|_| random.below(1 << 20) as u32).collect();
        // Four fifths of the entries are in a hundredth of the places.
        let skewed: Vec<u32> =
            positions.iter().map(|&at| if random.below(5) == 0 { at } else { at / 100 }).collect();
        for positions in [positions, skewed] {
            let partition = PartitionedIndex::new("test", &positions, 1 << 20, 8).unwrap();
            let starts: &[u32] = partition.starts.elements();
            let lens: Vec<u32> = starts.windows(2).map(|range| range[1] - range[0]).collect();
            assert!(lens.iter().all(|&len| len < 17_000), "{lens:?}");
        }
    }
}
