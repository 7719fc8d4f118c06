//! A job: the form of every kernel.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::ops::Range;

use bytemuck::AnyBitPattern;

/// A call of a kernel as plain data: numbers and addresses. The code that makes the job checks, reserves and divides the memory. So
/// running a job allocates nothing, formats nothing and cannot panic.
///
/// A job consists of items. No item reads or writes memory that another one writes, so ranges of items may run in any order, each once. What
/// an item is depends on the job: a column of a scatter, an entry, a result.
pub(crate) trait Job: Copy {
    fn len(&self) -> usize;

    /// Runs the items of a range that exist.
    fn run(&self, items: Range<usize>) -> CheckResult;

    /// An estimate of the work, in elements that are read or written. Threads divide a job only if it is worth it.
    fn work(&self) -> usize {
        self.len()
    }

    /// The grain: how many items should run together, because a range of fewer takes longer for each item. So threads get shorter
    /// ranges only if there would be fewer ranges than threads.
    #[cfg_attr(
        not(all(target_arch = "wasm32", feature = "npm", feature = "webgpu")),
        allow(dead_code, reason = "only threads ask")
    )]
    fn grain(&self) -> usize {
        1
    }
}

/// Bytes of neighbours in memory that should be visited together. With fewer, a traversal that comes back at a stride waits for memory: few
/// sets of a cache hold all its lines, and nothing is loaded ahead.
pub(crate) const GRAIN_BYTES: usize = 512;

pub(crate) const ALL: Range<usize> = 0..usize::MAX;

/// The part of a range that is below `len`.
#[inline(always)]
pub(crate) fn cut(range: Range<usize>, len: usize) -> Range<usize> {
    let end = range.end.min(len);
    range.start.min(end)..end
}

/// An index value that is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    /// Its row-major number in the index, counted from 1, so that an `Option` of it fits one word.
    pub(crate) number: NonZero<usize>,
    pub(crate) value: i64,
}

/// What a job has found out about the index values that it checked; most jobs check none. It has four words of 64 bits, which move
/// without a call of `memory.copy`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CheckResult {
    /// A lower bound and an upper bound of the values. If no value was checked, the ends of int64 in reverse order.
    pub(crate) bounds: (i64, i64),
    /// The first value that is out of range. Later values may be unchecked.
    pub(crate) fault: Option<Fault>,
}

impl CheckResult {
    /// No value was checked.
    pub(crate) const NOTHING: Self = Self { bounds: (i64::MAX, i64::MIN), fault: None };

    /// Combines the check results on two ranges.
    pub(crate) fn and(self, other: Self) -> Self {
        let ((min, max), (other_min, other_max)) = (self.bounds, other.bounds);
        let fault = match (self.fault, other.fault) {
            (Some(one), Some(two)) if two.number < one.number => Some(two),
            (None, fault) | (fault, _) => fault,
        };
        Self { bounds: (min.min(other_min), max.max(other_max)), fault }
    }
}

/// Memory that a job writes to. Copies name the same memory, which stays borrowed while they live.
#[derive(Clone, Copy)]
pub(crate) struct Output<'a> {
    start: *mut u8,
    len: usize,
    /// The bytes behind those on which no result depends.
    spare: usize,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> Output<'a> {
    pub(crate) fn new(bytes: &'a mut [u8]) -> Self {
        Self { start: bytes.as_mut_ptr(), len: bytes.len(), spare: 0, borrowed: PhantomData }
    }

    /// The first `len` bytes. No result depends on the others.
    pub(crate) fn with_spare((bytes, len): (&'a mut [u8], usize)) -> Self {
        let (len, spare) = (len.min(bytes.len()), bytes.len().saturating_sub(len));
        Self { start: bytes.as_mut_ptr(), len, spare, borrowed: PhantomData }
    }

    pub(crate) fn uninit(slots: &'a mut [MaybeUninit<u8>]) -> Self {
        Self { start: slots.as_mut_ptr().cast(), len: slots.len(), spare: 0, borrowed: PhantomData }
    }

    /// Clears `spare` elements behind `count` of `size` bytes. False if there is no room for them.
    pub(crate) fn clear_spare(self, count: usize, spare: usize, size: usize) -> bool {
        let has_spare = spare * size <= self.spare && count.checked_mul(size) == Some(self.len);
        if has_spare {
            // SAFETY: the memory has as many bytes behind its `len` first ones, and is borrowed mutably.
            unsafe { self.start.add(self.len).write_bytes(0, spare * size) };
        }
        has_spare
    }

    /// The address of at least `count` elements of `size` bytes.
    pub(crate) fn elements(self, count: usize, size: usize) -> *mut u8 {
        rely_on(holds(self.start, self.len, count, size));
        self.start
    }
}

pub(crate) fn elements(bytes: &[u8], count: usize, size: usize) -> *const u8 {
    rely_on(holds(bytes.as_ptr(), bytes.len(), count, size));
    bytes.as_ptr()
}

/// The bytes as elements. Empty if the bytes are not aligned, which the code that makes a job prevents.
pub(crate) fn aligned<T: AnyBitPattern>(bytes: &[u8]) -> &[T] {
    bytemuck::try_cast_slice(bytes).unwrap_or_default()
}

/// Whether `len` bytes at `bytes` hold `count` aligned elements of `size` bytes. An empty slice is never accessed, so it may have any
/// address.
fn holds(bytes: *const u8, len: usize, count: usize, size: usize) -> bool {
    // Element sizes are powers of two. A division would take longer than everything else here.
    let is_aligned = len == 0 || bytes.addr() & (size - 1) == 0;
    is_aligned && count.checked_mul(size).is_some_and(|needed| len >= needed)
}

/// Panics if a condition of the unchecked accesses does not hold. This happens while a job is made, before anything is written. An
/// `assert!` in each place would add the text of its condition to every download.
#[track_caller]
pub(crate) fn rely_on(holds: bool) {
    assert!(holds);
}
