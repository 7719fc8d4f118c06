//! The workloads by the loops that one would write by hand: see `benches/yardstick`.

use scatterwise::Reduce;

use crate::workload::{Inputs, Kind, Number, Workload};

/// Does the workload once. A scatter writes to the table and returns `None`; everything else returns its result.
pub fn run<T: Number>(workload: &Workload, inputs: &mut Inputs<T>) -> Option<Vec<T>> {
    let Inputs { table, source, index } = inputs;
    match workload.kind {
        Kind::Multiply { axis } => {
            // How many neighbours in x one element of y multiplies: the product of the sizes of x behind those of y. Operands of equal
            // shapes have axis −1, which is not counted from the front.
            let post = match table.len() == source.len() {
                true => 1,
                false => workload.shape.iter().skip(axis as usize + workload.other.len()).product(),
            };
            Some(yardstick::new_multiplied(table, source, post))
        }
        Kind::Gather { dim } => Some(yardstick::new_gather(table, index, sizes(workload, dim))),
        // The workloads with a scalar add it, to tables of one dimension.
        Kind::Along { scalar: true, .. } => {
            yardstick::count(table, index, T::from_i32(1));
            None
        }
        Kind::Along { dim, reduce, scalar: false } => {
            let sizes = sizes(workload, dim);
            match reduce {
                Reduce::Add => yardstick::scatter(table, index, source, sizes, |cell, s| *cell = cell.add(s)),
                Reduce::Multiply => {
                    yardstick::scatter(table, index, source, sizes, |cell, s| *cell = cell.multiply(s))
                }
                Reduce::Replace => yardstick::scatter(table, index, source, sizes, |cell, s| *cell = s),
                other => unreachable!("no workload does {other:?}"),
            }
            None
        }
        Kind::Rows { depth, reduce, .. } => {
            // The size of the second dimension, where two numbers name a row.
            let inner = if depth == 1 { 0 } else { workload.shape[1] };
            let sizes = (workload.row_len(), inner);
            match reduce {
                Reduce::Multiply => {
                    yardstick::rows(table, index, source, sizes, |cell, s| *cell = cell.multiply(s))
                }
                Reduce::Add => yardstick::rows(table, index, source, sizes, |cell, s| *cell = cell.add(s)),
                other => unreachable!("no workload does {other:?}"),
            }
            None
        }
    }
}

/// (size, count, post) as the yardstick's loops take them: the sizes of the table and of the index along the dimension, and the product
/// of the table's sizes behind it.
fn sizes(workload: &Workload, dim: usize) -> (usize, usize, usize) {
    let post = workload.shape.iter().skip(dim + 1).product();
    (workload.shape[dim], workload.other[dim], post)
}
