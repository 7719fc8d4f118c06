//! The start-up probe. It tests what every pass needs: barriers, atomic operations, long loops. It also tests the adapter's float32
//! products and sums.

use std::rc::Rc;

use crate::elementwise::gpu::self_test::{Expected, noise, numerics};
use crate::engine::gpu::shaders::pass::ProbeWorkgroup;
use crate::engine::gpu::{
    Arithmetic, DeviceBuffer, Gpu, LONG_ROUNDS, Numerics, Operands, Pass, QuadAccess, ROUNDS, ShaderKey,
    State,
};
use crate::plan::Binary;
use crate::{Error, ErrorClass, ErrorCode, Result};

/// The operator in errors of the probe's own buffers.
const OP: &str = "init";

/// Probes the adapter. A wrong product or sum is not an error: the result describes the adapter's arithmetic.
pub(crate) async fn run(gpu: &Rc<Gpu>, op: &'static str) -> Result<Numerics> {
    let operands = Operands { y: QuadAccess::Same, in_place: false, x_is_second: false };
    let mut trials = Vec::new();
    // All are recorded before the first read, so they share a submission.
    for binary in [Binary::Multiply, Binary::Add] {
        let key = ShaderKey::native(binary, operands);
        let (result, expected) = Expected::of_self_test(gpu, key, binary, None, operands)?;
        trials.push((key, expected, result));
    }
    let workgroups = workgroups(gpu)?.read(OP);
    let reads: Vec<_> = trials.iter().map(|(.., result)| result.read(OP)).collect();
    let outcome = async {
        let workgroups = workgroups.await?;
        let mut results = Vec::new();
        for read in reads {
            results.push(read.await?);
        }
        Ok((results, workgroups))
    };
    let (trial_results, workgroups) = outcome.await.map_err(|error: Error| match error.code() {
        ErrorCode::WorkLost => unusable(op, "work that it was given was left undone"),
        _ => error,
    })?;
    let mut results = workgroups.elements::<u32>().iter();
    for (what, expected) in expected(gpu.workgroup()) {
        if !expected.iter().all(|expected| results.next() == Some(expected)) {
            return Err(unusable(op, &format!("{what} came out wrong")));
        }
    }
    // A driver that leaves long loops may be used, with shorter ones.
    if longest_loops(gpu.workgroup()).eq(results.copied()) {
        gpu.set_rounds(LONG_ROUNDS);
    }
    let faults: Vec<_> = trials
        .iter()
        .zip(&trial_results)
        .map(|((_, expected, _), got)| expected.faults(got.elements()))
        .collect();
    let numerics = numerics(&faults);
    if numerics.float32 == Arithmetic::Native {
        for (key, ..) in trials {
            gpu.verified.set(key, Some(State::Verified));
        }
    }
    Ok(numerics)
}

/// The error for an adapter that fails at `what`.
fn unusable(op: &'static str, what: &str) -> Error {
    let text = format!(
        "this adapter, or its driver, was tried and is not used: {what}; a newer driver or another browser may do better"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::DeviceUnavailable, op, text)
}

/// Workgroups of `shaders/engine/workgroup.wgsl`.
const GROUPS: usize = 4;

/// Runs `shaders/engine/workgroup.wgsl`. Its results must be [`expected`].
fn workgroups(gpu: &Rc<Gpu>) -> Result<DeviceBuffer> {
    let threads = gpu.workgroup();
    let numbers = gpu.upload(OP, bytemuck::cast_slice(&numbers(threads)))?;
    // Zeros, but for the word of the minimum, the fifth from the end of what is expected.
    let mut start: Vec<u32> =
        expected(threads).iter().flat_map(|(_, results)| results.iter().map(|_| 0)).collect();
    start.iter_mut().rev().nth(4).into_iter().for_each(|word| *word = u32::MAX);
    start.extend(longest_loops(threads).map(|_| 0));
    let results = gpu.upload(OP, bytemuck::cast_slice(&start))?;
    let more_rounds = (LONGEST_LOOP - ROUNDS) as u32;
    let params = ProbeWorkgroup { rounds: ROUNDS as u32, more_rounds };
    gpu.pass(Pass::ProbeWorkgroup, &params).dst(&results).src(&numbers).record_groups(GROUPS);
    Ok(results)
}

/// A number for each thread of workgroups of `threads`.
fn numbers(threads: usize) -> Vec<u32> {
    (0..(GROUPS * threads) as u32).map(noise).collect()
}

/// Rounds of the probe's longest loop: twice as many as a pass runs.
const LONGEST_LOOP: usize = 2 * LONG_ROUNDS;

/// The expected results of the longest loops, one for each workgroup.
fn longest_loops(threads: usize) -> impl Iterator<Item = u32> {
    numbers(threads).into_iter().step_by(threads).map(|first| after_rounds(first, LONGEST_LOOP))
}

/// The state of a random generator after a power of two of rounds. No compiler can remove the shader's loop.
fn after_rounds(state: u32, rounds: usize) -> u32 {
    // A round is a product and a sum, and so are twice as many rounds.
    let twice = |[factor, sum]: [u32; 2], _| {
        [factor.wrapping_mul(factor), factor.wrapping_mul(sum).wrapping_add(sum)]
    };
    let [factor, sum] = (0..rounds.ilog2()).fold([1_664_525, 1_013_904_223], twice);
    state.wrapping_mul(factor).wrapping_add(sum)
}

/// The expected results of the workgroups, part by part, with the ability that each part tests. A digit is the last four bits of a
/// number.
fn expected(threads: usize) -> [(&'static str, Vec<u32>); 9] {
    let numbers = numbers(threads);
    let with_digit = |numbers: &[u32], digit: u32| -> Vec<u32> {
        numbers.iter().copied().filter(|number| number % 16 == digit).collect()
    };
    let (mut sums, mut counts, mut states) = (Vec::new(), Vec::new(), Vec::new());
    for group in numbers.chunks_exact(threads) {
        // For each thread, the sum of the numbers before it, without their last eight bits: so no sum overflows.
        let mut sum = 0;
        for number in group {
            sums.push(sum);
            sum += number >> 8;
        }
        counts.extend((0..16).map(|digit| with_digit(group, digit).len() as u32));
        states.extend(group.first().map(|&first| after_rounds(first, ROUNDS)));
    }
    let largest = (0..16).map(|digit| with_digit(&numbers, digit).into_iter().max().unwrap_or(0)).collect();
    // Each carry is told by the value that an addition returns.
    let total: u64 = numbers.iter().map(|&number| u64::from(number)).sum();
    let count = (0..16).map(|digit| with_digit(&numbers, digit).len() as u32).collect();
    // The largest of rising numbers, one for each thread, and how far it is from 0. The complements are as far from the largest word.
    let most = (0..).zip(&numbers).map(|(thread, number)| (thread << 22) + (number >> 10)).max().unwrap_or(0);
    let sum = numbers.iter().fold(0u32, |sum, &number| sum.wrapping_add(number));
    [
        ("running sums over a workgroup, with barriers,", sums),
        ("counts over a workgroup", counts),
        ("atomic maxima", largest),
        ("atomic sums", count),
        ("long loops", states),
        ("maxima of one word and what they return", vec![most, most]),
        ("minima of one word and what they return", vec![!most, most]),
        ("exchanges of one word", vec![sum]),
        ("the carries of atomic sums", vec![total as u32, (total >> 32) as u32]),
    ]
}
