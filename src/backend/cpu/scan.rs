//! What the values that go to one place combine to, before each of them and behind it.

use crate::backend::cpu::kernels::positions::Positions;
use crate::backend::cpu::kernels::{indexed, reduce};
use crate::backend::cpu::{CheckedIndex, Cpu};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::{HostBuffer, reserved};
use crate::plan::{Addressing, Reduce};
use crate::scalar::{load, store};

impl Cpu {
    /// Two buffers with an element for each value. In the first it is the combination of the values before that one, in row-major order of
    /// the index, that go to the same element of the table; in the second that of the values behind it, from the last one back. Each
    /// combination begins with the neutral element. The element is 0 for values that no entry uses.
    pub(crate) fn scan_both_ways(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        positions: &CheckedIndex,
        values: &HostBuffer,
    ) -> Result<[HostBuffer; 2]> {
        let op = plan.op().name();
        // Which element of the table each write of a scatter would go to, and from which element of the values.
        let mut visits = reserved::<(usize, usize)>(op, plan.entries() * plan.row().len)?;
        indexed::for_each_element(&mut Positions::ready(plan, positions), &mut |_, element, value| {
            visits.push((element, value));
        });
        let scan = |visits: &mut dyn Iterator<Item = &(usize, usize)>| {
            let size = dtype.size();
            let span = |at: usize| at * size..(at + 1) * size;
            let loops = reduce::loops(reduce, dtype);
            let mut out = HostBuffer::zeroed(op, values.bytes().len())?;
            // For each element of the table the combination of the values that were visited.
            let mut so_far = HostBuffer::zeroed(op, plan.table_len() * size)?;
            for state in so_far.bytes_mut().chunks_exact_mut(size) {
                store(state, reduce.neutral(dtype));
            }
            let (so_far, slots) = (so_far.bytes_mut(), out.bytes_mut());
            for &(element, value) in visits {
                let update = values.bytes().get(span(value)).map_or(0, load);
                if let (Some(state), Some(slot)) = (so_far.get_mut(span(element)), slots.get_mut(span(value)))
                {
                    let before = load(state);
                    store(slot, before);
                    store(state, loops.combine(before, update));
                }
            }
            Ok(out)
        };
        Ok([scan(&mut visits.iter())?, scan(&mut visits.iter().rev())?])
    }
}
