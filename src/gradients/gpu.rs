//! Scans of the values that go to the same row of a table. Each entry gets the combination of all values before it, and of all values
//! after it.

use std::rc::Rc;

use crate::engine::gpu::shaders::pass::ScanRuns;
use crate::engine::gpu::{DeviceBuffer, Entries, Gpu, Pass, ShaderKey};
use crate::gradients::backend::ScanBackend;
use crate::index::gpu::Index;
use crate::plan::{Addressing, Reduce};
use crate::{DType, Result};

impl ScanBackend for Rc<Gpu> {
    fn scan_both_ways(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        index: &Index,
        values: &DeviceBuffer,
    ) -> Result<[DeviceBuffer; 2]> {
        let zeros = || DeviceBuffer::new(self, plan.op().name(), "the result", values.len());
        let scans = [zeros()?, zeros()?];
        if plan.entries() * plan.row().len == 0 {
            return Ok(scans);
        }
        let slot = self.check(plan, index, None);
        let sorted = index.orders.sorted(self, plan, index, slot)?;
        let key = ShaderKey::of(Pass::ScanRuns, dtype, reduce);
        // Most entries of a run that a dispatch visits. An entry takes one round of the thread's loop, one of `decode` in
        // shaders/lib/entries.wgsl for each loop of the plan after the first, and the rounds of `combine`. `combine` runs once more at
        // the start.
        let longest_run = index.orders.longest_run(plan);
        let steps = self.rounds() / (plan.loops().len() + key.combine.rounds()).max(1) - 1;
        let neutral = reduce.neutral(dtype);
        let (entries, row) = (plan.entries(), plan.row().len);
        for (out, is_backward) in scans.iter().zip([0, 1]) {
            for begin in (0..longest_run).step_by(steps) {
                let params = ScanRuns {
                    entries: Entries::new(plan),
                    neutral: [neutral as u32, (neutral >> 32) as u32],
                    begin: begin as u32,
                    most: steps as u32,
                    entry_count: entries as u32,
                    is_backward,
                };
                let pass = self.pass(key, &params).slot(slot).index(&*sorted).dst(out).src(values);
                // A thread per `begin` entries finds each run that is longer than `begin`.
                let threads = entries.div_ceil(begin.max(1)) * row;
                pass.rounds(self.average_rounds(entries * row, threads, steps)).record(threads);
            }
        }
        Ok(scans)
    }
}
