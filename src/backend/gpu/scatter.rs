//! The ways to scatter, one function for each strategy.

use std::rc::Rc;

use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::order::{Entries, Order};
use crate::backend::gpu::params::Params;
use crate::backend::gpu::strategy::{ROUNDS, Strategy, longest_run};
use crate::backend::gpu::{Combine, DeviceBuffer, Gpu, Pass, ShaderKey, Width};
use crate::backend::{Index, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::IndexPlan;

/// One scatter, but for its index.
pub(super) struct Scatter<'a> {
    pub(super) gpu: &'a Rc<Gpu>,
    pub(super) plan: &'a IndexPlan,
    pub(super) dtype: DType,
    pub(super) combine: Combine,
    pub(super) table: &'a DeviceBuffer,
    pub(super) value: &'a Value<'a, DeviceBuffer>,
    /// The status slot that its passes honour.
    pub(super) slot: u32,
}

impl Scatter<'_> {
    /// Records the passes of a strategy that applies.
    pub(super) fn run(&self, strategy: Strategy, index: &Index<'_, DeviceBuffer>) -> Result<()> {
        match strategy {
            Strategy::Columns => self.columns(index),
            // Columns of one entry each, as no two meet.
            Strategy::Distinct => self.in_any_order(Pass::Columns, index),
            Strategy::Atomics => self.in_any_order(Pass::Atomics, index),
            Strategy::Small => self.small(index),
            Strategy::Counted => {
                let counts = self.gpu.count_checked(self.plan, index, self.slot)?;
                self.repeat(&counts);
            }
            Strategy::Sorted | Strategy::Runs => {
                let order = self.gpu.order_checked(self.plan, index, self.slot, &mut |_, _| Ok(()))?;
                self.in_order(strategy, &order);
            }
            Strategy::Winner => {
                let order = self.gpu.choose_checked(self.plan, index, self.slot)?;
                self.in_order(strategy, &order);
            }
        }
        Ok(())
    }

    /// Records the passes that need no index any more.
    pub(super) fn in_order(&self, strategy: Strategy, order: &Order) {
        match &order.entries {
            Entries::Chosen(chosen) => self.commit(chosen),
            Entries::Counted(counts) => self.repeat(counts),
            Entries::Sorted(sorted) if strategy == Strategy::Runs => self.runs(sorted),
            Entries::Sorted(sorted) => self.segments(sorted),
        }
    }

    fn src(&self) -> Option<&DeviceBuffer> {
        match self.value {
            Value::Buffer(buffer) => Some(*buffer),
            Value::Scalar(_) => None,
        }
    }

    fn key(&self, pass: Pass) -> ShaderKey {
        ShaderKey { pass, width: Width::of(self.dtype), combine: self.combine }
    }

    /// One thread per column, in row-major order; a long column is split over dispatches.
    fn columns(&self, index: &Index<'_, DeviceBuffer>) {
        let (plan, key) = (self.plan, self.key(Pass::Columns));
        let meeting = plan.meeting_loop();
        let mut params = Params::new(plan, index, self.slot, |at| Some(at) != meeting);
        params.set_value(self.value);
        let bindings = Bindings { index: Some(index.buffer), dst: Some(self.table), src: self.src() };
        let Some((at, &l)) = meeting.and_then(|at| plan.loops().get(at).map(|l| (at, l))) else {
            self.gpu.dispatch(key, params, &bindings);
            return;
        };
        let steps = column_steps(plan);
        for begin in (0..l.len).step_by(steps) {
            params.set_steps(plan, at, l, begin, l.len.min(begin + steps));
            self.gpu.dispatch(key, params, &bindings);
        }
    }

    /// One thread per entry and element of a row, in any order.
    fn in_any_order(&self, pass: Pass, index: &Index<'_, DeviceBuffer>) {
        let mut params = Params::new(self.plan, index, self.slot, |_| true);
        params.set_value(self.value);
        let bindings = Bindings { index: Some(index.buffer), dst: Some(self.table), src: self.src() };
        self.gpu.dispatch(self.key(pass), params, &bindings);
    }

    /// All in one dispatch.
    fn small(&self, index: &Index<'_, DeviceBuffer>) {
        let mut params = Params::rows(self.plan, index, self.slot);
        params.set_value(self.value);
        params.end = params.threads;
        params.threads *= params.row;
        let bindings = Bindings { index: Some(index.buffer), dst: Some(self.table), src: self.src() };
        self.gpu.dispatch(self.key(Pass::Small), params, &bindings);
    }

    /// A scalar as often as the entries of each row were counted.
    fn repeat(&self, counts: &DeviceBuffer) {
        let plan = self.plan;
        let mut params = Params::entries(plan, self.slot);
        params.set_value(self.value);
        params.threads = plan.table_len() as u32;
        let bindings = Bindings { index: Some(counts), dst: Some(self.table), src: None };
        let most = longest_run(plan);
        let steps = if self.combine.repeats_in_few_rounds() { most } else { ROUNDS };
        for begin in (0..most).step_by(steps) {
            (params.begin, params.end) = (begin as u32, steps as u32);
            self.gpu.dispatch(self.key(Pass::Repeat), params, &bindings);
        }
    }

    /// One thread per run of sorted entries and element of a row.
    fn segments(&self, sorted: &DeviceBuffer) {
        let plan = self.plan;
        let entries = plan.entries();
        let mut params = Params::entries(plan, self.slot);
        params.set_value(self.value);
        // `decode` in shaders/lib/frame.wgsl has a loop for all loops but one.
        let steps = ROUNDS / plan.loops().len().max(1);
        params.end = steps as u32;
        params.step_entry = entries as u32;
        let bindings = Bindings { index: Some(sorted), dst: Some(self.table), src: self.src() };
        self.gpu.dispatch(self.key(Pass::Segments), params, &bindings);
        for begin in (steps..longest_run(plan)).step_by(steps) {
            params.begin = begin as u32;
            params.threads = (entries.div_ceil(begin) * plan.row().len) as u32;
            self.gpu.dispatch(self.key(Pass::Segments), params, &bindings);
        }
    }

    /// One workgroup per row and 256 elements of it; long runs are split over dispatches.
    fn runs(&self, sorted: &DeviceBuffer) {
        let plan = self.plan;
        let mut params = Params::entries(plan, self.slot);
        params.set_value(self.value);
        let (threads, steps) = run_steps(plan);
        params.threads = threads as u32;
        params.end = steps as u32;
        params.step_entry = plan.entries() as u32;
        let bindings = Bindings { index: Some(sorted), dst: Some(self.table), src: self.src() };
        for begin in (0..longest_run(plan)).step_by(steps) {
            params.begin = begin as u32;
            self.gpu.dispatch(self.key(Pass::Runs), params, &bindings);
        }
    }

    /// Rows of the chosen entries, moved in the largest units that they are made of.
    fn commit(&self, chosen: &DeviceBuffer) {
        let mut params = Params::entries(self.plan, self.slot);
        let width = params.widen(self.plan, self.dtype);
        let key = ShaderKey { pass: Pass::Commit, width, combine: Combine::REPLACE };
        let bindings = Bindings { index: Some(chosen), dst: Some(self.table), src: self.src() };
        self.gpu.dispatch(key, params, &bindings);
    }
}

/// Entries of a column that one dispatch walks.
fn column_steps(plan: &IndexPlan) -> usize {
    // `place` in shaders/lib/frame.wgsl has a loop for tuples of several components.
    let inner = match plan.components().len() {
        1 => 0,
        components => components + 1,
    };
    ROUNDS / (1 + inner)
}

/// Threads of `shaders/index/runs.wgsl`, and entries of a run that one dispatch of it walks.
fn run_steps(plan: &IndexPlan) -> (usize, usize) {
    let row = plan.row().len;
    let threads = plan.table_len() / row.max(1) * row.div_ceil(256) * 256;
    // As there: what a tile holds, and the rounds that it takes to bring it and to walk it.
    let entries = 4 * (256 / row.clamp(1, 256));
    let rounds = 1 + 4 * plan.loops().len().max(1) + entries;
    // The search for the run comes first.
    (threads, (ROUNDS - 128) / rounds * entries)
}
