//! The loops that one would write by hand, each access checked: the yardstick for the library's kernels.

use scatterwise::Reduce;

use crate::workload::{Inputs, Kind, Number, Workload};

/// Makes the call; a scatter writes to the table, everything else returns its result.
pub fn run<T: Number>(workload: &Workload, inputs: &mut Inputs<T>) -> Option<Vec<T>> {
    let Inputs { table, source, index } = inputs;
    match workload.kind {
        Kind::Multiply { axis } => Some(multiply(workload, axis, table, source)),
        Kind::Gather { dim } => Some(gather(workload, dim, table, index)),
        Kind::Along { dim, reduce, scalar } => {
            let one = T::from_i32(1);
            match (reduce, scalar) {
                (Reduce::Add, true) => along(workload, dim, table, index, |_| one, T::add),
                (Reduce::Add, false) => along(workload, dim, table, index, |k| source[k], T::add),
                (Reduce::Multiply, _) => along(workload, dim, table, index, |k| source[k], T::multiply),
                (Reduce::Replace, _) => along(workload, dim, table, index, |k| source[k], |_, update| update),
            }
            None
        }
        Kind::Rows { depth, reduce, .. } => {
            match reduce {
                Reduce::Multiply => rows(workload, depth, table, index, source, T::multiply),
                _ => rows(workload, depth, table, index, source, T::add),
            }
            None
        }
    }
}

fn multiply<T: Number>(workload: &Workload, axis: i64, x: &[T], y: &[T]) -> Vec<T> {
    if x.len() == y.len() {
        return x.iter().zip(y).map(|(&x, &y)| x.multiply(y)).collect();
    }
    let post: usize = workload.shape.iter().skip(axis as usize + workload.other.len()).product();
    let mut out = Vec::with_capacity(x.len());
    for plane in x.chunks_exact(y.len() * post) {
        if post == 1 {
            out.extend(plane.iter().zip(y).map(|(&x, &y)| x.multiply(y)));
        } else {
            for (run, &y) in plane.chunks_exact(post).zip(y) {
                out.extend(run.iter().map(|&x| x.multiply(y)));
            }
        }
    }
    out
}

/// Sizes before, along and behind the dimension.
fn parts(workload: &Workload, dim: usize) -> (usize, usize, usize) {
    let post = workload.shape.iter().skip(dim + 1).product();
    (workload.shape[dim], workload.other[dim], post)
}

fn along<T: Number>(
    workload: &Workload,
    dim: usize,
    table: &mut [T],
    index: &[i32],
    update: impl Fn(usize) -> T,
    combine: impl Fn(T, T) -> T,
) {
    let (size, count, post) = parts(workload, dim);
    let mut k = 0;
    for (table, index) in table.chunks_exact_mut(size * post).zip(index.chunks_exact(count * post)) {
        for row in index.chunks_exact(post) {
            for (column, &place) in row.iter().enumerate() {
                let cell = &mut table[place as usize * post + column];
                *cell = combine(*cell, update(k));
                k += 1;
            }
        }
    }
}

fn gather<T: Number>(workload: &Workload, dim: usize, table: &[T], index: &[i32]) -> Vec<T> {
    let (size, count, post) = parts(workload, dim);
    let mut out = Vec::with_capacity(index.len());
    for (table, index) in table.chunks_exact(size * post).zip(index.chunks_exact(count * post)) {
        for row in index.chunks_exact(post) {
            out.extend(row.iter().enumerate().map(|(column, &place)| table[place as usize * post + column]));
        }
    }
    out
}

fn rows<T: Number>(
    workload: &Workload,
    depth: usize,
    table: &mut [T],
    index: &[i32],
    source: &[T],
    combine: impl Fn(T, T) -> T,
) {
    let (row, second) = (workload.row(), workload.shape.get(1).copied().unwrap_or(1));
    for (tuple, update) in index.chunks_exact(depth).zip(source.chunks_exact(row)) {
        let at = match *tuple {
            [first, next] => first as usize * second + next as usize,
            _ => tuple[0] as usize,
        };
        for (cell, &update) in table[at * row..(at + 1) * row].iter_mut().zip(update) {
            *cell = combine(*cell, update);
        }
    }
}
