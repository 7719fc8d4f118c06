//! Finds out whether this adapter's float32 products have the CPU's bits, and whether what every pass needs works: barriers,
//! atomic operations, long loops. It runs once, at start, the functions that the kernels call.
//!
//! Products are tried in chains: a number, then the factors that it is multiplied with, in order.

use std::rc::Rc;

use crate::backend::gpu::buffer::DeviceBuffer;
use crate::backend::gpu::device::Gpu;
use crate::backend::gpu::dispatch::Bindings;
use crate::backend::gpu::scatter::strategy::ROUNDS;
use crate::backend::gpu::shaders::kernel::ShaderKey;
use crate::backend::gpu::shaders::params::{Head, NEVER_FAILS, Probe, ProbeWorkgroup, WORKGROUP};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::HostBuffer;

/// How the products of a multiply of float32 are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arithmetic {
    /// By the adapter.
    #[default]
    Native,
    /// By the adapter where the bits of its result show that it is right, as `shaders/broadcast/guarded.wgsl` says; else as
    /// [`Arithmetic::Strict`].
    Guarded,
    /// In integers, by `shaders/lib/strict_float.wgsl`: right on every adapter, and slower.
    Strict,
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Native, Self::Guarded, Self::Strict];
}

/// What the probe saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Numerics {
    /// What is used.
    pub float32: Arithmetic,
    /// Whether the adapter keeps subnormal numbers.
    pub keeps_subnormals: bool,
    /// Whether the adapter keeps NaN and the infinities.
    pub keeps_nan: bool,
}

/// Factors of a chain, after its start.
const STEPS: usize = 4;

/// Chains whose result is different where subnormal numbers are taken for zero.
const SUBNORMAL: std::ops::Range<usize> = 0..4;
/// Chains with NaN and infinities.
const NAN: std::ops::Range<usize> = 4..10;

/// The chains with chosen numbers.
const PRODUCTS: [[f32; STEPS + 1]; 14] = [
    [1.5e-38, 0.5, 0.5, 1.0, 1.0],
    [1e-40, 1_048_576.0, 0.7, 1.5, 1.0],
    [3e-39, 3.0, 5.0, 0.3, 0.1],
    [-2e-38, 0.3, 0.3, 7.0, 3.0],
    [f32::MAX, 2.0, 0.0, 1.0, 1.0],
    [f32::NAN, 1.0, 2.0, 0.0, -3.0],
    [f32::INFINITY, -1.0, 0.5, -2.0, 1.0],
    [-f32::MAX, f32::MAX, 0.5, 1.0, -1.0],
    [0.0, f32::INFINITY, 1.0, 2.0, 1.0],
    [2.0, 3.0, f32::NAN, -0.0, 1.0],
    // Ties, signs of zero.
    [16_777_215.0, 3.0, 1.000_000_1, 2.999_999_8, 0.333_333_34],
    [1e20, 1e-20, 1e20, 1e-10, 3.0],
    [-0.0, 2.0, -3.0, 1.0, 5.0],
    [0.1, 0.2, 0.3, 0.7, 1.1],
];

/// Numbers that look random and are the same every time: SplitMix32. The field is the state, which begins with any seed.
pub(crate) struct Noise(pub(crate) u32);

impl Noise {
    pub(crate) fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
        bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
        bits ^ (bits >> 16)
    }
}

/// How many further chains there are, of normal numbers: hundreds of roundings.
const ROUNDED: u32 = 128;

/// The chain with the number `chain` among these. Its numbers have any sign, exponents from 0 to 7 and random fractions. Products of
/// factors of 13 bits, as every other chain has them, are often ties.
fn rounded(chain: u32) -> [f32; STEPS + 1] {
    let mut noise = Noise(chain);
    std::array::from_fn(|_| {
        let bits = noise.next();
        // All 23 bits, or the upper 12, which with the leading 1 are a factor of 13 bits.
        let fraction = if chain.is_multiple_of(2) { bits >> 9 } else { bits >> 20 << 11 };
        f32::from_bits(((bits & 1) << 31) | ((127 + ((bits >> 1) & 7)) << 23) | fraction)
    })
}

/// The operator that errors of the probe's own buffers name.
const OP: &str = "init";

/// Tries the adapter. Float32 arithmetic that is not the CPU's is no error: the result says what it does.
///
/// # Errors
/// `RuntimeError` (`device-unavailable`), in the name of `op`, where barriers, atomic operations or loops fail, or work is lost. What else
/// happens to the probe's own buffers (no memory, a lost device) is passed on, in the name of [`OP`].
pub(crate) async fn run(gpu: &Rc<Gpu>, op: &'static str) -> Result<Numerics> {
    let arithmetic = Tried::arithmetic(gpu)?;
    let workgroups = Tried::workgroups(gpu)?;
    // Both are recorded before the first is read, so that they share a submission.
    let (arithmetic, workgroups) = (arithmetic.read(), workgroups.read());
    let outcome = async {
        let workgroups = workgroups.await?;
        Ok((arithmetic.await?, workgroups))
    };
    let (ends_of_chains, workgroups) = outcome.await.map_err(|error: Error| match error.code() {
        ErrorCode::WorkLost => unusable(op, "work that it was given was left undone"),
        _ => error,
    })?;
    check_workgroups(op, &workgroups)?;
    Ok(numerics(&ends_of_chains))
}

/// A shader of the probe that was recorded, and the buffer that it writes its results to.
struct Tried(DeviceBuffer);

impl Tried {
    /// Runs every chain in `shaders/probe/probe.wgsl`, which writes each result over the chain's start.
    fn arithmetic(gpu: &Rc<Gpu>) -> Result<Self> {
        let chains = chains();
        let (mut starts, mut steps) = (Vec::new(), Vec::new());
        for &[start, ref rest @ ..] in &chains {
            starts.push(start);
            steps.extend_from_slice(rest);
        }
        let starts = gpu.upload(OP, bytemuck::cast_slice(&starts))?;
        let steps = gpu.upload(OP, bytemuck::cast_slice(&steps))?;
        let params = Probe { head: Head::new(chains.len(), NEVER_FAILS) };
        let bindings = Bindings { index: None, dst: Some(&starts), src: Some(&steps) };
        gpu.dispatch(ShaderKey::PROBE, params, &bindings);
        Ok(Self(starts))
    }

    /// Runs `shaders/probe/workgroup.wgsl`, whose results have to be [`expected_of_workgroups`].
    fn workgroups(gpu: &Rc<Gpu>) -> Result<Self> {
        let numbers = gpu.upload(OP, bytemuck::cast_slice(&numbers()))?;
        let results = DeviceBuffer::new(gpu, OP, "the probe", 4 * expected_of_workgroups().len())?;
        let params = ProbeWorkgroup { head: Head::new(GROUPS * GROUP, NEVER_FAILS), rounds: ROUNDS as u32 };
        let bindings = Bindings { index: None, dst: Some(&results), src: Some(&numbers) };
        gpu.dispatch(ShaderKey::PROBE_WORKGROUP, params, &bindings);
        Ok(Self(results))
    }

    /// The results: their copy is recorded at once, and arrives when the future is awaited.
    fn read(self) -> impl Future<Output = Result<HostBuffer>> {
        self.0.read(OP)
    }
}

/// All chains.
fn chains() -> Vec<[f32; STEPS + 1]> {
    PRODUCTS.into_iter().chain((0..ROUNDED).map(rounded)).collect()
}

/// Workgroups of `shaders/probe/workgroup.wgsl`.
const GROUPS: usize = 4;
/// Threads of each.
const GROUP: usize = WORKGROUP as usize;
/// Values of a digit, which is the last four bits of a number.
const DIGITS: usize = 16;

/// The number that each thread of `shaders/probe/workgroup.wgsl` reads.
fn numbers() -> Vec<u32> {
    let mut noise = Noise(1);
    (0..GROUPS * GROUP).map(|_| noise.next()).collect()
}

/// What `shaders/probe/workgroup.wgsl` has to write: for each thread the sum of the numbers before it in its workgroup, without their last
/// eight bits, so that no sum overflows; for each workgroup how many numbers have each digit; for all together the largest number
/// with each digit, and how many have it; for each workgroup what a long loop makes of its first number.
fn expected_of_workgroups() -> Vec<u32> {
    let numbers = numbers();
    let (mut sums, mut counts, mut states) = (Vec::new(), Vec::new(), Vec::new());
    for group in numbers.chunks_exact(GROUP) {
        let mut sum = 0;
        for number in group {
            sums.push(sum);
            sum += number >> 8;
        }
        counts.extend_from_slice(&of_digits(group).0);
        // A random generator, so that no compiler can do without the loop.
        let mut state = group.first().copied().unwrap_or(0);
        for _ in 0..ROUNDS {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        }
        states.push(state);
    }
    let (count, largest) = of_digits(&numbers);
    [&sums[..], &counts, &largest, &count, &states].concat()
}

/// How many numbers have each digit, and the largest of these, or 0.
fn of_digits(numbers: &[u32]) -> ([u32; DIGITS], [u32; DIGITS]) {
    let (mut counts, mut largest) = ([0; DIGITS], [0; DIGITS]);
    for &number in numbers {
        let digit = number as usize % DIGITS;
        if let (Some(count), Some(largest)) = (counts.get_mut(digit), largest.get_mut(digit)) {
            *count += 1;
            *largest = number.max(*largest);
        }
    }
    (counts, largest)
}

/// Checks that the results are [`expected_of_workgroups`].
///
/// # Errors
/// `RuntimeError` (`device-unavailable`) with the first thing that went wrong.
fn check_workgroups(op: &'static str, results: &HostBuffer) -> Result<()> {
    // How many of the results each thing has, in their order.
    const TRIED: [(&str, usize); 5] = [
        ("running sums over a workgroup, with barriers,", GROUPS * GROUP),
        ("counts over a workgroup", GROUPS * DIGITS),
        ("atomic maxima", DIGITS),
        ("atomic sums", DIGITS),
        ("long loops", GROUPS),
    ];
    let expected = expected_of_workgroups();
    let wrong = expected.iter().zip(results.elements::<u32>()).position(|(expected, got)| expected != got);
    let Some(wrong) = wrong else { return Ok(()) };
    let mut end = 0;
    let what = TRIED.iter().find(|(_, len)| {
        end += len;
        wrong < end
    });
    Err(unusable(op, &format!("{} came out wrong", what.map_or("", |(what, _)| what))))
}

/// The error for an adapter that fails at `what`.
fn unusable(op: &'static str, what: &str) -> Error {
    let text = format!(
        "this adapter, or its driver, was tried and is not used: {what}; a newer driver or another browser may do better"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::DeviceUnavailable, op, text)
}

/// Compares the results of the chains with the CPU's. If only those with subnormal numbers are wrong, the adapter may still compute what
/// is sure to be right.
fn numerics(results: &HostBuffer) -> Numerics {
    let chains = chains();
    let is_same = |at: usize, got: f32| {
        let expected = chains.get(at).map_or(0.0, |chain| chain.iter().product());
        got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan())
    };
    let results = results.elements().iter().enumerate();
    let wrong: Vec<usize> = results.filter(|&(at, &got)| !is_same(at, got)).map(|(at, _)| at).collect();
    let float32 = match wrong.as_slice() {
        [] => Arithmetic::Native,
        wrong if wrong.iter().all(|at| SUBNORMAL.contains(at)) => Arithmetic::Guarded,
        _ => Arithmetic::Strict,
    };
    Numerics {
        float32,
        keeps_subnormals: !wrong.iter().any(|at| SUBNORMAL.contains(at)),
        keeps_nan: !wrong.iter().any(|at| NAN.contains(at)),
    }
}
