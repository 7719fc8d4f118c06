//! The loops of exact sums. A place has a float64, to which a term is added only if the result is exact. What does not fit is put aside, whole,
//! in an accumulator of the place. So the float and the accumulator together are exact at any time, and what is put aside is rare.
//!
//! A float that begins as −0 keeps the sign of zeros: it is −0 as long as all terms are. Infinities and NaN go to the float as well.
//!
//! The caller owns all memory and does the carries. A loop that needs one more accumulator stops and says how far it came; the caller allocates
//! more and goes on from there.

use std::ptr;

use bytemuck::Pod;

use crate::engine::cpu::kernels::vector;
use crate::engine::cpu::kernels::vector::lanes::add_checked;
use crate::exact::arithmetic::limbs::{Unit, add, add_single};
use crate::index::kernels::kept::{BLOCK, Block};
use crate::index::kernels::values::DROPPED;

/// The sums of some places.
pub(crate) struct Sums<'a> {
    /// The float of each place.
    pub(crate) high: &'a mut [f64],
    /// A second float of each place, for what the first leaves out; empty if places have only one.
    pub(crate) low: &'a mut [f64],
    /// As many as places, or none.
    pub(crate) counts: Counts<'a>,
    pub(crate) aside: Aside<'a>,
}

/// The number of terms of each place.
pub(crate) enum Counts<'a> {
    /// Terms are not counted.
    None,
    /// For a call.
    Narrow(&'a mut [u32]),
    /// For sums that outlive a call.
    Wide(&'a mut [u64]),
}

/// Accumulators for what does not fit a float.
pub(crate) struct Aside<'a> {
    pub(crate) unit: Unit,
    /// For each place the number of its accumulator, counted from 1; 0 where it has none.
    pub(crate) numbers: &'a mut [u32],
    /// The limbs of all accumulators.
    pub(crate) limbs: &'a mut [i64],
    /// Whether each place has the accumulator at its own place, so that there are no numbers.
    pub(crate) is_dense: bool,
    pub(crate) tally: &'a mut Tally,
}

/// What is counted on the way.
#[derive(Default)]
pub(crate) struct Tally {
    /// Accumulators in use, where they have numbers.
    pub(crate) used: usize,
    /// Terms that were put aside.
    pub(crate) aside: usize,
    /// All terms.
    pub(crate) terms: usize,
}

/// A term as the loops read it.
pub(crate) trait Term: Pod + Default {
    fn wide(self) -> f64;
    /// Adds it to an accumulator of a unit. It must be finite.
    fn add_to(self, limbs: &mut [i64], unit: Unit);
    /// Adds terms to the floats of their places, and 1 to the counts if they are not null, until a result is not exact. Returns how many were
    /// added. May stop earlier.
    ///
    /// # Safety
    /// The floats and the counts of the places must exist, aligned.
    unsafe fn add_to_places(floats: *mut f64, counts: *mut u32, places: &[u32], terms: &[Self]) -> usize;
}

/// Terms of float16, bfloat16 and float32.
impl Term for f32 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }
    #[inline(always)]
    fn add_to(self, limbs: &mut [i64], _: Unit) {
        add_single(limbs, self);
    }
    #[inline(always)]
    unsafe fn add_to_places(floats: *mut f64, counts: *mut u32, places: &[u32], terms: &[Self]) -> usize {
        // SAFETY: as the caller promises.
        unsafe { vector::add_to_places(floats, counts, places, terms) }
    }
}

/// Terms of float64, and parts of sums.
impl Term for f64 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    #[inline(always)]
    fn add_to(self, limbs: &mut [i64], unit: Unit) {
        add(limbs, unit, self);
    }
    #[inline(always)]
    unsafe fn add_to_places(_: *mut f64, _: *mut u32, _: &[u32], _: &[Self]) -> usize {
        0
    }
}

/// Adds a term to two floats, which are a sum together, if the result is exact.
#[inline(always)]
pub(crate) fn add_twice(high: &mut f64, low: &mut f64, x: f64) -> bool {
    let (sum, error) = two_sum(*high, x);
    let is_exact = add_checked(low, error);
    if is_exact {
        *high = sum;
    }
    is_exact
}

/// Knuth's TwoSum: the rounded sum and its error, so that a + x = sum + error. Where the sum overflows, the error is NaN.
#[inline(always)]
pub(crate) fn two_sum(a: f64, x: f64) -> (f64, f64) {
    let sum = a + x;
    let v = sum - a;
    (sum, (a - (sum - v)) + (x - v))
}

impl Sums<'_> {
    /// Adds each term to its place, in order. Returns how many are done: it stops before a term that needs an accumulator when all are in use.
    /// A place that does not exist takes no term.
    #[inline(never)]
    pub(crate) fn add<T: Term>(&mut self, places: &[u32], terms: &[T]) -> usize {
        if vector::largest(places) == DROPPED {
            self.add_kept(places, terms)
        } else {
            self.add_all(places, terms)
        }
    }

    /// The same where terms are dropped.
    #[inline(always)]
    fn add_kept<T: Term>(&mut self, places: &[u32], terms: &[T]) -> usize {
        let mut block = Block::new();
        let mut done = 0;
        while done < places.len() {
            let end = done + BLOCK.min(places.len() - done);
            let own = places.get(done..end).unwrap_or_default();
            let (kept, terms) = block.kept(own, terms.get(done..end).unwrap_or_default());
            let added = self.add_all(kept, terms);
            if added < kept.len() {
                let stop = (done..end).zip(own).filter(|(_, place)| **place != DROPPED).nth(added);
                return stop.map_or(end, |(at, _)| at);
            }
            done = end;
        }
        done
    }

    /// The same where no term is dropped.
    #[inline(never)]
    fn add_all<T: Term>(&mut self, places: &[u32], terms: &[T]) -> usize {
        let added = match (self.aside.is_dense, self.low.is_empty()) {
            (true, _) => self.add_dense(places, terms),
            (_, true) => self.add_single(places, terms),
            (_, false) => self.add_double(places, terms),
        };
        self.aside.tally.terms += added;
        if self.aside.is_dense || !self.low.is_empty() {
            self.counts.add(places.get(..added).unwrap_or_default());
        }
        added
    }

    /// Adds where the float takes most terms. Counts them too.
    #[inline(always)]
    fn add_single<T: Term>(&mut self, places: &[u32], terms: &[T]) -> usize {
        let Self { high, counts, aside, .. } = self;
        let largest = vector::largest(places) as usize;
        let own_counts = counts.of_places(largest);
        let mut done = 0;
        while let (Some(places @ [_, ..]), Some(terms @ [_, ..])) = (places.get(done..), terms.get(done..)) {
            let quick = if largest < high.len() {
                // SAFETY: no place is larger than the largest, which is a place. Counts that are not null have it too.
                unsafe { T::add_to_places(high.as_mut_ptr(), own_counts, places, terms) }
            } else {
                0
            };
            if own_counts.is_null() {
                counts.add(places.get(..quick).unwrap_or_default());
            }
            done += quick;
            // What stopped that is one of the next two terms. If it is the first one that was left, more of them are likely to be like it.
            let slow = if quick == 0 { usize::MAX } else { 2 };
            for (&place, &term) in places.iter().zip(terms).skip(quick).take(slow) {
                if let Some(high) = high.get_mut(place as usize)
                    && !add_checked(high, term.wide())
                    && !aside.put(high, place, term)
                {
                    return done;
                }
                counts.add(&[place]);
                done += 1;
            }
        }
        done
    }

    /// Adds where a second float takes the error of the first.
    #[inline(always)]
    fn add_double<T: Term>(&mut self, places: &[u32], terms: &[T]) -> usize {
        for (at, (&place, &term)) in places.iter().zip(terms).enumerate() {
            let place_number = place as usize;
            let (Some(high), Some(low)) = (self.high.get_mut(place_number), self.low.get_mut(place_number))
            else {
                continue;
            };
            if !add_twice(high, low, term.wide()) && !self.aside.put(high, place, term) {
                return at;
            }
        }
        places.len().min(terms.len())
    }

    /// Adds where each place has an accumulator.
    #[inline(always)]
    fn add_dense<T: Term>(&mut self, places: &[u32], terms: &[T]) -> usize {
        let Aside { unit, limbs, .. } = &mut self.aside;
        let count = unit.limbs();
        for (&place, &term) in places.iter().zip(terms) {
            let place = place as usize;
            let own = limbs.get_mut(place * count..(place + 1) * count);
            if let (Some(high), Some(own)) = (self.high.get_mut(place), own) {
                put_into(high, own, *unit, term);
            }
        }
        places.len().min(terms.len())
    }
}

impl Counts<'_> {
    /// Adds 1 to each place, if it exists.
    fn add(&mut self, places: &[u32]) {
        for &place in places {
            match self {
                Self::None => return,
                Self::Narrow(counts) => {
                    counts.get_mut(place as usize).into_iter().for_each(|count| *count += 1);
                }
                Self::Wide(counts) => {
                    counts.get_mut(place as usize).into_iter().for_each(|count| *count += 1);
                }
            }
        }
    }

    /// The counts of these places, if they are narrow and all exist, else null.
    fn of_places(&mut self, largest: usize) -> *mut u32 {
        match self {
            Self::Narrow(counts) if largest < counts.len() => counts.as_mut_ptr(),
            Self::Narrow(_) | Self::Wide(_) | Self::None => ptr::null_mut(),
        }
    }
}

impl Aside<'_> {
    /// Puts a term aside. False where the place needs an accumulator and all are in use.
    #[inline(never)]
    fn put<T: Term>(&mut self, high: &mut f64, place: u32, term: T) -> bool {
        let x = term.wide();
        if !high.is_finite() || !x.is_finite() {
            *high += x;
            return true;
        }
        let Some(number) = self.numbers.get_mut(place as usize) else { return false };
        let count = self.unit.limbs();
        let at = if *number == 0 { self.tally.used } else { *number as usize - 1 };
        let Some(own) = self.limbs.get_mut(at * count..(at + 1) * count) else { return false };
        if *number == 0 {
            self.tally.used += 1;
            *number = self.tally.used as u32;
        }
        put_into(high, own, self.unit, term);
        self.tally.aside += 1;
        true
    }
}

/// Adds a term to an accumulator. The float takes infinities, NaN and zeros: it is −0 afterwards only where all terms were.
#[inline(always)]
pub(crate) fn put_into<T: Term>(high: &mut f64, limbs: &mut [i64], unit: Unit, term: T) {
    let x = term.wide();
    if x == 0.0 || !x.is_finite() {
        *high += x;
        return;
    }
    term.add_to(limbs, unit);
    if *high == 0.0 {
        // −0 becomes +0.
        *high = 0.0;
    }
}
