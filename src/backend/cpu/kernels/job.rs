//! What every kernel is: a job.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::ops::Range;

use bytemuck::AnyBitPattern;

/// A call of a kernel as plain data: numbers, and addresses of memory that was checked, reserved and cut when the job was made. So running
/// it allocates nothing, formats nothing and cannot panic.
///
/// A job consists of columns. What is done to one column cannot be seen by another, so ranges of them may run in any order, each once.
pub(crate) trait Job: Copy {
    /// How many columns there are.
    fn len(&self) -> usize;

    /// Runs the columns of a range, as far as they exist.
    fn run(&self, columns: Range<usize>) -> Verdict;
}

/// All columns of any job.
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
    /// Its number in the index, row-major, counted from 1: so that this and its absence fit the same word.
    pub(crate) number: NonZero<usize>,
    pub(crate) value: i64,
}

/// What was found out about the index values that a job has checked, or a range of it: mostly none at all. It is four words of 64 bits,
/// which are moved without a call of `memory.copy`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Verdict {
    /// A number that no value is below, and one that none is above; the ends of int64 in exchanged order where no value was checked.
    pub(crate) bounds: (i64, i64),
    /// The first value that is out of range. Those behind it may not have been checked.
    pub(crate) fault: Option<Fault>,
}

impl Verdict {
    /// No value was checked.
    pub(crate) const NOTHING: Self = Self { bounds: (i64::MAX, i64::MIN), fault: None };

    /// The verdict on two ranges together.
    pub(crate) fn and(self, other: Self) -> Self {
        let ((min, max), (other_min, other_max)) = (self.bounds, other.bounds);
        let fault = match (self.fault, other.fault) {
            (Some(one), Some(two)) if two.number < one.number => Some(two),
            (None, fault) | (fault, _) => fault,
        };
        Self { bounds: (min.min(other_min), max.max(other_max)), fault }
    }
}

/// Memory that a job writes to. Copies of it name the same memory, which is borrowed for as long as they live.
#[derive(Clone, Copy)]
pub(crate) struct Output<'a> {
    start: *mut u8,
    /// In bytes.
    len: usize,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> Output<'a> {
    /// Memory that has values.
    pub(crate) fn new(bytes: &'a mut [u8]) -> Self {
        Self { start: bytes.as_mut_ptr(), len: bytes.len(), borrowed: PhantomData }
    }

    /// Memory that has none yet.
    pub(crate) fn uninit(slots: &'a mut [MaybeUninit<u8>]) -> Self {
        Self { start: slots.as_mut_ptr().cast(), len: slots.len(), borrowed: PhantomData }
    }

    /// The address of at least `count` elements of `size` bytes.
    pub(crate) fn elements(self, count: usize, size: usize) -> *mut u8 {
        rely_on(holds(self.start, self.len, count, size));
        self.start
    }
}

/// The address of at least `count` elements of `size` bytes.
pub(crate) fn elements(bytes: &[u8], count: usize, size: usize) -> *const u8 {
    rely_on(holds(bytes.as_ptr(), bytes.len(), count, size));
    bytes.as_ptr()
}

/// The bytes as elements; none if they are not aligned for them, which whoever makes a job sees to.
pub(crate) fn aligned<T: AnyBitPattern>(bytes: &[u8]) -> &[T] {
    bytemuck::try_cast_slice(bytes).unwrap_or_default()
}

/// Whether `len` bytes at that address hold `count` elements of `size` bytes, aligned. An empty slice is never accessed, so it may have any
/// address.
fn holds(bytes: *const u8, len: usize, count: usize, size: usize) -> bool {
    // The sizes of elements are powers of two, and a division takes longer than all else here.
    let is_aligned = len == 0 || bytes.addr() & (size - 1) == 0;
    is_aligned && count.checked_mul(size).is_some_and(|needed| len >= needed)
}

/// Panics where a condition that unchecked accesses rely on does not hold: while a job is made, before anything is written. An `assert!` in
/// each place would put the text of its condition into every download.
#[track_caller]
pub(crate) fn rely_on(holds: bool) {
    assert!(holds);
}
