//! The CPU, and how it runs jobs.

#[cfg(test)]
use crate::engine::cpu::cuts;
use crate::engine::cpu::kernels::{ALL, CheckResult, Job};
#[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
use crate::engine::cpu::threads;

/// Runs plans in host memory. Unless a method says otherwise, its only error is `RuntimeError`, when memory is exhausted.
pub(crate) struct Cpu;

impl Cpu {
    /// Runs a job: as a whole on the caller's thread, or in chunks on several. Every job of items runs here. This function relies
    /// only on the promise of [`Job`]: ranges of its items may run in any order.
    #[inline(always)]
    pub(crate) fn run(&self, job: &impl Job) -> CheckResult {
        #[cfg(test)]
        if let Some(cuts) = cuts::cuts() {
            return cuts::run(job, cuts);
        }
        #[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
        if let Some(check_result) = threads::run(job) {
            return check_result;
        }
        job.run(ALL)
    }

    /// Whether `run` can divide a job into chunks. Tests that cut jobs count as threads.
    #[inline(always)]
    pub(crate) fn has_threads(&self) -> bool {
        #[cfg(test)]
        if cuts::cuts().is_some() {
            return true;
        }
        #[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
        return threads::exist();
        #[cfg(not(all(target_arch = "wasm32", feature = "npm", feature = "webgpu")))]
        false
    }

    /// Into how many parts to divide work whose parts need a table each, of so many slots. 1 or 0: it is not divided.
    pub(crate) fn parts(&self, _work: usize, _slots: usize) -> usize {
        #[cfg(test)]
        if cuts::cuts().is_some() {
            return 3;
        }
        #[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
        return threads::parts(_work, _slots);
        #[cfg(not(all(target_arch = "wasm32", feature = "npm", feature = "webgpu")))]
        1
    }

    /// Into how many ranges of slots to divide the entries of an index. 1 or 0: they are not divided.
    pub(crate) fn ranges(&self, _entries: usize, _slots: usize, _is_used: bool) -> usize {
        #[cfg(test)]
        if cuts::cuts().is_some() {
            return 5;
        }
        #[cfg(all(target_arch = "wasm32", feature = "npm", feature = "webgpu"))]
        return threads::ranges(_entries, _slots, _is_used);
        #[cfg(not(all(target_arch = "wasm32", feature = "npm", feature = "webgpu")))]
        1
    }
}
