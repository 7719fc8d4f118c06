//! Deferred errors. The GPU alone can check some values: index values, divisors, the range of a histogram. Each operation with such
//! values has a status slot, a few words of a buffer. Its passes write a fault there. Zeros mean no fault.

use std::cell::RefCell;

use crate::Error;

/// Slots for all operations between two flushes, which may span several batches, and slot 0, which never fails.
const SLOTS: u32 = 1024;
/// Words of a slot. `failed` in `shaders/lib/frame.wgsl` describes them.
const SLOT_WORDS: usize = 4;
pub(crate) const SLOT_BYTES: u64 = 4 * SLOT_WORDS as u64;
pub(crate) const STATUS_BYTES: u64 = SLOTS as u64 * SLOT_BYTES;

/// What the passes of an operation wrote into its slot. Zeros mean no fault. Positions are stored as `!position`, so that a zero word means no
/// fault too.
#[derive(Clone, Copy)]
pub(crate) struct Fault {
    /// The first word: in most operations the position of the first wrong value.
    pub(crate) first: u32,
    /// Two words: in most operations that value.
    pub(crate) value: u64,
    pub(crate) last: u32,
}

/// The error of an operation for what its passes wrote; `None` for zeros.
pub(crate) type ToError = Box<dyn Fn(Fault) -> Option<Error>>;

/// The operations since the last flush that have a slot. Operation i has slot i + 1.
#[derive(Default)]
pub(crate) struct Slots(RefCell<Vec<ToError>>);

impl Slots {
    pub(crate) fn are_full(&self) -> bool {
        self.0.borrow().len() as u32 + 1 >= SLOTS
    }

    /// Reserves a slot, and returns its number, which is never 0.
    pub(crate) fn take(&self, to_error: ToError) -> u32 {
        let mut recorded = self.0.borrow_mut();
        recorded.push(to_error);
        recorded.len() as u32
    }

    /// Takes the operations that have a slot, and frees their slots.
    pub(crate) fn drain(&self) -> Vec<ToError> {
        self.0.take()
    }
}

/// The errors in the words of slot 0 and of the operations' slots.
pub(crate) fn faults(words: &[u32], to_errors: &[ToError]) -> Vec<Error> {
    let slots = words.chunks_exact(SLOT_WORDS).skip(1);
    let faults = slots.zip(to_errors).filter_map(|(slot, to_error)| {
        let &[first, low, high, last] = slot else { return None };
        to_error(Fault { first, value: u64::from(high) << 32 | u64::from(low), last })
    });
    faults.collect()
}
