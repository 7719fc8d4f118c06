//! Sorts and groups by hand. Sorts are the standard library's; sums are in order, in the type of the elements.

use std::cmp::Ordering;

use crate::Number;

/// The positions of x in ascending order by `compare`; equal elements keep their order.
pub fn argsort<T: Copy>(x: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..x.len() as u32).collect();
    order.sort_by(|&a, &b| compare(&x[a as usize], &x[b as usize]));
    order
}

/// The distinct elements of x in ascending order, the first place of each, for each element of x the place of its value, and the counts.
pub struct Distinct<T> {
    pub values: Vec<T>,
    pub first: Vec<u32>,
    pub inverse: Vec<u32>,
    pub counts: Vec<u32>,
}

/// See [`Distinct`].
pub fn unique<T: Copy>(x: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Distinct<T> {
    let mut found =
        Distinct { values: Vec::new(), first: Vec::new(), inverse: vec![0; x.len()], counts: Vec::new() };
    for at in argsort(x, &compare) {
        let value = x[at as usize];
        if found.values.last().is_none_or(|last| compare(last, &value).is_ne()) {
            found.values.push(value);
            found.first.push(at);
            found.counts.push(0);
        }
        if let Some(count) = found.counts.last_mut() {
            *count += 1;
        }
        found.inverse[at as usize] = found.values.len() as u32 - 1;
    }
    found
}

/// `out[k]`: how many of the sorted edges are less than `x[k]`.
pub fn search(out: &mut [u32], edges: &[f32], x: &[f32]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = edges.partition_point(|edge| edge < x) as u32;
    }
}

/// The largest of the values of each group and its position; 0 and −1 for a group without values.
pub fn winners(values: &mut [f32], places: &mut [i32], index: &[i32], src: &[f32]) {
    values.fill(0.0);
    places.fill(-1);
    for (k, (group, value)) in index.iter().zip(src).enumerate() {
        let group = *group as usize;
        if places[group] < 0 || *value > values[group] {
            (values[group], places[group]) = (*value, k as i32);
        }
    }
}

/// [`winners`] of neighbours: group s has the values from `offsets[s]` up to `offsets[s + 1]`.
pub fn segment_winners(values: &mut [f32], places: &mut [i32], offsets: &[i32], src: &[f32]) {
    values.fill(0.0);
    places.fill(-1);
    for (s, ends) in offsets.windows(2).enumerate() {
        for (k, value) in src.iter().enumerate().take(ends[1] as usize).skip(ends[0] as usize) {
            if places[s] < 0 || *value > values[s] {
                (values[s], places[s]) = (*value, k as i32);
            }
        }
    }
}

/// The maximum of each of `size` groups, and the sum of the exponentials of the differences from it, which `term` gets with their numbers.
fn exponentials(
    size: usize,
    index: &[i32],
    src: &[f32],
    mut term: impl FnMut(usize, f32),
) -> (Vec<f32>, Vec<f32>) {
    let (mut most, mut sums) = (vec![f32::NEG_INFINITY; size], vec![0.0; size]);
    for (group, value) in index.iter().zip(src) {
        let most = &mut most[*group as usize];
        *most = if *value > *most { *value } else { *most };
    }
    for (k, (group, value)) in index.iter().zip(src).enumerate() {
        let exp = (value - most[*group as usize]).exp();
        sums[*group as usize] += exp;
        term(k, exp);
    }
    (most, sums)
}

/// The softmax of the entries of each of `size` groups.
pub fn softmax(out: &mut [f32], size: usize, index: &[i32], src: &[f32]) {
    let (_, sums) = exponentials(size, index, src, |k, exp| out[k] = exp);
    for (out, group) in out.iter_mut().zip(index) {
        *out /= sums[*group as usize];
    }
}

/// [`softmax`] without the entries whose index is −1; their results are 0.
pub fn softmax_ignoring(out: &mut [f32], size: usize, index: &[i32], src: &[f32]) {
    let (mut most, mut sums) = (vec![f32::NEG_INFINITY; size], vec![0.0; size]);
    out.fill(0.0);
    for (group, value) in index.iter().zip(src).filter(|(group, _)| **group != -1) {
        let most = &mut most[*group as usize];
        *most = if *value > *most { *value } else { *most };
    }
    for ((out, group), value) in out.iter_mut().zip(index).zip(src).filter(|((_, group), _)| **group != -1) {
        *out = (value - most[*group as usize]).exp();
        sums[*group as usize] += *out;
    }
    for (out, group) in out.iter_mut().zip(index).filter(|(_, group)| **group != -1) {
        *out /= sums[*group as usize];
    }
}

/// The gradient of [`softmax_ignoring`], whose result is `softmax`.
pub fn softmax_gradient_ignoring(
    out: &mut [f32],
    size: usize,
    index: &[i32],
    softmax: &[f32],
    cotangent: &[f32],
) {
    let mut sums = vec![0.0; size];
    out.fill(0.0);
    for (k, group) in index.iter().enumerate().filter(|(_, group)| **group != -1) {
        sums[*group as usize] += softmax[k] * cotangent[k];
    }
    for (k, group) in index.iter().enumerate().filter(|(_, group)| **group != -1) {
        out[k] = softmax[k] * (cotangent[k] - sums[*group as usize]);
    }
}

/// The logarithm of the sum of the exponentials of each group.
pub fn logsumexp(out: &mut [f32], index: &[i32], src: &[f32]) {
    let (most, sums) = exponentials(out.len(), index, src, |_, _| ());
    for ((out, most), sum) in out.iter_mut().zip(most).zip(sums) {
        *out = most + sum.ln();
    }
}

/// `out[rows[e], :] += values[e] · dense[columns[e], :]` for every e, with rows of `length` elements.
pub fn spmm(out: &mut [f32], length: usize, rows: &[i32], columns: &[i32], values: &[f32], dense: &[f32]) {
    out.fill(0.0);
    for ((row, column), value) in rows.iter().zip(columns).zip(values) {
        let to = &mut out[*row as usize * length..][..length];
        for (out, dense) in to.iter_mut().zip(&dense[*column as usize * length..][..length]) {
            *out += value * dense;
        }
    }
}

/// What [`binned`] computes.
#[derive(Clone, Copy, PartialEq)]
pub enum Statistic {
    Sum,
    Mean,
    Count,
}

/// A statistic of the values of the points in each bin. A point has two numbers; both columns have `bins` bins, which begin at `low`, with
/// `scale` bins in a distance of 1. The last one has its upper end too. Sums are in f64. No point may be outside.
pub fn binned(
    out: &mut [f32],
    bins: usize,
    sample: &[f32],
    values: &[f32],
    statistic: Statistic,
    (low, scale): (f64, f64),
) {
    let bin = |x: f32| (((f64::from(x) - low) * scale) as usize).min(bins - 1);
    let (mut sums, mut counts) = (vec![0.0f64; out.len()], vec![0u32; out.len()]);
    for (point, value) in sample.chunks_exact(2).zip(values) {
        let at = bin(point[0]) * bins + bin(point[1]);
        if statistic != Statistic::Count {
            sums[at] += f64::from(*value);
        }
        if statistic != Statistic::Sum {
            counts[at] += 1;
        }
    }
    for ((out, sum), count) in out.iter_mut().zip(sums).zip(counts) {
        *out = match statistic {
            Statistic::Sum => sum as f32,
            Statistic::Mean => (sum / f64::from(count)) as f32,
            Statistic::Count => count as f32,
        };
    }
}

/// How often each number occurs where the mask is not 0.
pub fn bincount_masked(counts: &mut [i32], index: &[i32], mask: &[u8]) {
    counts.fill(0);
    for (at, mask) in index.iter().zip(mask) {
        if *mask != 0 {
            counts[*at as usize] += 1;
        }
    }
}

/// `t[index[k]] += src[k]` for every k whose index is not −1.
pub fn add_ignoring<T: Number>(t: &mut [T], index: &[i32], src: &[T]) {
    for (at, value) in index.iter().zip(src).filter(|(at, _)| **at != -1) {
        let t = &mut t[*at as usize];
        *t = t.add(*value);
    }
}
