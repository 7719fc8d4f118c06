//! The loops for JavaScript: each function takes pointers and numbers of elements, and writes to memory of the caller's. A pointer is
//! followed by the number of its elements where that does not follow from the other numbers. Each loop is one of the functions of the
//! crate, which says what `size`, `count`, `post`, `length` and `inner` are. A pointer must lead to as many elements as are said, in
//! memory that nothing else in the call uses.

mod groups;

use std::alloc::{Layout, alloc, dealloc};
use std::slice::{from_raw_parts, from_raw_parts_mut};

use crate::{
    Number, bincount, combine, combined, count, gather, gather_rows, histogram, position, reduce, rows,
    scatter, segment_sums,
};

/// Bytes that allocations are aligned to: a cache line.
const ALIGN: usize = 64;

/// Memory for `bytes` bytes, or a null pointer if memory is full.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(bytes: usize) -> *mut u8 {
    unsafe { alloc(Layout::from_size_align(bytes.max(1), ALIGN).unwrap()) }
}

/// Frees what `allocate` returned for as many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(pointer: *mut u8, bytes: usize) {
    unsafe { dealloc(pointer, Layout::from_size_align(bytes.max(1), ALIGN).unwrap()) }
}

/// Copies `bytes` bytes by `memory.copy`: no loop can be faster.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    unsafe { from_raw_parts_mut(to, bytes) }.copy_from_slice(unsafe { from_raw_parts(from, bytes) });
}

/// Exports every loop for one element type, by these names. `t` is the table and `y` has `n` factors. `updates` is the number of index
/// entries, and of elements of `src` or `out` where an entry does not stand for a row. An index that may hold pairs has `numbers` numbers.
macro_rules! loops {
    ($type:ty, $($name:ident),*) => {
        loops!(@ $type, $($name)*);
    };
    (@ $type:ty, $replace:ident $scatter_add:ident $scatter_multiply:ident
        $scatter_maximum:ident $count:ident $rows_add:ident $rows_multiply:ident $gather:ident $gather_rows:ident
        $segment_sums:ident) => {
        loops!(@scatter $replace, $type, |t: &mut $type, s| *t = s);
        loops!(@scatter $scatter_add, $type, |t: &mut $type, s| *t = t.add(s));
        loops!(@scatter $scatter_multiply, $type, |t: &mut $type, s| *t = t.multiply(s));
        loops!(@scatter $scatter_maximum, $type, |t: &mut $type, s| *t = t.larger(s));
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $count(t: *mut $type, len: usize, index: *const i32, updates: usize, value: $type) {
            let (t, index) = unsafe { (from_raw_parts_mut(t, len), from_raw_parts(index, updates)) };
            count(t, index, value);
        }
        loops!(@rows $rows_add, $type, |t: &mut $type, s| *t = t.add(s));
        loops!(@rows $rows_multiply, $type, |t: &mut $type, s| *t = t.multiply(s));
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $gather(
            out: *mut $type, t: *const $type, len: usize, index: *const i32, updates: usize, size: usize, count: usize, post: usize,
        ) {
            let (out, t) = unsafe { (from_raw_parts_mut(out.cast(), updates), from_raw_parts(t, len)) };
            gather(out, t, unsafe { from_raw_parts(index, updates) }, (size, count, post));
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $gather_rows(
            out: *mut $type, t: *const $type, len: usize, index: *const i32, updates: usize, length: usize,
        ) {
            let (out, t) = unsafe { (from_raw_parts_mut(out, updates * length), from_raw_parts(t, len)) };
            gather_rows(out, t, unsafe { from_raw_parts(index, updates) }, length);
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $segment_sums(sums: *mut $type, x: *const $type, len: usize, offsets: *const i32, segments: usize) {
            let (sums, x) = unsafe { (from_raw_parts_mut(sums, segments), from_raw_parts(x, len)) };
            segment_sums(sums, x, unsafe { from_raw_parts(offsets, segments + 1) }, <$type>::default());
        }
    };
    (@scatter $name:ident, $type:ty, $step:expr) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            t: *mut $type, len: usize, index: *const i32, src: *const $type, updates: usize, size: usize, count: usize, post: usize,
        ) {
            let (t, src) = unsafe { (from_raw_parts_mut(t, len), from_raw_parts(src, updates)) };
            scatter(t, unsafe { from_raw_parts(index, updates) }, src, (size, count, post), $step);
        }
    };
    (@rows $name:ident, $type:ty, $step:expr) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            t: *mut $type, len: usize, index: *const i32, numbers: usize, src: *const $type, src_len: usize, length: usize, inner: usize,
        ) {
            let (t, src) = unsafe { (from_raw_parts_mut(t, len), from_raw_parts(src, src_len)) };
            rows(t, unsafe { from_raw_parts(index, numbers) }, src, (length, inner), $step);
        }
    };
}

loops!(
    f32,
    replace_f32,
    scatter_add_f32,
    scatter_multiply_f32,
    scatter_maximum_f32,
    count_f32,
    rows_add_f32,
    rows_multiply_f32,
    gather_f32,
    gather_rows_f32,
    segment_sums_f32
);
loops!(
    i32,
    replace_i32,
    scatter_add_i32,
    scatter_multiply_i32,
    scatter_maximum_i32,
    count_i32,
    rows_add_i32,
    rows_multiply_i32,
    gather_i32,
    gather_rows_i32,
    segment_sums_i32
);

/// Exports [`combine`] and [`combined`] for an operation on two elements, by these names. `y` has `n` elements.
macro_rules! pairs {
    ($($combine:ident $combined:ident $type:ty: $step:expr),* $(,)?) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $combine(t: *mut $type, len: usize, y: *const $type, n: usize, post: usize) {
            combine(unsafe { from_raw_parts_mut(t, len) }, unsafe { from_raw_parts(y, n) }, post, $step);
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $combined(out: *mut $type, x: *const $type, len: usize, y: *const $type, n: usize, post: usize) {
            let (out, x) = unsafe { (from_raw_parts_mut(out.cast(), len), from_raw_parts(x, len)) };
            combined(out, x, unsafe { from_raw_parts(y, n) }, post, $step);
        }
    )*};
}
pairs! {
    combine_multiply_f32 combined_multiply_f32 f32: f32::multiply,
    combine_multiply_i32 combined_multiply_i32 i32: i32::multiply,
    combine_add_f32 combined_add_f32 f32: f32::add,
    combine_sub_f32 combined_sub_f32 f32: |a, b| a - b,
    combine_div_f32 combined_div_f32 f32: |a, b| a / b,
    combine_maximum_f32 combined_maximum_f32 f32: f32::larger,
    combine_minimum_f32 combined_minimum_f32 f32: |a, b| if b < a { b } else { a },
}

/// Exports a function of each element of `x` into `out`, by these names.
macro_rules! activations {
    ($($name:ident: $step:expr),*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(out: *mut f32, x: *const f32, len: usize) {
            let (out, x) = unsafe { (from_raw_parts_mut(out, len), from_raw_parts(x, len)) };
            for (out, x) in out.iter_mut().zip(x) {
                *out = $step(*x);
            }
        }
    )*};
}
activations!(relu_f32: |x: f32| if x > 0.0 { x } else { 0.0 }, exp_f32: f32::exp);

/// Exports [`reduce`] or [`position`] for x of `len` elements, by these names.
macro_rules! reductions {
    ($($name:ident: $type:ty = $run:expr),* $(,)?) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(out: *mut $type, x: *const f32, len: usize, size: usize, post: usize) {
            let (out, x) = unsafe { (from_raw_parts_mut(out, len / size), from_raw_parts(x, len)) };
            let run: fn(&mut [$type], &[f32], (usize, usize)) = $run;
            run(out, x, (size, post));
        }
    )*};
}
reductions! {
    sum_f32: f32 = |out, x, sizes| reduce(out, x, sizes, 0.0, f32::add),
    mean_f32: f32 = |out, x, sizes| {
        reduce(out, x, sizes, 0.0, f32::add);
        out.iter_mut().for_each(|out| *out /= sizes.0 as f32);
    },
    amax_f32: f32 = |out, x, sizes| reduce(out, x, sizes, f32::NEG_INFINITY, f32::larger),
    amin_f32: f32 = |out, x, sizes| reduce(out, x, sizes, f32::INFINITY, |a, b| if b < a { b } else { a }),
    argmax_f32: i32 = |out, x, sizes| position(out, x, sizes, |a, b| a > b),
    argmin_f32: i32 = |out, x, sizes| position(out, x, sizes, |a, b| a < b),
}

/// See [`bincount`]: `size` counts of an index of `len` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bincount_i32(counts: *mut i32, size: usize, index: *const i32, len: usize) {
    bincount(unsafe { from_raw_parts_mut(counts, size) }, unsafe { from_raw_parts(index, len) });
}

/// See [`histogram`]: `bins` bins for each of `columns` columns, of points that are `len` numbers in all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn histogram_f32(
    counts: *mut i32,
    bins: usize,
    columns: usize,
    x: *const f32,
    len: usize,
    low: f64,
    scale: f64,
) {
    let counts = unsafe { from_raw_parts_mut(counts, bins.pow(columns as u32)) };
    histogram(counts, unsafe { from_raw_parts(x, len) }, (bins, columns), (low, scale));
}
