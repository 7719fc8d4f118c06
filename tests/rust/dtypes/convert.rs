//! Conversions between all dtypes on the CPU, against the definition.

use scatterwise::{DType, Scalar};

use crate::common::data::tensor;
use crate::common::pairs::Numbers;
use crate::dtypes::definition::{converted, decode, is_nan};
use crate::dtypes::elements::{edges, format};
use crate::everywhere;

/// A mask of the bits of an element.
fn all_bits(dtype: DType) -> u64 {
    u64::MAX >> (64 - 8 * dtype.size())
}

/// The bits of elements of a dtype around which conversions to some other one change course: powers of two and their
/// neighbours, which are the ends of every integer dtype; integers midway between two floats; the edges of every
/// float dtype, and the midpoints above them.
fn turning_points(dtype: DType) -> Vec<u64> {
    let mut scalars = vec![Scalar::Float(f64::NAN)];
    for power in 0..=65 {
        scalars.extend([-1, 0, 1].map(|offset| Scalar::Int((1i128 << power) + offset)));
    }
    // One bit more than each significand has: midpoints under and above an even float, and one that carries.
    for bits in [8, 11, 24, 53] {
        let midpoints = [(1i128 << bits) + 1, (1 << bits) + 3, (2 << bits) - 1];
        for shift in 0..64 - bits {
            scalars.extend(midpoints.map(|midpoint| Scalar::Int(midpoint << shift)));
        }
    }
    for power in -3..=70 {
        let offsets = [-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0];
        scalars.extend(offsets.map(|offset| Scalar::Float(2f64.powi(power) + offset)));
    }
    for float in [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64] {
        for edge in edges(float) {
            let value = |bits: u64| Scalar::load(bits, float).as_f64();
            let [before, here, next] = [edge.wrapping_sub(1), edge, edge.wrapping_add(1)].map(value);
            // The midpoint in two ways. Halves are added, as the sum of the numbers may be infinite; and the step from the number before is
            // used, as the next number may be infinite.
            let midpoints = [here / 2.0 + next / 2.0, here + (here - before) / 2.0];
            scalars.push(Scalar::Float(here));
            scalars.extend(midpoints.map(Scalar::Float));
        }
    }
    let negative = scalars.clone().into_iter().map(|scalar| match scalar {
        Scalar::Int(value) => Scalar::Int(-value),
        other => Scalar::Float(-other.as_f64()),
    });
    // Each scalar as an element, with the elements before it and after it by their bits.
    let around = |bits: u64| [bits.wrapping_sub(1), bits, bits.wrapping_add(1)];
    let mut points: Vec<u64> = scalars
        .iter()
        .copied()
        .chain(negative)
        .flat_map(|scalar| around(scalar.cast(dtype)))
        .map(|bits| bits & all_bits(dtype))
        .chain(edges(dtype))
        .collect();
    if dtype == DType::Bool {
        points = vec![0, 1];
    }
    points.sort_unstable();
    points.dedup();
    points
}

/// The bits of a random element: any, or half of the time one of a size that integers have. Floats then go from 2^-26, or their smallest,
/// up to about 2^69, or infinity and NaN before that; integers have any number of leading zeros.
pub(super) fn random(dtype: DType, numbers: &mut Numbers) -> u64 {
    let any = numbers.next() & all_bits(dtype);
    match (format(dtype), numbers.below(2)) {
        _ if dtype == DType::Bool => any & 1,
        (_, 0) => any,
        (None, _) => any >> numbers.below(8 * dtype.size() as u64),
        (Some((exponent_bits, fraction_bits)), _) => {
            let (last, bias) = ((1u64 << exponent_bits) - 1, (1u64 << (exponent_bits - 1)) - 1);
            let least = bias - bias.min(26);
            let field = (least + numbers.below(96)).min(last);
            any & !(last << fraction_bits) | field << fraction_bits
        }
    }
}

/// Every element of up to two bytes; of others the turning points and many more. An odd number of them, so that the last word of narrow
/// elements is not full.
pub(super) fn sources(dtype: DType) -> Vec<u64> {
    let mut elements = match dtype.size() {
        _ if dtype == DType::Bool => vec![0, 1],
        size @ (1 | 2) => (0..1 << (8 * size)).collect(),
        _ => turning_points(dtype),
    };
    let mut numbers = Numbers(9);
    let count = if dtype.size() > 2 { 30_000 } else { 100 };
    elements.extend((0..count).map(|_| random(dtype, &mut numbers)));
    if elements.len().is_multiple_of(2) {
        elements.push(0);
    }
    elements
}

/// The CPU's conversions of tensors and of single scalars, against the definition. The GPU's are compared with the CPU's, in
/// `convert_gpu.rs`.
#[everywhere::test]
fn conversions_are_as_defined() {
    let mut numbers = Numbers(11);
    for &from in DType::ALL {
        let mut elements = if from.size() == 1 { sources(from) } else { turning_points(from) };
        elements.extend((0..1000).map(|_| random(from, &mut numbers)));
        for &to in DType::ALL {
            let tensor = tensor(from, &[elements.len()], &elements).astype(to).unwrap();
            let bits = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            let results = tensor.bytes().unwrap().chunks_exact(to.size()).map(bits);
            assert_eq!(results.len(), elements.len());
            for (&element, result) in elements.iter().zip(results) {
                let scalar = Scalar::load(element, from).cast(to);
                match converted(element, from, to) {
                    Some(expected) => {
                        assert_eq!(result, expected, "{from} {element:#x} to {to}");
                        assert_eq!(scalar, expected, "{from} {element:#x} to {to}, one scalar");
                    }
                    None => assert!(is_nan(result, to) && is_nan(scalar, to), "{from} {element:#x} to {to}"),
                }
            }
        }
    }
}

/// Some known values, and what they become.
#[everywhere::test]
fn the_definition_is_right() {
    assert_eq!(decode(0x8001, DType::Float16), (true, 1, -24));
    assert_eq!(decode(0xfe, DType::Int8), (true, 2, 0));
    assert_eq!(converted(0x3f, DType::Uint8, DType::Bfloat16), Some(0x427c));
    assert_eq!(converted(0xff, DType::Int8, DType::Uint64), Some(u64::MAX));
    assert_eq!(
        converted(0x477f_f000, DType::Float32, DType::Float16),
        Some(0x7c00),
        "65520 is the threshold"
    );
    assert_eq!(converted(0x477f_efff, DType::Float32, DType::Float16), Some(0x7bff));
    assert_eq!(converted(0xc300_e666, DType::Float32, DType::Int8), Some(0x80));
}
