//! Canaries: a pipeline that computes with the adapter's own floats proves itself the first time it is used.
//!
//! The probe has tried the functions, but each pass is compiled by itself. So the first use of such a pipeline records a small
//! call of the same pipeline beside it, whose result the CPU knows. Nothing waits for it: it is looked at by the next read or
//! `sync()`, before anything is returned. If it has other bits than the CPU's, the pipeline is demoted: everything written
//! since is refused, and the same calls are computed in integers from then on. See docs/adr/0021.

use std::cell::RefCell;
use std::rc::Rc;

use crate::backend::cpu::Cpu;
use crate::backend::gpu::buffer::padded;
use crate::backend::gpu::faults::dropped::Cause;
use crate::backend::gpu::memory::allocate::Refusal;
use crate::backend::gpu::multiply::geometry::{Geometry, Operands};
use crate::backend::gpu::reads::staging::{DATA, Staging};
use crate::backend::gpu::scatter::ways::Scatter;
use crate::backend::gpu::shaders::act::Act;
use crate::backend::gpu::shaders::params::NEVER_FAILS;
use crate::backend::gpu::shaders::pass::Pass;
use crate::backend::gpu::trials::probe::Noise;
use crate::backend::gpu::{DeviceBuffer, Gpu, QuadAccess, ShaderKey, Strategy, Width};
use crate::backend::{Backend, Index, IndexState, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{Activation, Addressed, Addressing, Arguments, BroadcastPlan, Op, Operand, Reduce};
use crate::shape::Shape;

/// What is known of pipelines that compute with the adapter's floats, as soon as one has been used.
#[derive(Default)]
pub(crate) struct Canaries {
    known: RefCell<Vec<(ShaderKey, Trust)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Its canary is under way.
    Awaited,
    /// Its canary was right.
    Given,
    /// Its canary has failed.
    Demoted,
}

impl Canaries {
    /// What is known of a pipeline; `None` if it has not been used.
    fn of(&self, key: ShaderKey) -> Option<Trust> {
        self.known.borrow().iter().find(|(known, _)| *known == key).map(|&(_, trust)| trust)
    }

    fn set(&self, key: ShaderKey, trust: Trust) {
        self.forget(key);
        self.known.borrow_mut().push((key, trust));
    }

    /// Forgets a pipeline, so that its next use records a canary as if it were the first.
    fn forget(&self, key: ShaderKey) {
        let mut known = self.known.borrow_mut();
        if let Some(at) = known.iter().position(|(known, _)| *known == key) {
            known.remove(at);
        }
    }

    /// Whether the result of any canary is not known yet.
    #[cfg(target_arch = "wasm32")]
    fn are_awaited(&self) -> bool {
        self.known.borrow().iter().any(|(_, trust)| *trust == Trust::Awaited)
    }

    /// The names of the demoted pipelines.
    pub(crate) fn demoted(&self) -> Vec<String> {
        let known = self.known.borrow();
        known.iter().filter(|(_, trust)| *trust == Trust::Demoted).map(|(key, _)| name(key)).collect()
    }
}

/// How a pass is tried.
enum Way {
    Scatter(Strategy),
    Multiply(Operands),
}

impl Way {
    /// How a pass is tried, and its name in `backend()`; `None` for a pass that must not use the adapter's floats, because nothing
    /// tries it.
    fn of(pass: Pass) -> Option<(Self, &'static str)> {
        Some(match pass {
            Pass::Columns => (Self::Scatter(Strategy::Columns), "columns"),
            Pass::Small => (Self::Scatter(Strategy::Small), "small"),
            Pass::RunPerThread => (Self::Scatter(Strategy::RunPerThread), "runs"),
            Pass::RowPerGroup => (Self::Scatter(Strategy::RowPerGroup), "rows"),
            Pass::ApplyCounted => (Self::Scatter(Strategy::CountThenRepeat), "counted"),
            Pass::Multiply(_, operands) | Pass::MultiplyGuarded(operands) => {
                (Self::Multiply(operands), "elementwise")
            }
            Pass::Validate | Pass::Report | Pass::Divisors | Pass::Resolve | Pass::Mark => return None,
            Pass::Atomics | Pass::AtomicsQuads | Pass::AtomicsRows | Pass::GatherQuads => return None,
            Pass::Choose | Pass::Commit | Pass::Count | Pass::DivideByCounts | Pass::Normalise => {
                return None;
            }
            Pass::DigitCount | Pass::DigitScan | Pass::DigitScatter | Pass::Gather => return None,
            Pass::GatherPacked | Pass::ScanRuns | Pass::Bins | Pass::Convert => return None,
            Pass::Extent | Pass::Edges | Pass::Density => return None,
            Pass::Probe | Pass::ProbeWorkgroup | Pass::Seal => return None,
        })
    }
}

/// The activation of a float32 multiply; `None` for every other pass.
fn activation(pass: Pass) -> Option<Activation> {
    match pass {
        Pass::Multiply(Act::Float(act), _) => Some(act),
        _ => None,
    }
}

/// What a pipeline is called in `backend()`.
fn name(key: &ShaderKey) -> String {
    let pass = Way::of(key.pass).map_or("", |(_, name)| name);
    // No other reduce uses the adapter's floats.
    let reduce = if key.combine.reduce == Reduce::Add { "add" } else { "multiply" };
    let act = activation(key.pass).map_or("", Activation::name);
    [reduce, pass, act].join(" ").trim_end().to_owned()
}

/// One chain of updates for each row of a table.
const ROWS: usize = 16;
/// Updates of each: more than any loop that a compiler unrolls.
const STEPS: usize = 64;
/// The operator of the plans of scatters.
const OP: Op = Op::ScatterAdd;

/// The first chains, one in each line: the start, and four updates that are repeated. They try subnormal numbers, signs of zero,
/// infinities, NaN, overflow, cancellation, ties.
type Patterns = [[f32; 5]; 9];

const SUMS: Patterns = [
    [1e-40, 3e-41, -1e-41, 2e-41, 1e-45],
    [1.5e-38, -1.4e-38, 1.3e-38, -2e-39, 5e-39],
    [-0.0, -0.0, -0.0, -0.0, -0.0],
    [f32::INFINITY, 1.0, -1e30, 0.0, -2.0],
    [f32::NAN, 1.0, 2.0, 0.0, -3.0],
    [1.0, 2.0, 3.0, f32::NAN, -3.0],
    [f32::MAX, f32::MAX, -f32::MAX, 1.0, -1e30],
    [1e8, 1.0, -1e8, 1e-3, 1e8],
    [16_777_216.0, 1.0, 1.0, 2.999_999_8, -4.5],
];

const PRODUCTS: Patterns = [
    [1e-39, 0.5, 2.0, 0.25, 4.0],
    [1.5e-38, 0.3, 3.5, 0.7, 1.4],
    [-0.0, 2.0, -3.0, 1.0, 5.0],
    [f32::INFINITY, -1.0, 0.5, -2.0, 3.0],
    [f32::NAN, 1.0, 2.0, 0.5, -3.0],
    [0.0, f32::INFINITY, 2.0, 0.5, -3.0],
    [f32::MAX, 2.0, 0.5, 0.5, 1.0],
    [1e20, 1e18, 1e-19, 10.0, 0.1],
    [16_777_215.0, 3.0, 1.000_000_1, 0.333_333_34, 0.999_999_94],
];

/// The starts of all chains, a number for each row; and their updates, the first ones of all rows, then the second ones, and so on.
/// Behind the chains of the patterns are chains of random numbers, whose sums or products depend on their order in nearly every step.
fn chains(reduce: Reduce) -> (Vec<f32>, Vec<f32>) {
    // Random numbers from 1 to 256 for sums, from 0.5 to 2 for products, of any sign: the least field of the exponent, and the bits
    // that are added to it.
    let (patterns, least_exponent, exponent_mask) =
        if reduce == Reduce::Add { (&SUMS, 127, 7) } else { (&PRODUCTS, 126, 1) };
    let mut noise = Noise(7);
    let mut random = || {
        let bits = noise.next();
        f32::from_bits((bits & 1) << 31 | (least_exponent + (bits >> 1 & exponent_mask)) << 23 | bits >> 9)
    };
    let mut next = |row: usize, step: usize| match patterns.get(row) {
        Some([start, ..]) if step == 0 => *start,
        Some([_, updates @ ..]) => updates.get((step - 1) % 4).copied().unwrap_or(1.0),
        None => random(),
    };
    let mut all = Vec::new();
    for step in 0..=STEPS {
        for row in 0..ROWS {
            all.push(next(row, step));
        }
    }
    let updates = all.split_off(ROWS);
    (all, updates)
}

/// The index of a trial, and the order that `order.rs` would make of it on the device. Without `is_counted` the index names every row in
/// turn, as often as a chain has steps; the order is the rows of the entries, sorted, followed by the numbers of the entries. With
/// `is_counted` each row is named another number of times, and the order is these numbers.
fn entries(is_counted: bool) -> (Vec<u32>, Vec<u32>) {
    let (rows, steps) = (ROWS as u32, STEPS as u32);
    let (mut index, mut order) = (Vec::new(), Vec::new());
    if is_counted {
        for row in 0..rows {
            let count = steps + 3 * row;
            index.resize(index.len() + count as usize, row);
            order.push(count);
        }
        return (index, order);
    }
    for entry in 0..steps * rows {
        index.push(entry % rows);
        // The row of sorted entry number `entry`.
        order.push(entry / steps);
    }
    for sorted in 0..steps * rows {
        let (row, step) = (sorted / steps, sorted % steps);
        order.push(step * rows + row);
    }
    (index, order)
}

/// A call whose result is known.
struct Trial {
    /// What the GPU computes.
    result: DeviceBuffer,
    /// The bits that the CPU has computed: no buffer, because those count as a caller's memory.
    expected: Vec<u32>,
    /// By how many units in the last place they may differ.
    ulps: u32,
}

/// Whether the floats whose bits are in `got` are those in `expected`, or no more than `ulps` units in the last place away. All NaNs are
/// alike, whatever their bits. `got` may have padding behind its floats.
fn is_passed(expected: &[u32], ulps: u32, got: &[u32]) -> bool {
    // Integers in the order of the floats: the bits of floats of one sign are in order, and neighbours differ by 1.
    let ordered = |bits: u32| {
        let magnitude = i64::from(bits & 0x7fff_ffff);
        if bits >> 31 == 1 { -magnitude } else { magnitude }
    };
    let is_same = |got: u32, expected: u32| {
        let both_nan = f32::from_bits(got).is_nan() && f32::from_bits(expected).is_nan();
        both_nan
            || got == expected
            || (ulps > 0 && ordered(got).abs_diff(ordered(expected)) <= u64::from(ulps))
    };
    expected.len() <= got.len() && expected.iter().zip(got).all(|(&expected, &got)| is_same(got, expected))
}

impl Gpu {
    /// The pipeline to use for this one: itself, or the one in integers if it has been demoted, if nothing tries it, or if there is no
    /// memory to try it. The first use records its canary.
    pub(crate) fn trusted(self: &Rc<Self>, key: ShaderKey) -> ShaderKey {
        let Some(strict) = key.strict() else { return key };
        let Some((way, _)) = Way::of(key.pass) else { return strict };
        match self.canaries.of(key) {
            Some(Trust::Awaited | Trust::Given) => return key,
            Some(Trust::Demoted) => return strict,
            None => {}
        }
        // Now, because recording the canary asks for the same pipeline.
        self.canaries.set(key, Trust::Awaited);
        if self.try_out(key, &way).is_err() {
            // There is no memory for it.
            self.canaries.forget(key);
            return strict;
        }
        key
    }

    /// [`Gpu::settle`], and a wait for the canaries that other reads are waiting for. Natively there are none: a wait blocks the thread, so
    /// that no other read runs meanwhile.
    pub(crate) async fn settle_all(self: &Rc<Self>, op: &'static str) -> Result<()> {
        self.settle(op).await?;
        #[cfg(target_arch = "wasm32")]
        while self.canaries.are_awaited() {
            crate::backend::gpu::poll_firefox::sleep_1ms().await;
            // If the other read was given up, its canary is in the queue again.
            self.settle(op).await?;
        }
        Ok(())
    }

    /// Records the canary of a pipeline, and queues what looks at its result.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn try_out(self: &Rc<Self>, key: ShaderKey, way: &Way) -> Result<()> {
        let Trial { result, expected, ulps } = match *way {
            Way::Scatter(strategy) => self.scatter_trial(key.combine.reduce, strategy)?,
            Way::Multiply(operands) => self.multiply_trial(key, operands)?,
        };
        // The operator that an error names: the caller's is not known here.
        let op = match (way, key.combine.reduce) {
            (Way::Multiply(_), _) => Op::ElementwiseMul,
            (Way::Scatter(_), Reduce::Multiply) => Op::ScatterMul,
            (Way::Scatter(_), _) => OP,
        };
        let len = size_of_val(expected.as_slice());
        let mut staging = Staging::new(self, op.name(), len)?;
        self.copy(result.raw(), staging.raw(), DATA, padded(len));
        let gpu = Rc::clone(self);
        self.expect(async move {
            // Only then can it be mapped: the read that waits may have submitted its batch before this was recorded.
            gpu.flush();
            let is_mapped = gpu.wait(&mut staging.map(padded(len))).await == Some(true);
            if !is_mapped || !staging.is_finished() {
                // What was written since is refused anyway.
                gpu.canaries.forget(key);
                return None;
            }
            let view = staging.view(padded(len));
            let bytes = view.as_ref().and_then(|view| view.get(DATA as usize..)).unwrap_or_default();
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(bytes);
            drop(view);
            if is_passed(&expected, ulps, &words) {
                gpu.canaries.set(key, Trust::Given);
                return None;
            }
            gpu.canaries.set(key, Trust::Demoted);
            gpu.drop_batches(staging.batch(), Cause::Arithmetic);
            let error = Cause::Arithmetic.error(op.name());
            Some(Refusal { error, buffer: None, since: 0 })
        });
        Ok(())
    }

    /// A scatter by the pass of a strategy, whose result the CPU computes too. An order is made on the host, so that no other pass runs.
    fn scatter_trial(self: &Rc<Self>, reduce: Reduce, strategy: Strategy) -> Result<Trial> {
        let op = OP.name();
        let (mut starts, updates) = chains(reduce);
        let is_counted = strategy == Strategy::CountThenRepeat;
        let (index, order) = entries(is_counted);
        // For what is applied as often as rows are counted: a subnormal number to add, a factor that keeps products in their range.
        let scalar: f32 = if reduce == Reduce::Add { 1.1e-40 } else { -1.001 };
        if is_counted && reduce == Reduce::Add {
            // Random starts times 2^-110: the scalar is not lost beside the smallest of them, and the sums are rounded.
            let random_starts = starts.iter_mut().skip(SUMS.len());
            random_starts.for_each(|start| *start *= f32::from_bits((127 - 110) << 23));
        }
        let bits = scalar.to_bits().into();

        let (table_shape, index_shape) = (Shape::new(op, &[ROWS])?, Shape::new(op, &[index.len()])?);
        let table = Operand { shape: &table_shape, dtype: DType::Float32 };
        let index_operand = Operand { shape: &index_shape, dtype: DType::Int32 };
        let source = (!is_counted).then_some(Operand { shape: &index_shape, dtype: DType::Float32 });
        let form = Addressed::Along(0);
        let plan =
            Addressing::scatter(&Arguments { op: OP, form, table, index: index_operand, src: source })?;

        let on_cpu = |values: &[u32]| HostBuffer::copy_of(op, bytemuck::cast_slice(values));
        let (cpu_index, cpu_values) = (on_cpu(&index)?, on_cpu(bytemuck::cast_slice(&updates))?);
        let mut cpu_table = Rc::new(on_cpu(bytemuck::cast_slice(&starts))?);
        let value = if is_counted { Value::Scalar(bits) } else { Value::Buffer(&cpu_values) };
        let of = Index { buffer: &cpu_index, dtype: DType::Int32, state: IndexState::Checked };
        Cpu.scatter(&plan, DType::Float32, reduce.into(), &mut cpu_table, of, value)?;

        let on_gpu = |values: &[u32]| self.upload(op, bytemuck::cast_slice(values));
        let (index, values) = (on_gpu(&index)?, on_gpu(bytemuck::cast_slice(&updates))?);
        let table = on_gpu(bytemuck::cast_slice(&starts))?;
        let value = if is_counted { Value::Scalar(bits) } else { Value::Buffer(&values) };
        let order = match strategy {
            Strategy::RunPerThread | Strategy::RowPerGroup | Strategy::CountThenRepeat => {
                Some(on_gpu(&order)?)
            }
            Strategy::Columns | Strategy::Small | Strategy::Distinct => None,
            Strategy::Winner | Strategy::Atomics => None,
        };
        let of = Index { buffer: &index, dtype: DType::Int32, state: IndexState::Positions };
        let (dtype, slot) = (DType::Float32, NEVER_FAILS);
        let scatter = Scatter { gpu: self, plan: &plan, dtype, reduce, table: &table, value: &value, slot };
        scatter.run(strategy, &of, order.as_ref());
        Ok(Trial { result: table, expected: cpu_table.elements().to_vec(), ulps: 0 })
    }

    /// A multiply by the shader `key`, which reads its operands in this way. The CPU computes its result too.
    fn multiply_trial(self: &Rc<Self>, key: ShaderKey, operands: Operands) -> Result<Trial> {
        // Rows of 32 numbers hold all 1,040 numbers of the chains; rows of 31 are no whole quads.
        const OUTER: usize = 33;
        let (op, act) = (OP.name(), activation(key.pass));
        let (inner, y_dims, axis): (usize, &[usize], i64) = match operands.y {
            QuadAccess::Same => (32, &[OUTER, 32], 0),
            QuadAccess::Contiguous => (32, &[32], 1),
            QuadAccess::Splat => (32, &[OUTER], 0),
            QuadAccess::Elements => (31, &[31], 1),
        };
        let (x_shape, y_shape) = (Shape::new(op, &[OUTER, inner])?, Shape::new(op, y_dims)?);
        let [x, y] = [&x_shape, &y_shape].map(|shape| Operand { shape, dtype: DType::Float32 });
        let plan = BroadcastPlan::along_axis(Op::ElementwiseMul, x, y, axis, act)?;
        // The numbers of the chains, in an order of their own for y.
        let (mut x, mut y) = chains(Reduce::Multiply);
        x.extend_from_slice(&y);
        // Behind them, pairs of zeros, infinities and NaN that meet where the shapes are equal.
        let fill = |numbers: &mut Vec<f32>, len: usize, special: [f32; 4]| {
            let missing = len.saturating_sub(numbers.len());
            numbers.extend(special.iter().cycle().take(missing));
            numbers.truncate(len);
        };
        fill(&mut x, x_shape.size(), [0.0, f32::NEG_INFINITY, -0.0, 2.0]);
        if act.is_some() {
            // Where e^x is large, or next to nothing.
            x.iter_mut().skip(2).step_by(3).for_each(|x| *x *= 21.0);
        }
        y.rotate_left(5);
        fill(&mut y, y_shape.size(), [f32::INFINITY, -0.0, -3.0, f32::NAN]);
        let [cpu_x, cpu_y] = [&x, &y].map(|values| HostBuffer::copy_of(op, bytemuck::cast_slice(values)));
        let cpu_result = Cpu.multiply(&plan, DType::Float32, &cpu_x?, &cpu_y?)?;
        let [x, y] = [&x, &y].map(|values| self.upload(op, bytemuck::cast_slice(values)));
        let (x, y) = (x?, y?);
        let geometry = Geometry::new(&plan, Width::Four);
        let result = if operands.in_place {
            self.record_multiply(key, &geometry, &x, &y, None);
            x
        } else {
            let out = DeviceBuffer::unfilled(self, op, "a trial", 4 * plan.len())?;
            let (x, y) = plan.operands(&x, &y);
            self.record_multiply(key, &geometry, x, y, Some(&out));
            out
        };
        let expected = cpu_result.elements().to_vec();
        Ok(Trial { result, expected, ulps: act.map_or(0, Activation::gpu_ulps) })
    }
}
