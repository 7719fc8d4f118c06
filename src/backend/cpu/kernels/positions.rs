//! Turns index values into positions: one per entry, counted from 0. Values are checked on the way.
//!
//! An index holds a tuple of values for each entry, one value for each component of the plan (mostly a single one). A position combines
//! the values of a tuple. Where no value is negative, an int32 index of one component is its own positions, and is not copied.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::ops::Range;

use crate::backend::cpu::checked::CheckedIndex;
use crate::backend::cpu::kernels::check::{NO_VALUES, check, fits};
use crate::backend::cpu::kernels::vector::{self, IndexLanes, wrapped};
use crate::backend::cpu::rely_on;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::host::{HostBuffer, reserved};
use crate::plan::{Addressing, Component, OutOfRange};

/// In the place of a position: the entry is left out.
pub const DROPPED: u32 = u32::MAX;

/// How many positions are computed at a time: few enough to stay in the first-level cache, so that no memory is allocated for
/// them.
pub(crate) const WINDOW: usize = 1024;

/// Positions of entries of a plan. Each is below [`Addressing::positions`]. The kernels use them without a check.
#[derive(Clone, Copy)]
pub(crate) struct InBounds<'a>(&'a [u32]);

impl<'a> InBounds<'a> {
    /// Takes positions that were checked.
    ///
    /// # Safety
    /// Each must be below `positions()` of the plan.
    unsafe fn new(positions: &'a [u32]) -> Self {
        Self(positions)
    }

    /// The positions.
    pub(crate) fn as_slice(self) -> &'a [u32] {
        self.0
    }

    /// The positions of a range, or `None` where there are fewer.
    fn get(self, range: Range<usize>) -> Option<Self> {
        self.0.get(range).map(Self)
    }
}

/// The positions of a plan's entries. They are handed out a run at a time.
#[must_use = "index values that are checked late are reported by `verdict`"]
pub(crate) struct Positions<'a> {
    plan: &'a Addressing,
    source: Source<'a>,
    /// Present if values are still to be checked: those of each window are, right before it is used.
    unchecked: Option<Unchecked<'a>>,
    /// The error for the first value that is out of range.
    refused: Option<Error>,
    /// Space for the positions of some entries; not used by a source that has positions already.
    window: &'a mut [MaybeUninit<u32>],
    /// The entries whose positions are ready, by their number in the index.
    held: Range<usize>,
    /// Whether the positions of `held` are the index values themselves and were not written to the window.
    is_direct: bool,
}

/// An index whose values are checked window by window.
struct Unchecked<'a> {
    /// The index, on which its range is noted at the end.
    index: &'a HostBuffer,
    dtype: DType,
    /// The smallest and the largest value so far.
    seen: (i64, i64),
}

/// The bounds of two sets of values together, each as (smallest, largest).
fn union(one: (i64, i64), two: (i64, i64)) -> (i64, i64) {
    (one.0.min(two.0), one.1.max(two.1))
}

/// What positions are made of.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// The positions exist already.
    Ready(InBounds<'a>),
    /// They exist already, with [`DROPPED`] in the place of entries that are left out.
    Partial(&'a [u32]),
    /// The values of an int32 index, and what each value of a tuple addresses.
    Narrow(&'a [i32], &'a [Component]),
    /// The same for an int64 index.
    Wide(&'a [i64], &'a [Component]),
}

impl<'a> Source<'a> {
    /// The values of an index for the plan, which were not checked yet. `dtype` is the index's: int32 or int64.
    fn new(plan: &'a Addressing, index: &'a HostBuffer, dtype: DType) -> Self {
        if plan.index_entries() == 0 {
            // Without entries there is nothing to check.
            return Self::Ready(InBounds(&[]));
        }
        // Reading uninitialised memory below relies on this.
        let width = if dtype == DType::Int64 { 8 } else { 4 };
        rely_on(index.len() == plan.index_len() * width);
        match dtype {
            DType::Int64 => Self::Wide(index.elements(), plan.components()),
            _ => Self::Narrow(index.elements(), plan.components()),
        }
    }

    /// Checks the values of these entries. Returns bounds of them, as `validate::check` does; [`NO_VALUES`] for positions, which need no
    /// check.
    fn check(self, plan: &Addressing, entries: Range<usize>) -> Result<(i64, i64)> {
        let tuple_len = plan.components().len();
        let (first, last) = (entries.start * tuple_len, entries.end * tuple_len);
        match self {
            Self::Ready(_) | Self::Partial(_) => Ok(NO_VALUES),
            Self::Narrow(values, _) => check(plan, values.get(first..last).unwrap_or_default(), first),
            Self::Wide(values, _) => check(plan, values.get(first..last).unwrap_or_default(), first),
        }
    }

    /// The index values as unsigned numbers, which are the positions if no value is negative; or positions that exist already. `None`
    /// for what has another form: values of 64 bits, tuples of other than one value, and positions with entries that are left out.
    fn as_unsigned(self) -> Option<&'a [u32]> {
        match self {
            Self::Ready(InBounds(positions)) => Some(positions),
            Self::Narrow(values, [_]) => Some(bytemuck::cast_slice(values)),
            Self::Partial(_) | Self::Narrow(..) | Self::Wide(..) => None,
        }
    }

    /// The source to use once the values were checked: the index itself if its values are positions, else this one.
    ///
    /// # Safety
    /// Every value must be in range for the plan and at least `smallest`.
    unsafe fn after_check(self, smallest: i64) -> Self {
        match self.as_unsigned().filter(|_| smallest >= 0) {
            // SAFETY: as the caller promises; values that are not negative are positions.
            Some(values) => Self::Ready(unsafe { InBounds::new(values) }),
            None => self,
        }
    }

    /// Checks every value, unless an earlier call has noted a range that fits the plan, and notes the range on the index. Returns the
    /// source to use from now on. `self` must be [`Source::new`] of the same plan, index and dtype.
    fn checked(self, plan: &Addressing, index: &HostBuffer, dtype: DType) -> Result<Self> {
        if let Some(known) = self.known(plan, index, dtype) {
            return Ok(known);
        }
        let range = self.check(plan, 0..plan.index_entries())?;
        // SAFETY: every value was checked, and the range includes all of them.
        unsafe {
            index.note_range(dtype, range);
            Ok(self.after_check(range.0))
        }
    }

    /// The source to use where an earlier call has noted a range of the index that fits this plan, so that nothing need be checked;
    /// else `None`.
    fn known(self, plan: &Addressing, index: &HostBuffer, dtype: DType) -> Option<Self> {
        let range = index.range(dtype).filter(|&range| fits(plan, range))?;
        // SAFETY: the noted range includes every value, because it is forgotten whenever the bytes are lent for writing.
        Some(unsafe { self.after_check(range.0) })
    }

    /// Writes the positions of entries, beginning with entry `from`, until the slots are full. The values must have been checked: the
    /// positions of others are meaningless numbers.
    fn fill(self, from: usize, slots: &mut [MaybeUninit<u32>]) {
        match self {
            Self::Ready(InBounds(positions)) | Self::Partial(positions) => {
                for (slot, &position) in slots.iter_mut().zip(positions.get(from..).unwrap_or_default()) {
                    slot.write(position);
                }
            }
            Self::Narrow(values, components) => fold(values, components, from, slots),
            Self::Wide(values, components) => fold(values, components, from, slots),
        }
    }
}

/// Writes the position of each tuple of values, beginning with tuple `from`, until the slots are full: the sum of its values, negative
/// ones wrapped, each times the stride of its component. The values must have been checked; positions then fit 32 bits.
fn fold<T: IndexLanes>(values: &[T], components: &[Component], from: usize, slots: &mut [MaybeUninit<u32>]) {
    let values = values.get(from * components.len()..).unwrap_or_default();
    let numbers = |component: &Component| (component.bound as u32, component.stride as u32);
    match components {
        // Empty tuples: each names the whole table, which is the only position.
        [] => slots.fill(MaybeUninit::new(0)),
        // The stride of an only component is 1.
        [only] => vector::wrap(values, only.bound as u32, slots),
        [first, second] => vector::wrap_pairs(values, [numbers(first), numbers(second)], slots),
        _ => {
            for (slot, tuple) in slots.iter_mut().zip(values.chunks_exact(components.len())) {
                let parts = tuple.iter().zip(components);
                slot.write(parts.fold(0u32, |sum, (&value, component)| {
                    let (bound, stride) = numbers(component);
                    sum.wrapping_add(wrapped(value, bound).wrapping_mul(stride))
                }));
            }
        }
    }
}

impl<'a> Positions<'a> {
    /// Checks every index value before the first position is handed out. `window` is space to work in, of [`WINDOW`] slots.
    ///
    /// # Errors
    /// `IndexError` for the first value, in row-major order, that is out of range.
    pub(crate) fn checked(
        plan: &'a Addressing,
        index: &'a HostBuffer,
        dtype: DType,
        window: &'a mut [MaybeUninit<u32>],
    ) -> Result<Self> {
        let source = Source::new(plan, index, dtype).checked(plan, index, dtype)?;
        Ok(Self { window, ..Self::of(plan, source) })
    }

    /// Checks the values of each window right before it is used, which saves reading a long index twice. From the window with the
    /// first value that is out of range on there are no positions, so results must stay hidden until `verdict` has returned.
    /// `window` is space to work in, of [`WINDOW`] slots.
    pub(crate) fn checking(
        plan: &'a Addressing,
        index: &'a HostBuffer,
        dtype: DType,
        window: &'a mut [MaybeUninit<u32>],
    ) -> Self {
        let source = Source::new(plan, index, dtype);
        if let Some(known) = source.known(plan, index, dtype) {
            return Self { window, ..Self::of(plan, known) };
        }
        let unchecked = Some(Unchecked { index, dtype, seen: NO_VALUES });
        Self { window, unchecked, ..Self::of(plan, source) }
    }

    /// The positions of an index that was checked before, for this plan or for one with at most as many positions.
    pub(crate) fn ready(plan: &'a Addressing, index: &'a CheckedIndex) -> Self {
        let positions = index.values();
        rely_on(index.bound() <= plan.positions() && positions.len() == plan.index_entries());
        let source = if index.drops() {
            Source::Partial(positions)
        } else {
            // SAFETY: each is below the index's bound, which is at most the plan's.
            Source::Ready(unsafe { InBounds::new(positions) })
        };
        Self::of(plan, source)
    }

    /// The positions that a source gives without any check. A source of index values needs a window too.
    fn of(plan: &'a Addressing, source: Source<'a>) -> Self {
        let window = &mut [];
        Self { plan, source, unchecked: None, refused: None, window, held: 0..0, is_direct: false }
    }

    /// Reports whether all values are in range, to be called after the last position was used. It checks those too whose positions
    /// nothing asked for, because a walk ends early where a row has no elements.
    ///
    /// # Errors
    /// `IndexError` for the first value, in row-major order, that is out of range.
    pub(crate) fn verdict(self) -> Result<()> {
        if let Some(error) = self.refused {
            return Err(error);
        }
        if let Some(Unchecked { index, dtype, seen }) = self.unchecked {
            let rest = self.source.check(self.plan, self.held.end..self.plan.index_entries())?;
            // SAFETY: the windows before and the rest are all values of the index.
            unsafe { index.note_range(dtype, union(seen, rest)) };
        }
        Ok(())
    }

    /// The plan whose entries the positions are for.
    pub(crate) fn plan(&self) -> &'a Addressing {
        self.plan
    }

    /// The most entries whose positions may be asked for at a time.
    pub(crate) fn most(&self) -> usize {
        match self.source {
            Source::Ready(_) | Source::Partial(_) => usize::MAX,
            Source::Narrow(..) | Source::Wide(..) => self.window.len(),
        }
    }

    /// The positions of all entries of the index, if they exist already and no entry is left out; else `None`.
    pub(crate) fn whole(&self) -> Option<&'a [u32]> {
        let Source::Ready(positions) = self.source else { return None };
        Some(positions.as_slice())
    }

    /// Of the `len` entries of the index from entry `from` on, how many are left out at the beginning, and the positions of those
    /// after them, up to the next entry that is left out or to the last of the `len`. So one call returns all positions where no
    /// entry is left out; else the caller goes on behind the positions. `None` where a value is out of range. `len` is at most
    /// [`Positions::most`], and `from + len` at most the number of entries of the index.
    pub(crate) fn get(&mut self, from: usize, len: usize) -> Option<(usize, InBounds<'_>)> {
        let Source::Partial(positions) = self.source else { return Some((0, self.all(from, len)?)) };
        let positions = positions.get(from..from + len)?;
        let is_kept = |&position: &u32| position != DROPPED;
        let skipped = positions.iter().position(is_kept).unwrap_or(len);
        let (_, positions) = positions.split_at_checked(skipped)?;
        let kept = positions.split(|&position| position == DROPPED).next().unwrap_or_default();
        // SAFETY: each that is not left out is below the index's bound: see `ready`.
        Some((skipped, unsafe { InBounds::new(kept) }))
    }

    /// Whether entries are left out.
    pub(crate) fn drops(&self) -> bool {
        matches!(self.source, Source::Partial(_))
    }

    /// The positions of `len` entries of the index from entry `from` on, of a source that leaves none out; `None` where a value is out of
    /// range.
    fn all(&mut self, from: usize, len: usize) -> Option<InBounds<'_>> {
        if let Source::Ready(positions) = self.source {
            return positions.get(from..from + len);
        }
        if from < self.held.start || from + len > self.held.end {
            // A multiple of `len`, so that the next request of as many entries ends within the window.
            let count = self.window.len() / len.max(1) * len;
            self.hold(from..self.plan.index_entries().min(from + count))?;
        }
        if self.is_direct {
            let positions = self.source.as_unsigned()?.get(from..from + len)?;
            // SAFETY: `hold` has checked these values, and none is negative.
            return Some(unsafe { InBounds::new(positions) });
        }
        let at = from - self.held.start;
        let positions = self.window.get(at..at + len)?;
        // SAFETY: `fill` has written the slots of the entries that are held, as the index has the values of every entry
        // (`Source::new`), and the entries asked for are among them. The values were checked, by `hold` or before.
        Some(unsafe { InBounds::new(positions.assume_init_ref()) })
    }

    /// Makes the positions of entries ready, no more than the window has slots; their values are checked first if they are still to be.
    /// `None` where one is out of range: the error is then kept for `verdict`, and nothing is held.
    #[inline(never)]
    fn hold(&mut self, entries: Range<usize>) -> Option<()> {
        self.held = 0..0;
        self.is_direct = false;
        if let Some(unchecked) = &mut self.unchecked {
            match self.source.check(self.plan, entries.clone()) {
                Ok(range) => {
                    unchecked.seen = union(unchecked.seen, range);
                    self.is_direct = range.0 >= 0 && self.source.as_unsigned().is_some();
                }
                Err(error) => {
                    self.refused.get_or_insert(error);
                    return None;
                }
            }
        }
        if !self.is_direct {
            self.source.fill(entries.start, self.window.get_mut(..entries.len())?);
        }
        self.held = entries;
        Some(())
    }
}

/// One position per entry of the index of `dtype` (int32 or int64), by a mode that refuses nothing; [`DROPPED`] for entries that are left
/// out. The index must have the values of every entry.
///
/// # Errors
/// `RuntimeError` when memory is exhausted.
pub(crate) fn resolve(
    plan: &Addressing,
    index: &HostBuffer,
    dtype: DType,
    mode: OutOfRange,
) -> Result<Vec<u32>> {
    let entries = plan.index_entries();
    let mut positions = reserved(plan.op().name(), entries)?;
    let tuple_len = plan.components().len();
    // The same bytes in both widths; `dtype` says which of them is read.
    let (narrow, wide): (&[i32], &[i64]) = (index.elements(), index.elements());
    let value = |at: usize| match dtype {
        DType::Int64 => wide.get(at).copied(),
        _ => narrow.get(at).map(|&value| value.into()),
    };
    for entry in 0..entries {
        let tuple = (entry * tuple_len..(entry + 1) * tuple_len).filter_map(value).zip(plan.components());
        let parts = tuple.map(|(value, component)| mode.position(value, *component));
        // The sum is `None` where the mode gives no position to one of the values.
        positions.push(parts.sum::<Option<u32>>().unwrap_or(DROPPED));
    }
    Ok(positions)
}

/// One position per entry of the index of `dtype` (int32 or int64). Borrows the index if its values are the positions.
///
/// # Errors
/// `IndexError` for the first value, in row-major order, that is out of range; `RuntimeError` when memory is
/// exhausted.
pub fn normalise<'a>(plan: &'a Addressing, index: &'a HostBuffer, dtype: DType) -> Result<Cow<'a, [u32]>> {
    let source = Source::new(plan, index, dtype).checked(plan, index, dtype)?;
    if let Source::Ready(InBounds(positions)) = source {
        return Ok(Cow::Borrowed(positions));
    }
    let entries = plan.index_entries();
    let mut positions = reserved(plan.op().name(), entries)?;
    source.fill(0, positions.spare_capacity_mut().get_mut(..entries).unwrap_or_default());
    // SAFETY: `fill` writes every slot, as the index has the values of every entry (`Source::new`).
    unsafe { positions.set_len(entries) };
    Ok(Cow::Owned(positions))
}
