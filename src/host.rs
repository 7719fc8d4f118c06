//! Allocates and counts bytes in host memory. `op` is the operator that an out-of-memory error names, and `len` is a number of bytes.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::rc::Rc;
use std::slice;

use bytemuck::Pod;

use crate::{DType, Error, ErrorClass, ErrorCode, Result};

thread_local! {
    static HOST_BYTES: Cell<usize> = const { Cell::new(0) };
}

/// Bytes of a word. A buffer consists of words, so it is aligned for every dtype.
const WORD: usize = size_of::<u64>();

/// Bytes behind those of each buffer, for the skipped entries of a scatter. They do not count, and what they hold means nothing.
pub(crate) const SPARE: usize = 4 * WORD;
const _: () = assert!(SPARE.is_multiple_of(16)); // the size of the largest elements, see `HostBuffer::elements`

/// The size of the words that hold `len` bytes.
const fn bytes_of_words(len: usize) -> usize {
    len.div_ceil(WORD) * WORD
}

/// The bytes of host memory that tensors and plans of this thread hold, in whole words.
pub fn host_bytes() -> usize {
    HOST_BYTES.get()
}

/// Bytes in host memory, aligned for every dtype. All tensor data is allocated here, so that exhausted memory is an error and not a trap.
#[derive(Default)]
pub struct HostBuffer {
    words: Vec<u64>,
    /// The word at which the bytes begin.
    start: usize,
    /// The number of bytes.
    len: usize,
    /// The bounds of a checked index, and the dtype it was read as. Lending the bytes for writing clears them.
    range: Cell<Option<(DType, (i64, i64))>>,
    /// The dtype as which the elements ascend, if that was found. Lending the bytes for writing clears it.
    sorted: Cell<Option<DType>>,
}

impl HostBuffer {
    /// `len` bytes of zeros.
    pub fn zeroed(op: &'static str, len: usize) -> Result<Self> {
        let mut buffer = UninitBuffer::new(op, len)?;
        buffer.slots().fill(MaybeUninit::new(0u8));
        // SAFETY: every slot was filled.
        Ok(unsafe { buffer.assume_filled() })
    }

    /// A copy of `bytes`.
    pub fn copy_of(op: &'static str, bytes: &[u8]) -> Result<Self> {
        let mut buffer = UninitBuffer::new(op, bytes.len())?;
        buffer.slots().write_copy_of_slice(bytes);
        // SAFETY: every slot was filled.
        Ok(unsafe { buffer.assume_filled() })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        let bytes: &[u8] = bytemuck::cast_slice(&self.words);
        bytes.get(self.start * WORD..self.start * WORD + self.len).unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bytes, for writing. Clears what is cached of them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.forget();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.words);
        bytes.get_mut(self.start * WORD..self.start * WORD + self.len).unwrap_or_default()
    }

    /// [`HostBuffer::bytes_mut`] with the [`SPARE`] bytes behind them, and how many are not spare. An empty buffer may have none.
    pub(crate) fn bytes_and_spare(&mut self) -> (&mut [u8], usize) {
        self.forget();
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.words);
        let own = bytes.get_mut(self.start * WORD..self.start * WORD + self.len + SPARE).unwrap_or_default();
        (own, self.len)
    }

    /// Keeps only the first `len` bytes. The others no longer count, but their memory is freed only with the buffer.
    pub(crate) fn truncate(&mut self, len: usize) {
        let len = len.min(self.len);
        HOST_BYTES.set(HOST_BYTES.get() + bytes_of_words(len) - bytes_of_words(self.len));
        self.forget();
        self.len = len;
    }

    /// The bytes as elements. `T` must be as wide as the elements that the buffer was made for.
    pub fn elements<T: Pod>(&self) -> &[T] {
        // Casts words and not bytes: the compiler sees that words are aligned for every `T`, and would check bytes in each call.
        let elements: &[T] = bytemuck::cast_slice(self.words.get(self.start..).unwrap_or_default());
        elements.get(..self.len / size_of::<T>()).unwrap_or_default()
    }

    /// [`HostBuffer::elements`] for writing. Clears what is cached of them.
    pub fn elements_mut<T: Pod>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(self.bytes_mut())
    }

    /// Clears what is cached of the elements.
    fn forget(&self) {
        self.range.set(None);
        self.sorted.set(None);
    }

    #[cfg_attr(not(feature = "sort"), allow(dead_code, reason = "only searches ask"))]
    /// Whether it is cached that the elements, read as `dtype`, ascend.
    pub(crate) fn is_sorted(&self, dtype: DType) -> bool {
        self.sorted.get() == Some(dtype)
    }

    #[cfg_attr(not(feature = "sort"), allow(dead_code, reason = "only searches know"))]
    /// Caches that the elements, read as `dtype`, ascend, with NaN last.
    pub(crate) fn cache_sorted(&self, dtype: DType) {
        self.sorted.set(Some(dtype));
    }

    /// The cached bounds of the elements, read as `dtype`. `None` if none were cached for it since the bytes were last borrowed for writing.
    pub(crate) fn range(&self, dtype: DType) -> Option<(i64, i64)> {
        self.range.get().filter(|&(cached, _)| cached == dtype).map(|(_, range)| range)
    }

    /// Caches that no element is below `min` or above `max`. If `min` is above `max`, there are no elements, and nothing is cached.
    ///
    /// # Safety
    /// Every element, read as `dtype`, must be within the bounds: unchecked accesses of the kernels rely on it.
    pub(crate) unsafe fn cache_range(&self, dtype: DType, (min, max): (i64, i64)) {
        self.range.set((min <= max).then_some((dtype, (min, max))));
    }
}

/// The buffer for writing. A shared buffer is replaced by a copy first.
pub(crate) fn unshare<'a>(op: &'static str, buffer: &'a mut Rc<HostBuffer>) -> Result<&'a mut HostBuffer> {
    if Rc::get_mut(buffer).is_none() {
        *buffer = Rc::new(HostBuffer::copy_of(op, buffer.bytes())?);
    }
    let len = buffer.bytes().len();
    // By now nobody else has the buffer, so this error cannot occur. It exists because the library must not panic.
    Rc::get_mut(buffer).ok_or_else(|| out_of_memory(op, len))
}

/// Memory for a buffer whose bytes are not written yet. Zeros would take another pass over it.
pub(crate) struct UninitBuffer {
    /// Empty, with enough capacity.
    words: Vec<u64>,
    /// The word at which the bytes begin.
    start: usize,
    /// The number of bytes.
    len: usize,
}

/// Words of a cache line. A longer buffer begins at the start of a line, so that a row as long as a line lies in one line and not in two.
const LINE: usize = 8;

impl UninitBuffer {
    /// Memory for `len` bytes.
    pub(crate) fn new(op: &'static str, len: usize) -> Result<Self> {
        let count = len.div_ceil(WORD);
        let mut words: Vec<u64> = Vec::new();
        let margin = if count > LINE { LINE - 1 } else { 0 };
        let most = margin + count + SPARE / WORD;
        words.try_reserve_exact(most).map_err(|_| out_of_memory(op, len))?;
        // The words before the next line. A short buffer has no margin: it begins at its first word.
        let start = words.as_ptr().align_offset(LINE * WORD).min(margin);
        // Callers write only the bytes. This writes the words before and behind them, and the last word, which the bytes may not fill.
        let slots = words.spare_capacity_mut();
        slots.get_mut(..start).unwrap_or_default().fill(MaybeUninit::new(0));
        let behind = start + count.saturating_sub(1)..start + count + SPARE / WORD;
        slots.get_mut(behind).unwrap_or_default().fill(MaybeUninit::new(0));
        Ok(Self { words, start, len })
    }

    /// The uninitialised bytes, as slots for elements of type `T`.
    pub(crate) fn slots<T: Pod>(&mut self) -> &mut [MaybeUninit<T>] {
        const { assert!(align_of::<T>() <= align_of::<u64>() && size_of::<T>() > 0) };
        let slots = self.words.spare_capacity_mut().get_mut(self.start..).unwrap_or_default();
        // SAFETY: `len` bytes were reserved from there on, which is aligned for a u64 and, by the assertion, for a `T`;
        // uninitialised memory may be a `MaybeUninit` of anything.
        unsafe { slice::from_raw_parts_mut(slots.as_mut_ptr().cast(), self.len / size_of::<T>()) }
    }

    /// The buffer, once its bytes are written.
    ///
    /// # Safety
    /// Every slot must have been written.
    pub(crate) unsafe fn assume_filled(mut self) -> HostBuffer {
        let count = self.start + (self.len + SPARE).div_ceil(WORD);
        // SAFETY: `new` reserved `count` words, and wrote those before the bytes, the last one, and those behind. The caller wrote the bytes.
        unsafe { self.words.set_len(count) };
        HOST_BYTES.set(HOST_BYTES.get() + bytes_of_words(self.len));
        HostBuffer {
            words: self.words,
            start: self.start,
            len: self.len,
            range: Cell::default(),
            sorted: Cell::default(),
        }
    }
}

impl Drop for HostBuffer {
    fn drop(&mut self) {
        HOST_BYTES.set(HOST_BYTES.get().saturating_sub(bytes_of_words(self.len)));
    }
}

/// The error for a failed allocation of `len` bytes.
#[cold]
#[inline(never)]
pub(crate) fn out_of_memory(op: &'static str, len: usize) -> Error {
    let text = format!(
        "{len} bytes could not be allocated; dispose of tensors that you no longer need, or make them in a scope(), which frees them; \
         others are freed only while a read is awaited"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text)
}

/// An empty list with memory for `len` elements (not bytes). Lists that grow with a tensor are allocated here, so that exhausted memory
/// is an error and not a trap.
pub(crate) fn reserved<T>(op: &'static str, len: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| out_of_memory(op, len.saturating_mul(size_of::<T>())))?;
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exhausted_memory_is_an_error() {
        for error in [
            reserved::<u64>("test", usize::MAX / 16).err(),
            HostBuffer::zeroed("test", isize::MAX as usize).err(),
            HostBuffer::zeroed("test", usize::MAX).err(),
        ] {
            let error = error.unwrap();
            assert_eq!((error.op(), error.code()), ("test", ErrorCode::OutOfMemory));
        }
        assert_eq!(reserved::<u8>("test", 3).map(|list| list.len()), Ok(0));
    }

    #[test]
    fn every_length_is_kept() {
        for len in 0..200 {
            let bytes: Vec<u8> = (0..len).map(|at| at as u8).collect();
            let mut buffer = HostBuffer::copy_of("test", &bytes).unwrap();
            assert_eq!(buffer.bytes(), bytes);
            assert_eq!(buffer.bytes().as_ptr().align_offset(align_of::<u64>()), 0);
            buffer.bytes_mut().fill(7);
            assert_eq!(buffer.bytes(), vec![7; len]);
        }
    }
}
