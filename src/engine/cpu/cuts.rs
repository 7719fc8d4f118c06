//! Tests: runs jobs in ranges.

use std::any::type_name;
use std::cell::Cell;
use std::ops::Range;

use crate::engine::cpu::kernels::{CheckResult, Job};

thread_local! {
    static CUTS: Cell<Option<Cuts>> = const { Cell::new(None) };
    /// The kinds of jobs that ran in two ranges or more.
    static KINDS: Cell<Vec<&'static str>> = const { Cell::new(Vec::new()) };
}

/// The kinds of jobs that ran on this thread in two ranges or more since the last call.
pub(crate) fn take_kinds() -> Vec<&'static str> {
    KINDS.take()
}

/// How to cut the jobs of this thread: into ranges of so many items, in an order that follows from the seed.
#[derive(Clone, Copy)]
pub(crate) struct Cuts {
    pub(crate) len: usize,
    pub(crate) seed: u64,
}

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// Makes a call and cuts its jobs.
pub(crate) fn in_ranges<T>(cuts: Cuts, call: impl Fn() -> T) -> T {
    CUTS.set(Some(cuts));
    let result = call();
    CUTS.set(None);
    result
}

pub(crate) fn cuts() -> Option<Cuts> {
    CUTS.get()
}

pub(crate) fn run<J: Job>(job: &J, cuts: Cuts) -> CheckResult {
    let starts = (0..job.len()).step_by(cuts.len);
    let mut ranges: Vec<Range<usize>> = starts.map(|start| start..start + cuts.len).collect();
    Random(cuts.seed).shuffle(&mut ranges);
    if ranges.len() > 1 {
        let mut kinds = take_kinds();
        if !kinds.contains(&type_name::<J>()) {
            kinds.push(type_name::<J>());
        }
        KINDS.set(kinds);
    }
    ranges.into_iter().fold(CheckResult::NOTHING, |check_result, range| check_result.and(job.run(range)))
}
