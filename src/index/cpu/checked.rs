//! An index that is checked once and used for many calls.

use std::cell::{Cell, OnceCell};
use std::collections::BinaryHeap;
use std::rc::Rc;

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::{Partition, rely_on};
use crate::index::PartitionedIndex;
use crate::index::cpu::elements::for_each_element;
use crate::index::kernels::{Positions, SKIPPED};
use crate::plan::Addressing;
use crate::{HostBuffer, Result, reserved};

/// A checked position for each index entry, negative values wrapped: below `bound`, or [`SKIPPED`] if `drops`.
pub(crate) struct CheckedIndex {
    /// The positions, as uint32, in row-major order of the index.
    values: Rc<HostBuffer>,
    /// The number of positions of the plan that the index was checked for.
    bound: usize,
    drops: bool,
    /// How many are not skipped.
    kept: OnceCell<usize>,
    /// Whether a scatter has asked for the partition.
    is_used: Cell<bool>,
    /// The entries by ranges of slots. `None` in it: there was no memory.
    partition: OnceCell<Option<PartitionedIndex>>,
}

impl CheckedIndex {
    /// Checked positions, as uint32, in host memory: it counts towards `host_bytes` like that of a tensor.
    ///
    /// # Safety
    /// Each must be below `bound`, or [`SKIPPED`] if `drops`.
    pub(crate) unsafe fn new(values: impl Into<Rc<HostBuffer>>, bound: usize, drops: bool) -> Self {
        Self {
            values: values.into(),
            bound,
            drops,
            kept: OnceCell::new(),
            is_used: Cell::default(),
            partition: OnceCell::new(),
        }
    }

    /// The same index without the entries that another index, with as many entries, drops.
    pub(crate) fn without(&self, op: &'static str, other: &Self) -> Result<Self> {
        let mut values = HostBuffer::copy_of(op, self.values.bytes())?;
        for (position, &other) in values.elements_mut::<u32>().iter_mut().zip(other.values()) {
            if other == SKIPPED {
                *position = SKIPPED;
            }
        }
        // SAFETY: they are those of this index, but for some that are dropped.
        Ok(unsafe { Self::new(values, self.bound, self.drops || other.drops) })
    }

    pub(crate) fn drops(&self) -> bool {
        self.drops
    }

    /// How many entries are not skipped.
    pub(crate) fn kept(&self) -> usize {
        let count = || self.values().iter().filter(|&&position| position != SKIPPED).count();
        *self.kept.get_or_init(count)
    }

    pub(crate) fn values(&self) -> &[u32] {
        self.values.elements()
    }

    /// The positions for a call by `plan`: the plan for which the index was checked, or one with as many entries and at least as many
    /// positions.
    pub(crate) fn positions<'a>(&'a self, plan: &'a Addressing) -> Positions<'a> {
        let positions = self.values();
        rely_on(self.bound <= plan.positions() && positions.len() == plan.index_entries());
        // SAFETY: each is below the index's bound, or `SKIPPED` if entries are skipped.
        unsafe { Positions::of(plan, positions, self.drops) }
    }

    /// The entries by ranges of slots, for a scatter by `plan` whose entries collide in its only loop. `None` if threads gain nothing from a
    /// partition. To make one takes longer than a scatter, so the first call does without.
    pub(crate) fn partition(&self, plan: &Addressing) -> Option<Partition<'_>> {
        let ranges = Cpu.ranges(plan.entries(), self.bound, self.is_used.replace(true));
        if ranges < 2 {
            return None;
        }
        let partition = || PartitionedIndex::new(plan.op().name(), self.values(), self.bound, ranges).ok();
        Some(self.partition.get_or_init(partition).as_ref()?.partition())
    }

    /// Whether two entries of a plan by this index address the same element of the table. Dropped entries address none.
    pub(crate) fn has_duplicates(&self, plan: &Addressing) -> Result<bool> {
        let (op, positions) = (plan.op().name(), self.values());
        // Two entries can address the same element only if they differ in the colliding loop alone.
        if plan.longest_run() <= 1 {
            return Ok(false);
        }
        if plan.loops().len() == 1 || plan.row().len != 1 {
            // It is enough to compare the entries of the index once. A loop around the colliding loop reads the same entries again for
            // another part of the table, so it cannot make two of them collide.
            let slots = positions.iter().filter(|&&position| position != SKIPPED);
            return has_repeats(op, slots.map(|&position| position as usize), plan.positions());
        }
        // The number of an addressed element includes the coordinates in the other loops.
        let mut slots = reserved(op, plan.entries())?;
        for_each_element(plan, positions, &mut |_, slot, _| slots.push(slot));
        has_repeats(op, slots.into_iter(), plan.table_len())
    }
}

/// Whether any number occurs twice. All are below `bound`. `op` is the operator's name, for errors.
fn has_repeats(op: &'static str, slots: impl Iterator<Item = usize>, bound: usize) -> Result<bool> {
    /// The most bits that a bitmap may have for each number. With more bits, a sorted list of the numbers takes less memory.
    const BITS_PER_SLOT: usize = 64;
    // The upper bound: a filtered iterator may give fewer.
    let count = slots.size_hint().1.unwrap_or(usize::MAX);
    if bound / BITS_PER_SLOT <= count {
        let mut seen = reserved::<u64>(op, bound / 64 + 1)?;
        seen.resize(bound / 64 + 1, 0);
        let is_repeat = |slot: usize| {
            let Some(word) = seen.get_mut(slot / 64) else { return false };
            let bit = 1 << (slot % 64);
            std::mem::replace(word, *word | bit) & bit != 0
        };
        return Ok({ slots }.any(is_repeat));
    }
    let mut sorted = reserved(op, count)?;
    sorted.extend(slots);
    // This is rare, so small code matters more than speed: `sort_unstable` would add two kilobytes to the download.
    let sorted = BinaryHeap::from(sorted).into_sorted_vec();
    Ok(sorted.windows(2).any(|pair| pair.first() == pair.last()))
}
