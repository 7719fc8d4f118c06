//! Exact sums: the memory that the loops of `exact/kernels/sums.rs` work with, and the end, where each place is rounded.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::dtype::DType;
use crate::error::Result;
use crate::exact::arithmetic::limbs::{Unit, carry};
use crate::exact::arithmetic::number::ExactNumber;
use crate::exact::kernels::sums::{Aside, Counts, Sums, Tally};
use crate::exact::kernels::terms::ExactTerms;
use crate::host::{HostBuffer, UninitBuffer, out_of_memory};
use crate::index::kernels::walker::Elements;
use crate::plan::reduce::{Mean, Update};
use crate::scalar::{Bits, Scalar, load};

/// The exact sums of some places.
pub(crate) struct ExactSums {
    pub(crate) op: &'static str,
    pub(crate) dtype: DType,
    /// A float64 for each place.
    pub(crate) high: HostBuffer,
    /// A second float64 for each place; empty if places have only one.
    pub(crate) low: HostBuffer,
    /// The number of terms of each place, of `count_size` bytes; empty if terms are not counted.
    pub(crate) counts: HostBuffer,
    count_size: usize,
    /// For each place the number of its accumulator, as uint32; empty until one is needed, and where each place has its own.
    pub(crate) numbers: HostBuffer,
    /// Accumulators, as int64.
    pub(crate) limbs: HostBuffer,
    pub(crate) is_dense: bool,
    pub(crate) tally: Tally,
    /// How many terms may have been added since carries were done.
    pub(crate) pending: usize,
}

/// After this many terms, carries are done.
pub(crate) const MOST_PENDING: usize = 1 << 30;

/// How many terms are added at a time: not so many that a hostile call would find out late that most of its terms are put aside.
pub(crate) const PART: usize = 4 * FEW;

/// `adapt` changes nothing before more terms than this were put aside.
const FEW: usize = 1024;

/// `adapt` changes how terms are added if more than one in this many was put aside.
const RARE: usize = 16;

/// Accumulators of up to this many bytes stay in a second-level cache.
pub(crate) const CACHED_BYTES: usize = 400 << 10;

/// Each place gets an accumulator if all of them take at most this many bytes. More do not fit a cache, and second floats are faster.
pub(crate) const DENSE_BYTES: usize = 8 << 20;

impl ExactSums {
    /// The sums of no terms. `count_size` is the size of the counts of terms in bytes: see [`count_size`]; 0 if terms are not counted.
    #[inline(never)]
    pub(crate) fn new(op: &'static str, dtype: DType, places: usize, count_size: usize) -> Result<Box<Self>> {
        check_places(op, places)?;
        let none = HostBuffer::default;
        let mut sums = Box::new(Self {
            op,
            dtype,
            high: none(),
            low: none(),
            counts: none(),
            count_size,
            numbers: none(),
            limbs: none(),
            is_dense: false,
            tally: Tally::default(),
            pending: 0,
        });
        sums.high = negative_zeros(op, places)?;
        if dtype == DType::Float64 {
            sums.add_second_floats()?;
        }
        renew(op, &mut sums.counts, count_size * places)?;
        Ok(sums)
    }

    /// How many places there are.
    pub(crate) fn places(&self) -> usize {
        self.high.len() / 8
    }

    /// The dtype of the terms.
    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    /// The size of the counts of terms in bytes, as [`ExactSums::new`] takes it.
    pub(crate) fn count_size(&self) -> usize {
        self.count_size
    }

    /// The number of terms of a place; 0 where they are not counted.
    pub(crate) fn count(&self, place: usize) -> u64 {
        if self.count_size == 4 {
            self.counts.elements::<u32>().get(place).map_or(0, |&count| count.into())
        } else {
            self.counts.elements().get(place).copied().unwrap_or(0)
        }
    }

    /// Adds to the number of terms of a place, if they are counted.
    pub(crate) fn add_count(&mut self, place: usize, more: u64) {
        if self.count_size == 4 {
            self.counts
                .elements_mut::<u32>()
                .get_mut(place)
                .into_iter()
                .for_each(|count| *count += more as u32);
        } else {
            self.counts.elements_mut::<u64>().get_mut(place).into_iter().for_each(|count| *count += more);
        }
    }

    /// The accumulators of a call of `terms` terms, or `None` if its sums are not exact.
    pub(crate) fn of_call(
        op: &'static str,
        dtype: DType,
        places: usize,
        call: (Update, usize),
        table: &[u8],
    ) -> Result<Option<Box<Self>>> {
        call.0.is_exact(dtype).then(|| Self::begun(op, dtype, places, call, table)).transpose()
    }

    /// The accumulators of a call: they begin with the elements of `table` if self counts, else with nothing.
    pub(crate) fn begun(
        op: &'static str,
        dtype: DType,
        places: usize,
        (update, terms): (Update, usize),
        table: &[u8],
    ) -> Result<Box<Self>> {
        let is_counted = update.is_mean() || !update.include_self;
        let mut sums = Self::new(op, dtype, places, if is_counted { count_size(terms) } else { 0 })?;
        if update.include_self {
            sums.begin(table);
        }
        Ok(sums)
    }

    /// Writes the sums or means of a scatter to its table. A place that no term came to keeps its bits.
    pub(crate) fn finish_call(&self, update: Update, table: &mut [u8]) {
        if self.counts.len() == 0 {
            return self.finish_sums(table);
        }
        self.finish(table, &|place| match (self.count(place), update.mean) {
            (0, _) => None,
            (_, Mean::No) => Some(1),
            (count, Mean::OfUpdates) => Some(count),
            (count, Mean::WithSelf) => Some(count + 1),
        });
    }

    /// Adds the element with these bits to a place. Returns the sum so far, rounded once.
    pub(crate) fn add_one(&mut self, place: usize, bits: Bits) -> Result<Bits> {
        self.add(&[place as u32], &[Scalar::load(bits, self.dtype).as_f64()])?;
        Ok(self.quotient(place, 1))
    }

    /// The number of terms of each place, as int64.
    pub(crate) fn copy_of_counts(&self) -> Result<HostBuffer> {
        let mut copy = HostBuffer::zeroed(self.op, 8 * self.places())?;
        copy.elements_mut::<u64>()
            .iter_mut()
            .enumerate()
            .for_each(|(place, count)| *count = self.count(place));
        Ok(copy)
    }

    /// Adds each term to its place. A place that does not exist takes none. There are as many terms as places, or more.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted: some of the terms were added then.
    pub(crate) fn add(&mut self, places: &[u32], terms: &[f64]) -> Result<()> {
        let elements = Elements::List { places, is_single: false };
        self.add_range(
            &ExactTerms::new(DType::Float64, bytemuck::cast_slice(terms), elements),
            0..places.len(),
        )
    }

    /// Adds the terms of a range. Ranges may be added in any order, and to several sums, which [`ExactSums::merge`] makes one.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted: some of the terms were added then.
    pub(crate) fn add_range(&mut self, terms: &ExactTerms<'_>, range: Range<usize>) -> Result<()> {
        let mut at = range.start;
        while at < range.end {
            let rest = range.end - at;
            if self.needs_groups(rest)
                && let Some((places, terms)) = terms.singles(at..range.end)
            {
                return self.add_in_groups(places, terms);
            }
            let part = PART.min(rest);
            let added = terms.add(at..at + part, &mut self.lend());
            self.note(added, part)?;
            at += added;
        }
        Ok(())
    }

    /// Takes note of how many terms of a part were added, and does what that asks for: carries, more accumulators where the part stopped, another
    /// way to add.
    pub(crate) fn note(&mut self, added: usize, part: usize) -> Result<()> {
        self.pending += added;
        if self.pending > MOST_PENDING {
            self.carry();
        }
        if added < part { self.grow() } else { self.adapt() }
    }

    /// Whether that many terms are added faster in groups of places.
    fn needs_groups(&self, terms: usize) -> bool {
        self.is_dense && self.limbs.len() > CACHED_BYTES && terms >= self.places()
    }

    /// The memory, as the loops take it.
    pub(crate) fn lend(&mut self) -> Sums<'_> {
        let aside = Aside {
            unit: Unit::of(self.dtype),
            numbers: self.numbers.elements_mut(),
            limbs: self.limbs.elements_mut(),
            is_dense: self.is_dense,
            tally: &mut self.tally,
        };
        let counts = match self.count_size {
            0 => Counts::None,
            4 => Counts::Narrow(self.counts.elements_mut()),
            _ => Counts::Wide(self.counts.elements_mut()),
        };
        Sums { high: self.high.elements_mut(), low: self.low.elements_mut(), counts, aside }
    }

    /// Allocates numbers where there are none, else twice as many accumulators.
    pub(crate) fn grow(&mut self) -> Result<()> {
        let places = self.places();
        if self.numbers.len() == 0 {
            renew(self.op, &mut self.numbers, 4 * places)?;
        }
        let len = (2 * self.limbs.len()).max(64 * 8 * Unit::of(self.dtype).limbs());
        let old = renew(self.op, &mut self.limbs, len)?;
        self.limbs.bytes_mut().get_mut(..old.len()).unwrap_or_default().copy_from_slice(old.bytes());
        Ok(())
    }

    /// Gives each place a second float.
    #[inline(never)]
    fn add_second_floats(&mut self) -> Result<()> {
        self.low = negative_zeros(self.op, self.places())?;
        Ok(())
    }

    /// Changes how terms are added if too many were put aside: each place gets a second float, which is enough for exponents that are up to some
    /// 60 apart. If it is not, each place gets an accumulator if all of them fit a cache.
    fn adapt(&mut self) -> Result<()> {
        let Tally { aside, terms, .. } = self.tally;
        if self.is_dense || aside <= FEW || aside <= terms / RARE {
            return Ok(());
        }
        if self.low.len() == 0 {
            (self.tally.aside, self.tally.terms) = (0, 0);
            return self.add_second_floats();
        }
        let count = Unit::of(self.dtype).limbs();
        let dense = self.places().saturating_mul(8 * count);
        if dense > DENSE_BYTES {
            return Ok(());
        }
        let old = renew(self.op, &mut self.limbs, dense)?;
        let numbers = std::mem::take(&mut self.numbers);
        let places = self.limbs.elements_mut::<i64>().chunks_exact_mut(count);
        for (place, &number) in places.zip(numbers.elements::<u32>()) {
            if let Some(own) = accumulator(old.elements(), number as usize, count) {
                place.copy_from_slice(own);
            }
        }
        self.is_dense = true;
        Ok(())
    }

    /// Does all carries that are due.
    pub(crate) fn carry(&mut self) {
        let count = Unit::of(self.dtype).limbs();
        self.limbs.elements_mut::<i64>().chunks_exact_mut(count).for_each(carry);
        self.pending = 0;
    }

    /// Begins each place with an element of `bytes`, as one term.
    pub(crate) fn begin(&mut self, bytes: &[u8]) {
        let (dtype, high) = (self.dtype, self.high.elements_mut::<f64>());
        match dtype {
            DType::Float32 => {
                let elements: &[f32] = bytemuck::cast_slice(bytes);
                high.iter_mut().zip(elements).for_each(|(high, &element)| *high = element.into());
            }
            _ => {
                let elements = bytes.chunks_exact(dtype.size());
                let load = |element| Scalar::load(load(element), dtype).as_f64();
                high.iter_mut().zip(elements).for_each(|(high, element)| *high = load(element));
            }
        }
    }

    /// The number of a place's accumulator, counted from 1; 0 where it has none.
    pub(crate) fn number_of(&self, place: usize) -> usize {
        let numbers = self.numbers.elements::<u32>();
        if self.is_dense { place + 1 } else { numbers.get(place).copied().unwrap_or(0) as usize }
    }

    /// The floats of a place, and its accumulator if it has one that is not 0. The second float is 0 where the first is not finite.
    pub(crate) fn parts(&self, place: usize) -> (f64, f64, Option<&[i64]>) {
        let float = |floats: &HostBuffer| floats.elements::<f64>().get(place).copied().unwrap_or(-0.0);
        let (high, low) = (float(&self.high), float(&self.low));
        let own = accumulator(self.limbs.elements(), self.number_of(place), Unit::of(self.dtype).limbs());
        let low = if high.is_finite() { low } else { -0.0 };
        (high, low, own.filter(|limbs| limbs.iter().any(|&limb| limb != 0)))
    }

    /// The sum of a place, with its count. Terms must be counted, and `carry` must have followed the last `add`.
    pub(crate) fn number(&self, place: usize) -> ExactNumber {
        let mut number = ExactNumber::new(self.dtype);
        let (high, low, limbs) = self.parts(place);
        number.add_part(high);
        // A second float of +0 may stand beside −0: it would hide that all terms are −0.
        if low != 0.0 {
            number.add_part(low);
        }
        if let Some(limbs) = limbs {
            number.add_limbs(limbs);
        }
        number.add_count(self.count(place));
        number
    }
}

/// The size of the counts of a call with that many terms, in bytes. Fewer bytes take fewer lines of a cache.
pub(crate) fn count_size(terms: usize) -> usize {
    if u32::try_from(terms).is_ok() { 4 } else { 8 }
}

/// The size of counts that may grow from call to call.
pub(crate) const WIDE_COUNTS: usize = 8;

/// Refuses more places than 32 bits number: natively a table may have them, and there is no memory for their sums.
pub(crate) fn check_places(op: &'static str, places: usize) -> Result<()> {
    if u32::try_from(places).is_ok() { Ok(()) } else { Err(out_of_memory(op, places.saturating_mul(8))) }
}

/// Floats of -0, as many.
fn negative_zeros(op: &'static str, count: usize) -> Result<HostBuffer> {
    let mut floats = UninitBuffer::new(op, 8 * count)?;
    floats.slots().fill(MaybeUninit::new(-0.0f64));
    // SAFETY: every slot was filled.
    Ok(unsafe { floats.assume_filled() })
}

/// Puts that many bytes of 0 in the place of a buffer. Returns the old buffer.
#[inline(never)]
fn renew(op: &'static str, buffer: &mut HostBuffer, len: usize) -> Result<HostBuffer> {
    Ok(std::mem::replace(buffer, HostBuffer::zeroed(op, len)?))
}

/// The limbs of the accumulator with that number, counted from 1.
fn accumulator(limbs: &[i64], number: usize, count: usize) -> Option<&[i64]> {
    let at = number.checked_sub(1)?;
    limbs.get(at * count..(at + 1) * count)
}
