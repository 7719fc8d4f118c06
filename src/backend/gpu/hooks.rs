//! What tests and benchmarks set and count: one state for each thread. Without the feature `testing` there is no such state, and the
//! compiler leaves out what asks for it.

/// What a device loses without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// One dispatch, after this number of others that are not lost.
    Dispatch(u32),
    /// The next submission.
    Submission,
}

/// How much work was recorded.
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

/// What a thread has set and counted.
#[derive(Default)]
pub(crate) struct Hooks {
    pub(crate) counts: Counts,
    /// What is to be lost.
    pub(crate) loss: Option<Loss>,
    /// Whether the next new buffer is refused.
    pub(crate) refuses_next: bool,
    /// How many rounds of loops a submission may have.
    pub(crate) pace: Option<u64>,
    /// The number of the strategy to take for every scatter to which it applies.
    pub(crate) strategy: Option<usize>,
    /// How many scatters each strategy was taken for, by its number.
    pub(crate) scatters: [u32; 8],
}

/// What `of` returns for the state of this thread; `None` without the feature `testing`.
#[cfg_attr(not(feature = "testing"), expect(unused_variables, reason = "there is no state"))]
pub(crate) fn hook<T>(of: impl FnOnce(&mut Hooks) -> T) -> Option<T> {
    #[cfg(feature = "testing")]
    {
        thread_local!(static HOOKS: std::cell::RefCell<Hooks> = std::cell::RefCell::default());
        Some(HOOKS.with_borrow_mut(of))
    }
    #[cfg(not(feature = "testing"))]
    {
        None
    }
}

/// Counts work.
pub(crate) fn count(add: impl FnOnce(&mut Counts)) {
    hook(|hooks| add(&mut hooks.counts));
}
