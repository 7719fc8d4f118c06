//! From index values, which were checked, to positions: one per entry, from 0.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::ops::Range;

use crate::backend::cpu::validate::check;
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{Component, IndexPlan};
use crate::storage::{HostBuffer, out_of_memory};

/// Positions that are made at a time: few enough to stay in the nearest cache, so that no memory is needed for them.
pub(super) const WINDOW: usize = 1024;

/// The positions of a call's entries.
pub(super) struct Positions<'a> {
    source: Source<'a>,
    entries: usize,
    window: &'a mut [MaybeUninit<u32>],
    /// The entries whose positions the window has.
    held: Range<usize>,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    /// The index itself is what is wanted.
    Ready(&'a [u32]),
    Narrow(&'a [i32], &'a [Component]),
    Wide(&'a [i64], &'a [Component]),
}

impl<'a> Source<'a> {
    fn new(plan: &'a IndexPlan, index: &'a HostBuffer, dtype: DType) -> Result<Self> {
        let components = plan.components();
        if plan.entries() == 0 {
            return Ok(Self::Ready(&[]));
        }
        // What the uninitialised memory below relies on, whatever calls this.
        assert!(index.bytes().len() == plan.index_len() * dtype.size());
        if dtype == DType::Int64 {
            let values = index.elements();
            check::<i64>(plan, values)?;
            return Ok(Self::Wide(values, components));
        }
        let values = index.elements();
        let smallest = check::<i32>(plan, values)?;
        if components.len() == 1 && smallest >= 0 {
            return Ok(Self::Ready(index.elements()));
        }
        Ok(Self::Narrow(values, components))
    }

    /// Writes the positions of the entries from that one on, as many as there is room for.
    fn fill(self, from: usize, slots: &mut [MaybeUninit<u32>]) {
        match self {
            Self::Ready(positions) => {
                for (slot, &position) in slots.iter_mut().zip(positions.get(from..).unwrap_or_default()) {
                    slot.write(position);
                }
            }
            Self::Narrow(values, components) => fold(values, |value| [value; 2], components, from, slots),
            Self::Wide(values, components) => {
                fold(bytemuck::cast_slice(values), |halves: [i32; 2]| halves, components, from, slots);
            }
        }
    }
}

/// Wraps negative values, and folds tuples. Every position fits 32 bits, so the low `halves` of the values are
/// enough, and the signs of the high ones.
fn fold<T: Copy>(
    values: &[T],
    halves: impl Fn(T) -> [i32; 2],
    components: &[Component],
    from: usize,
    slots: &mut [MaybeUninit<u32>],
) {
    let wrap = |value: T, bound: usize| {
        let [low, high] = halves(value);
        (low as u32).wrapping_add(bound as u32 & (high >> 31) as u32)
    };
    let values = values.get(from * components.len()..).unwrap_or_default();
    match *components {
        [] => slots.fill(MaybeUninit::new(0)),
        [only] => {
            for (slot, &value) in slots.iter_mut().zip(values) {
                slot.write(wrap(value, only.bound));
            }
        }
        _ => {
            for (slot, tuple) in slots.iter_mut().zip(values.chunks_exact(components.len())) {
                let parts = tuple.iter().zip(components);
                slot.write(parts.fold(0u32, |sum, (&value, component)| {
                    sum.wrapping_add(wrap(value, component.bound).wrapping_mul(component.stride as u32))
                }));
            }
        }
    }
}

impl<'a> Positions<'a> {
    /// Looks at every index value.
    ///
    /// # Errors
    /// `IndexError` for the first value, in row-major order, that is out of range.
    pub(super) fn new(
        plan: &'a IndexPlan,
        index: &'a HostBuffer,
        dtype: DType,
        window: &'a mut [MaybeUninit<u32>],
    ) -> Result<Self> {
        let source = Source::new(plan, index, dtype)?;
        Ok(Self { source, entries: plan.entries(), window, held: 0..0 })
    }

    /// Those of an index that was checked before.
    pub(super) fn ready(positions: &'a [u32]) -> Self {
        Self { source: Source::Ready(positions), entries: positions.len(), window: &mut [], held: 0..0 }
    }

    /// How many entries there are.
    pub(super) fn entries(&self) -> usize {
        self.entries
    }

    /// How many entries may be asked for at a time.
    pub(super) fn most(&self) -> usize {
        match self.source {
            Source::Ready(_) => usize::MAX,
            Source::Narrow(..) | Source::Wide(..) => self.window.len(),
        }
    }

    /// The positions of `len` entries, at most `most()` and those that there are.
    pub(super) fn get(&mut self, from: usize, len: usize) -> &[u32] {
        if let Source::Ready(positions) = self.source {
            return positions.get(from..from + len).unwrap_or_default();
        }
        if from < self.held.start || from + len > self.held.end {
            let count = self.window.len().min(self.entries.saturating_sub(from));
            self.source.fill(from, self.window.get_mut(..count).unwrap_or_default());
            self.held = from..from + count;
        }
        let at = from - self.held.start;
        let positions = self.window.get(at..at + len).unwrap_or_default();
        // SAFETY: `held` is what `fill` has written, as the index has the values of every entry (`Source::new`),
        // and the entries asked for are among those held.
        unsafe { positions.assume_init_ref() }
    }
}

/// One position per index entry. Borrows where the data already is that.
///
/// # Errors
/// `IndexError` for the first value, in row-major order, that is out of range; `RuntimeError` when memory is
/// exhausted.
pub fn normalise<'a>(plan: &'a IndexPlan, index: &'a HostBuffer, dtype: DType) -> Result<Cow<'a, [u32]>> {
    let source = Source::new(plan, index, dtype)?;
    if let Source::Ready(positions) = source {
        return Ok(Cow::Borrowed(positions));
    }
    let mut positions: Vec<u32> = Vec::new();
    let entries = plan.entries();
    let no_memory = |_| out_of_memory(plan.op().name(), entries * size_of::<u32>());
    positions.try_reserve_exact(entries).map_err(no_memory)?;
    source.fill(0, positions.spare_capacity_mut().get_mut(..entries).unwrap_or_default());
    // SAFETY: `fill` writes every slot, as the index has the values of every entry (`Source::new`).
    unsafe { positions.set_len(entries) };
    Ok(Cow::Owned(positions))
}
