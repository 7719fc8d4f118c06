//! Deferred errors. Some values can only be checked on the GPU: of an index, of divisors, of the range of a histogram. Each operation
//! with such values has a status slot, a few words of a buffer. Its passes write there what is wrong; zeros mean that nothing is wrong.

use std::cell::RefCell;

use crate::error::Error;
use crate::plan::{Addressing, HistogramPlan, NoEdges};

/// Slots for the operations between two flushes, which may be several batches, and slot 0, which never fails.
const SLOTS: u32 = 1024;
/// Words of a slot: `failed` in `shaders/lib/frame.wgsl` says what they are.
const SLOT_WORDS: usize = 4;
/// Bytes of a slot.
pub(crate) const SLOT_BYTES: u64 = 4 * SLOT_WORDS as u64;
/// Bytes of all slots.
pub(crate) const STATUS_BYTES: u64 = SLOTS as u64 * SLOT_BYTES;

/// What is needed to say what was wrong with an operation.
#[expect(clippy::large_enum_variant, reason = "nearly all are the large one")]
pub(crate) enum Recorded {
    /// Index values, and integers that are divided by.
    Index(Addressing),
    /// Edges that follow from the values.
    Edges(HistogramPlan),
}

/// The operations since the last flush that have a slot, one for each from slot 1 on.
#[derive(Default)]
pub(crate) struct Slots(RefCell<Vec<Recorded>>);

impl Slots {
    /// Whether every slot is in use.
    pub(crate) fn are_full(&self) -> bool {
        self.0.borrow().len() as u32 + 1 >= SLOTS
    }

    /// Reserves a slot, and returns its number, which is never 0.
    pub(crate) fn take(&self, operation: Recorded) -> u32 {
        let mut recorded = self.0.borrow_mut();
        recorded.push(operation);
        recorded.len() as u32
    }

    /// The operations that have a slot. Their slots are free again.
    pub(crate) fn drain(&self) -> Vec<Recorded> {
        self.0.take()
    }
}

/// The errors that the words of slot 0 and of those of the operations tell of.
pub(crate) fn faults(words: &[u32], recorded: &[Recorded]) -> Vec<Error> {
    let slots = words.chunks_exact(SLOT_WORDS).skip(1);
    slots.zip(recorded).filter_map(|(slot, recorded)| recorded.fault(slot)).collect()
}

impl Recorded {
    /// The error that the words of its slot tell of; `None` where they say that nothing is wrong.
    fn fault(&self, slot: &[u32]) -> Option<Error> {
        let &[first, low, high, last] = slot else { return None };
        let value = u64::from(high) << 32 | u64::from(low);
        match self {
            // As `shaders/index/validate.wgsl`, `report.wgsl` and `divisors.wgsl` write them: places as complements, so that zeros mean
            // none. As on the CPU, divisors are looked at first.
            Self::Index(plan) if last != 0 => Some(plan.divisor_error(!last as usize)),
            Self::Index(plan) if first != 0 => Some(plan.index_error(!first as usize, value as i64)),
            // As `shaders/histogram/edges.wgsl` writes them: the last word is the number of the column plus one.
            Self::Edges(plan) if last != 0 => {
                let why = match first {
                    1 => NoEdges::NotFinite(f64::from_bits(value)),
                    2 => NoEdges::TooWide,
                    _ => NoEdges::TooMany,
                };
                Some(plan.no_edges_of_extent(last as usize - 1, why))
            }
            Self::Index(_) | Self::Edges(_) => None,
        }
    }
}
