//! The twin of the strict float64 arithmetic against this CPU's.

use scatterwise::DType;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::common::pairs::Numbers;
use crate::dtypes::elements::{edges, partner};
use crate::twins::strict_double::{
    strict_double_add, strict_double_divide, strict_double_multiply, wide, wide_divide,
};

#[wasm_bindgen_test(unsupported = test)]
fn wide_quotients_are_the_cpus() {
    let mut numbers = Numbers(9);
    let edges = edges(DType::Uint64);
    let edge_pairs = edges.iter().flat_map(|&one| edges.iter().map(move |&two| (one, two)));
    let random_pairs = (0..1_000_000).map(|_| {
        let shifts = numbers.below(64) as u32;
        (numbers.next() >> numbers.below(64), numbers.next() >> shifts)
    });
    let of = |bits: u64| wide(bits as u32, (bits >> 32) as u32);
    for (one, two) in edge_pairs.chain(random_pairs).filter(|&(_, two)| two != 0) {
        let (quotient, left) = wide_divide(of(one), of(two));
        let quotient = u64::from(quotient.y) << 32 | u64::from(quotient.x);
        assert_eq!((quotient, left == 0), (one / two, one % two == 0), "{one} / {two}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn strict_double_is_the_cpus() {
    let mut numbers = Numbers(7);
    let edges = edges(DType::Float64);
    let edge_pairs = edges.iter().flat_map(|&one| edges.iter().map(move |&two| (one, two)));
    let random_pairs = (0..2_000_000).map(|_| {
        let one = numbers.next();
        (one, partner(DType::Float64, one, &mut numbers))
    });
    let of = |bits: u64| wide(bits as u32, (bits >> 32) as u32);
    for (one, two) in edge_pairs.chain(random_pairs) {
        for (name, got, expected) in [
            ("+", strict_double_add(of(one), of(two)), f64::from_bits(one) + f64::from_bits(two)),
            ("*", strict_double_multiply(of(one), of(two)), f64::from_bits(one) * f64::from_bits(two)),
            ("/", strict_double_divide(of(one), of(two)), f64::from_bits(one) / f64::from_bits(two)),
        ] {
            let got = f64::from_bits(u64::from(got.y) << 32 | u64::from(got.x));
            let same = got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan());
            assert!(same, "{one:#x} {name} {two:#x}: expected {expected:e}, got {got:e}");
        }
    }
}
