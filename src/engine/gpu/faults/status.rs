//! Deferred errors. The GPU alone can check some values: index values, divisors, the range of a histogram. Each operation with such
//! values has a status slot, a few words of a buffer. Its passes write a fault there. Zeros mean no fault.

use std::cell::RefCell;

use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::error::Error;
use crate::histograms::plan::bincount::BincountPlan;
use crate::histograms::plan::histogram::{HistogramPlan, NoEdges, WrongEdge};
use crate::plan::index::addressing::Addressing;
use crate::segments::plan::GivenSegments;

/// Slots for all operations between two flushes, which may span several batches, and slot 0, which never fails.
const SLOTS: u32 = 1024;
/// Words of a slot. `failed` in `shaders/lib/frame.wgsl` describes them.
const SLOT_WORDS: usize = 4;
/// Bytes of a slot.
pub(crate) const SLOT_BYTES: u64 = 4 * SLOT_WORDS as u64;
/// Bytes of all slots.
pub(crate) const STATUS_BYTES: u64 = SLOTS as u64 * SLOT_BYTES;

/// The facts for an operation's error.
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all are the large one, which is smaller where addresses have 32 bits"
)]
pub(crate) enum Recorded {
    /// Index values, and integer divisors.
    Index(Addressing),
    /// Integer divisors of an operation on two tensors.
    Divisors(BroadcastPlan),
    /// Values that are counted.
    Values(BincountPlan),
    /// Given edges of a column, whose number follows.
    GivenEdges(HistogramPlan, usize),
    /// Lengths or offsets of segments.
    Segments(GivenSegments),
    /// Edges that depend on the samples.
    Edges(HistogramPlan),
    /// Edges that elements are searched in.
    #[cfg(feature = "sort")]
    Search(crate::sort::plan::SearchPlan),
}

/// The operations since the last flush that have a slot. Operation i has slot i + 1.
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

    /// Takes the operations that have a slot, and frees their slots.
    pub(crate) fn drain(&self) -> Vec<Recorded> {
        self.0.take()
    }
}

/// The errors in the words of slot 0 and of the operations' slots.
pub(crate) fn faults(words: &[u32], recorded: &[Recorded]) -> Vec<Error> {
    let slots = words.chunks_exact(SLOT_WORDS).skip(1);
    slots.zip(recorded).filter_map(|(slot, recorded)| recorded.fault(slot)).collect()
}

impl Recorded {
    /// The error in the words of a slot; `None` if the words are zeros.
    fn fault(&self, slot: &[u32]) -> Option<Error> {
        let &[first, low, high, last] = slot else { return None };
        let value = u64::from(high) << 32 | u64::from(low);
        match self {
            // `shaders/index/validate.wgsl`, `report.wgsl` and `divisors.wgsl` write these words. Places are complements, so that zeros
            // mean no fault. Like the CPU, check the divisors first.
            Self::Index(plan) if last != 0 => Some(plan.divisor_error(!last as usize)),
            Self::Index(plan) if first != 0 => Some(plan.index_error(!first as usize, value as i64)),
            Self::Divisors(plan) if last != 0 => Some(plan.divisor_error(!last as usize)),
            // `shaders/histograms/tally.wgsl` and `tally_report.wgsl` write these words.
            Self::Values(plan) if first != 0 => Some(plan.negative(!first as usize, value as i64)),
            // `shaders/histograms/check_edges.wgsl` writes these words. The last word is the reason.
            Self::GivenEdges(plan, column) if first != 0 => {
                let why = match last {
                    1 => WrongEdge::NotANumber,
                    2 => WrongEdge::Decreases,
                    _ => WrongEdge::TooLarge,
                };
                Some(plan.wrong_edge(*column, !first as usize, f64::from_bits(value), why))
            }
            // `shaders/segments/segment_check.wgsl` writes these words. The last word is the row at which the segment begins.
            Self::Segments(given) if first != 0 => {
                Some(given.fault(!first as usize, value as i64, last.into()))
            }
            // `shaders/histograms/edges.wgsl` writes these words. The last word is the column's number plus one.
            Self::Edges(plan) if last != 0 => {
                let why = match first {
                    1 => NoEdges::NotFinite(f64::from_bits(value)),
                    2 => NoEdges::TooWide,
                    _ => NoEdges::TooMany,
                };
                Some(plan.no_edges_of_extent(last as usize - 1, why))
            }
            // `shaders/sort/search_check.wgsl` writes these words.
            #[cfg(feature = "sort")]
            Self::Search(plan) if first != 0 => Some(plan.unsorted(!first as usize, value)),
            _ => None,
        }
    }
}
