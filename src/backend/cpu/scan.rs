//! What stands at the place of each index entry before its update.

use crate::backend::Direction;
use crate::backend::cpu::positions::Positions;
use crate::backend::cpu::{CheckedIndex, Cpu, kernels, reduce};
use crate::dtype::{DType, load, store};
use crate::error::Result;
use crate::host::{HostBuffer, reserved};
use crate::plan::{Addressing, Reduce};

impl Cpu {
    /// For each element of the values the combination of those that go to the same element of the table before it, in row-major
    /// order or backwards, from the neutral element on. What no entry addresses is 0.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn scan(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        direction: Direction,
        positions: &CheckedIndex,
        values: &HostBuffer,
    ) -> Result<HostBuffer> {
        let (op, size) = (plan.op().name(), dtype.size());
        let loops = reduce::loops(reduce, dtype);
        let mut out = HostBuffer::zeroed(op, values.bytes().len())?;
        let mut so_far = HostBuffer::zeroed(op, plan.table_len() * size)?;
        for state in so_far.bytes_mut().chunks_exact_mut(size) {
            store(state, reduce.neutral(dtype));
        }
        let mut visits = reserved::<(usize, usize)>(op, plan.entries() * plan.row().len)?;
        kernels::for_each_element(&mut Positions::ready(plan, positions), &mut |_, element, value| {
            visits.push((element, value));
        });
        let (so_far, out_bytes) = (so_far.bytes_mut(), out.bytes_mut());
        let mut visit = |(element, value): (usize, usize)| {
            let span = |at: usize| at * size..(at + 1) * size;
            let (Some(state), Some(update)) =
                (so_far.get_mut(span(element)), values.bytes().get(span(value)))
            else {
                return;
            };
            let before = load(state);
            store(state, loops.combine(before, load(update)));
            if let Some(slot) = out_bytes.get_mut(span(value)) {
                store(slot, before);
            }
        };
        match direction {
            Direction::Forward => visits.into_iter().for_each(&mut visit),
            Direction::Backward => visits.into_iter().rev().for_each(&mut visit),
        }
        Ok(out)
    }
}
