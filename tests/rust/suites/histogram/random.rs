//! Random calls.

use scatterwise::{DType, Length, Scalar};

use crate::common::data::{Data, is_float, numbers};
use crate::common::histogram::{Counting, Division, Kind};

/// A linear congruential generator: the same numbers in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number from 0 to 1, without 1.
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number from 0 to `bound` − 1.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() * bound as f64) as usize
    }

    /// The bits of a sample near `numbers`, which are ascending edges: one of them, its neighbour in the dtype (for floats, whose bits
    /// order as integers do), a special value, or any number from 1 below the first to 1 above the last.
    fn around(&mut self, numbers: &[f64], dtype: DType) -> u64 {
        let value = numbers[self.below(numbers.len())];
        let bits = Scalar::Float(value).cast(dtype);
        let (low, high) = (numbers[0], numbers[numbers.len() - 1]);
        match self.below(8) {
            0 | 1 => bits,
            2 | 3 if is_float(dtype) => bits.wrapping_add(1),
            4 | 5 if is_float(dtype) => bits.wrapping_sub(1),
            6 if is_float(dtype) && self.below(4) == 0 => {
                let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, 5e-324];
                Scalar::Float(special[self.below(special.len())]).cast(dtype)
            }
            _ => Scalar::Float(low - 1.0 + (high - low + 2.0) * self.next()).cast(dtype),
        }
    }
}

/// A random call with values around its edges, which are given, at equal distances in a range, or follow from the values.
pub(super) fn random_call(random: &mut Random, kind: Kind, dtype: DType, columns: usize) -> Counting {
    let ranges: [[f64; 2]; 7] =
        [[0.0, 1.0], [-0.1, 0.2], [0.1, 1.1], [1000.0, 1001.3], [-100.0, 50.0], [3.0, 3.0], [0.0, 0.7]];
    let (mut bins, mut limits, mut near) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..columns {
        let range @ [low, high] = ranges[random.below(ranges.len())];
        // With many columns few bins: the result has their product.
        let count = [1, 2, 3, 7, 10, 40][random.below(if columns > 2 { 2 } else { 6 })];
        let steps = (0..=count).map(|at| low + at as f64 * ((high - low) / f64::from(count)));
        near.push(steps.collect::<Vec<f64>>());
        // 0: edges are given, and the range is ignored. 1: equal bins in the range. 2: equal bins from the least value to the largest.
        let choice = random.below(3);
        bins.push(match choice {
            0 => {
                let dtypes = [DType::Float32, DType::Float64, DType::Int32, DType::Float16];
                let of = dtypes[random.below(dtypes.len())];
                let scale = if is_float(of) { 1.0 } else { 10.0 };
                let mut edges: Vec<f64> =
                    (0..=count).map(|_| (random.next() * 8.0).floor() * scale / 8.0).collect();
                edges.sort_by(f64::total_cmp);
                let edges = Data::from_bits(
                    of,
                    &[edges.len()],
                    edges.iter().map(|&edge| Scalar::Float(edge).cast(of)),
                );
                *near.last_mut().unwrap() = numbers(&edges);
                Division::Edges(edges)
            }
            _ => Division::Count(i64::from(count)),
        });
        limits.push((choice != 2).then_some(range));
    }
    let rows = [0, 1, 5, 63, 300, 700, 1100][random.below(7)];
    let mut bits = Vec::new();
    for at in 0..rows * columns {
        bits.push(random.around(&near[at % columns], dtype));
    }
    let dims = if kind == Kind::Histogramdd { vec![rows, columns] } else { vec![rows] };
    let x = Data::from_bits(dtype, &dims, bits);
    let weights = (random.below(2) == 0).then(|| {
        let dtype = DType::ALL[random.below(DType::ALL.len())];
        let most = if is_float(dtype) { 100.0 } else { 3.0 };
        Data::from_bits(dtype, &[rows], (0..rows).map(|_| Scalar::Float(random.next() * most).cast(dtype)))
    });
    Counting { weights, ranges: limits, ..Counting::new(kind, x, bins) }
}

/// A random call whose ranges follow from its values: some ranges are wide, some have few numbers, some values are NaN or infinite.
pub(super) fn call_without_ranges(random: &mut Random, dtype: DType) -> Counting {
    let columns = [1, 1, 1, 2, 3][random.below(5)];
    let kind = if columns == 1 { Kind::Histogram(random.below(2) == 0) } else { Kind::Histogramdd };
    let rows = [1, 2, 40, 300, 5000][random.below(5)];
    // For each column its least value and how far the largest is from it, some beyond the dtype's range.
    let spreads: Vec<(f64, f64)> = (0..columns)
        .map(|_| {
            let least = [0.0, -1.0, -3e38, 1e-40, 1000.0, -0.0, -65000.0][random.below(7)];
            (least, [0.0, 1.0, f64::MAX, 6e38, 1e-39, 1e-3, 130_000.0][random.below(7)])
        })
        .collect();
    let has_specials = random.below(6) == 0;
    let mut value = |at: usize| {
        let (least, spread) = spreads[at % columns];
        let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, -0.0];
        match random.below(40) {
            0 if has_specials => Scalar::Float(special[random.below(6)]).cast(dtype),
            _ => Scalar::Float((least + spread * random.next()).clamp(-f64::MAX, f64::MAX)).cast(dtype),
        }
    };
    let dims = if kind == Kind::Histogramdd { vec![rows, columns] } else { vec![rows] };
    let x = Data::from_bits(dtype, &dims, (0..rows * columns).map(&mut value).collect::<Vec<_>>());
    let bins = (0..columns)
        .map(|_| Division::Count([1, 3, 10, 64, 2500][random.below(if columns > 1 { 4 } else { 5 })]));
    let bins = bins.collect();
    let weights = (random.below(2) == 0).then(|| {
        let dtype = DType::ALL[random.below(DType::ALL.len())];
        Data::from_bits(
            dtype,
            &[rows],
            (0..rows).map(|_| Scalar::Float(random.next() * 3.0 - 1.0).cast(dtype)),
        )
    });
    Counting { weights, ..Counting::new(kind, x, bins) }
}

/// Changes a random call: now and then a mask, a dtype of the result, and a dimension along which samples are counted.
pub(super) fn with_options(random: &mut Random, mut call: Counting) -> Counting {
    let samples = if call.kind == Kind::Histogramdd { call.x.dims[0] } else { call.x.len() };
    let mut dims = vec![samples];
    if call.kind != Kind::Histogramdd && random.below(2) == 0 {
        let sizes = [[2, 3, 5], [4, 1, 3], [1, 7, 2], [0, 2, 3]][random.below(4)];
        let count: usize = sizes.iter().product();
        if count <= samples {
            dims = sizes.to_vec();
            let cut = |data: &mut Data| *data = data.cut(&sizes);
            cut(&mut call.x);
            call.weights.iter_mut().for_each(cut);
            call.dim = Some(random.below(6) as i64 - 3);
        }
    }
    if random.below(2) == 0 {
        let least = random.next();
        let samples = dims.iter().product();
        let mask: Vec<u64> = (0..samples).map(|_| u64::from(random.next() < least)).collect();
        call.mask = Some(Data::from_bits(DType::Bool, &dims, mask));
    }
    if random.below(2) == 0 {
        let numbers: Vec<DType> = DType::ALL.iter().copied().filter(|&dtype| dtype != DType::Bool).collect();
        call.dtype = Some(numbers[random.below(numbers.len())]);
    }
    call
}

/// A random `bincount`.
pub(super) fn integers(random: &mut Random) -> Counting {
    let integers: Vec<DType> =
        DType::ALL.iter().copied().filter(|&dtype| !is_float(dtype) && dtype != DType::Bool).collect();
    let dtype = integers[random.below(integers.len())];
    let rows = [0, 1, 30, 63, 300, 1100][random.below(6)];
    let values: Vec<u64> = (0..rows).map(|_| random.below(100) as u64).collect();
    let x = Data::from_bits(dtype, &[rows], values);
    let count = [0, 7, 40, 150][random.below(4)];
    let length = if random.below(3) > 0 { Length::Exactly(count) } else { Length::AtLeast(count) };
    let weights = (random.below(2) == 0).then(|| {
        let dtype = DType::ALL[random.below(DType::ALL.len())];
        Data::from_bits(dtype, &[rows], (0..rows).map(|_| Scalar::Float(random.next() * 3.0).cast(dtype)))
    });
    Counting { weights, ..Counting::new(Kind::Bincount(length), x, Vec::new()) }
}
