//! The CPU, and how it runs jobs.

#[cfg(test)]
use crate::backend::cpu::cuts;
use crate::backend::cpu::kernels::job::{ALL, Job, Verdict};
#[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
use crate::backend::cpu::threads;

/// Runs plans in host memory. Unless a method says otherwise, its only error is `RuntimeError`, when memory is exhausted.
pub struct Cpu;

impl Cpu {
    /// Runs a job: as a whole on the caller's thread, or in chunks on several. Every job of columns runs here. This function relies
    /// only on the promise of [`Job`]: ranges of its columns may run in any order.
    #[inline(always)]
    pub(crate) fn run(&self, job: &impl Job) -> Verdict {
        #[cfg(test)]
        if let Some(cuts) = cuts::cuts() {
            return cuts::run(job, cuts);
        }
        #[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
        if let Some(verdict) = threads::run(job) {
            return verdict;
        }
        job.run(ALL)
    }
}
