//! The CPU, and how it runs jobs.

#[cfg(test)]
use crate::backend::cpu::cuts;
use crate::backend::cpu::kernels::job::{ALL, Job, Verdict};

/// Runs plans in host memory. Where a method does not say more, its only error is `RuntimeError`, when memory is exhausted.
pub struct Cpu;

impl Cpu {
    /// Runs a job: as a whole, on the caller's thread. Every job of columns is run here, and nothing is asked of it but what [`Job`]
    /// promises: that ranges of its columns may run in any order.
    #[inline(always)]
    pub(crate) fn run(&self, job: &impl Job) -> Verdict {
        #[cfg(test)]
        if let Some(cuts) = cuts::cuts() {
            return cuts::run(job, cuts);
        }
        job.run(ALL)
    }
}
