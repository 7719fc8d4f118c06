//! Exact sums. A slot has a float64, to which a term is added only if the result is exact, or two of them. What does not fit goes, whole, to
//! an accumulator of the slot. So the floats and the accumulator together are exact at any time. Where most terms do not fit, all go to
//! accumulators.
//!
//! A float that begins as −0 keeps the sign of zeros: it is −0 as long as all terms are. Infinities and NaN go to the float as well.
//!
//! The caller owns all memory and does the carries. A loop that needs one more accumulator stops and says how far it came; the caller allocates
//! more and goes on from there.

use std::ptr;

use bytemuck::Pod;

use crate::engine::cpu::kernels::vector;
use crate::engine::cpu::kernels::vector::lanes::add_checked;
use crate::exact::arithmetic::limbs::{Unit, add, add_single, carry};
use crate::exact::arithmetic::number::ExactNumber;
use crate::exact::kernels::quotient::{quotient_of_all, quotient_of_floats, two_sum};
use crate::index::kernels::kept::Block;
use crate::index::kernels::{BLOCK, SKIPPED};
use crate::{Bits, DType};

/// The sums of some slots.
pub(crate) struct Sums<'a> {
    pub(crate) unit: Unit,
    /// The float of each slot.
    pub(crate) high: &'a mut [f64],
    /// A second float of each slot, for what the first leaves out; empty if slots have only one.
    pub(crate) low: &'a mut [f64],
    /// As many as slots, or none.
    pub(crate) counts: Counts<'a>,
    pub(crate) spilled: Spilled<'a>,
}

/// The number of terms of each slot.
pub(crate) enum Counts<'a> {
    None,
    Narrow(&'a mut [u32]),
    /// For sums that outlive a call.
    Wide(&'a mut [u64]),
}

/// Accumulators for what does not fit the floats.
pub(crate) struct Spilled<'a> {
    /// For each slot the number of its accumulator, counted from 1; 0 where it has none.
    pub(crate) numbers: &'a mut [u32],
    /// The limbs of all accumulators.
    pub(crate) limbs: &'a mut [i64],
    pub(crate) tally: &'a mut Tally,
}

/// [`Sums`], to read. Slots that have accumulators are numbered.
pub(crate) struct View<'a> {
    unit: Unit,
    high: &'a [f64],
    low: &'a [f64],
    numbers: &'a [u32],
    limbs: &'a [i64],
}

/// What is counted on the way.
#[derive(Default)]
pub(crate) struct Tally {
    /// Accumulators in use.
    pub(crate) used: usize,
    /// Terms that went to accumulators.
    pub(crate) spilled: usize,
    pub(crate) terms: usize,
    /// How many terms a slot may have got since carries were done.
    pub(crate) pending: usize,
    /// Whether there is room for all slots, and each gets the accumulator at its own slot.
    pub(crate) is_dense: bool,
    /// Whether all terms go to accumulators. Only [`Sums::make_direct`] says so.
    is_direct: bool,
}

/// After this many terms, carries are done.
pub(crate) const MOST_PENDING: usize = 1 << 29;

/// More than one term in this many is too many for accumulators beside floats.
const RARE: usize = 16;

/// A term as the loops read it.
pub(crate) trait Term: Pod + Default {
    fn wide(self) -> f64;
    /// Adds it to an accumulator of a unit. It must be finite.
    fn add_to(self, limbs: &mut [i64], unit: Unit);
    /// Adds terms to the floats of their slots, and 1 to the counts if they are not null, until a result is not exact. Returns how many were
    /// added. May stop earlier.
    ///
    /// # Safety
    /// The floats and the counts of the slots must exist, aligned.
    unsafe fn add_to_slots(floats: *mut f64, counts: *mut u32, slots: &[u32], terms: &[Self]) -> usize;
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
    unsafe fn add_to_slots(floats: *mut f64, counts: *mut u32, slots: &[u32], terms: &[Self]) -> usize {
        // SAFETY: as the caller promises.
        unsafe { vector::add_to_slots(floats, counts, slots, terms) }
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
    unsafe fn add_to_slots(_: *mut f64, _: *mut u32, _: &[u32], _: &[Self]) -> usize {
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

impl Sums<'_> {
    /// Adds each term to its slot, in order. Returns how many are done: it stops before a term that needs an accumulator when all are in use.
    /// A slot that does not exist takes no term.
    #[inline(never)]
    pub(crate) fn add<T: Term>(&mut self, slots: &[u32], terms: &[T]) -> usize {
        if vector::largest(slots) == SKIPPED {
            self.add_kept(slots, terms)
        } else {
            self.add_all(slots, terms)
        }
    }

    /// The same where terms are dropped.
    #[inline(always)]
    fn add_kept<T: Term>(&mut self, slots: &[u32], terms: &[T]) -> usize {
        let mut block = Block::new();
        let mut done = 0;
        while done < slots.len() {
            let end = done + BLOCK.min(slots.len() - done);
            let own = slots.get(done..end).unwrap_or_default();
            let (kept, terms) = block.kept(own, terms.get(done..end).unwrap_or_default());
            let added = self.add_all(kept, terms);
            if added < kept.len() {
                let stop = (done..end).zip(own).filter(|(_, slot)| **slot != SKIPPED).nth(added);
                return stop.map_or(end, |(at, _)| at);
            }
            done = end;
        }
        done
    }

    /// The same where no term is dropped.
    #[inline(never)]
    fn add_all<T: Term>(&mut self, slots: &[u32], terms: &[T]) -> usize {
        let added = match (self.spilled.tally.is_direct, self.low.is_empty()) {
            (true, _) => self.add_direct(slots, terms),
            (_, true) => self.add_single(slots, terms),
            (_, false) => self.add_each(slots, terms),
        };
        self.spilled.tally.terms += added;
        self.spilled.tally.pending += added;
        added
    }

    /// Adds where the float takes most terms.
    #[inline(always)]
    fn add_single<T: Term>(&mut self, slots: &[u32], terms: &[T]) -> usize {
        let largest = vector::largest(slots) as usize;
        let own_counts = self.counts.of_places(largest);
        let mut done = 0;
        while let (Some(slots @ [_, ..]), Some(terms @ [_, ..])) = (slots.get(done..), terms.get(done..)) {
            let quick = if largest < self.high.len() {
                // SAFETY: no slot is larger than the largest, which is a slot. Counts that are not null have it too.
                unsafe { T::add_to_slots(self.high.as_mut_ptr(), own_counts, slots, terms) }
            } else {
                0
            };
            if own_counts.is_null() {
                self.counts.add(slots.get(..quick).unwrap_or_default());
            }
            // What stopped that is one of the next two terms. If it is the first one that was left, more of them are likely to be like it.
            let slow = quick + if quick == 0 { slots.len() } else { 2 };
            let rest = quick..slow.min(slots.len());
            let (slots, terms) = (slots.get(rest.clone()), terms.get(rest.clone()));
            let added = self.add_each(slots.unwrap_or_default(), terms.unwrap_or_default());
            done += quick + added;
            if added < rest.len() {
                break;
            }
        }
        done
    }

    /// Adds terms one by one.
    #[inline(always)]
    fn add_each<T: Term>(&mut self, slots: &[u32], terms: &[T]) -> usize {
        let mut each = slots.iter().zip(terms);
        let stop = each.position(|(&slot, &term)| !self.add_one(slot as usize, term));
        let added = stop.unwrap_or(slots.len().min(terms.len()));
        self.counts.add(slots.get(..added).unwrap_or_default());
        added
    }

    /// Adds to accumulators alone.
    #[inline(always)]
    fn add_direct<T: Term>(&mut self, slots: &[u32], terms: &[T]) -> usize {
        let (unit, limbs) = (self.unit, self.spilled.direct(self.unit));
        for (&slot, &term) in slots.iter().zip(terms) {
            let (slot, count) = (slot as usize, unit.limbs());
            let own = limbs.get_mut(slot * count..(slot + 1) * count);
            if let (Some(high), Some(own)) = (self.high.get_mut(slot), own) {
                put_into(high, own, unit, term);
            }
        }
        let added = slots.len().min(terms.len());
        self.counts.add(slots.get(..added).unwrap_or_default());
        added
    }

    /// Gives each slot its accumulator, for which there is room, and lets all terms go there.
    #[inline(never)]
    pub(crate) fn make_direct(&mut self) {
        for slot in 0..self.spilled.numbers.len() {
            self.spilled.own(self.unit, slot);
        }
        self.spilled.tally.is_direct = self.spilled.tally.is_dense;
    }

    /// Adds a term to its slot. False where it needs an accumulator and all are in use.
    #[inline(always)]
    fn add_one<T: Term>(&mut self, slot: usize, term: T) -> bool {
        let is_added = match (self.high.get_mut(slot), self.low.get_mut(slot)) {
            (Some(high), Some(low)) => add_twice(high, low, term.wide()),
            (Some(high), None) => add_checked(high, term.wide()),
            (None, _) => true,
        };
        is_added || self.spill(slot, term)
    }

    /// Adds a term to the accumulator of its slot. False where the slot needs one and all are in use.
    #[inline(never)]
    fn spill<T: Term>(&mut self, slot: usize, term: T) -> bool {
        let Some(high) = self.high.get_mut(slot) else { return true };
        if !high.is_finite() || !term.wide().is_finite() {
            *high += term.wide();
            return true;
        }
        let Some(limbs) = self.spilled.own(self.unit, slot) else { return false };
        put_into(high, limbs, self.unit, term);
        self.spilled.tally.spilled += 1;
        true
    }

    /// Does all carries that are due.
    pub(crate) fn carry(&mut self) {
        for slot in 0..self.spilled.numbers.len() {
            if self.spilled.numbers.get(slot) != Some(&0) {
                self.spilled.own(self.unit, slot).into_iter().for_each(carry);
            }
        }
        self.spilled.tally.pending = 0;
    }
}

impl<'a> View<'a> {
    pub(crate) fn new(unit: Unit, floats: [&'a [f64]; 2], numbers: &'a [u32], limbs: &'a [i64]) -> Self {
        let [high, low] = floats;
        Self { unit, high, low, numbers, limbs }
    }

    /// The accumulator of a slot, if it has one.
    fn limbs(&self, slot: usize) -> Option<&'a [i64]> {
        let (at, count) = ((*self.numbers.get(slot)? as usize).checked_sub(1)?, self.unit.limbs());
        self.limbs.get(at * count..(at + 1) * count)
    }

    /// The floats of a slot, and its accumulator if it has one that is not 0. The second float is −0 where the first is not finite.
    pub(crate) fn parts(&self, slot: usize) -> ([f64; 2], Option<&'a [i64]>) {
        let float = |floats: &[f64]| floats.get(slot).copied().unwrap_or(-0.0);
        let high = float(self.high);
        let low = if high.is_finite() { float(self.low) } else { -0.0 };
        let limbs = self.limbs(slot);
        ([high, low], limbs.filter(|limbs| limbs.iter().any(|&limb| limb != 0)))
    }

    /// The sum of a slot divided by a number, rounded once.
    pub(crate) fn quotient(&self, dtype: DType, slot: usize, divisor: u64) -> Bits {
        match self.parts(slot) {
            (floats @ [high, _], Some(limbs)) if high.is_finite() => {
                quotient_of_all(self.unit, dtype, floats, limbs, divisor)
            }
            ([high, low], _) => quotient_of_floats(dtype, high, low, divisor),
        }
    }

    /// The sum of a slot. `carry` must have followed the last `add`.
    pub(crate) fn number(&self, dtype: DType, slot: usize) -> ExactNumber {
        let mut number = ExactNumber::new(dtype);
        let ([high, low], limbs) = self.parts(slot);
        number.add_part(high);
        // A second float of +0 may stand beside −0: it would hide that all terms are −0.
        if low != 0.0 {
            number.add_part(low);
        }
        if let Some(limbs) = limbs {
            number.add_limbs(limbs);
        }
        number
    }
}

impl Counts<'_> {
    /// Adds 1 to each slot, if it exists.
    fn add(&mut self, slots: &[u32]) {
        for &slot in slots {
            match self {
                Self::None => return,
                Self::Narrow(counts) => {
                    counts.get_mut(slot as usize).into_iter().for_each(|count| *count += 1);
                }
                Self::Wide(counts) => {
                    counts.get_mut(slot as usize).into_iter().for_each(|count| *count += 1);
                }
            }
        }
    }

    /// Adds to the count of a slot, if terms are counted.
    pub(crate) fn add_to(&mut self, slot: usize, more: u64) {
        match self {
            Self::None => {}
            Self::Narrow(counts) => counts.get_mut(slot).into_iter().for_each(|count| *count += more as u32),
            Self::Wide(counts) => counts.get_mut(slot).into_iter().for_each(|count| *count += more),
        }
    }

    /// The counts of these slots, if they are narrow and all exist, else null.
    fn of_places(&mut self, largest: usize) -> *mut u32 {
        match self {
            Self::Narrow(counts) if largest < counts.len() => counts.as_mut_ptr(),
            Self::Narrow(_) | Self::Wide(_) | Self::None => ptr::null_mut(),
        }
    }
}

/// Adds a term to an accumulator. The float takes infinities, NaN and zeros: it is −0 afterwards only where all terms were.
#[inline(always)]
fn put_into<T: Term>(high: &mut f64, limbs: &mut [i64], unit: Unit, term: T) {
    let x = term.wide();
    if x == 0.0 || !x.is_finite() {
        *high += x;
        return;
    }
    term.add_to(limbs, unit);
    // −0 becomes +0.
    *high += 0.0;
}

impl Spilled<'_> {
    /// The accumulator of a slot; a new one is 0. `None` if the slot has none and all are in use.
    #[inline(always)]
    pub(crate) fn own(&mut self, unit: Unit, slot: usize) -> Option<&mut [i64]> {
        let (number, count) = (*self.numbers.get(slot)?, unit.limbs());
        let is_new = number == 0;
        let new = if self.tally.is_dense { slot } else { self.tally.used };
        let at = if is_new { new } else { number as usize - 1 };
        let limbs = self.limbs.get_mut(at * count..(at + 1) * count)?;
        if is_new {
            limbs.fill(0);
            self.tally.used += 1;
            *self.numbers.get_mut(slot)? = at as u32 + 1;
        }
        Some(limbs)
    }

    /// The accumulators of all slots, where all terms go there.
    #[inline(always)]
    fn direct(&mut self, unit: Unit) -> &mut [i64] {
        let len = if self.tally.is_direct { self.numbers.len() * unit.limbs() } else { 0 };
        self.limbs.get_mut(..len).unwrap_or_default()
    }
}

impl Tally {
    /// Whether too many terms went to accumulators, `few` at least.
    pub(crate) fn has_many(&self, few: usize) -> bool {
        self.spilled > few && self.spilled > self.terms / RARE
    }
}
