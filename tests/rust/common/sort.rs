//! Sorts, distinct elements and searches: their definition as comparisons of numbers.

use std::cmp::Ordering;

use scatterwise::{DType, Scalar};

use crate::common::data::Data;

/// The order of two numbers of any dtypes: NaN is behind everything and equal to NaN, −0 equals 0.
pub(crate) fn order(one: Scalar, two: Scalar) -> Ordering {
    match (one, two) {
        (Scalar::Float(one), Scalar::Float(two)) => {
            one.partial_cmp(&two).unwrap_or_else(|| one.is_nan().cmp(&two.is_nan()))
        }
        (Scalar::Float(one), two) => order_mixed(one, whole(two)),
        (one, Scalar::Float(two)) => order_mixed(two, whole(one)).reverse(),
        (one, two) => whole(one).cmp(&whole(two)),
    }
}

/// A float against an integer, by its whole part first.
fn order_mixed(float: f64, integer: i128) -> Ordering {
    if float.is_nan() || float > 1e30 {
        return Ordering::Greater;
    }
    if float < -1e30 {
        return Ordering::Less;
    }
    let is_above = float.floor() < float;
    (float.floor() as i128).cmp(&integer).then(is_above.cmp(&false))
}

fn whole(number: Scalar) -> i128 {
    match number {
        Scalar::Bool(value) => value.into(),
        Scalar::Int(value) => value,
        Scalar::Float(_) => unreachable!(),
    }
}

fn number(data: &Data, at: usize) -> Scalar {
    Scalar::load(data.bits(at), data.dtype)
}

fn is_nan(number: Scalar) -> bool {
    matches!(number, Scalar::Float(value) if value.is_nan())
}

/// int64 data.
pub(crate) fn integers(dims: &[usize], values: impl IntoIterator<Item = usize>) -> Data {
    Data::from_bits(DType::Int64, dims, values.into_iter().map(|value| value as u64))
}

/// Values and indices of a sort along a dimension, which is not negative here.
pub(crate) fn sorted(input: &Data, dim: usize, is_descending: bool) -> [Data; 2] {
    let dims = &input.dims;
    let len = dims.get(dim).copied().unwrap_or(1);
    let after: usize = dims.iter().skip(dim + 1).product();
    let (mut bits, mut places) = (vec![0; input.len()], vec![0; input.len()]);
    for row in 0..input.len() / len.max(1) {
        let at = |k: usize| row / after * len * after + k * after + row % after;
        let mut order_of: Vec<usize> = (0..len).collect();
        order_of.sort_by(|&one, &two| {
            let (one, two) = (number(input, at(one)), number(input, at(two)));
            let order = order(one, two);
            let is_reversed = is_descending && !is_nan(one) && !is_nan(two);
            if is_reversed { order.reverse() } else { order }
        });
        for (k, &from) in order_of.iter().enumerate() {
            (bits[at(k)], places[at(k)]) = (input.bits(at(from)), from);
        }
    }
    [Data::from_bits(input.dtype, dims, bits), integers(dims, places)]
}

/// Values, index, inverse and counts of `unique`.
pub(crate) fn distinct(input: &Data) -> [Data; 4] {
    let mut index: Vec<usize> = vec![];
    let same = |one, two| order(number(input, one), number(input, two)) == Ordering::Equal;
    for at in 0..input.len() {
        if !index.iter().any(|&first| same(first, at)) {
            index.push(at);
        }
    }
    index.sort_by(|&one, &two| order(number(input, one), number(input, two)));
    let group = |at| index.iter().position(|&first| same(first, at)).unwrap();
    let inverse: Vec<usize> = (0..input.len()).map(group).collect();
    let count = |k| inverse.iter().filter(|&&group| group == k).count();
    let row = [index.len()];
    [
        Data::from_bits(input.dtype, &row, index.iter().map(|&at| input.bits(at))),
        integers(&row, index.iter().copied()),
        integers(&input.dims, inverse.iter().copied()),
        integers(&row, (0..index.len()).map(count)),
    ]
}

/// The result of `searchsorted`.
pub(crate) fn found(edges: &Data, x: &Data, is_right: bool) -> Data {
    let is_before = |edge, element| match order(number(edges, edge), number(x, element)) {
        Ordering::Less => true,
        Ordering::Equal => is_right,
        Ordering::Greater => false,
    };
    integers(&x.dims, (0..x.len()).map(|at| (0..edges.len()).filter(|&edge| is_before(edge, at)).count()))
}
