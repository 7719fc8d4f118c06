//! The Rust twin of each pass of a scatter on the GPU: the same bindings, as slices, and the same result, in plain
//! loops. A change in `shaders/index` or `shaders/sort` is a change here.

use scatterwise::DType;
use scatterwise::testing::Addressing;

use crate::common::pairs::Numbers;

/// What `choose.wgsl` writes for an entry that is not the last to name its row.
pub(crate) const NOT_CHOSEN: u32 = u32::MAX;
const TILE: usize = 4096;
const DIGITS: usize = 16;

fn digit(row: u32, bit: u32) -> usize {
    (row >> bit) as usize % DIGITS
}

/// For each entry its row of the table and its first value.
fn entries(plan: &Addressing, index: &[i64]) -> Vec<(usize, usize)> {
    let depth = plan.components().len();
    (0..plan.entries())
        .map(|entry| {
            let tuple = &index[entry * depth..][..depth];
            let wrapped = plan.components().iter().zip(tuple).map(|(component, &value)| {
                let value = if value < 0 { value + component.bound as i64 } else { value };
                value as usize * component.stride
            });
            let (mut rest, mut table, mut value) = (entry, wrapped.sum::<usize>() * plan.place_stride(), 0);
            for l in plan.loops().iter().rev() {
                table += rest % l.len * l.table_stride;
                value += rest % l.len * l.value_stride;
                rest /= l.len;
            }
            (table / plan.row().len, value)
        })
        .collect()
}

pub(crate) fn normalise(plan: &Addressing, index: &[i64]) -> Vec<u32> {
    entries(plan, index).into_iter().map(|(row, _)| row as u32).collect()
}

pub(crate) fn mark(table_rows: usize, rows: &[u32]) -> Vec<u32> {
    let mut marks = vec![0; table_rows];
    for (k, &row) in rows.iter().enumerate() {
        marks[row as usize] = k as u32 + 1;
    }
    marks
}

pub(crate) fn choose(rows: &[u32], marks: &[u32]) -> Vec<u32> {
    let is_last = |k: usize, row: u32| marks[row as usize] == k as u32 + 1;
    rows.iter().enumerate().map(|(k, &row)| if is_last(k, row) { row } else { NOT_CHOSEN }).collect()
}

pub(crate) fn commit(plan: &Addressing, index: &[i64], table: &mut [i32], chosen: &[u32], src: &[i32]) {
    let len = plan.row().len;
    for ((_, value), &row) in
        entries(plan, index).into_iter().zip(chosen).filter(|(_, row)| **row != NOT_CHOSEN)
    {
        table[row as usize * len..][..len].copy_from_slice(&src[value..][..len]);
    }
}

pub(crate) fn count(table_rows: usize, rows: &[u32]) -> Vec<u32> {
    let mut counts = vec![0; table_rows];
    rows.iter().for_each(|&row| counts[row as usize] += 1);
    counts
}

pub(crate) fn apply_counted<E: Copy>(table: &mut [E], len: usize, counts: &[u32], combine: impl Fn(E) -> E) {
    for (element, value) in table.iter_mut().enumerate() {
        for _ in 0..counts[element / len] {
            *value = combine(*value);
        }
    }
}

pub(crate) fn digit_count(rows: &[u32], bit: u32) -> Vec<u32> {
    let tiles = rows.len().div_ceil(TILE);
    let mut counts = vec![0; DIGITS * tiles];
    for (k, &row) in rows.iter().enumerate() {
        counts[digit(row, bit) * tiles + k / TILE] += 1;
    }
    counts
}

pub(crate) fn digit_scan(counts: &[u32]) -> Vec<u32> {
    let running = counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum - count)
    });
    running.collect()
}

/// Rows and behind them the entries, as the shader has them.
pub(crate) fn digit_scatter(rows: &[u32], entries: &[u32], places: &[u32], bit: u32) -> Vec<u32> {
    let (len, tiles) = (rows.len(), rows.len().div_ceil(TILE));
    let mut next = places.to_vec();
    let mut sorted = vec![0; 2 * len];
    for (k, (&row, &entry)) in rows.iter().zip(entries).enumerate() {
        let place = &mut next[digit(row, bit) * tiles + k / TILE];
        (sorted[*place as usize], sorted[len + *place as usize]) = (row, entry);
        *place += 1;
    }
    sorted
}

/// All dispatches of it: each run from its start to its end.
pub(crate) fn run_per_thread(
    plan: &Addressing,
    index: &[i64],
    table: &mut [f32],
    sorted: &[u32],
    src: &[f32],
) {
    let len = plan.row().len;
    let of_entries = entries(plan, index);
    let (rows, order) = sorted.split_at(plan.entries());
    for (&row, &entry) in rows.iter().zip(order) {
        for l in 0..len {
            table[row as usize * len + l] += src[of_entries[entry as usize].1 + l];
        }
    }
}

/// All dispatches of it: for each row its run, a thread for each element.
pub(crate) fn row_per_group(
    plan: &Addressing,
    index: &[i64],
    table: &mut [f32],
    sorted: &[u32],
    src: &[f32],
) {
    let of_entries = entries(plan, index);
    let (rows, order) = sorted.split_at(plan.entries());
    for (row, elements) in table.chunks_exact_mut(plan.row().len).enumerate() {
        let first_of = |row: usize| rows.partition_point(|&other| (other as usize) < row);
        for (l, element) in elements.iter_mut().enumerate() {
            for &entry in &order[first_of(row)..first_of(row + 1)] {
                *element += src[of_entries[entry as usize].1 + l];
            }
        }
    }
}

/// Words that hold elements of `bits` bits, for passes in which several threads write to one word.
pub(crate) struct Words<'a> {
    pub(crate) words: &'a mut [u32],
    pub(crate) bits: usize,
}

/// `atomic_add_4.wgsl` and the others: what one thread does to element i.
pub(crate) type Apply = fn(&mut Words<'_>, usize, u64);

pub(crate) fn add_4(dst: &mut Words<'_>, i: usize, update: u64) {
    dst.words[i] = dst.words[i].wrapping_add(update as u32);
}

/// Two words, added one after the other with the carry between them.
pub(crate) fn add_8(dst: &mut Words<'_>, i: usize, update: u64) {
    let (low, is_over) = dst.words[2 * i].overflowing_add(update as u32);
    dst.words[2 * i] = low;
    let high = ((update >> 32) as u32).wrapping_add(is_over.into());
    dst.words[2 * i + 1] = dst.words[2 * i + 1].wrapping_add(high);
}

pub(crate) fn and(dst: &mut Words<'_>, i: usize, update: u64) {
    if update == 0 {
        dst.words[i / 4] &= !(1 << (i % 4 * 8));
    }
}

pub(crate) fn or(dst: &mut Words<'_>, i: usize, update: u64) {
    if update != 0 {
        dst.words[i / 4] |= 1 << (i % 4 * 8);
    }
}

pub(crate) fn store_packed(dst: &mut Words<'_>, i: usize, update: u64) {
    let in_a_word = 32 / dst.bits;
    let (mask, shift) = (u32::MAX >> (32 - dst.bits), i % in_a_word * dst.bits);
    dst.words[i / in_a_word] &= !(mask << shift);
    dst.words[i / in_a_word] |= (update as u32) << shift;
}

pub(crate) fn store_4(dst: &mut Words<'_>, i: usize, update: u64) {
    dst.words[i] = update as u32;
}

pub(crate) fn store_8(dst: &mut Words<'_>, i: usize, update: u64) {
    (dst.words[2 * i], dst.words[2 * i + 1]) = (update as u32, (update >> 32) as u32);
}

/// The threads of `atomics.wgsl` one after the other, the last one first: their order makes no difference.
pub(crate) fn atomics(
    plan: &Addressing,
    index: &[i64],
    dst: &mut Words<'_>,
    update: impl Fn(usize) -> u64,
    apply: Apply,
) {
    let row = plan.row();
    for (place, value) in entries(plan, index).into_iter().rev() {
        for l in (0..row.len).rev() {
            apply(dst, place * row.len + l, update(value + l * row.value_stride));
        }
    }
}

/// `small.wgsl`: for each entry the next one that names its row, and whether one before it does.
fn link(rows: &[usize]) -> (Vec<usize>, Vec<bool>) {
    let mut is_linked = vec![false; rows.len()];
    let mut next_of = |k: usize| {
        let next = (k + 1..rows.len()).find(|&next| rows[next] == rows[k]);
        is_linked[next?] = true;
        next
    };
    let links = (0..rows.len()).map(|k| next_of(k).unwrap_or(rows.len())).collect();
    (links, is_linked)
}

pub(crate) fn small<E: Copy>(
    plan: &Addressing,
    index: &[i64],
    table: &mut [E],
    update: &dyn Fn(usize) -> E,
    combine: &dyn Fn(E, E) -> E,
) {
    let row = plan.row();
    let (rows, values): (Vec<_>, Vec<_>) = entries(plan, index).into_iter().unzip();
    let (links, is_linked) = link(&rows);
    for head in (0..rows.len()).filter(|&k| !is_linked[k]) {
        for l in 0..row.len {
            let element = &mut table[rows[head] * row.len + l];
            let mut k = head;
            while k < rows.len() {
                *element = combine(*element, update(values[k] + l * row.value_stride));
                k = links[k];
            }
        }
    }
}

/// Any words; truth values are bytes of 0 and 1.
pub(crate) fn words_of(seed: u64, len: usize, dtype: DType) -> Vec<u32> {
    let mut numbers = Numbers(seed);
    let mask = if dtype == DType::Bool { 0x0101_0101 } else { u32::MAX };
    (0..(len * dtype.size()).div_ceil(4)).map(|_| numbers.next() as u32 & mask).collect()
}
