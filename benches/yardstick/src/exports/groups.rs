//! The sorts and groups of `groups.rs` for JavaScript, by the rules of the module above.

use std::cmp::Ordering;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use crate::groups::{self, Statistic};

/// Exports the sorts of one element type, and the sum that leaves entries out, by these names. There are `len` elements.
macro_rules! sorts {
    ($type:ty, $compare:expr; $argsort:ident $sort:ident $unique:ident $add_ignoring:ident) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $argsort(order: *mut u32, x: *const $type, len: usize) {
            let (order, x) = unsafe { (from_raw_parts_mut(order, len), from_raw_parts(x, len)) };
            order.copy_from_slice(&groups::argsort(x, $compare));
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $sort(values: *mut $type, order: *mut u32, x: *const $type, len: usize) {
            let x = unsafe { from_raw_parts(x, len) };
            let (values, order) =
                unsafe { (from_raw_parts_mut(values, len), from_raw_parts_mut(order, len)) };
            order.copy_from_slice(&groups::argsort(x, $compare));
            for (value, at) in values.iter_mut().zip(order) {
                *value = x[*at as usize];
            }
        }
        /// Returns how many different elements there are. Each result has room for `len`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $unique(
            values: *mut $type,
            first: *mut u32,
            inverse: *mut u32,
            counts: *mut u32,
            x: *const $type,
            len: usize,
        ) -> usize {
            let found = groups::unique(unsafe { from_raw_parts(x, len) }, $compare);
            let distinct = found.values.len();
            unsafe {
                from_raw_parts_mut(values, distinct).copy_from_slice(&found.values);
                from_raw_parts_mut(first, distinct).copy_from_slice(&found.first);
                from_raw_parts_mut(inverse, len).copy_from_slice(&found.inverse);
                from_raw_parts_mut(counts, distinct).copy_from_slice(&found.counts);
            }
            distinct
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $add_ignoring(
            out: *mut $type,
            table: *const $type,
            size: usize,
            index: *const i32,
            src: *const $type,
            len: usize,
        ) {
            let (out, table) = unsafe { (from_raw_parts_mut(out, size), from_raw_parts(table, size)) };
            out.copy_from_slice(table);
            groups::add_ignoring(out, unsafe { from_raw_parts(index, len) }, unsafe {
                from_raw_parts(src, len)
            });
        }
    };
}
sorts!(f32, f32::total_cmp; argsort_f32 sort_f32 unique_f32 add_ignoring_f32);
sorts!(i32, |a: &i32, b: &i32| -> Ordering { a.cmp(b) }; argsort_i32 sort_i32 unique_i32 add_ignoring_i32);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn search_f32(out: *mut u32, edges: *const f32, n: usize, x: *const f32, len: usize) {
    let (out, x) = unsafe { (from_raw_parts_mut(out, len), from_raw_parts(x, len)) };
    groups::search(out, unsafe { from_raw_parts(edges, n) }, x);
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn winners_f32(
    values: *mut f32,
    places: *mut i32,
    size: usize,
    index: *const i32,
    src: *const f32,
    len: usize,
) {
    let (values, places) = unsafe { (from_raw_parts_mut(values, size), from_raw_parts_mut(places, size)) };
    groups::winners(values, places, unsafe { from_raw_parts(index, len) }, unsafe {
        from_raw_parts(src, len)
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn segment_winners_f32(
    values: *mut f32,
    places: *mut i32,
    segments: usize,
    offsets: *const i32,
    src: *const f32,
    len: usize,
) {
    let (values, places) =
        unsafe { (from_raw_parts_mut(values, segments), from_raw_parts_mut(places, segments)) };
    let offsets = unsafe { from_raw_parts(offsets, segments + 1) };
    groups::segment_winners(values, places, offsets, unsafe { from_raw_parts(src, len) });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn softmax_f32(
    out: *mut f32,
    size: usize,
    index: *const i32,
    src: *const f32,
    len: usize,
) {
    let (out, index) = unsafe { (from_raw_parts_mut(out, len), from_raw_parts(index, len)) };
    groups::softmax(out, size, index, unsafe { from_raw_parts(src, len) });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn logsumexp_f32(
    out: *mut f32,
    size: usize,
    index: *const i32,
    src: *const f32,
    len: usize,
) {
    let (out, index) = unsafe { (from_raw_parts_mut(out, size), from_raw_parts(index, len)) };
    groups::logsumexp(out, index, unsafe { from_raw_parts(src, len) });
}

/// `dense` has `nodes` rows, as the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spmm_f32(
    out: *mut f32,
    nodes: usize,
    length: usize,
    rows: *const i32,
    columns: *const i32,
    values: *const f32,
    edges: usize,
    dense: *const f32,
) {
    let (out, dense) =
        unsafe { (from_raw_parts_mut(out, nodes * length), from_raw_parts(dense, nodes * length)) };
    let (rows, columns) = unsafe { (from_raw_parts(rows, edges), from_raw_parts(columns, edges)) };
    groups::spmm(out, length, rows, columns, unsafe { from_raw_parts(values, edges) }, dense);
}

/// `statistic`: 0 or 1 is the sum, 2 the mean, 3 the count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn binned_f32(
    out: *mut f32,
    bins: usize,
    sample: *const f32,
    values: *const f32,
    points: usize,
    statistic: u32,
    low: f64,
    scale: f64,
) {
    let statistic = match statistic {
        2 => Statistic::Mean,
        3 => Statistic::Count,
        _ => Statistic::Sum,
    };
    let out = unsafe { from_raw_parts_mut(out, bins * bins) };
    let (sample, values) = unsafe { (from_raw_parts(sample, 2 * points), from_raw_parts(values, points)) };
    groups::binned(out, bins, sample, values, statistic, (low, scale));
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn bincount_masked(
    counts: *mut i32,
    size: usize,
    index: *const i32,
    mask: *const u8,
    len: usize,
) {
    let (counts, index) = unsafe { (from_raw_parts_mut(counts, size), from_raw_parts(index, len)) };
    groups::bincount_masked(counts, index, unsafe { from_raw_parts(mask, len) });
}
