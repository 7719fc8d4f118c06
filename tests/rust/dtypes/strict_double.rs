//! The Rust twin of the shaders' float64 arithmetic in integers, and of their 64-bit division, against this CPU's arithmetic.

use scatterwise::{DType, Scalar};

use crate::common::pairs::Numbers;
use crate::dtypes::elements::{edges, format, partner};
use crate::everywhere;
use crate::twins::strict_double::{
    rounded, strict_double_add, strict_double_divide, strict_double_multiply, strict_double_sqrt, wide,
    wide_divide,
};

/// Quotients of unsigned 64-bit integers, and whether they are exact.
#[everywhere::test]
fn wide_quotients_are_the_cpus() {
    let mut numbers = Numbers(9);
    let edges = edges(DType::Uint64);
    let edge_pairs = edges.iter().flat_map(|&one| edges.iter().map(move |&two| (one, two)));
    let random_pairs = (0..1_000_000).map(|_| {
        // Of any size: with any number of leading zeros.
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

/// Sums, products and quotients of float64, bit for bit; any NaN is equal to any NaN.
#[everywhere::test]
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

/// Roots of float64, bit for bit, but for the payload of NaN: of any bits, of squares, whose roots are exact, and of the neighbours of
/// squares of numbers midway between two float64, whose roots are almost ties.
#[everywhere::test]
fn strict_double_roots_are_the_cpus() {
    let mut numbers = Numbers(13);
    let random = (0..2_000_000).map(|_| {
        let bits = numbers.next();
        let short = f64::from_bits(bits & !0x7ff_ffff).abs();
        match numbers.below(6) {
            0 => bits & (u64::MAX >> 1),
            1 => bits >> (12 + numbers.below(52)), // subnormal
            2 => (short * short).to_bits(),
            3 => (short * short).to_bits().wrapping_add(1),
            4 => (short * short).to_bits().wrapping_sub(1),
            _ => bits,
        }
    });
    for bits in edges(DType::Float64).into_iter().chain(random) {
        let (expected, got) =
            (f64::from_bits(bits).sqrt(), strict_double_sqrt(wide(bits as u32, (bits >> 32) as u32)));
        let got = f64::from_bits(u64::from(got.y) << 32 | u64::from(got.x));
        let same = got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan());
        assert!(same, "√{bits:#x}: expected {expected:e}, got {got:e}");
    }
}

/// Any float64 rounded to each narrower dtype, and float64 that are midway between two neighbours in the dtype, or beside that.
#[everywhere::test]
fn rounded_doubles_are_the_cpus() {
    let mut numbers = Numbers(11);
    for dtype in [DType::Float16, DType::Bfloat16, DType::Float32] {
        let (exponent_bits, fraction_bits) = format(dtype).unwrap();
        for _ in 0..500_000 {
            let element = numbers.next() & (u64::MAX >> (64 - 8 * dtype.size()));
            let near = Scalar::load(element, dtype).as_f64().to_bits();
            // A number of the dtype with one bit changed is midway between two of them if that bit is the first below the last place, which
            // for subnormal numbers may be any. The third kind may be a neighbour of that.
            let bit = 1 << numbers.below(53);
            let bits = match numbers.below(3) {
                0 => numbers.next(),
                1 => near ^ bit,
                _ => (near ^ bit).wrapping_add(numbers.below(3)).wrapping_sub(1),
            };
            let value = f64::from_bits(bits);
            let expected = Scalar::load(Scalar::Float(value).cast(dtype), dtype).as_f64();
            let got = rounded(wide(bits as u32, (bits >> 32) as u32), exponent_bits, fraction_bits);
            let got = f64::from_bits(u64::from(got.y) << 32 | u64::from(got.x));
            let same = got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan());
            assert!(same, "{value:e} as {dtype}: expected {expected:e}, got {got:e}");
        }
    }
}
