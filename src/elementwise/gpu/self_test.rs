//! The self-test of a pipeline that computes with the adapter's floats: a small call with a result that the CPU knows.
//!
//! The start-up probe tries two such pipelines, of a product and of a sum. The other pipelines are compiled separately, so the first use of each records a self-test
//! beside the call. No call waits for the self-test: the next read or `sync()` checks it before it returns data. If the self-test's bits differ
//! from the CPU's, the pipeline is demoted: all data written since is refused, and later calls compute in integers. See docs/decisions/gpu-arithmetic.md.

use std::rc::Rc;

use crate::elementwise::backend::ElementwiseBackend;
use crate::elementwise::gpu::geometry::Geometry;
use crate::elementwise::gpu::record::record;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::cpu::Cpu;
use crate::engine::gpu::shaders::pass::SparseRows;
use crate::engine::gpu::{
    Arithmetic, Cause, DeviceBuffer, Gpu, NEVER_FAILS, Numerics, Operands, Pass, QuadAccess, ShaderKey,
    Staging, State, Width,
};
use crate::plan::{Activation, Binary, Op, Operand};
use crate::{DType, HostBuffer, Result, Shape};

/// The number at place `at` of a pseudo-random sequence: SplitMix32. With this seed, an adapter that loses maxima and runs neighbouring
/// threads in step loses a maximum that the probe checks.
pub(crate) fn noise(at: u32) -> u32 {
    let mut bits = (at + 1).wrapping_mul(0x9e37_79b9).wrapping_add(1);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
    bits ^ (bits >> 16)
}

/// The number of operands. A self-test combines each with each.
const COUNT: usize = 48;
/// Rows of a self-test. Each row of x has all the numbers, shifted left by one from the row before.
const ROWS: usize = COUNT + 1;
/// The first numbers. Their products and sums are subnormal, zeros of both signs, zeros of terms that cancel, infinite, NaN, too large, or
/// ties.
const CHOSEN: [[f32; 6]; 3] = [
    [0.0, -0.0, 1e-40, -3e-39, 1.5e-38, f32::NAN],
    [f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e20, -1e-20, -1.0],
    [0.5, 1.0, 3.0, 16_777_215.0, 1.000_000_1, 0.333_333_34],
];

/// The first numbers, and random numbers from 0.5 to 8 of either sign. Every other number has 13 bits: products of two such factors are
/// often ties, and so are sums with numbers of 24 bits. Terms of sums are up to 2^31: the smaller term then loses any number of its bits.
fn numbers(is_sum: bool) -> [f32; COUNT] {
    let spread = if is_sum { 31 } else { 3 };
    std::array::from_fn(|at| {
        let bits = noise(at as u32);
        let fraction = if at % 2 == 0 { bits >> 9 } else { bits >> 20 << 11 };
        let random = f32::from_bits((bits & 1) << 31 | (126 + (bits >> 1 & spread)) << 23 | fraction);
        CHOSEN.as_flattened().get(at).copied().unwrap_or(random)
    })
}

pub(crate) struct Expected {
    /// The bits of the result. Not a buffer, because buffers count as a caller's memory.
    bits: Vec<u32>,
    /// The allowed difference of the GPU's result, in units in the last place.
    ulps: u32,
}

impl Expected {
    /// Records an operation by the pipeline `key`, with its access to operands. Returns the buffer of its result, and the CPU's results.
    pub(crate) fn of_self_test(
        gpu: &Rc<Gpu>,
        key: ShaderKey,
        binary: Binary,
        act: Option<Activation>,
        operands: Operands,
    ) -> Result<(DeviceBuffer, Self)> {
        let name = Op::ElementwiseMul.name();
        // A row without its last number is not whole quads.
        let (inner, y_dims): (usize, &[usize]) = match operands.y {
            QuadAccess::Same => (COUNT, &[ROWS, COUNT]),
            QuadAccess::Contiguous => (COUNT, &[COUNT]),
            QuadAccess::Splat => (COUNT, &[ROWS, 1]),
            QuadAccess::Elements => (COUNT - 1, &[COUNT - 1]),
        };
        let numbers = numbers(is_sum(binary) && act.is_none());
        let values = |len, of: &dyn Fn(usize) -> usize| -> Vec<f32> {
            (0..len).filter_map(|at| numbers.get(of(at) % COUNT).copied()).collect()
        };
        let (x_shape, y_shape) = (Shape::new(name, &[ROWS, inner])?, Shape::new(name, y_dims)?);
        let x = (&x_shape, values(x_shape.size(), &|at| at / inner + at % inner));
        let y = (&y_shape, values(y_shape.size(), &|at| at));
        let (first, second) = if operands.x_is_second { (y, x) } else { (x, y) };
        let [one, other] = [first.0, second.0].map(|shape| Operand { shape, dtype: DType::Float32 });
        let plan = BroadcastPlan::of(Op::ElementwiseMul, binary, one, other)?.with_activation(act);
        let bytes = [&first.1, &second.1].map(|values| bytemuck::cast_slice::<f32, u8>(values));
        let [cpu_first, cpu_second] = bytes.map(|bytes| HostBuffer::copy_of(name, bytes));
        let cpu_result = Cpu.elementwise(&plan, DType::Float32, &cpu_first?, &cpu_second?)?;
        let [first, second] = bytes.map(|bytes| gpu.upload(name, bytes));
        let (x, y) = plan.operands(first?, second?);
        let geometry = Geometry::new(&plan, Width::Four);
        let result = if operands.in_place {
            record(gpu, key, &geometry, &x, &y, None, NEVER_FAILS);
            x
        } else {
            let out = DeviceBuffer::unfilled(gpu, name, "a trial", 4 * plan.len())?;
            record(gpu, key, &geometry, &x, &y, Some(&out), NEVER_FAILS);
            out
        };
        let bits = cpu_result.elements().to_vec();
        Ok((result, Self { bits, ulps: act.map_or(0, Activation::gpu_ulps) }))
    }

    /// Records a product of a sparse matrix by the pipeline `key`, with one entry in each row, whose product is the row's result. Returns
    /// the buffer of its result, and the CPU's results.
    fn of_sparse_self_test(gpu: &Rc<Gpu>, key: ShaderKey) -> Result<(DeviceBuffer, Self)> {
        let op = Op::Spmm.name();
        let numbers = numbers(false);
        let neutral = key.combine.reduce.neutral(DType::Float32) as u32;
        // Each row multiplies the one row of the dense matrix, which begins at its start, by one value.
        let count = COUNT as u32;
        let ends = (0..count).flat_map(|at| [at, at + 1]);
        let values = numbers.iter().map(|number| number.to_bits());
        let words: Vec<u32> = ends.chain((0..count).map(|_| 0)).chain(values).collect();
        let words = gpu.upload(op, bytemuck::cast_slice(&words))?;
        let dense = gpu.upload(op, bytemuck::cast_slice(&numbers))?;
        let out = DeviceBuffer::unfilled(gpu, op, "a trial", 4 * COUNT * COUNT)?;
        let params = SparseRows {
            neutral: [neutral, 0],
            is_neutral: 1,
            row: count,
            rows: count,
            entry_count: count,
            has_values: 1,
            begin: 0,
            most: 1,
            elements: count * count,
            each: 1,
        };
        gpu.pass(key, &params).index(&words).dst(&out).src(&dense).record(COUNT * COUNT);
        let bits = numbers.iter().flat_map(|y| numbers.iter().map(move |x| (x * y).to_bits())).collect();
        Ok((out, Self { bits, ulps: 0 }))
    }

    /// The places where the floats with the bits `got` are neither the expected ones nor near enough. All NaNs are equal. `got` may
    /// have padding after its floats.
    pub(crate) fn faults(&self, got: &[u32]) -> Vec<usize> {
        // Integers in the order of the floats: for one sign, bit patterns grow with the magnitude, and neighbours differ by 1.
        let ordered = |bits: u32| {
            let magnitude = i64::from(bits & 0x7fff_ffff);
            if bits >> 31 == 1 { -magnitude } else { magnitude }
        };
        let is_same = |expected: u32, got: u32| {
            let both_nan = f32::from_bits(got).is_nan() && f32::from_bits(expected).is_nan();
            let is_near = ordered(got).abs_diff(ordered(expected)) <= u64::from(self.ulps);
            both_nan || got == expected || (self.ulps > 0 && is_near)
        };
        let mut faults = Vec::new();
        for (at, &expected) in self.bits.iter().enumerate() {
            if !got.get(at).is_some_and(|&got| is_same(expected, got)) {
                faults.push(at);
            }
        }
        faults
    }
}

fn is_sum(binary: Binary) -> bool {
    matches!(binary, Binary::Add | Binary::Subtract)
}

/// The adapter's arithmetic, from the faults of two self-tests of [`QuadAccess::Same`]: first of products, then of sums. If only results with subnormal
/// numbers are wrong, the adapter may still compute the results that are certainly right.
pub(crate) fn numerics(faults: &[Vec<usize>]) -> Numerics {
    let (mut subnormal, mut others, mut infinite) = (false, false, false);
    for (faults, is_sum) in faults.iter().zip([false, true]) {
        let numbers = numbers(is_sum);
        let number = |at: usize| numbers.get(at % COUNT).copied().unwrap_or_default();
        for &at in faults {
            let (x, y) = (number(at / COUNT + at % COUNT), number(at));
            let result = if is_sum { x + y } else { x * y };
            let is_subnormal = [x, y, result].iter().any(|n| *n != 0.0 && n.abs() <= f32::MIN_POSITIVE);
            subnormal |= is_subnormal;
            others |= !is_subnormal;
            infinite |= !is_subnormal && !result.is_finite();
        }
    }
    let float32 = match (subnormal, others) {
        (false, false) => Arithmetic::Native,
        (true, false) => Arithmetic::Guarded,
        (_, true) => Arithmetic::Strict,
    };
    Numerics { float32, keeps_subnormals: !subnormal, keeps_nan: !infinite }
}

/// The pipeline to use for this one: itself, or the integer one if it was demoted, or if memory for a self-test is short. The first use
/// records the self-test.
pub(crate) fn verified(gpu: &Rc<Gpu>, key: ShaderKey) -> ShaderKey {
    let Some(strict) = key.strict() else { return key };
    let is_verified = match gpu.verified.of(key) {
        Some(State::Awaited | State::Verified) => true,
        Some(State::Demoted) => false,
        None => begin(gpu, key).is_ok(),
    };
    if is_verified { key } else { strict }
}

/// Records the self-test of a pipeline, and queues a future that checks the result.
fn begin(gpu: &Rc<Gpu>, key: ShaderKey) -> Result<()> {
    // The operator in an error: the caller's is not known here.
    let op = Op::ElementwiseMul.name();
    let (result, expected) = match key.pass {
        Pass::Native(binary, act, operands) => Expected::of_self_test(gpu, key, binary, act, operands)?,
        Pass::Guarded(binary, operands) => Expected::of_self_test(gpu, key, binary, None, operands)?,
        _ => Expected::of_sparse_self_test(gpu, key)?,
    };
    let len = size_of_val(expected.bits.as_slice());
    let mut staging = Staging::copy_of(gpu, op, Some(result.raw()), len)?;
    gpu.verified.set(key, Some(State::Awaited));
    let the_gpu = Rc::clone(gpu);
    gpu.pending.expect(async move {
        // The mapping needs a submitted batch: the waiting read may have submitted before this self-test was recorded.
        the_gpu.flush();
        let is_mapped = staging.map().await;
        if !is_mapped || !staging.is_finished() {
            // All data written since is refused anyway.
            the_gpu.verified.set(key, None);
            return None;
        }
        if expected.faults(&staging.words()).is_empty() {
            the_gpu.verified.set(key, Some(State::Verified));
            return None;
        }
        the_gpu.verified.set(key, Some(State::Demoted));
        the_gpu.drop_batches(staging.batch, Cause::Arithmetic);
        Some(Cause::Arithmetic.error(op))
    });
    Ok(())
}
