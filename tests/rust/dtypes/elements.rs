//! Elements that try arithmetic, as bits.

use scatterwise::{DType, Reduce};

use crate::common::pairs::Numbers;

/// How many bits a float dtype has for the exponent, and for the fraction; `None` for an integer or bool.
pub(crate) fn format(dtype: DType) -> Option<(u32, u32)> {
    match dtype {
        DType::Float16 => Some((5, 10)),
        DType::Bfloat16 => Some((8, 7)),
        DType::Float32 => Some((8, 23)),
        DType::Float64 => Some((11, 52)),
        _ => None,
    }
}

/// The bits of elements at the edges of a dtype. For integers the smallest numbers, the ends of the ranges of signed and unsigned integers
/// and of unsigned ones of half as many bits, and every second bit. For floats, exponent fields around zero, one, a significand's width,
/// half the bias and the ends of the range, with fractions whose sums and products carry, tie and cancel.
pub(crate) fn edges(dtype: DType) -> Vec<u64> {
    let bits = 8 * dtype.size() as u32;
    let Some((exponent_bits, fraction_bits)) = format(dtype) else {
        let top = 1u64 << (bits - 1);
        let half = 1u64 << (bits / 2);
        let all = u64::MAX >> (64 - bits);
        let edges = match dtype {
            DType::Bool => vec![0, 1],
            _ => vec![0, 1, 2, 3, half - 1, half, half + 1, top - 1, top, top + 1, all - 1, all, all / 3],
        };
        return edges;
    };
    let (last, bias) = ((1 << exponent_bits) - 1, (1 << (exponent_bits - 1)) - 1);
    let width = u64::from(fraction_bits);
    let mut fields = vec![0, 1, 2, width, width + 1, width + 2, bias / 2, bias / 2 + 1];
    fields.extend([bias - 1, bias, bias + 1, bias + width, bias + width + 1, last - 1, last]);
    fields.retain(|&field| field <= last);
    let (one, half) = (1u64 << fraction_bits, 1u64 << (fraction_bits - 1));
    let fractions = [0, 1, 2, one / 3, half - 1, half, half + 1, one - 2, one - 1];
    let mut edges = Vec::new();
    for sign in [0, 1u64 << (bits - 1)] {
        for field in &fields {
            edges.extend(fractions.map(|low| sign | field << fraction_bits | low));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The bits of a random element. One in four is an edge. Of floats two in four are between 1/4 and 8 in magnitude, where sums round; the
/// others are any.
pub(crate) fn element(dtype: DType, edges: &[u64], numbers: &mut Numbers) -> u64 {
    let any = numbers.next() & (u64::MAX >> (64 - 8 * dtype.size()));
    match (format(dtype), numbers.below(4)) {
        (_, 0) => numbers.pick(edges),
        (Some((exponent_bits, fraction_bits)), 1 | 2) => {
            let bias = (1u64 << (exponent_bits - 1)) - 1;
            let field = bias - 2 + numbers.below(5);
            any & !(((1 << exponent_bits) - 1) << fraction_bits) | field << fraction_bits
        }
        _ if dtype == DType::Bool => any & 1,
        _ => any,
    }
}

/// The bits of a second operand for `one`. For integers any. For floats: any, or of like size, so that a sum rounds or cancels; or of
/// about reciprocal size, so that the product is near 1; or such that the product is near the smallest normal number.
pub(crate) fn partner(dtype: DType, one: u64, numbers: &mut Numbers) -> u64 {
    let any = numbers.next() & (u64::MAX >> (64 - 8 * dtype.size()));
    let Some((exponent_bits, fraction_bits)) = format(dtype) else { return any };
    let (last, bias) = ((1u64 << exponent_bits) - 1, (1u64 << (exponent_bits - 1)) - 1);
    let field = (one >> fraction_bits) & last;
    let width = u64::from(fraction_bits);
    // The exponent field of the product is the sum of both less the bias.
    let field = match numbers.below(4) {
        0 => return any,
        1 => (field + numbers.below(2 * width + 6)).saturating_sub(width + 3),
        2 => (2 * bias + numbers.below(4)).saturating_sub(field),
        _ => (bias + numbers.below(width + 6)).saturating_sub(field),
    };
    any & !(last << fraction_bits) | field.min(last) << fraction_bits
}

/// The reductions that a dtype has: all, but for a quotient of bool.
pub(crate) fn reduces(dtype: DType) -> impl Iterator<Item = Reduce> {
    Reduce::ALL.iter().copied().filter(move |&reduce| reduce != Reduce::Divide || dtype != DType::Bool)
}

/// The elements, as bits. Where integers are to be divided by them, zeros become ones, since zero divisors are refused.
pub(crate) fn without_zero_divisors(dtype: DType, reduce: Reduce, bits: &[u64]) -> Vec<u64> {
    let is_refused = reduce == Reduce::Divide && !dtype.is_float();
    bits.iter().map(|&bits| if is_refused && bits == 0 { 1 } else { bits }).collect()
}
