//! Hostile terms, group by group of places, so that accumulators stay in a cache.

use crate::error::Result;
use crate::exact::arithmetic::limbs::Unit;
use crate::exact::cpu::sums::ExactSums;
use crate::exact::cpu::sums::{CACHED_BYTES, DENSE_BYTES, MOST_PENDING};
use crate::host::reserved;

/// The most groups of places whose accumulators fit that cache.
const MOST_GROUPS: usize = DENSE_BYTES / (CACHED_BYTES / 2) + 2;

impl ExactSums {
    /// Adds to accumulators of all places, one group of places after another. The accumulators of a group fit the second-level cache, and without
    /// groups each term would wait for memory. Nothing but time depends on the groups, so that they are left out where there is no memory for
    /// them.
    pub(crate) fn add_in_groups(&mut self, places: &[u32], terms: &[f32]) -> Result<()> {
        let bytes = 8 * Unit::of(self.dtype).limbs();
        let shift = (CACHED_BYTES / bytes).ilog2();
        let count = (self.places() >> shift) + 1;
        let group = |place: u32| (place as usize >> shift).min(count - 1);
        // Where the next term of each group goes; first how many each has.
        let mut next = [0usize; MOST_GROUPS];
        let lists = (reserved::<u32>(self.op, places.len()), reserved::<f32>(self.op, places.len()));
        let (Ok(mut own_places), Ok(mut own_terms)) = lists else {
            return self.add_chunks(places, terms);
        };
        places.iter().for_each(|&place| next.get_mut(group(place)).into_iter().for_each(|len| *len += 1));
        let mut start = 0;
        for next in &mut next {
            start += std::mem::replace(next, start);
        }
        own_places.resize(places.len(), 0);
        own_terms.resize(places.len(), 0.0);
        for (&place, &term) in places.iter().zip(terms) {
            let Some(at) = next.get_mut(group(place)) else { continue };
            if let (Some(to), Some(value)) = (own_places.get_mut(*at), own_terms.get_mut(*at)) {
                (*to, *value) = (place, term);
            }
            *at += 1;
        }
        self.add_chunks(&own_places, &own_terms)
    }

    /// Adds to the accumulators of all places; every place has one.
    fn add_chunks(&mut self, places: &[u32], terms: &[f32]) -> Result<()> {
        for (places, terms) in places.chunks(MOST_PENDING).zip(terms.chunks(MOST_PENDING)) {
            self.lend().add(places, terms);
            self.pending += places.len();
            if self.pending > MOST_PENDING {
                self.carry();
            }
        }
        Ok(())
    }
}
