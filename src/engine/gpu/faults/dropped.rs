//! Detects batches whose work cannot be relied on.
//!
//! The first workgroup of every dispatch adds its thread count to a word of the status buffer (`shaders/lib/frame.wgsl`). Each batch
//! ends with a dispatch that does only this. So the word counts all work since the device's start, and the host knows the count that
//! each batch must reach. Every read-back contains the count. If a driver drops a dispatch or a submission, or gives up a batch without
//! an error, the count stays too low, and the next read detects it.

use std::cell::{Cell, RefCell};

use crate::{Error, ErrorClass, ErrorCode};

/// Why the work of a batch cannot be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The platform had no memory for a buffer of the batch.
    NoMemory,
    /// A part of the batch did not run.
    Unfinished,
    /// A pipeline's arithmetic differed from the CPU's.
    Arithmetic,
}

impl Cause {
    /// The error of a read in an unreliable batch, and of a call that uses a buffer that the batch wrote.
    pub(crate) fn error(self, op: &'static str) -> Error {
        let (code, text) = match self {
            Self::NoMemory => (
                ErrorCode::OutOfMemory,
                "the GPU had no memory for an operand of a call in the same batch, so the batch was not run; \
                 dispose() of tensors that you no longer need, then recompute everything since the last read",
            ),
            Self::Unfinished => (
                ErrorCode::WorkLost,
                "the GPU left work undone, after an error that an earlier call has reported, or without one, as some drivers \
                 do when work takes too long or another program disturbs it; recompute everything since the last read, in \
                 smaller steps if it happens again, or use set_device('cpu')",
            ),
            Self::Arithmetic => (
                ErrorCode::UnreliableArithmetic,
                "the GPU's own float32 arithmetic gave other bits than the CPU's in a trial that ran beside the call; the same call \
                 computes products in integers from now on: recompute everything since the last read",
            ),
        };
        Error::new(ErrorClass::Runtime, code, op, text)
    }
}

/// A range of unreliable batches, first and last. A batch in it was dropped, or may have read the results of a dropped batch.
struct Range {
    first: u64,
    last: u64,
    cause: Cause,
}

/// Which batches of a device have ended, and which cannot be relied on.
#[derive(Default)]
pub(crate) struct Dropped {
    ranges: RefCell<Vec<Range>>,
    /// The last batch that has certainly run to its end.
    finished: Cell<u64>,
    /// The last batch that was dropped for lack of memory.
    refused: Cell<u64>,
    /// The device may report errors of that batch until a batch after this one has run to its end.
    explained: Cell<u64>,
}

impl Dropped {
    /// Marks all batches from `first` to `last` as unreliable.
    pub(crate) fn note(&self, first: u64, last: u64, cause: Cause) {
        self.ranges.borrow_mut().push(Range { first, last, cause });
        if cause == Cause::NoMemory {
            self.refused.set(last);
            self.explained.set(last);
        }
    }

    pub(crate) fn cause_of(&self, batch: u64) -> Option<Cause> {
        let ranges = self.ranges.borrow();
        let found = ranges.iter().find(|range| (range.first..=range.last).contains(&batch));
        found.map(|range| range.cause)
    }

    pub(crate) fn drops(&self) -> u64 {
        self.ranges.borrow().len() as u64
    }

    /// Notes that a batch has run to its end, and so all batches before it. `recorded` is the current batch.
    pub(crate) fn finish(&self, batch: u64, recorded: u64) {
        // A browser may report errors of earlier batches late. It has reported them all when a batch that is submitted after now has
        // ended.
        if self.finished.get() <= self.refused.get() && batch > self.refused.get() {
            self.explained.set(recorded - 1);
        }
        self.finished.set(self.finished.get().max(batch));
    }

    pub(crate) fn finished(&self) -> u64 {
        self.finished.get()
    }

    /// Whether errors of the device may follow from an out-of-memory error that was already reported.
    pub(crate) fn explains_errors(&self) -> bool {
        self.finished.get() <= self.explained.get() && self.refused.get() > 0
    }
}
