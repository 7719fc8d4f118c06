//! Canaries: a multiply that computes with the adapter's own floats proves itself the first time it is used.
//!
//! The probe has tried the function, but each pass is compiled by itself. So the first use of such a pipeline records a small
//! call of the same pipeline beside it, whose result the CPU knows. Nothing waits for it: it is looked at by the next read or
//! `sync()`, before anything is returned. If it has other bits than the CPU's, the pipeline is demoted: everything written
//! since is refused, and the same calls are computed in integers from then on. See docs/adr/0021.

use std::cell::RefCell;
use std::rc::Rc;

use crate::backend::Backend;
use crate::backend::cpu::Cpu;
use crate::backend::gpu::buffer::{DeviceBuffer, padded};
use crate::backend::gpu::device::Gpu;
use crate::backend::gpu::faults::dropped::Cause;
use crate::backend::gpu::multiply::geometry::{Geometry, Operands, QuadAccess};
use crate::backend::gpu::reads::staging::Staging;
use crate::backend::gpu::shaders::act::Act;
use crate::backend::gpu::shaders::kernel::{ShaderKey, Width};
use crate::backend::gpu::shaders::pass::Pass;
use crate::backend::gpu::trials::probe::Noise;
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{Activation, BroadcastPlan, Op, Operand};
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

/// The activation and the operands of a multiply by the adapter's floats; `None` for every other pass.
fn tried(pass: Pass) -> Option<(Option<Activation>, Operands)> {
    match pass {
        Pass::MultiplyNative(Act::Float(act), operands) => Some((Some(act), operands)),
        Pass::MultiplyNative(_, operands) | Pass::MultiplyGuarded(operands) => Some((None, operands)),
        _ => None,
    }
}

/// What a pipeline is called in `backend()`.
fn name(key: &ShaderKey) -> String {
    let act = tried(key.pass).and_then(|(act, _)| act).map_or("", Activation::name);
    ["multiply elementwise", act].join(" ").trim_end().to_owned()
}

/// Chains of factors.
const CHAINS: usize = 16;
/// Factors of each, after the first.
const STEPS: usize = 64;

/// The first chains, one in each line: the start, and four factors that are repeated. They try subnormal numbers, signs of zero,
/// infinities, NaN, overflow, ties.
const PRODUCTS: [[f32; 5]; 9] = [
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

/// The numbers of all chains: the starts, then the first factors of all chains, then the second ones, and so on. Behind the chains of the
/// patterns are chains of random numbers.
fn chains() -> Vec<f32> {
    let mut noise = Noise(7);
    // From 0.5 to 2, of any sign.
    let mut random = || {
        let bits = noise.next();
        f32::from_bits((bits & 1) << 31 | (126 + (bits >> 1 & 1)) << 23 | bits >> 9)
    };
    let mut next = |chain: usize, step: usize| match PRODUCTS.get(chain) {
        Some([start, ..]) if step == 0 => *start,
        Some([_, factors @ ..]) => factors.get((step - 1) % 4).copied().unwrap_or(1.0),
        None => random(),
    };
    let mut all = Vec::new();
    for step in 0..=STEPS {
        for chain in 0..CHAINS {
            all.push(next(chain, step));
        }
    }
    all
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
        let Some((act, operands)) = tried(key.pass) else { return strict };
        match self.canaries.of(key) {
            Some(Trust::Awaited | Trust::Given) => return key,
            Some(Trust::Demoted) => return strict,
            None => {}
        }
        // Now, because recording the canary asks for the same pipeline.
        self.canaries.set(key, Trust::Awaited);
        if self.try_out(key, act, operands).is_err() {
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
    fn try_out(self: &Rc<Self>, key: ShaderKey, act: Option<Activation>, operands: Operands) -> Result<()> {
        let Trial { result, expected, ulps } = self.trial(key, act, operands)?;
        // The operator that an error names: the caller's is not known here.
        let op = Op::ElementwiseMul;
        let len = size_of_val(expected.as_slice());
        let mut staging = Staging::copy_of(self, op.name(), Some(result.raw()), len)?;
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
            if is_passed(&expected, ulps, &staging.words(padded(len))) {
                gpu.canaries.set(key, Trust::Given);
                return None;
            }
            gpu.canaries.set(key, Trust::Demoted);
            gpu.drop_batches(staging.batch(), Cause::Arithmetic);
            Some(Cause::Arithmetic.error(op.name()))
        });
        Ok(())
    }

    /// A multiply by the shader `key`, which reads its operands in this way. The CPU computes its result too.
    fn trial(self: &Rc<Self>, key: ShaderKey, act: Option<Activation>, operands: Operands) -> Result<Trial> {
        // Rows of 32 numbers hold all 1,040 numbers of the chains; rows of 31 are no whole quads.
        const OUTER: usize = 33;
        let op = Op::ElementwiseMul.name();
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
        let mut x = chains();
        let mut y: Vec<f32> = x.iter().copied().skip(CHAINS).collect();
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
