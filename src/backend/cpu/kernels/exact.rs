//! The loops of exact sums. A place has a float64, to which a term is added only if the result is exact. What does not fit is put aside, whole,
//! in an accumulator of the place. So the float and the accumulator together are exact at any time, and what is put aside is rare.
//!
//! A float that begins as −0 keeps the sign of zeros: it is −0 as long as all terms are. Infinities and NaN go to the float as well.
//!
//! The caller owns all memory and does the carries. A loop that needs one more accumulator stops and says how far it came; the caller allocates
//! more and goes on from there.

use crate::backend::cpu::kernels::vector;
use crate::exact::{Unit, add, add_single};

/// The sums of some places.
pub(crate) struct Sums<'a> {
    /// The float of each place.
    pub(crate) high: &'a mut [f64],
    /// A second float of each place, for what the first leaves out; empty if places have only one.
    pub(crate) low: &'a mut [f64],
    /// The number of terms of each place; empty if they are not counted.
    pub(crate) counts: &'a mut [u64],
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
pub(crate) trait Term: Copy + Default {
    /// Whether accumulators are those of [`Unit::Single`], and small.
    const IS_SINGLE: bool;
    fn wide(self) -> f64;
    /// Adds it to an accumulator of a unit. It must be finite.
    fn add_to(self, limbs: &mut [i64], unit: Unit);
}

/// Terms of float16, bfloat16 and float32.
impl Term for f32 {
    const IS_SINGLE: bool = true;
    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }
    #[inline(always)]
    fn add_to(self, limbs: &mut [i64], _: Unit) {
        add_single(limbs, self);
    }
}

/// Terms of float64, and parts of sums.
impl Term for f64 {
    const IS_SINGLE: bool = false;
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    #[inline(always)]
    fn add_to(self, limbs: &mut [i64], unit: Unit) {
        add(limbs, unit, self);
    }
}

/// Adds a term to a float if the sum is exact.
#[inline(always)]
pub(crate) fn add_checked(sum: &mut f64, x: f64) -> bool {
    let a = *sum;
    let b = a + x;
    // One of the differences is exact, whichever number is larger. So both give the numbers back if and only if the sum is exact. NaN is
    // never equal.
    let is_exact = b - a == x && b - x == a;
    if is_exact {
        *sum = b;
    }
    is_exact
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
        let added = match (self.aside.is_dense, self.low.is_empty()) {
            (true, _) => self.add_dense(places, terms),
            (_, true) => self.add_single(places, terms),
            (_, false) => self.add_double(places, terms),
        };
        self.aside.tally.terms += added;
        if !self.counts.is_empty() {
            for &place in places.iter().take(added) {
                self.counts.get_mut(place as usize).into_iter().for_each(|count| *count += 1);
            }
        }
        added
    }

    /// Adds where the float takes most terms.
    #[inline(always)]
    fn add_single<T: Term>(&mut self, places: &[u32], terms: &[T]) -> usize {
        let Self { high, aside, .. } = self;
        let mut done = 0;
        if T::IS_SINGLE && (vector::largest(places) as usize) < high.len() {
            // Four at a time, unrolled by hand, because compilers that optimise for size do not unroll.
            for (places, terms) in places.as_chunks::<4>().0.iter().zip(terms.as_chunks::<4>().0) {
                // SAFETY: no place is larger than the largest, which is a place.
                unsafe {
                    let [one, two, three, four] = places.map(|place| place as usize);
                    if !add_checked(high.get_unchecked_mut(one), terms[0].wide())
                        && !aside.put(high.get_unchecked_mut(one), places[0], terms[0])
                    {
                        return done;
                    }
                    if !add_checked(high.get_unchecked_mut(two), terms[1].wide())
                        && !aside.put(high.get_unchecked_mut(two), places[1], terms[1])
                    {
                        return done + 1;
                    }
                    if !add_checked(high.get_unchecked_mut(three), terms[2].wide())
                        && !aside.put(high.get_unchecked_mut(three), places[2], terms[2])
                    {
                        return done + 2;
                    }
                    if !add_checked(high.get_unchecked_mut(four), terms[3].wide())
                        && !aside.put(high.get_unchecked_mut(four), places[3], terms[3])
                    {
                        return done + 3;
                    }
                }
                done += 4;
            }
        }
        for (&place, &term) in places.iter().zip(terms).skip(done) {
            if let Some(high) = high.get_mut(place as usize)
                && !add_checked(high, term.wide())
                && !aside.put(high, place, term)
            {
                return done;
            }
            done += 1;
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
