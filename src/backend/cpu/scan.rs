//! What the values that go to one place combine to, before each of them and behind it.

use crate::backend::cpu::checked::CheckedIndex;
use crate::backend::cpu::elements::for_each_element;
use crate::backend::cpu::kernels::reduce;
use crate::backend::cpu::kernels::scan::scan;
use crate::backend::cpu::run::Cpu;
use crate::dtype::DType;
use crate::error::Result;
use crate::host::{HostBuffer, reserved};
use crate::plan::{Addressing, Reduce};
use crate::scalar::store;

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
        let (op, size) = (plan.op().name(), dtype.size());
        // The element of the table that each write of a scatter would go to, and that of the values that it comes from.
        let mut writes = reserved::<(usize, usize)>(op, plan.entries() * plan.row().len)?;
        for_each_element(plan, positions.values(), &mut |element| {
            writes.push((element.place, element.value))
        });
        let zeroed = || HostBuffer::zeroed(op, values.len());
        let (mut before, mut behind) = (zeroed()?, zeroed()?);
        let mut so_far = HostBuffer::zeroed(op, plan.table_len() * size)?;
        let loops = reduce::loops(reduce, dtype);
        for (is_reversed, out) in [(false, &mut before), (true, &mut behind)] {
            for state in so_far.bytes_mut().chunks_exact_mut(size) {
                store(state, reduce.neutral(dtype));
            }
            scan(loops, &writes, is_reversed, values.bytes(), so_far.bytes_mut(), out.bytes_mut());
        }
        Ok([before, behind])
    }
}
