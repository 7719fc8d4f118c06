//! Maxima and minima that remember the position of the extreme: argmax and argmin of slots.

use std::rc::Rc;

use bytemuck::Pod;

use crate::groups::kernels::argmax::ArgReduce;
use crate::plan::{Addressing, Op, Order, Reduce, Update};
use crate::segments::plan::CheckedSegments;
use crate::{DType, HostBuffer, Result, unshare};

pub(crate) enum Updates<'a> {
    Scatter(&'a Addressing, &'a [u32]),
    Segments(&'a CheckedSegments),
}

/// Reduces by the words of the elements. Returns the argmax as int64.
pub(crate) fn arg_reduce(
    op: Op,
    dtype: DType,
    update: Update,
    table: &mut Rc<HostBuffer>,
    values: &[u8],
    updates: &Updates<'_>,
) -> Result<HostBuffer> {
    let mut argmax = HostBuffer::zeroed(op.name(), table.len() / dtype.size() * size_of::<i64>())?;
    let slots = argmax.elements_mut::<i64>();
    slots.fill(-1);
    let table = unshare(op.name(), table)?;
    let order = Order::of(dtype).reversed_if(update.reduce == Reduce::Minimum);
    match dtype.size() {
        1 => run::<u8>(order, update, table, slots, values, updates),
        2 => run::<u16>(order, update, table, slots, values, updates),
        4 => run::<u32>(order, update, table, slots, values, updates),
        _ => run::<u64>(order, update, table, slots, values, updates),
    }
    Ok(argmax)
}

fn run<T: Pod + Into<u64>>(
    order: Order,
    update: Update,
    table: &mut HostBuffer,
    argmax: &mut [i64],
    values: &[u8],
    updates: &Updates<'_>,
) {
    let values: &[T] = bytemuck::cast_slice(values);
    let mut arg_reduce =
        ArgReduce { order, include_self: update.include_self, table: table.elements_mut(), argmax };
    match updates {
        Updates::Scatter(plan, positions) => arg_reduce.scatter(plan, positions, values),
        Updates::Segments(segments) => arg_reduce.segments(segments.ends(), segments.row(), values),
    }
}
