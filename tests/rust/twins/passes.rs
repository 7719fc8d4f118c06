//! The Rust twin of each pass of a scatter on the GPU: the same bindings, as slices, and the same result, in plain loops. A change in
//! `shaders/index` or `shaders/scatter` is a change here, and each function has the name of its shader.
//!
//! `plan` says how the index addresses the table, and `index` has its values, those of one tuple together: all in bounds, negative ones
//! count from the end. An entry is one of its tuples. A row of the table is `plan.row().len` elements; `rows` has the number of the row
//! that each entry names.

use scatterwise::DType;
use scatterwise::testing::Addressing;

use crate::common::pairs::Numbers;

/// Rows in a tile of the sort, and values of a digit, as `shaders/sort` has them.
const TILE: usize = 4096;
const DIGITS: usize = 16;

/// The digit of a row whose lowest bit is number `bit`.
fn digit(row: u32, bit: u32) -> usize {
    (row >> bit) as usize % DIGITS
}

/// For each entry the row of the table that it names, and the first of its values, as an element of the source: `decode` and `place` of
/// `shaders/lib`.
fn entries(plan: &Addressing, index: &[i64]) -> Vec<(usize, usize)> {
    let depth = plan.components().len();
    (0..plan.entries())
        .map(|entry| {
            let tuple = &index[entry * depth..][..depth];
            let wrapped = plan.components().iter().zip(tuple).map(|(component, &value)| {
                let value = if value < 0 { value + component.bound as i64 } else { value };
                value as usize * component.stride
            });
            let (mut rest, mut table, mut value) = (entry, wrapped.sum::<usize>() * plan.slot_stride(), 0);
            for l in plan.loops().iter().rev() {
                table += rest % l.len * l.table_stride;
                value += rest % l.len * l.value_stride;
                rest /= l.len;
            }
            (table / plan.row().len, value)
        })
        .collect()
}

/// The row that each entry names.
pub(crate) fn normalise(plan: &Addressing, index: &[i64]) -> Vec<u32> {
    entries(plan, index).into_iter().map(|(row, _)| row as u32).collect()
}

/// For each row of the table 1 + the number of the last entry that names it, 0 where none does.
pub(crate) fn mark(table_rows: usize, rows: &[u32]) -> Vec<u32> {
    let mut marks = vec![0; table_rows];
    for (k, &row) in rows.iter().enumerate() {
        marks[row as usize] = k as u32 + 1;
    }
    marks
}

/// Moves the values of each entry that is the last one to name its row. `marks` is what `mark` returns.
pub(crate) fn commit(plan: &Addressing, index: &[i64], table: &mut [i32], marks: &[u32], src: &[i32]) {
    let len = plan.row().len;
    for (k, (row, value)) in entries(plan, index).into_iter().enumerate() {
        if marks[row] == k as u32 + 1 {
            table[row * len..][..len].copy_from_slice(&src[value..][..len]);
        }
    }
}

/// For each row of the table how many entries name it.
pub(crate) fn count(table_rows: usize, rows: &[u32]) -> Vec<u32> {
    let mut counts = vec![0; table_rows];
    rows.iter().for_each(|&row| counts[row as usize] += 1);
    counts
}

/// Applies `combine`, which has the scalar in it, to each element as often as its row is counted. Rows have `len` elements.
pub(crate) fn apply_counted<E: Copy>(table: &mut [E], len: usize, counts: &[u32], combine: impl Fn(E) -> E) {
    for (element, value) in table.iter_mut().enumerate() {
        for _ in 0..counts[element / len] {
            *value = combine(*value);
        }
    }
}

/// How many rows of each tile have each digit: the tiles of the first digit, then those of the second. `bit` is the
/// number of the digit's lowest bit.
pub(crate) fn digit_count(rows: &[u32], bit: u32) -> Vec<u32> {
    let tiles = rows.len().div_ceil(TILE);
    let mut counts = vec![0; DIGITS * tiles];
    for (k, &row) in rows.iter().enumerate() {
        counts[digit(row, bit) * tiles + k / TILE] += 1;
    }
    counts
}

/// The sum of all counts before each.
pub(crate) fn digit_scan(counts: &[u32]) -> Vec<u32> {
    let running = counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum - count)
    });
    running.collect()
}

/// The rows sorted by one digit, stably, and behind them the numbers of their entries, moved in the same way. `places` is what `digit_scan`
/// returns: where the first row of each digit and tile goes.
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

/// Adds the row of values of each entry to its row of the table, as all dispatches together do: sorted entry by sorted entry. `sorted` has
/// the sorted rows, then the numbers of their entries.
pub(crate) fn run_per_thread(
    plan: &Addressing,
    index: &[i64],
    table: &mut [f32],
    sorted: &[u32],
    src: &[f32],
) {
    let len = plan.row().len;
    let (_, values): (Vec<_>, Vec<_>) = entries(plan, index).into_iter().unzip();
    let (rows, order) = sorted.split_at(plan.entries());
    for (&row, &entry) in rows.iter().zip(order) {
        for at in 0..len {
            table[row as usize * len + at] += src[values[entry as usize] + at];
        }
    }
}

/// Adds the row of values of each entry to its row of the table, in the order of `row_per_group.wgsl`: for each row and element, the
/// entries that name the row. `sorted` has the sorted rows, then the numbers of their entries.
pub(crate) fn row_per_group(
    plan: &Addressing,
    index: &[i64],
    table: &mut [f32],
    sorted: &[u32],
    src: &[f32],
) {
    let (_, values): (Vec<_>, Vec<_>) = entries(plan, index).into_iter().unzip();
    let (rows, order) = sorted.split_at(plan.entries());
    for (row, elements) in table.chunks_exact_mut(plan.row().len).enumerate() {
        let first_of = |row: usize| rows.partition_point(|&other| (other as usize) < row);
        for (at, element) in elements.iter_mut().enumerate() {
            for &entry in &order[first_of(row)..first_of(row + 1)] {
                *element += src[values[entry as usize] + at];
            }
        }
    }
}

/// Words that hold elements of `bits` bits, for passes in which several threads write to one word.
pub(crate) struct Words<'a> {
    pub(crate) words: &'a mut [u32],
    /// Bits of an element.
    pub(crate) bits: usize,
}

/// `apply` of `add.wgsl` and the other operations: combines element number i of the table with an update, given as bits.
pub(crate) type Apply = fn(&mut Words<'_>, usize, u64);

/// A sum of one word, wrapped.
pub(crate) fn add_4(dst: &mut Words<'_>, i: usize, update: u64) {
    dst.words[i] = dst.words[i].wrapping_add(update as u32);
}

/// A sum of two words, wrapped: the low words are added, then the high ones with the carry.
pub(crate) fn add_8(dst: &mut Words<'_>, i: usize, update: u64) {
    let (low, is_over) = dst.words[2 * i].overflowing_add(update as u32);
    dst.words[2 * i] = low;
    let high = ((update >> 32) as u32).wrapping_add(is_over.into());
    dst.words[2 * i + 1] = dst.words[2 * i + 1].wrapping_add(high);
}

/// The logical AND of truth values, which are bytes of 0 or 1.
pub(crate) fn and(dst: &mut Words<'_>, i: usize, update: u64) {
    if update == 0 {
        dst.words[i / 4] &= !(1 << (i % 4 * 8));
    }
}

/// The logical OR of truth values.
pub(crate) fn or(dst: &mut Words<'_>, i: usize, update: u64) {
    if update != 0 {
        dst.words[i / 4] |= 1 << (i % 4 * 8);
    }
}

/// Replaces an element of one or two bytes: clears its bits, then sets them.
pub(crate) fn store_packed(dst: &mut Words<'_>, i: usize, update: u64) {
    let in_a_word = 32 / dst.bits;
    let (mask, shift) = (u32::MAX >> (32 - dst.bits), i % in_a_word * dst.bits);
    dst.words[i / in_a_word] &= !(mask << shift);
    dst.words[i / in_a_word] |= (update as u32) << shift;
}

/// Replaces an element of one word.
pub(crate) fn store_4(dst: &mut Words<'_>, i: usize, update: u64) {
    dst.words[i] = update as u32;
}

/// Replaces an element of two words.
pub(crate) fn store_8(dst: &mut Words<'_>, i: usize, update: u64) {
    (dst.words[2 * i], dst.words[2 * i + 1]) = (update as u32, (update >> 32) as u32);
}

/// Applies each update of each entry, the last one first, since their order must make no difference. `update` gives the bits of an element
/// of the source by its number.
pub(crate) fn atomics(
    plan: &Addressing,
    index: &[i64],
    dst: &mut Words<'_>,
    update: impl Fn(usize) -> u64,
    apply: Apply,
) {
    let row = plan.row();
    for (table_row, value) in entries(plan, index).into_iter().rev() {
        for at in (0..row.len).rev() {
            apply(dst, table_row * row.len + at, update(value + at * row.value_stride));
        }
    }
}

/// The chains of `small.wgsl`: for each entry the next one that names its row, `rows.len()` where none does, and whether one before it
/// names its row.
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

/// Applies the chain that starts at each entry, element by element of its row. `update` gives an element of the source by its number.
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
        for at in 0..row.len {
            let element = &mut table[rows[head] * row.len + at];
            let mut k = head;
            while k < rows.len() {
                *element = combine(*element, update(values[k] + at * row.value_stride));
                k = links[k];
            }
        }
    }
}

/// Random words that hold `len` elements of a dtype; truth values are bytes of 0 and 1.
pub(crate) fn words_of(seed: u64, len: usize, dtype: DType) -> Vec<u32> {
    let mut numbers = Numbers(seed);
    let mask = if dtype == DType::Bool { 0x0101_0101 } else { u32::MAX };
    (0..(len * dtype.size()).div_ceil(4)).map(|_| numbers.next() as u32 & mask).collect()
}
