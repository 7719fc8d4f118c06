//! For each value, combines the values before it and the values after it that go to the same element.

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::reduce;
use crate::gradients::backend::ScanBackend;
use crate::gradients::kernels::scan;
use crate::index::cpu::Index;
use crate::index::cpu::elements::for_each_element;
use crate::plan::{Addressing, Reduce};
use crate::{DType, HostBuffer, Result, reserved, store};

impl ScanBackend for Cpu {
    fn scan_both_ways(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        index: &Index<'_>,
        values: &HostBuffer,
    ) -> Result<[HostBuffer; 2]> {
        let positions = index.all()?;
        let (op, size) = (plan.op().name(), dtype.size());
        // For each write of a scatter, its element of the table and its element of the values.
        let mut writes = reserved::<(usize, usize)>(op, plan.entries() * plan.row().len)?;
        for_each_element(plan, &positions, &mut |_, slot, value| writes.push((slot, value)));
        let zeroed = || HostBuffer::zeroed(op, values.len());
        let (mut before, mut after) = (zeroed()?, zeroed()?);
        let mut so_far = HostBuffer::zeroed(op, plan.table_len() * size)?;
        let loops = reduce::loops(reduce, dtype);
        for (is_reversed, out) in [(false, &mut before), (true, &mut after)] {
            for state in so_far.bytes_mut().chunks_exact_mut(size) {
                store(state, reduce.neutral(dtype));
            }
            scan(loops, &writes, is_reversed, values.bytes(), so_far.bytes_mut(), out.bytes_mut());
        }
        Ok([before, after])
    }
}
