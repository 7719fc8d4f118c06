//! How much work was recorded, for benchmarks and tests.

/// Sums since the device was started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Dispatches.
    pub dispatches: u64,
    /// Bytes in the buffers bound to them, counted at each dispatch: what they would move if each read or wrote every
    /// buffer once.
    pub bound: u64,
    /// Copies and clears of buffers.
    pub copies: u64,
    /// The bytes that these read and write.
    pub copied: u64,
    /// Writes from host memory.
    pub writes: u64,
    /// Their bytes.
    pub written: u64,
    /// Buffers that the device was asked for.
    pub buffers: u64,
    /// Batches that were submitted.
    pub submissions: u64,
}

impl Counts {
    /// What was recorded since an earlier count, `then`.
    #[must_use]
    pub fn since(self, then: Self) -> Self {
        Self {
            dispatches: self.dispatches - then.dispatches,
            bound: self.bound - then.bound,
            copies: self.copies - then.copies,
            copied: self.copied - then.copied,
            writes: self.writes - then.writes,
            written: self.written - then.written,
            buffers: self.buffers - then.buffers,
            submissions: self.submissions - then.submissions,
        }
    }
}
