//! Maxima and minima that remember the position of the extreme: argmax and argmin of slots.

use bytemuck::AnyBitPattern;

use crate::index::kernels::{Odometer, SKIPPED, Start};
use crate::plan::{Addressing, Loop, Order};

/// The slots of a table with the positions of their extremes so far.
pub(crate) struct ArgReduce<'a, T> {
    /// The larger key wins.
    pub(crate) order: Order,
    /// Whether the value that a slot has at the start counts.
    pub(crate) include_self: bool,
    pub(crate) table: &'a mut [T],
    /// The position of the extreme for each slot, −1 before the first.
    pub(crate) argmax: &'a mut [i64],
}

impl<T: AnyBitPattern + Into<u64>> ArgReduce<'_, T> {
    /// Compares an update with the value of a slot, and puts it there if it wins. The earlier one wins a tie.
    #[inline(always)]
    fn compare_and_update(&mut self, slot: usize, update: T, position: usize) {
        let (Some(value), Some(position_of_extreme)) = (self.table.get_mut(slot), self.argmax.get_mut(slot))
        else {
            return;
        };
        let is_first = !self.include_self && *position_of_extreme < 0;
        if is_first || self.order.key(update.into()) > self.order.key((*value).into()) {
            (*value, *position_of_extreme) = (update, position as i64);
        }
    }

    /// All entries of a scatter, in row-major order. `positions` has one for each entry of the index, or [`SKIPPED`].
    #[inline(never)]
    pub(crate) fn scatter(&mut self, plan: &Addressing, positions: &[u32], values: &[T]) {
        if plan.entries() == 0 {
            return;
        }
        let (row, once) = (plan.row(), Loop { len: 1, ..Loop::default() });
        let (inner, outer) = plan.loops().split_last().unwrap_or((&once, &[]));
        let colliding_loop = plan.colliding_loop();
        let collides_inside = colliding_loop == Some(outer.len());
        let is_list = collides_inside
            && row.len == 1
            && (inner.index_stride, inner.table_stride, inner.value_stride) == (1, 0, 1);
        let rounds = if is_list { 0 } else { inner.len };
        let mut at = Odometer::new(outer, Start::default());
        loop {
            let around = colliding_loop.map_or(0, |number| at.coordinate(number));
            if is_list {
                let positions = positions.get(at.start.index..).unwrap_or_default();
                let values = values.get(at.start.value..).unwrap_or_default();
                self.list((at.start.table, plan.slot_stride()), positions, values, inner.len);
            }
            for round in 0..rounds {
                let start = at.start.after(round, inner);
                let position = positions.get(start.index).copied().unwrap_or(SKIPPED);
                if position == SKIPPED {
                    continue;
                }
                let slot = start.table + position as usize * plan.slot_stride();
                for l in 0..row.len {
                    if let Some(&update) = values.get(start.value + l * row.value_stride) {
                        self.compare_and_update(
                            slot + l,
                            update,
                            if collides_inside { round } else { around },
                        );
                    }
                }
            }
            if !at.advance() {
                return;
            }
        }
    }

    /// `len` updates in a row, each with its position. The first place is `start`; the next ones follow at the stride. An iterator over both
    /// lists would not be inlined where small code is asked for, and took three times as long.
    #[inline(never)]
    fn list(&mut self, (start, stride): (usize, usize), positions: &[u32], values: &[T], len: usize) {
        for round in 0..len {
            let (Some(&position), Some(&update)) = (positions.get(round), values.get(round)) else { return };
            if position != SKIPPED {
                self.compare_and_update(start + position as usize * stride, update, round);
            }
        }
    }

    /// All rows of segments, in order. `ends` has the row at which each segment ends (exclusive); `row` is the number of elements of a row.
    #[inline(never)]
    pub(crate) fn segments(&mut self, ends: &[u32], row: usize, values: &[T]) {
        let mut begin = 0;
        for (segment, &end) in ends.iter().enumerate() {
            for number in begin..end as usize {
                for l in 0..row {
                    if let Some(&update) = values.get(number * row + l) {
                        self.compare_and_update(segment * row + l, update, number);
                    }
                }
            }
            begin = end as usize;
        }
    }
}
