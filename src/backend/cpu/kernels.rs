//! The loops. They run in storage order and check nothing: the plan has, and the index was validated.

use smallvec::SmallVec;

use crate::plan::{IndexPlan, Loop};
use crate::shape::MAX_OP_RANK;

/// `table row = combine(table row, value row)` for every index entry, in row-major order.
pub(super) fn scatter<E: Copy>(
    plan: &IndexPlan,
    table: &mut [E],
    positions: &[u32],
    values: &[E],
    combine: impl Fn(E, E) -> E,
) {
    check_lengths(plan, table.len(), positions.len(), values.len());
    let row = plan.row();
    for_each_entry(plan, positions, |place, value| {
        for l in 0..row.len {
            // SAFETY: see `check_lengths`.
            unsafe {
                let update = *values.get_unchecked(value + l * row.value_stride);
                let element = table.get_unchecked_mut(place + l);
                *element = combine(*element, update);
            }
        }
    });
}

/// `out row = table row` for every index entry.
pub(super) fn gather<E: Copy>(plan: &IndexPlan, table: &[E], positions: &[u32], out: &mut [E]) {
    check_lengths(plan, table.len(), positions.len(), out.len());
    let row = plan.row();
    for_each_entry(plan, positions, |place, value| {
        for l in 0..row.len {
            // SAFETY: see `check_lengths`.
            unsafe { *out.get_unchecked_mut(value + l) = *table.get_unchecked(place + l) };
        }
    });
}

/// Calls `visit` with entry, table element and value element of every write that `scatter` makes, in its order.
pub(super) fn for_each_element(
    plan: &IndexPlan,
    positions: &[u32],
    mut visit: impl FnMut(usize, usize, usize),
) {
    let row = plan.row();
    let mut entry = 0;
    for_each_entry(plan, positions, |place, value| {
        for l in 0..row.len {
            visit(entry, place + l, value + l * row.value_stride);
        }
        entry += 1;
    });
}

/// What the unchecked accesses rely on. The plan makes every element that an entry addresses smaller than
/// `table_len` as long as each position is below the product of the bounds, which `validate` has seen to, and
/// every element of the values smaller than `value_len`. That leaves the lengths of the slices; asking once
/// per call costs nothing and makes the kernels sound whatever calls them.
fn check_lengths(plan: &IndexPlan, table: usize, positions: usize, values: usize) {
    assert!(table >= plan.table_len() && positions == plan.entries() && values >= plan.value_len());
}

/// Calls `visit` with the first table element and the first value of every entry's row, in row-major order.
#[inline(always)]
fn for_each_entry(plan: &IndexPlan, positions: &[u32], mut visit: impl FnMut(usize, usize)) {
    if plan.entries() == 0 || plan.row().len == 0 {
        return;
    }
    let single = Loop { len: 1, table_stride: 0, value_stride: 0 };
    let (inner, outer) =
        plan.loops().split_last().map_or((single, &[][..]), |(inner, outer)| (*inner, outer));
    let place_stride = plan.place_stride();
    let mut coordinates: SmallVec<[usize; MAX_OP_RANK]> = outer.iter().map(|_| 0).collect();
    let (mut table, mut value) = (0, 0);
    for run in positions.chunks_exact(inner.len) {
        for (i, &position) in run.iter().enumerate() {
            visit(
                table + i * inner.table_stride + position as usize * place_stride,
                value + i * inner.value_stride,
            );
        }
        for (l, coordinate) in outer.iter().zip(&mut coordinates).rev() {
            *coordinate += 1;
            table += l.table_stride;
            value += l.value_stride;
            if *coordinate < l.len {
                break;
            }
            *coordinate = 0;
            table -= l.len * l.table_stride;
            value -= l.len * l.value_stride;
        }
    }
}
