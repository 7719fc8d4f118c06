//! Exact sums: the memory that the loops of `exact/kernels/sums.rs` work with, and the end, where each slot is rounded.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::exact::arithmetic::limbs::Unit;
use crate::exact::arithmetic::number::ExactNumber;
use crate::exact::kernels::sums::{Counts, MOST_PENDING, Spilled, Sums, Tally, View};
use crate::exact::kernels::terms::ExactTerms;
use crate::host::out_of_memory;
use crate::index::kernels::walker::Elements;
use crate::plan::{Mean, Update};
use crate::{Bits, DType, HostBuffer, Result, Scalar, UninitBuffer, load};

/// The exact sums of some slots.
pub(crate) struct ExactSums {
    pub(crate) op: &'static str,
    pub(crate) dtype: DType,
    /// A float64 for each slot.
    pub(crate) high: HostBuffer,
    /// A second float64 for each slot; empty if slots have only one.
    pub(crate) low: HostBuffer,
    /// The number of terms of each slot, of `count_size` bytes; empty if terms are not counted.
    pub(crate) counts: HostBuffer,
    pub(crate) count_size: usize,
    /// For each slot the number of its accumulator, as uint32; empty until one is needed.
    pub(crate) numbers: HostBuffer,
    /// Accumulators, as int64.
    limbs: HostBuffer,
    pub(crate) tally: Tally,
}

/// How many terms are added at a time: not so many that an adversarial call would find out late that most of its terms are spilled.
pub(crate) const PART: usize = 4 * FEW;

/// Each slot gets an accumulator if all of them take at most this many bytes. More do not fit a cache, and second floats are faster.
const DENSE_BYTES: usize = 8 << 20;

/// `adapt` changes nothing before more terms than this were spilled.
const FEW: usize = 1024;

impl ExactSums {
    /// The sums of no terms. `count_size` is the size of the counts of terms in bytes: see [`count_size`]; 0 if terms are not counted.
    #[inline(never)]
    pub(crate) fn new(op: &'static str, dtype: DType, slots: usize, count_size: usize) -> Result<Box<Self>> {
        check_slots(op, slots)?;
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
            tally: Tally::default(),
        });
        sums.high = negative_zeros(op, slots)?;
        if dtype == DType::Float64 {
            sums.add_second_floats()?;
        }
        renew(op, &mut sums.counts, count_size * slots)?;
        Ok(sums)
    }

    pub(crate) fn slots(&self) -> usize {
        self.high.len() / 8
    }

    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    /// The size of the counts of terms in bytes, as [`ExactSums::new`] takes it.
    pub(crate) fn count_size(&self) -> usize {
        self.count_size
    }

    /// The number of terms of a slot; 0 where they are not counted.
    pub(crate) fn count(&self, slot: usize) -> u64 {
        if self.count_size == 4 {
            self.counts.elements::<u32>().get(slot).map_or(0, |&count| count.into())
        } else {
            self.counts.elements().get(slot).copied().unwrap_or(0)
        }
    }

    /// The accumulators of a call of `terms` terms, or `None` if its sums are not exact.
    pub(crate) fn of_call(
        op: &'static str,
        dtype: DType,
        slots: usize,
        call: (Update, usize),
        table: &[u8],
    ) -> Result<Option<Box<Self>>> {
        call.0.is_exact(dtype).then(|| Self::begun(op, dtype, slots, call, table)).transpose()
    }

    /// The accumulators of a call: they begin with the elements of `table` if self counts, else with nothing.
    pub(crate) fn begun(
        op: &'static str,
        dtype: DType,
        slots: usize,
        (update, terms): (Update, usize),
        table: &[u8],
    ) -> Result<Box<Self>> {
        let is_counted = update.is_mean() || !update.include_self;
        let mut sums = Self::new(op, dtype, slots, if is_counted { count_size(terms) } else { 0 })?;
        if update.include_self {
            sums.begin(table);
        }
        Ok(sums)
    }

    /// Writes the sums or means of a scatter to its table. A slot that no term came to keeps its bits.
    pub(crate) fn finish_call(&self, update: Update, table: &mut [u8]) {
        if self.counts.len() == 0 {
            return self.finish_sums(table);
        }
        self.finish(table, &|slot| match (self.count(slot), update.mean) {
            (0, _) => None,
            (_, Mean::No) => Some(1),
            (count, Mean::OfUpdates) => Some(count),
            (count, Mean::WithSelf) => Some(count + 1),
        });
    }

    /// Adds the element with these bits to a slot. Returns the sum so far, rounded once.
    pub(crate) fn add_one(&mut self, slot: usize, bits: Bits) -> Result<Bits> {
        self.add(&[slot as u32], &[Scalar::load(bits, self.dtype).as_f64()])?;
        Ok(self.view().quotient(self.dtype, slot, 1))
    }

    /// The number of terms of each slot, as int64.
    pub(crate) fn copy_of_counts(&self) -> Result<HostBuffer> {
        let mut copy = HostBuffer::zeroed(self.op, 8 * self.slots())?;
        copy.elements_mut::<u64>().iter_mut().enumerate().for_each(|(slot, count)| *count = self.count(slot));
        Ok(copy)
    }

    /// Adds each term to its slot. A slot that does not exist takes none. There are as many terms as slots, or more.
    /// On an error some of the terms were added.
    pub(crate) fn add(&mut self, slots: &[u32], terms: &[f64]) -> Result<()> {
        let elements = Elements::List { slots, is_single: false };
        self.add_range(
            &ExactTerms::new(DType::Float64, bytemuck::cast_slice(terms), elements),
            0..slots.len(),
        )
    }

    /// Adds the terms of a range. Ranges may be added in any order, and to several sums, which [`ExactSums::merge`] makes one.
    ///
    /// On an error some of the terms were added.
    pub(crate) fn add_range(&mut self, terms: &ExactTerms<'_>, range: Range<usize>) -> Result<()> {
        let mut at = range.start;
        while at < range.end {
            let part = PART.min(range.end - at);
            let added = terms.add(at..at + part, &mut self.lend());
            self.note(added, part)?;
            at += added;
        }
        Ok(())
    }

    /// Takes note of how many terms of a part were added, and does what that asks for: carries, more accumulators where the part stopped, another
    /// way to add.
    pub(crate) fn note(&mut self, added: usize, part: usize) -> Result<()> {
        if self.tally.pending > MOST_PENDING {
            self.carry();
        }
        if added < part { self.grow() } else { self.adapt() }
    }

    /// The memory, as the loops take it.
    pub(crate) fn lend(&mut self) -> Sums<'_> {
        let (numbers, limbs) = (self.numbers.elements_mut(), self.limbs.elements_mut());
        let spilled = Spilled { numbers, limbs, tally: &mut self.tally };
        let counts = match self.count_size {
            0 => Counts::None,
            4 => Counts::Narrow(self.counts.elements_mut()),
            _ => Counts::Wide(self.counts.elements_mut()),
        };
        let (high, low) = (self.high.elements_mut(), self.low.elements_mut());
        Sums { unit: Unit::of(self.dtype), high, low, counts, spilled }
    }

    /// The same, to read.
    pub(crate) fn view(&self) -> View<'_> {
        let floats = [self.high.elements(), self.low.elements()];
        View::new(Unit::of(self.dtype), floats, self.numbers.elements(), self.limbs.elements())
    }

    /// The sum of a slot, with its count. Terms must be counted, and `carry` must have followed the last `add`.
    pub(crate) fn number(&self, slot: usize) -> ExactNumber {
        let mut number = self.view().number(self.dtype, slot);
        number.add_count(self.count(slot));
        number
    }

    /// Allocates numbers where there are none, else twice as many accumulators.
    pub(crate) fn grow(&mut self) -> Result<()> {
        let slots = self.slots();
        if self.numbers.len() == 0 {
            renew(self.op, &mut self.numbers, 4 * slots)?;
        }
        let len = (2 * self.limbs.len()).max(64 * 8 * Unit::of(self.dtype).limbs());
        let old = renew(self.op, &mut self.limbs, len)?;
        self.limbs.bytes_mut().get_mut(..old.len()).unwrap_or_default().copy_from_slice(old.bytes());
        Ok(())
    }

    /// Gives each slot a second float.
    #[inline(never)]
    fn add_second_floats(&mut self) -> Result<()> {
        self.low = negative_zeros(self.op, self.slots())?;
        Ok(())
    }

    /// Changes how terms are added if too many were spilled: each slot gets a second float, which is enough for exponents that are up to some
    /// 60 apart. If it is not, all terms go to accumulators, if these fit a cache.
    fn adapt(&mut self) -> Result<()> {
        if self.tally.is_dense || !self.tally.has_many(FEW) {
            return Ok(());
        }
        if self.low.len() == 0 {
            (self.tally.spilled, self.tally.terms) = (0, 0);
            return self.add_second_floats();
        }
        let (unit, slots) = (Unit::of(self.dtype), self.slots());
        let dense = slots.saturating_mul(8 * unit.limbs());
        if dense > DENSE_BYTES {
            return Ok(());
        }
        let limbs = renew(self.op, &mut self.limbs, dense)?;
        let numbers = renew(self.op, &mut self.numbers, 4 * slots)?;
        (self.tally.used, self.tally.is_dense) = (0, true);
        let (old, mut sums) = (View::new(unit, [&[]; 2], numbers.elements(), limbs.elements()), self.lend());
        for slot in 0..slots {
            if let (_, Some(limbs)) = old.parts(slot) {
                sums.spilled.own(unit, slot).into_iter().for_each(|own| own.copy_from_slice(limbs));
            }
        }
        sums.make_direct();
        Ok(())
    }

    /// Does all carries that are due.
    pub(crate) fn carry(&mut self) {
        self.lend().carry();
    }

    /// Begins each slot with an element of `bytes`, as one term.
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
}

/// The size of the counts of a call with that many terms, in bytes. Fewer bytes take fewer lines of a cache.
pub(crate) fn count_size(terms: usize) -> usize {
    if u32::try_from(terms).is_ok() { 4 } else { 8 }
}

/// The size of counts that may grow from call to call.
pub(crate) const WIDE_COUNTS: usize = 8;

/// Refuses more slots than 32 bits number: natively a table may have them, and there is no memory for their sums.
pub(crate) fn check_slots(op: &'static str, slots: usize) -> Result<()> {
    if u32::try_from(slots).is_ok() { Ok(()) } else { Err(out_of_memory(op, slots.saturating_mul(8))) }
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
