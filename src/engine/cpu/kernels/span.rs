//! Numbers, and the places of what a function makes of them.

use std::marker::PhantomData;

use bytemuck::Pod;

/// Numbers, and the places of their results: the same places, so that each result replaces its number, or others.
#[derive(Clone, Copy)]
pub(crate) struct Span<'a, T> {
    from: *const T,
    to: *mut T,
    len: usize,
    borrowed: PhantomData<&'a mut [T]>,
}

impl<'a, T: Pod> Span<'a, T> {
    /// The `len` numbers at an address, whose results go to another address or to the same one.
    ///
    /// # Safety
    /// While the span lives, the numbers must exist, and so must the places, which may be uninitialised. Both must be aligned. They are the
    /// same or do not overlap. Nothing else may refer to the places or change the numbers.
    pub(crate) unsafe fn new(from: *const u8, to: *mut u8, len: usize) -> Self {
        Self { from: from.cast(), to: to.cast(), len, borrowed: PhantomData }
    }

    /// Numbers that are replaced.
    pub(crate) fn over(values: &'a mut [T]) -> Self {
        let (to, len) = (values.as_mut_ptr(), values.len());
        Self { from: to, to, len, borrowed: PhantomData }
    }

    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Writes the result of each whole vector of numbers. A number alone is a vector too. Returns the numbers that are left, fewer than a
    /// vector.
    #[inline(always)]
    pub(crate) fn each<V: Pod>(self, mut function: impl FnMut(V) -> V) -> Self {
        const { assert!(size_of::<V>() >= size_of::<T>() && size_of::<T>() > 0) };
        let count = const { size_of::<V>() / size_of::<T>() };
        let mut rest = self;
        while rest.len >= count {
            // SAFETY: there are as many numbers and places as a vector has, and `V` is `Pod`.
            unsafe {
                let result = function(rest.from.cast::<V>().read_unaligned());
                rest.to.cast::<V>().write_unaligned(result);
                rest = rest.behind(count);
            }
        }
        rest
    }

    /// The numbers after the first `count`.
    ///
    /// # Safety
    /// There must be so many.
    #[inline(always)]
    unsafe fn behind(self, count: usize) -> Self {
        // SAFETY: as the caller promises.
        unsafe { Self { from: self.from.add(count), to: self.to.add(count), len: self.len - count, ..self } }
    }

    /// The same numbers, at most `most` at a time.
    pub(crate) fn runs(mut self, most: usize) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let run = Self { len: self.len.min(most), ..self };
            // SAFETY: there are so many.
            self = unsafe { self.behind(run.len) };
            (run.len > 0).then_some(run)
        })
    }

    /// Writes what a function makes of each number, as far as both go.
    #[inline(always)]
    pub(crate) fn read<U>(self, values: &mut [U], function: impl Fn(T) -> U) {
        for (at, value) in values.iter_mut().take(self.len).enumerate() {
            // SAFETY: the number exists.
            *value = function(unsafe { self.from.add(at).read() });
        }
    }

    /// Makes the results of other values, as far as both go.
    #[inline(always)]
    pub(crate) fn write<U: Copy>(self, values: &[U], function: impl Fn(U) -> T) {
        for (at, value) in values.iter().take(self.len).enumerate() {
            // SAFETY: the place exists.
            unsafe { self.to.add(at).write(function(*value)) };
        }
    }

    /// Each number is its own result.
    pub(crate) fn copy(self) {
        // SAFETY: the numbers and the places exist. `copy` allows that they are the same.
        unsafe { std::ptr::copy(self.from, self.to, self.len) };
    }
}
