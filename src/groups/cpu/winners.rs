//! Maxima and minima that remember which update won.

use std::rc::Rc;

use bytemuck::Pod;

use crate::dtype::DType;
use crate::error::Result;
use crate::groups::kernels::winners::Contest;
use crate::host::{HostBuffer, unshare};
use crate::plan::index::addressing::Addressing;
use crate::plan::op::Op;
use crate::plan::order::Order;
use crate::plan::reduce::{Reduce, Update};
use crate::segments::plan::CheckedSegments;

/// What the updates of a contest come from.
pub(crate) enum Updates<'a> {
    Scatter(&'a Addressing, &'a [u32]),
    Segments(&'a CheckedSegments),
}

/// Runs a contest by the words of its elements. Returns the positions of the winners as int64.
pub(crate) fn contest(
    op: Op,
    dtype: DType,
    update: Update,
    table: &mut Rc<HostBuffer>,
    values: &[u8],
    updates: &Updates<'_>,
) -> Result<HostBuffer> {
    let mut winners = HostBuffer::zeroed(op.name(), table.len() / dtype.size() * size_of::<i64>())?;
    let slots = winners.elements_mut::<i64>();
    slots.fill(-1);
    let table = unshare(op.name(), table)?;
    let order = Order::of(dtype).reversed_if(update.reduce == Reduce::Minimum);
    match dtype.size() {
        1 => run::<u8>(order, update, table, slots, values, updates),
        2 => run::<u16>(order, update, table, slots, values, updates),
        4 => run::<u32>(order, update, table, slots, values, updates),
        _ => run::<u64>(order, update, table, slots, values, updates),
    }
    Ok(winners)
}

fn run<T: Pod + Into<u64>>(
    order: Order,
    update: Update,
    table: &mut HostBuffer,
    winners: &mut [i64],
    values: &[u8],
    updates: &Updates<'_>,
) {
    let values: &[T] = bytemuck::cast_slice(values);
    let mut contest =
        Contest { order, include_self: update.include_self, table: table.elements_mut(), winners };
    match updates {
        Updates::Scatter(plan, positions) => contest.scatter(plan, positions, values),
        Updates::Segments(segments) => contest.segments(segments.ends(), segments.row(), values),
    }
}
