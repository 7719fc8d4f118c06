//! The loops that one would write by hand, over slices, each access checked: the yardstick for the library's kernels.
//!
//! Indices are not negative. An index out of bounds panics.

#[cfg(target_arch = "wasm32")]
mod exports;
pub mod groups;

use std::mem::MaybeUninit;

/// An element type that is measured.
pub trait Number: Copy {
    /// Wraps in integers.
    fn add(self, other: Self) -> Self;
    /// Wraps in integers.
    fn multiply(self, other: Self) -> Self;
    /// The larger one; this one where either is NaN.
    fn larger(self, other: Self) -> Self;
}

impl Number for f32 {
    fn add(self, other: Self) -> Self {
        self + other
    }
    fn multiply(self, other: Self) -> Self {
        self * other
    }
    fn larger(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl Number for i32 {
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    fn multiply(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
    fn larger(self, other: Self) -> Self {
        self.max(other)
    }
}

/// `t[p, j, q] = step(t[p, j, q], y[j])`, where q has `post` values. `t` is whole planes of `y.len() * post` elements, one for each p. Here
/// and below `post == 1` has loops of its own, because an innermost loop of one round would take most of the time.
pub fn combine<T: Copy>(t: &mut [T], y: &[T], post: usize, step: impl Fn(T, T) -> T) {
    if post == 1 {
        for row in t.chunks_exact_mut(y.len()) {
            for (t, y) in row.iter_mut().zip(y) {
                *t = step(*t, *y);
            }
        }
    } else {
        for plane in t.chunks_exact_mut(y.len() * post) {
            for (run, y) in plane.chunks_exact_mut(post).zip(y) {
                for t in run {
                    *t = step(*t, *y);
                }
            }
        }
    }
}

/// `out[p, j, q] = step(x[p, j, q], y[j])`, where q has `post` values. Writes all of `out` if it is as long as x, and x is whole planes of
/// `y.len() * post` elements.
pub fn combined<T: Copy>(
    out: &mut [MaybeUninit<T>],
    x: &[T],
    y: &[T],
    post: usize,
    step: impl Fn(T, T) -> T,
) {
    if post == 1 {
        for (out, x) in out.chunks_exact_mut(y.len()).zip(x.chunks_exact(y.len())) {
            for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
                out.write(step(*x, *y));
            }
        }
    } else {
        let plane = y.len() * post;
        for (out, x) in out.chunks_exact_mut(plane).zip(x.chunks_exact(plane)) {
            for ((out, x), y) in out.chunks_exact_mut(post).zip(x.chunks_exact(post)).zip(y) {
                for (out, x) in out.iter_mut().zip(x) {
                    out.write(step(*x, *y));
                }
            }
        }
    }
}

/// `out[p, q] = step(… step(first, x[p, 0, q]) …, x[p, size - 1, q])`, one after the other, where q has `post` values.
pub fn reduce(
    out: &mut [f32],
    x: &[f32],
    (size, post): (usize, usize),
    first: f32,
    step: impl Fn(f32, f32) -> f32,
) {
    for (out, x) in out.chunks_exact_mut(post).zip(x.chunks_exact(size * post)) {
        if post == 1 {
            out[0] = x.iter().fold(first, |all, x| step(all, *x));
        } else {
            out.fill(first);
            for row in x.chunks_exact(post) {
                for (out, x) in out.iter_mut().zip(row) {
                    *out = step(*out, *x);
                }
            }
        }
    }
}

/// Writes the first j for which no other x[p, j, q] `beats` this one, where q has `post` values.
pub fn position(out: &mut [i32], x: &[f32], (size, post): (usize, usize), beats: impl Fn(f32, f32) -> bool) {
    for (out, x) in out.chunks_exact_mut(post).zip(x.chunks_exact(size * post)) {
        if post == 1 {
            let (mut best, mut at) = (x[0], 0);
            for (j, x) in x.iter().enumerate() {
                if beats(*x, best) {
                    (best, at) = (*x, j as i32);
                }
            }
            out[0] = at;
        } else {
            let mut best = x[..post].to_vec();
            out.fill(0);
            for (j, row) in x.chunks_exact(post).enumerate() {
                for ((out, best), x) in out.iter_mut().zip(&mut best).zip(row) {
                    if beats(*x, *best) {
                        (*best, *out) = (*x, j as i32);
                    }
                }
            }
        }
    }
}

/// `step(t[p, index[p, j, q], q], src[p, j, q])`: `t` is [pre, size, post], `index` and `src` are [pre, count, post]. `step` combines an
/// element of the table with a value.
pub fn scatter<T: Copy>(
    t: &mut [T],
    index: &[i32],
    src: &[T],
    (size, count, post): (usize, usize, usize),
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

/// `t[index[j]] += value` for every j.
pub fn count<T: Number>(t: &mut [T], index: &[i32], value: T) {
    for i in index {
        let t = &mut t[*i as usize];
        *t = t.add(value);
    }
}

/// `sums[s] = zero + x[offsets[s]] + … + x[offsets[s + 1] - 1]`, in this order. There is one offset more than sums.
pub fn segment_sums<T: Number>(sums: &mut [T], x: &[T], offsets: &[i32], zero: T) {
    for (sum, ends) in sums.iter_mut().zip(offsets.windows(2)) {
        *sum = x[ends[0] as usize..ends[1] as usize].iter().fold(zero, |sum, x| sum.add(*x));
    }
}

/// Writes to `counts[k]` how often the index has the number k. All its numbers are below the number of counts.
pub fn bincount(counts: &mut [i32], index: &[i32]) {
    counts.fill(0);
    count(counts, index, 1);
}

/// Writes how many points lie in each bin. A point has `columns` numbers, 1 or 2. Each column has `bins` bins, which begin at
/// `low`; `scale` is the number of bins in a distance of 1. The last bin of a column has its upper end too. Points outside are not
/// counted.
pub fn histogram(counts: &mut [i32], x: &[f32], (bins, columns): (usize, usize), (low, scale): (f64, f64)) {
    counts.fill(0);
    let bin = |x: f32| {
        let bin = (f64::from(x) - low) * scale;
        let bin = if bin == bins as f64 { bins as f64 - 1.0 } else { bin };
        (bin >= 0.0 && bin < bins as f64).then_some(bin as usize)
    };
    for point in x.chunks_exact(columns) {
        let at = if columns == 1 {
            bin(point[0])
        } else {
            bin(point[0]).zip(bin(point[1])).map(|(a, b)| a * bins + b)
        };
        if let Some(at) = at {
            counts[at] += 1;
        }
    }
}

/// `step(t[row(j), q], src[j, q])` for rows of `length` elements: `step` combines an element of the table with a value. row(j) is named by
/// number j of the index, or by pair j of it where `inner`, the size of the table's second dimension, is not 0.
pub fn rows<T: Copy>(
    t: &mut [T],
    index: &[i32],
    src: &[T],
    (length, inner): (usize, usize),
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

/// `out[p, j, q] = t[p, index[p, j, q], q]`: `t` is [pre, size, post], `index` and `out` are [pre, count, post]. Writes all of
/// `out` if these sizes fit the slices.
pub fn gather<T: Copy>(
    out: &mut [MaybeUninit<T>],
    t: &[T],
    index: &[i32],
    (size, count, post): (usize, usize, usize),
) {
    let parts = out
        .chunks_exact_mut(count * post)
        .zip(t.chunks_exact(size * post))
        .zip(index.chunks_exact(count * post));
    for ((out, t), index) in parts {
        if post == 1 {
            for (out, i) in out.iter_mut().zip(index) {
                out.write(t[*i as usize]);
            }
        } else {
            for (out, index) in out.chunks_exact_mut(post).zip(index.chunks_exact(post)) {
                for (q, (out, i)) in out.iter_mut().zip(index).enumerate() {
                    out.write(t[*i as usize * post + q]);
                }
            }
        }
    }
}

/// `out[j, :] = t[index[j], :]` for every j, with rows of `length` elements.
pub fn gather_rows<T: Copy>(out: &mut [T], t: &[T], index: &[i32], length: usize) {
    for (out, i) in out.chunks_exact_mut(length).zip(index) {
        out.copy_from_slice(&t[*i as usize * length..][..length]);
    }
}

/// A new vector of `len` elements, which `fill` writes.
///
/// # Safety
/// `fill` has to write every element.
pub unsafe fn filled<T>(len: usize, fill: impl FnOnce(&mut [MaybeUninit<T>])) -> Vec<T> {
    let mut out = Vec::with_capacity(len);
    fill(&mut out.spare_capacity_mut()[..len]);
    // SAFETY: the capacity is there, and the caller promises that `fill` has written the elements.
    unsafe { out.set_len(len) };
    out
}

/// [`combined`] by products as a new vector. x must be whole planes of `y.len() * post` elements.
pub fn new_multiplied<T: Number>(x: &[T], y: &[T], post: usize) -> Vec<T> {
    assert!(x.len().is_multiple_of(y.len() * post));
    // SAFETY: x and the result are whole planes of y.
    unsafe { filled(x.len(), |out| combined(out, x, y, post, T::multiply)) }
}

/// [`gather`] as a new vector. `sizes` are (size, count, post).
pub fn new_gather<T: Copy>(t: &[T], index: &[i32], sizes: (usize, usize, usize)) -> Vec<T> {
    let (size, count, post) = sizes;
    assert!(index.len().is_multiple_of(count * post));
    assert_eq!(index.len() / (count * post), t.len() / (size * post));
    // SAFETY: t, the index and the result have the same number of parts, and are made of whole ones.
    unsafe { filled(index.len(), |out| gather(out, t, index, sizes)) }
}
