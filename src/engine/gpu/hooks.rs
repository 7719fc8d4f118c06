//! Settings and counters for tests and benchmarks, one state per thread. Without the feature `testing` the state does not exist, and
//! the compiler removes the code that uses it.

use crate::engine::gpu::ShaderKey;

/// Work that a device loses without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// One dispatch, after this number of other dispatches.
    Dispatch(u32),
    /// The next submission.
    Submission,
}

/// How much work was recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Dispatches.
    pub dispatches: u64,
    /// Bytes in the buffers of all dispatches: the traffic if each dispatch read or wrote each of its buffers once.
    pub bound: u64,
    /// Bind groups that were made. Others were taken from an earlier dispatch.
    pub groups: u64,
    /// Copies and clears of buffers.
    pub copies: u64,
    /// Bytes that the copies and clears read and write.
    pub copied: u64,
    /// Writes from host memory.
    pub writes: u64,
    /// Bytes that these writes carry.
    pub written: u64,
    /// Buffers that the device was asked to allocate.
    pub buffers: u64,
    /// Batches that were submitted.
    pub submissions: u64,
}

/// What the recorder did, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// A dispatch of a shader with a number of threads, and rounds of loops for each of them.
    Dispatch {
        /// The shader.
        key: ShaderKey,
        /// Threads with work.
        threads: u64,
        /// Rounds of a thread, on average.
        rounds: u64,
    },
    /// The end of a batch.
    Submission,
}

/// How to add exact sums; `None` chooses as ever.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExactStrategy {
    /// The most places of a tile.
    pub places: Option<usize>,
    /// The copies of a tile, a power of two.
    pub copies: Option<usize>,
    /// Whether only the rows that entries name get memory.
    pub compacted: Option<bool>,
    /// Whether a tile begins with the sums of the one before: a fault.
    pub keeps: bool,
}

#[derive(Default)]
pub(crate) struct Hooks {
    pub(crate) counts: Counts,
    /// What was recorded since a test began to list it.
    pub(crate) recorded: Option<Vec<Recorded>>,
    pub(crate) loss: Option<Loss>,
    pub(crate) refuses_next: bool,
    /// Whether recycled buffers keep their old bytes where zeros were asked for.
    pub(crate) keeps_old_bytes: bool,
    pub(crate) budget: Option<u64>,
    /// The most rounds of loops per thread in one dispatch.
    pub(crate) rounds: Option<usize>,
    /// Dispatches after which a batch is submitted, as `Budget` has them.
    pub(crate) due: Option<[u32; 2]>,
    /// The quads of a thread of a guarded operation.
    pub(crate) quads: Option<usize>,
    /// Whether a software adapter takes the constants of hardware.
    pub(crate) poses_as_hardware: bool,
    /// The number of the strategy to force on every scatter that allows it.
    pub(crate) strategy: Option<usize>,
    /// How exact sums are added, where a test wants more tiles or copies than a call would have.
    pub(crate) exact: ExactStrategy,
    /// How often each strategy was taken, by its number.
    pub(crate) scatters: [u32; 10],
}

/// The result of `of` for this thread's state; `None` without the feature `testing`.
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

/// Whether a test wants the constants of hardware on any adapter.
pub(crate) fn poses_as_hardware() -> bool {
    hook(|hooks| hooks.poses_as_hardware) == Some(true)
}

pub(crate) fn count(add: impl FnOnce(&mut Counts)) {
    hook(|hooks| add(&mut hooks.counts));
}

/// Lists what was recorded, if a test wants that.
pub(crate) fn list(what: impl FnOnce() -> Recorded) {
    hook(|hooks| {
        if let Some(recorded) = &mut hooks.recorded {
            recorded.push(what());
        }
    });
}
