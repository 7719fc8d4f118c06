//! From checked arguments to loops over index entries. `addressing.rs` defines the words entry, slot, position and row.

use crate::plan::{Addressed, Addressing, Arguments, Component, Loop, Row};
use crate::{PerDim, Shape};

impl Addressing {
    /// Turns checked arguments into loops. The index addresses `depth` dimensions of the table, after its first `before`; both
    /// numbers come from `Arguments::checked_dims`. `values` is the shape of the source or of the result, `None` for a scalar.
    pub(crate) fn lower(call: &Arguments<'_>, [before, depth]: [usize; 2], values: Option<&Shape>) -> Self {
        match call.form {
            Addressed::Along(_) => Self::lower_axis(call, before, values),
            Addressed::Slices(_) | Addressed::Tuples(_) | Addressed::Rows => {
                Self::lower_rows(call, [before, depth], values.is_some())
            }
        }
    }

    /// The plan for slots along dimension `axis`, with a row of one element. Dimensions of size 1 vanish. Neighbours that continue
    /// each other in table, values and index become one loop, so that kernels see few and long loops. `values` is as for
    /// [`Addressing::lower`].
    fn lower_axis(call: &Arguments<'_>, axis: usize, values: Option<&Shape>) -> Self {
        let (table, index) = (call.table.shape, call.index.shape);
        let mut loops: PerDim<Loop> = PerDim::new();
        // Counts from the innermost loop, until the loops are reversed below.
        let mut colliding_loop = None;
        let mut slot_stride = 0;
        // From the innermost dimension on: each step is the stride of the next dimension. The step of a scalar source stays 0.
        let (mut table_step, mut value_step, mut index_step) = (1, usize::from(values.is_some()), 1);
        let sizes = index.dims().iter().zip(table.dims()).zip(values.unwrap_or(index).dims());
        for (d, ((&len, &table_len), &values_len)) in sizes.enumerate().rev() {
            let on_axis = d == axis;
            // Only `take_along_dim` lets the index be longer than the table in a dimension other than the axis: it repeats a table
            // of size 1.
            let is_repeated = table_len == 1 && len > 1;
            let table_stride = if on_axis || is_repeated { 0 } else { table_step };
            let next = Loop { len, table_stride, value_stride: value_step, index_stride: index_step };
            if on_axis {
                slot_stride = table_step;
            }
            // The axis keeps its own loop, because two entries can only collide inside it.
            let after_axis = colliding_loop.is_some_and(|at| at + 1 == loops.len());
            match loops.last_mut().filter(|_| !on_axis && !after_axis) {
                _ if len == 1 => {}
                Some(last) if continues(next, *last) => last.len *= len,
                _ => {
                    if on_axis {
                        colliding_loop = Some(loops.len());
                    }
                    loops.push(next);
                }
            }
            table_step = table_step.wrapping_mul(table_len);
            value_step = value_step.wrapping_mul(values_len);
            index_step = index_step.wrapping_mul(len);
        }
        loops.reverse();
        let bound = table.dims().get(axis).copied().unwrap_or(0);
        let mut components = PerDim::new();
        components.push(Component { bound, stride: 1 });
        let value_span = |l: &Loop| (l.len - 1) * l.value_stride;
        Self {
            op: call.op,
            names: call.names(),
            colliding_loop: colliding_loop.map(|at| loops.len() - 1 - at),
            components,
            first_dim: axis,
            slot_stride,
            row: Row { len: 1, value_stride: 0 },
            entries: index.size(),
            index_entries: index.size(),
            value_len: if index.size() == 0 { 0 } else { 1 + loops.iter().map(value_span).sum::<usize>() },
            loops,
            table_shape: table.clone(),
            index_shape: index.clone(),
            source_shape: None,
        }
    }

    /// The plan for rows. A row has the dimensions after the `depth` addressed ones. An outer loop traverses the `before` dimensions in
    /// front of these. With `has_source_rows` the values have a row for each entry, else they are one scalar.
    pub(crate) fn lower_rows(
        call: &Arguments<'_>,
        [before, depth]: [usize; 2],
        has_source_rows: bool,
    ) -> Self {
        let dims = call.table.shape.dims();
        // A scalar table has too few dimensions: it counts as one slot.
        let dims = if dims.len() < before + depth { &[1] } else { dims };
        let (outer, rest) = dims.split_at(before);
        let (addressed, rest) = rest.split_at(depth);
        let (rounds, row): (usize, usize) = (outer.iter().product(), rest.iter().product());
        let entries = call.form.entry_dims(call.index.shape);
        let index_entries = entries.iter().product();
        // All rounds read the same slices, but each batch has its own tuples.
        let is_shared = matches!(call.form, Addressed::Slices(_));
        let len = if is_shared { index_entries } else { entries.iter().skip(before).product() };
        let index_stride = if is_shared { 0 } else { len };
        let (mut components, mut slots) = (PerDim::new(), 1);
        for &bound in addressed.iter().rev() {
            components.push(Component { bound, stride: slots });
            slots *= bound;
        }
        components.reverse();
        // An empty row moves nothing, but the index is still checked.
        let slot_stride = row.max(1);
        let in_values = |stride: usize| if has_source_rows { stride } else { 0 };
        let mut loops = PerDim::new();
        if rounds != 1 {
            let (table_stride, value_stride) = (slots * slot_stride, in_values(len * row));
            loops.push(Loop { len: rounds, table_stride, value_stride, index_stride });
        }
        loops.push(Loop { len, table_stride: 0, value_stride: in_values(row), index_stride: 1 });
        Self {
            op: call.op,
            names: call.names(),
            colliding_loop: Some(loops.len() - 1),
            loops,
            components,
            first_dim: before,
            slot_stride,
            row: Row { len: row, value_stride: usize::from(has_source_rows) },
            entries: rounds * len,
            index_entries,
            value_len: if has_source_rows { rounds * len * row } else { 1 },
            table_shape: call.table.shape.clone(),
            index_shape: call.index.shape.clone(),
            source_shape: None,
        }
    }
}

impl Addressing {
    /// The plan that writes one scalar to every slot of this plan.
    pub(crate) fn of_scalar(&self) -> Self {
        let mut plan = self.clone();
        for l in plan.loops.iter_mut() {
            l.value_stride = 0;
        }
        plan.row.value_stride = 0;
        plan.value_len = 1;
        plan
    }

    /// [`Addressing::of_scalar`] into a table with one element for each row, which counts how often each row is named.
    pub(crate) fn of_rows(&self) -> Self {
        let row = self.row.len.max(1);
        let mut plan = self.of_scalar();
        for l in plan.loops.iter_mut() {
            l.table_stride /= row;
        }
        plan.slot_stride /= row;
        plan.row.len = 1;
        // The table's size does not tell how many empty rows it has, but the addressable slots do.
        let rows = if self.row.len == 0 { plan.span() } else { self.table_shape.size() / row };
        plan.table_shape = Shape::of_size(rows);
        plan
    }
}

/// Whether the end of `inner` is the start of the next round of `outer`, in table, values and index.
fn continues(outer: Loop, inner: Loop) -> bool {
    outer.table_stride == inner.table_stride.wrapping_mul(inner.len)
        && outer.value_stride == inner.value_stride.wrapping_mul(inner.len)
        && outer.index_stride == inner.index_stride.wrapping_mul(inner.len)
}
