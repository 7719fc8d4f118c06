//! Sums, products, quotients and extremes of millions of pairs, each pair in a column of its own.

use scatterwise::{DType, Reduce, Tensor};

use crate::common::data::tensor;
use crate::common::pairs::Numbers;
use crate::common::report::say;
use crate::dtypes::devices::{difference, gpu};
use crate::dtypes::elements::{edges, partner, reduces, without_zero_divisors};

/// Pairs in one call.
const TOGETHER: usize = 1 << 20;
/// Random pairs of a dtype, and of how many edges one is paired with all elements of two bytes. Browsers try fewer pairs: there the arithmetic
/// of these dtypes is the same code, and slower.
const RANDOM: usize = if cfg!(target_arch = "wasm32") { 1 << 18 } else { 1 << 20 };
const EDGES: usize = if cfg!(target_arch = "wasm32") { 28 } else { 7 };

/// Combines the pairs by every reduction but replacement on both devices, a million at a time, and compares the results.
async fn check(dtype: DType, pairs: impl Iterator<Item = (u64, u64)>) {
    let Some(gpu) = gpu().await else { return };
    let (mut pairs, mut count, mut failures) = (pairs.peekable(), 0, Vec::new());
    while pairs.peek().is_some() {
        let (left, right): (Vec<u64>, Vec<u64>) = pairs.by_ref().take(TOGETHER).unzip();
        let dims = [1, left.len()];
        let left = tensor(dtype, &dims, &left);
        // A table of one row: each column is an element and its one update.
        let index = Tensor::zeros(&dims, DType::Int32).unwrap();
        for reduce in reduces(dtype).filter(|&reduce| reduce != Reduce::Replace) {
            let right = tensor(dtype, &dims, &without_zero_divisors(dtype, reduce, &right));
            let expected = left.scatter(0, &index, &right, reduce).unwrap();
            let result = left.upload().unwrap().scatter(0, &index, &right, reduce).unwrap();
            if let Some(text) = difference(&expected, &result, false).await {
                failures.push(format!("{reduce:?} {text}"));
            }
        }
        count += dims[1];
    }
    say(&format!("{}: {count} pairs of {dtype}", gpu.facts().description));
    assert!(failures.is_empty(), "{dtype}: {}", failures.join("\n"));
}

fn every_pair(elements: &[u64]) -> impl Iterator<Item = (u64, u64)> {
    elements.iter().flat_map(|&one| elements.iter().map(move |&two| (one, two)))
}

/// Random elements with partners for which their sum or product is not trivial.
fn random_pairs(dtype: DType, count: usize) -> impl Iterator<Item = (u64, u64)> {
    let mut numbers = Numbers(5);
    (0..count).map(move |_| {
        let one = numbers.next() & (u64::MAX >> (64 - 8 * dtype.size()));
        (one, partner(dtype, one, &mut numbers))
    })
}

/// All 65,536 elements with some of the edges and eight random elements, every pair of edges, and random pairs.
async fn check_two_bytes(dtype: DType) {
    let mut numbers = Numbers(6);
    let operands = edges(dtype).into_iter().step_by(EDGES).collect::<Vec<_>>();
    let operands = operands.into_iter().chain((0..8).map(|_| numbers.next() & 0xffff));
    let exhaustive = operands.flat_map(|two| (0..0x1_0000).map(move |one| (one, two)));
    let edges = edges(dtype);
    check(dtype, exhaustive.chain(every_pair(&edges)).chain(random_pairs(dtype, RANDOM))).await;
}

one_thread!(every_pair_of_one_byte);
async fn every_pair_of_one_byte() {
    check(DType::Bool, every_pair(&[0, 1])).await;
    let all: Vec<u64> = (0..0x100).collect();
    check(DType::Int8, every_pair(&all)).await;
    check(DType::Uint8, every_pair(&all)).await;
}

one_thread!(pairs_of_int16);
async fn pairs_of_int16() {
    check_two_bytes(DType::Int16).await;
}

one_thread!(pairs_of_uint16);
async fn pairs_of_uint16() {
    check_two_bytes(DType::Uint16).await;
}

one_thread!(pairs_of_float16);
async fn pairs_of_float16() {
    check_two_bytes(DType::Float16).await;
}

one_thread!(pairs_of_bfloat16);
async fn pairs_of_bfloat16() {
    check_two_bytes(DType::Bfloat16).await;
}

one_thread!(pairs_of_four_bytes);
async fn pairs_of_four_bytes() {
    for dtype in [DType::Int32, DType::Uint32, DType::Float32] {
        check(dtype, every_pair(&edges(dtype)).chain(random_pairs(dtype, 1 << 18))).await;
    }
}

one_thread!(pairs_of_64_bit_integers);
async fn pairs_of_64_bit_integers() {
    for dtype in [DType::Int64, DType::Uint64] {
        check(dtype, every_pair(&edges(dtype)).chain(random_pairs(dtype, 1 << 18))).await;
    }
}

one_thread!(pairs_of_float64);
async fn pairs_of_float64() {
    let edges = edges(DType::Float64);
    check(DType::Float64, every_pair(&edges).chain(random_pairs(DType::Float64, RANDOM))).await;
}
