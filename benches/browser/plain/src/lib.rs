//! The loops that one would write by hand, over slices, each access checked: the yardstick for the library's kernels.
//!
//! Every function takes element pointers and lengths from JavaScript and writes in place.

use std::alloc::{Layout, alloc, dealloc};
use std::slice::{from_raw_parts, from_raw_parts_mut};

const ALIGN: usize = 64;

#[unsafe(no_mangle)]
pub extern "C" fn allocate(bytes: usize) -> *mut u8 {
    unsafe { alloc(Layout::from_size_align(bytes.max(1), ALIGN).unwrap()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(pointer: *mut u8, bytes: usize) {
    unsafe { dealloc(pointer, Layout::from_size_align(bytes.max(1), ALIGN).unwrap()) }
}

/// `memory.copy`: the limit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    unsafe { from_raw_parts_mut(to, bytes) }.copy_from_slice(unsafe { from_raw_parts(from, bytes) });
}

fn multiply<T: Copy>(t: &mut [T], y: &[T], post: usize, mul: impl Fn(T, T) -> T) {
    if post == 1 {
        for row in t.chunks_exact_mut(y.len()) {
            for (t, y) in row.iter_mut().zip(y) {
                *t = mul(*t, *y);
            }
        }
    } else {
        for plane in t.chunks_exact_mut(y.len() * post) {
            for (run, y) in plane.chunks_exact_mut(post).zip(y) {
                for t in run {
                    *t = mul(*t, *y);
                }
            }
        }
    }
}

/// As `multiply`, from x into out.
fn multiplied<T: Copy>(out: &mut [T], x: &[T], y: &[T], post: usize, mul: impl Fn(T, T) -> T) {
    if post == 1 {
        for (out, x) in out.chunks_exact_mut(y.len()).zip(x.chunks_exact(y.len())) {
            for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
                *out = mul(*x, *y);
            }
        }
    } else {
        let plane = y.len() * post;
        for (out, x) in out.chunks_exact_mut(plane).zip(x.chunks_exact(plane)) {
            for ((out, x), y) in out.chunks_exact_mut(post).zip(x.chunks_exact(post)).zip(y) {
                for (out, x) in out.iter_mut().zip(x) {
                    *out = mul(*x, *y);
                }
            }
        }
    }
}

/// `t` is [pre, size, post], `index` and `src` are [pre, count, post].
fn scatter<T: Copy>(
    t: &mut [T],
    index: &[i32],
    src: &[T],
    size: usize,
    count: usize,
    post: usize,
    step: impl Fn(&mut T, T),
) {
    let parts = t
        .chunks_exact_mut(size * post)
        .zip(index.chunks_exact(count * post))
        .zip(src.chunks_exact(count * post));
    for ((t, index), src) in parts {
        if post == 1 {
            for (i, s) in index.iter().zip(src) {
                step(&mut t[*i as usize], *s);
            }
        } else {
            for (index, src) in index.chunks_exact(post).zip(src.chunks_exact(post)) {
                for (q, (i, s)) in index.iter().zip(src).enumerate() {
                    step(&mut t[*i as usize * post + q], *s);
                }
            }
        }
    }
}

fn rows<T: Copy>(
    t: &mut [T],
    index: &[i32],
    src: &[T],
    length: usize,
    inner: usize,
    step: impl Fn(&mut T, T),
) {
    let tuple = if inner == 0 { 1 } else { 2 };
    for (index, src) in index.chunks_exact(tuple).zip(src.chunks_exact(length)) {
        let row = if inner == 0 { index[0] as usize } else { index[0] as usize * inner + index[1] as usize };
        for (t, s) in t[row * length..][..length].iter_mut().zip(src) {
            step(t, *s);
        }
    }
}

macro_rules! loops {
    ($type:ty, $add:expr, $mul:expr, $($name:ident),*) => {
        loops!(@ $type, $add, $mul, $($name)*);
    };
    (@ $type:ty, $add:expr, $mul:expr, $multiply:ident $multiplied:ident $replace:ident $scatter_add:ident $scatter_multiply:ident
        $count:ident $rows_add:ident $rows_multiply:ident $gather:ident) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $multiply(t: *mut $type, len: usize, y: *const $type, n: usize, post: usize) {
            multiply(unsafe { from_raw_parts_mut(t, len) }, unsafe { from_raw_parts(y, n) }, post, $mul);
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $multiplied(out: *mut $type, x: *const $type, len: usize, y: *const $type, n: usize, post: usize) {
            let (out, x) = unsafe { (from_raw_parts_mut(out, len), from_raw_parts(x, len)) };
            multiplied(out, x, unsafe { from_raw_parts(y, n) }, post, $mul);
        }
        loops!(@scatter $replace, $type, |t: &mut $type, s| *t = s);
        loops!(@scatter $scatter_add, $type, |t: &mut $type, s| *t = $add(*t, s));
        loops!(@scatter $scatter_multiply, $type, |t: &mut $type, s| *t = $mul(*t, s));
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $count(t: *mut $type, len: usize, index: *const i32, updates: usize, value: $type) {
            let (t, index) = unsafe { (from_raw_parts_mut(t, len), from_raw_parts(index, updates)) };
            for i in index {
                let t = &mut t[*i as usize];
                *t = $add(*t, value);
            }
        }
        loops!(@rows $rows_add, $type, |t: &mut $type, s| *t = $add(*t, s));
        loops!(@rows $rows_multiply, $type, |t: &mut $type, s| *t = $mul(*t, s));
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $gather(
            out: *mut $type, t: *const $type, len: usize, index: *const i32, updates: usize, size: usize, count: usize,
        ) {
            let (out, t) = unsafe { (from_raw_parts_mut(out, updates), from_raw_parts(t, len)) };
            let index = unsafe { from_raw_parts(index, updates) };
            for ((out, t), index) in out.chunks_exact_mut(count).zip(t.chunks_exact(size)).zip(index.chunks_exact(count)) {
                for (out, i) in out.iter_mut().zip(index) {
                    *out = t[*i as usize];
                }
            }
        }
    };
    (@scatter $name:ident, $type:ty, $step:expr) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            t: *mut $type, len: usize, index: *const i32, src: *const $type, updates: usize, size: usize, count: usize, post: usize,
        ) {
            let (t, src) = unsafe { (from_raw_parts_mut(t, len), from_raw_parts(src, updates)) };
            scatter(t, unsafe { from_raw_parts(index, updates) }, src, size, count, post, $step);
        }
    };
    (@rows $name:ident, $type:ty, $step:expr) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            t: *mut $type, len: usize, index: *const i32, numbers: usize, src: *const $type, src_len: usize, length: usize, inner: usize,
        ) {
            let (t, src) = unsafe { (from_raw_parts_mut(t, len), from_raw_parts(src, src_len)) };
            rows(t, unsafe { from_raw_parts(index, numbers) }, src, length, inner, $step);
        }
    };
}

loops!(
    f32,
    |a: f32, b: f32| a + b,
    |a: f32, b: f32| a * b,
    multiply_f32,
    multiplied_f32,
    replace_f32,
    scatter_add_f32,
    scatter_multiply_f32,
    count_f32,
    rows_add_f32,
    rows_multiply_f32,
    gather_f32
);
loops!(
    i32,
    i32::wrapping_add,
    i32::wrapping_mul,
    multiply_i32,
    multiplied_i32,
    replace_i32,
    scatter_add_i32,
    scatter_multiply_i32,
    count_i32,
    rows_add_i32,
    rows_multiply_i32,
    gather_i32
);
