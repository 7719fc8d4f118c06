//! Batches whose work cannot be relied on, and how that is found out.
//!
//! The first workgroup of every dispatch adds the number of its threads to a word of the status buffer
//! (`shaders/lib/frame.wgsl`), and each batch ends with a dispatch that does nothing else. So the word counts what has run
//! since the device was started, and the host knows what it has to be after each batch. Everything that is read back brings
//! it along. If a driver drops a dispatch or a submission, or gives up a batch and takes it for done, the count stays behind
//! from then on, and the next read notices.

use std::cell::{Cell, RefCell};

use crate::error::{Error, ErrorClass, ErrorCode};

/// Why the work of a batch cannot be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The platform had no memory for one of its buffers.
    NoMemory,
    /// Not all of it ran.
    Unfinished,
    /// A pipeline's arithmetic turned out not to be the CPU's.
    Arithmetic,
}

impl Cause {
    /// The error of reads in a batch that cannot be relied on, and of uses of buffers that it was to write.
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

/// A range of batches, first and last: they were dropped, or may have read what a dropped batch should have written.
struct Range {
    first: u64,
    last: u64,
    cause: Cause,
}

/// Which batches of a device have ended, and which were dropped.
#[derive(Default)]
pub(crate) struct Dropped {
    ranges: RefCell<Vec<Range>>,
    /// The last batch that is known to have run to its end.
    finished: Cell<u64>,
    /// The last batch that was dropped because there was no memory.
    refused: Cell<u64>,
    /// Errors that the device reports may come from that batch until one behind this number has run to its end.
    explained: Cell<u64>,
}

impl Dropped {
    /// Notes that the work of all batches from `first` to `last` cannot be relied on.
    pub(crate) fn note(&self, first: u64, last: u64, cause: Cause) {
        self.ranges.borrow_mut().push(Range { first, last, cause });
        if cause == Cause::NoMemory {
            self.refused.set(last);
            self.explained.set(last);
        }
    }

    /// Why the work of a batch cannot be relied on, if it cannot.
    pub(crate) fn cause_of(&self, batch: u64) -> Option<Cause> {
        let ranges = self.ranges.borrow();
        let found = ranges.iter().find(|range| (range.first..=range.last).contains(&batch));
        found.map(|range| range.cause)
    }

    /// How often batches were dropped so far.
    pub(crate) fn drops(&self) -> u64 {
        self.ranges.borrow().len() as u64
    }

    /// Notes that a batch has run to its end, and so all before it. `recorded` is the one that is being recorded.
    pub(crate) fn finish(&self, batch: u64, recorded: u64) {
        // A browser may report errors of earlier batches a moment later. It has reported them when a batch has ended that is submitted from
        // now on.
        if self.finished.get() <= self.refused.get() && batch > self.refused.get() {
            self.explained.set(recorded - 1);
        }
        self.finished.set(self.finished.get().max(batch));
    }

    /// The last batch that is known to have run to its end.
    pub(crate) fn finished(&self) -> u64 {
        self.finished.get()
    }

    /// Whether errors that the device reports may be consequences of memory that it did not have, which is reported already.
    pub(crate) fn explains_errors(&self) -> bool {
        self.finished.get() <= self.explained.get() && self.refused.get() > 0
    }
}
