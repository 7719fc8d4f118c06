//! What stands at the place of each index entry before its update.

use std::rc::Rc;

use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::order::Prepared;
use crate::backend::gpu::params::{Entries, Head, ScanRuns};
use crate::backend::gpu::pass::Pass;
use crate::backend::gpu::strategy::{ROUNDS, longest_run};
use crate::backend::gpu::{Arithmetic, Combine, DeviceBuffer, Gpu, ShaderKey, Width};
use crate::backend::{Direction, Index};
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{Addressing, Reduce};

impl Gpu {
    /// For each element of the values the combination of those that go to the same element of the table before it: see `Cpu::scan`.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn scan(
        self: &Rc<Self>,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        direction: Direction,
        index: &Index<'_, DeviceBuffer>,
        values: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let out = DeviceBuffer::new(self, plan.op().name(), "the result", values.len())?;
        if plan.entries() * plan.row().len == 0 {
            return Ok(out);
        }
        let slot = self.check(plan, index, None);
        let order = self.sort_entries(plan, index, slot, &mut |_, _| Ok(()))?;
        let Prepared::Sorted(sorted) = &order.prepared else { return Ok(out) };
        // In integers: no canary tries this pass.
        let combine = Combine::select(dtype, reduce, Arithmetic::Strict);
        let key = ShaderKey { pass: Pass::ScanRuns, width: Width::of(dtype), combine };
        let bindings = Bindings { index: Some(sorted), dst: Some(&out), src: Some(values) };
        // `decode` in shaders/lib/entries.wgsl has a loop for all loops but one, and `combine` runs once more at the start.
        let steps = ROUNDS / (plan.loops().len() + combine.rounds()).max(1) - 1;
        let neutral = reduce.neutral(dtype);
        let (entries, row) = (plan.entries(), plan.row().len);
        for begin in (0..longest_run(plan)).step_by(steps) {
            let params = ScanRuns {
                head: Head::new(entries.div_ceil(begin.max(1)) * row, slot),
                entries: Entries::new(plan),
                neutral: [neutral as u32, (neutral >> 32) as u32],
                begin: begin as u32,
                most: steps as u32,
                entry_count: entries as u32,
                is_backward: u32::from(direction == Direction::Backward),
            };
            self.dispatch(key, params, &bindings);
        }
        Ok(out)
    }
}
