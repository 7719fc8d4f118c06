//! The loops of exact sums. A place has a float64, to which a term is added only if the result is exact. What does not fit is put aside, whole,
//! in an accumulator of the place. So the float and the accumulator together are exact at any time, and what is put aside is rare.
//!
//! A float that begins as −0 keeps the sign of zeros: it is −0 as long as all terms are. Infinities and NaN go to the float as well.
//!
//! All memory is the caller's. A loop that needs another accumulator than there are stops and says how far it came: the caller allocates more
//! and goes on from there.

use crate::exact::{Unit, add};

/// The sums of some places.
pub(crate) struct Sums<'a> {
    /// The float of each place.
    pub(crate) high: &'a mut [f64],
    /// A second float of each place, for what the first leaves out; empty where places have one.
    pub(crate) low: &'a mut [f64],
    pub(crate) aside: Aside<'a>,
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
pub(crate) trait Term: Copy {
    fn wide(self) -> f64;
}

impl Term for f32 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }
}

impl Term for f64 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
}

impl Sums<'_> {
    /// Adds each term to its place. Returns how many were added: fewer than all where another accumulator is needed than there are. A place
    /// that does not exist takes no term.
    #[inline(never)]
    pub(crate) fn add<T: Term>(&mut self, places: &[u32], terms: &[T]) -> usize {
        let added = match (self.aside.is_dense, self.low.is_empty()) {
            (true, _) => self.add_dense(places, terms),
            (_, true) => self.add_single(places, terms),
            (_, false) => self.add_double(places, terms),
        };
        self.aside.tally.terms += added;
        added
    }

    /// Adds where the float takes most terms.
    #[inline(always)]
    fn add_single<T: Term>(&mut self, places: &[u32], terms: &[T]) -> usize {
        for (at, (&place, &term)) in places.iter().zip(terms).enumerate() {
            let Some(high) = self.high.get_mut(place as usize) else { continue };
            let (a, x) = (*high, term.wide());
            let b = a + x;
            // One of the differences is exact, whichever number is larger. So both give the numbers back exactly when the sum is exact. NaN is
            // never equal.
            if b - a == x && b - x == a {
                *high = b;
            } else if !self.aside.put(high, place, x) {
                return at;
            }
        }
        places.len().min(terms.len())
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
            let (a, c, x) = (*high, *low, term.wide());
            // Knuth's TwoSum: a + x = b + error, unless b overflows, which makes the error NaN.
            let b = a + x;
            let v = b - a;
            let error = (a - (b - v)) + (x - v);
            let d = c + error;
            if d - c == error && d - error == c {
                (*high, *low) = (b, d);
            } else if !self.aside.put(high, place, x) {
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
            let (Some(high), Some(own)) =
                (self.high.get_mut(place), limbs.get_mut(place * count..(place + 1) * count))
            else {
                continue;
            };
            put_into(high, own, *unit, term.wide());
        }
        places.len().min(terms.len())
    }
}

impl Aside<'_> {
    /// Puts a term aside. False where the place needs an accumulator and all are in use.
    #[inline(never)]
    fn put(&mut self, high: &mut f64, place: u32, term: f64) -> bool {
        if !high.is_finite() || !term.is_finite() {
            *high += term;
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

/// Adds a term to an accumulator. The float takes infinities and NaN; it is −0 afterwards only where all terms were.
#[inline(always)]
fn put_into(high: &mut f64, limbs: &mut [i64], unit: Unit, term: f64) {
    if term.is_finite() {
        *high += if term == 0.0 { term } else { 0.0 };
        add(limbs, unit, term);
    } else {
        *high += term;
    }
}
