//! The loops. They run in storage order and check nothing: the plan has, and the index was validated.

use smallvec::SmallVec;

use crate::plan::{IndexPlan, Loop};
use crate::shape::MAX_OP_RANK;

/// `table[place] = combine(table[place], values[…])` for every index entry, in row-major order.
pub(super) fn scatter<E: Copy>(
    plan: &IndexPlan,
    table: &mut [E],
    positions: &[u32],
    values: &[E],
    combine: impl Fn(E, E) -> E,
) {
    check_lengths(plan, table.len(), positions.len(), values.len());
    let axis_stride = plan.component().stride;
    for_each_run(plan, |run| {
        for i in 0..run.inner.len {
            // SAFETY: see `check_lengths`; `run.entry + i` is below `plan.entries()`.
            unsafe {
                let position = *positions.get_unchecked(run.entry + i) as usize;
                let place = run.table + i * run.inner.table_stride + position * axis_stride;
                let value = *values.get_unchecked(run.value + i * run.inner.value_stride);
                let place = table.get_unchecked_mut(place);
                *place = combine(*place, value);
            }
        }
    });
}

/// `out[…] = table[place]` for every index entry.
pub(super) fn gather<E: Copy>(plan: &IndexPlan, table: &[E], positions: &[u32], out: &mut [E]) {
    check_lengths(plan, table.len(), positions.len(), out.len());
    let axis_stride = plan.component().stride;
    for_each_run(plan, |run| {
        for i in 0..run.inner.len {
            // SAFETY: see `check_lengths`; `run.entry + i` is below `plan.entries()`.
            unsafe {
                let position = *positions.get_unchecked(run.entry + i) as usize;
                let place = run.table + i * run.inner.table_stride + position * axis_stride;
                *out.get_unchecked_mut(run.value + i * run.inner.value_stride) = *table.get_unchecked(place);
            }
        }
    });
}

/// What the unchecked accesses rely on. `IndexPlan::lower` makes every table position smaller than
/// `table_len` as long as each index position is below the bound, which `validate` has seen to, and every
/// value position smaller than `value_len`. That leaves the lengths of the slices; asking once per call
/// costs nothing and makes the kernels sound whatever calls them.
fn check_lengths(plan: &IndexPlan, table: usize, positions: usize, values: usize) {
    assert!(table >= plan.table_len() && positions >= plan.entries() && values >= plan.value_len());
}

/// Where one pass of the innermost loop starts.
struct Run {
    entry: usize,
    table: usize,
    value: usize,
    inner: Loop,
}

/// Calls `run` for every round of the outer loops, in row-major order.
fn for_each_run(plan: &IndexPlan, mut run: impl FnMut(Run)) {
    if plan.entries() == 0 {
        return;
    }
    let single = Loop { len: 1, table_stride: 0, value_stride: 0 };
    let (inner, outer) =
        plan.loops().split_last().map_or((single, &[][..]), |(inner, outer)| (*inner, outer));
    let mut coordinates: SmallVec<[usize; MAX_OP_RANK]> = outer.iter().map(|_| 0).collect();
    let (mut table, mut value) = (0, 0);
    for entry in (0..plan.entries()).step_by(inner.len) {
        run(Run { entry, table, value, inner });
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
