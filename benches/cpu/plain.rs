//! The loops that anyone would write, with Rust's own bounds checks and no library around them: what `loops.mjs` compares with.

use std::slice::{from_raw_parts, from_raw_parts_mut};

#[unsafe(no_mangle)]
extern "C" fn alloc(bytes: usize) -> *mut u64 {
    vec![0u64; bytes.div_ceil(8)].leak().as_mut_ptr()
}

/// One operator on float32 and on int32, along the middle of three dimensions.
macro_rules! along {
    ($name:ident, $ty:ty, $combine:expr) => {
        /// `table[p, index[p, j, q], q] ∘= src[p, j, q]`.
        /// # Safety
        /// The pointers must be to as many elements as the sizes say.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            table: *mut $ty,
            index: *const i32,
            src: *const $ty,
            before: usize, bound: usize, len: usize, after: usize,
        ) -> i32 {
            let n = before * len * after;
            let table = unsafe { from_raw_parts_mut(table, before * bound * after) };
            let (index, src) = unsafe { (from_raw_parts(index, n), from_raw_parts(src, n)) };
            let size = bound as i32;
            if index.iter().any(|&i| i < -size || i >= size) {
                return -1;
            }
            let combine: fn($ty, $ty) -> $ty = $combine;
            let mut k = 0;
            for p in 0..before {
                for _ in 0..len {
                    for q in 0..after {
                        let i = index[k];
                        let place = if i < 0 { i + size } else { i } as usize;
                        let at = (p * bound + place) * after + q;
                        table[at] = combine(table[at], src[k]);
                        k += 1;
                    }
                }
            }
            0
        }
    };
}
along!(replace_f32, f32, |_, update| update);
along!(add_f32, f32, |value, update| value + update);
along!(add_i32, i32, |value, update| value.wrapping_add(update));
along!(multiply_f32, f32, |value, update| value * update);

/// `out[p, j, q] = table[p, index[p, j, q], q]`.
/// # Safety
/// As above.
#[unsafe(no_mangle)]
unsafe extern "C" fn gather_f32(
    table: *const f32,
    index: *const i32,
    out: *mut f32,
    before: usize, bound: usize, len: usize, after: usize,
) -> i32 {
    let n = before * len * after;
    let table = unsafe { from_raw_parts(table, before * bound * after) };
    let (index, out) = unsafe { (from_raw_parts(index, n), from_raw_parts_mut(out, n)) };
    let size = bound as i32;
    if index.iter().any(|&i| i < -size || i >= size) {
        return -1;
    }
    let mut k = 0;
    for p in 0..before {
        for _ in 0..len {
            for q in 0..after {
                let i = index[k];
                let place = if i < 0 { i + size } else { i } as usize;
                out[k] = table[(p * bound + place) * after + q];
                k += 1;
            }
        }
    }
    0
}

/// `table[index[k], :] += src[k, :]`, and the same for a gather where `gather` is 1.
/// # Safety
/// As above.
#[unsafe(no_mangle)]
unsafe extern "C" fn rows_f32(
    table: *mut f32,
    index: *const i32,
    src: *mut f32,
    bound: usize, len: usize, row: usize, gather: usize,
) -> i32 {
    let table = unsafe { from_raw_parts_mut(table, bound * row) };
    let (index, src) = unsafe { (from_raw_parts(index, len), from_raw_parts_mut(src, len * row)) };
    let size = bound as i32;
    if index.iter().any(|&i| i < -size || i >= size) {
        return -1;
    }
    for (k, &i) in index.iter().enumerate() {
        let place = if i < 0 { i + size } else { i } as usize;
        let to = &mut table[place * row..(place + 1) * row];
        let from = &mut src[k * row..(k + 1) * row];
        if gather == 1 {
            from.copy_from_slice(to);
        } else {
            for (to, from) in to.iter_mut().zip(from) {
                *to += *from;
            }
        }
    }
    0
}

/// `out[p, j, q] = x[p, j, q] · y[j]`.
/// # Safety
/// As above.
#[unsafe(no_mangle)]
unsafe extern "C" fn broadcast_f32(
    x: *const f32,
    y: *const f32,
    out: *mut f32,
    before: usize, len: usize, after: usize, _: usize,
) -> i32 {
    let n = before * len * after;
    let (x, y) = unsafe { (from_raw_parts(x, n), from_raw_parts(y, len)) };
    let out = unsafe { from_raw_parts_mut(out, n) };
    if after == 1 {
        for (out, x) in out.chunks_exact_mut(len).zip(x.chunks_exact(len)) {
            for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
                *out = x * y;
            }
        }
        return 0;
    }
    let rows = out.chunks_exact_mut(after).zip(x.chunks_exact(after));
    for ((out, x), y) in rows.zip(y.iter().cycle()) {
        for (out, x) in out.iter_mut().zip(x) {
            *out = x * y;
        }
    }
    0
}
