//! `bincount`, `histogram`, `histogramdd` and `binned_statistic`: the vectors, and values on, below and above edges against the definition as loops.

use scatterwise::{DType, Error, ErrorCode, Length, Scalar, Statistic};

use crate::common::backends::{Backend, Place, join_all, on_each_backend, read};
use crate::common::data::Data;
use crate::common::histogram::{Case, Counting, Division, Kind, cases, is_float, numbers};
use crate::common::report::{Fault, Row, equal, same};

const RESULTS: &str = include_str!("../../vectors/histogram.json");
const BINNED: &str = include_str!("../../vectors/binned.json");
const OPTIONS: &str = include_str!("../../vectors/options.json");
const ERRORS: &str = include_str!("../../vectors/errors_more.json");

/// How many random calls a test makes on each backend. A page waits for the GPU after each.
const CALLS: usize = if cfg!(target_arch = "wasm32") { 150 } else { 600 };

one_thread!(results);
/// The recorded calls that succeed.
async fn results() {
    on_each_backend("histogram", async |backend, report| {
        let cases = [RESULTS, BINNED, OPTIONS].into_iter().flat_map(cases).filter(|case| !case.must_fail());
        let cases: Vec<Recorded> = cases.map(Recorded::new).collect();
        for &place in backend.places() {
            let rows = join_all(cases.iter().map(|case| result(case, backend, place))).await;
            for (case, row) in cases.iter().zip(rows) {
                report.row(&format!("{} {place:?}", case.case.id()), row);
            }
        }
    })
    .await;
}

/// A case with its call, and the results that pass.
struct Recorded {
    case: Case,
    call: Counting,
    accepted: Vec<Vec<Data>>,
}

impl Recorded {
    fn new(case: Case) -> Self {
        let call = case.call().unwrap();
        let accepted = case.accepted(&call);
        Self { case, call, accepted }
    }
}

/// Whether a call gives one of the results that pass; the message is about the first of them. A case that is not required is skipped
/// where the call fails.
async fn result(Recorded { case, call, accepted }: &Recorded, backend: &Backend, place: Place) -> Row {
    let got = match outputs(call, backend, place).await {
        Err(Fault::Wrong(text)) if !case.required() => return Err(Fault::Skipped(text)),
        other => other?,
    };
    let differences: Vec<_> = accepted.iter().map(|expected| difference(expected, &got)).collect();
    same("result", if differences.contains(&None) { None } else { differences.into_iter().next().flatten() })
}

/// The results of a call. A `bincount` whose length only the GPU could know is skipped: only the CPU makes that one.
async fn outputs(call: &Counting, backend: &Backend, place: Place) -> Result<Vec<Data>, Fault> {
    match outcome(call, backend, place).await {
        Err(error) if has_unknown_length(call, place, &error) => {
            Err(Fault::Skipped("only the CPU does this".into()))
        }
        other => Ok(other?),
    }
}

/// Whether the call was refused because the length of its result depends on values that only the GPU knows, by an error that says to move
/// them to the CPU.
fn has_unknown_length(call: &Counting, place: Place, error: &Error) -> bool {
    let says_where =
        error.code() == ErrorCode::UnsupportedOnDevice && error.to_string().contains(".to('cpu')");
    let depends = place == Place::Computed || call.mask.is_some();
    depends && matches!(call.kind, Kind::Bincount(_)) && says_where
}

/// The results of a call, read from its device: counts, then edges. Or its error, which may come with a read.
async fn outcome(call: &Counting, backend: &Backend, place: Place) -> scatterwise::Result<Vec<Data>> {
    let mut got = Vec::new();
    for tensor in &call.run(backend, place)? {
        got.push(read(tensor).await?);
    }
    Ok(got)
}

/// How the first result that differs does so; `None` if none does.
fn difference(expected: &[Data], got: &[Data]) -> Option<String> {
    assert_eq!(expected.len(), got.len());
    expected.iter().zip(got).find_map(|(expected, got)| expected.difference(got))
}

one_thread!(errors);
/// The class of each error is one that the vectors accept.
async fn errors() {
    on_each_backend("histogram-errors", async |backend, report| {
        for case in [ERRORS, BINNED, OPTIONS].into_iter().flat_map(cases).filter(Case::must_fail) {
            let Some(call) = case.call() else {
                let reason = "arguments of the JavaScript face only";
                report.row(case.id(), Err(Fault::Skipped(reason.into())));
                continue;
            };
            for &place in backend.places() {
                let row = match outcome(&call, backend, place).await {
                    Err(error) if case.accepted_errors().contains(&error.class().name()) => Ok(()),
                    Err(error) if has_unknown_length(&call, place, &error) => {
                        Err(Fault::Skipped("only the CPU does this".into()))
                    }
                    Err(error) => Err(Fault::Wrong(format!("{}: {error}", error.class().name()))),
                    Ok(_) => Err(Fault::Wrong("no error".into())),
                };
                report.row(&format!("{} {place:?}", case.id()), row);
            }
        }
    })
    .await;
}

/// A linear congruential generator: the same numbers in every run.
struct Random(u64);

impl Random {
    /// A number from 0 to 1, without 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number from 0 to `bound` − 1.
    fn below(&mut self, bound: usize) -> usize {
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
fn random_call(random: &mut Random, kind: Kind, dtype: DType, columns: usize) -> Counting {
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

one_thread!(values_around_edges);
/// Random calls against the definition, half of them of float32 and float64. `bincount` has no edges.
async fn values_around_edges() {
    on_each_backend("histogram-edges", async |backend, report| {
        let mut random = Random(7);
        let dtypes: Vec<DType> = DType::ALL.iter().copied().filter(|&dtype| dtype != DType::Bool).collect();
        for round in 0..CALLS {
            let columns = [1, 1, 1, 2, 2, 3, 4, 8][random.below(8)];
            let kind =
                if columns == 1 && round % 3 != 0 { Kind::Histogram(false) } else { Kind::Histogramdd };
            let dtype = match round % 2 {
                0 => [DType::Float32, DType::Float64][random.below(2)],
                _ => dtypes[random.below(dtypes.len())],
            };
            let call = random_call(&mut random, kind, dtype, columns);
            let places = backend.places();
            let row = counted(&call, backend, places[round % places.len()]).await;
            report.row(&format!("round {round}: {call:?}"), row);
        }
    })
    .await;
}

one_thread!(every_number_of_a_narrow_dtype);
/// Every number of a dtype of one or two bytes, and some again: with more samples than the dtype has numbers, the CPU makes a table of
/// the places of all numbers first.
async fn every_number_of_a_narrow_dtype() {
    on_each_backend("histogram-narrow", async |backend, report| {
        let mut random = Random(5);
        let narrow = DType::ALL.iter().copied().filter(|&dtype| dtype.size() <= 2 && dtype != DType::Bool);
        for dtype in narrow {
            let count = (1 << (8 * dtype.size())) + 300;
            // 7 has no factor in common with the number of values, so that each occurs; higher bits are cut off.
            let x = Data::from_bits(dtype, &[count], (0..count as u64).map(|at| at * 7));
            for (bins, range) in [(256, [0.0, 256.0]), (10, [-100.0, 99.0]), (3, [0.1, 0.4])] {
                let weights = (bins == 10).then(|| {
                    let numbers = (0..count).map(|_| Scalar::Float(random.next()).cast(DType::Float32));
                    Data::from_bits(DType::Float32, &[count], numbers.collect::<Vec<_>>())
                });
                let counting = Counting::new(Kind::Histogram(false), x.clone(), vec![Division::Count(bins)]);
                let call = Counting { weights, ranges: vec![Some(range)], ..counting };
                let row = counted(&call, backend, backend.places()[0]).await;
                report.row(&format!("{dtype}, {bins} bins"), row);
            }
        }
    })
    .await;
}

one_thread!(a_width_below_the_smallest_step);
/// The edges are NumPy's also where a tenth of the range is less than the smallest number, so that it rounds to 0.
async fn a_width_below_the_smallest_step() {
    const LEAST: f64 = 5e-324;
    on_each_backend("histogram-least", async |backend, report| {
        let x = Data::new(&[2, 1], &[0.0, LEAST]);
        let call = Counting::new(Kind::Histogramdd, x, vec![Division::Count(10)]);
        let counts = Data::new(&[10], &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0f64]);
        let edges = Data::new(&[11], &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, LEAST, LEAST, LEAST, LEAST, LEAST]);
        let expected = [counts, edges];
        for &place in backend.places() {
            let row = match outputs(&call, backend, place).await {
                Ok(got) => same("result", difference(&expected, &got)),
                Err(fault) => Err(fault),
            };
            report.row(&format!("{place:?}"), row);
        }
        report.row("definition", same("result", difference(&expected, &call.expected())));
    })
    .await;
}

/// Changes a random call: now and then a mask, a dtype of the result, and a dimension along which samples are counted.
fn with_options(random: &mut Random, mut call: Counting) -> Counting {
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

one_thread!(options);
/// Random calls with a mask, a dtype and a dimension.
async fn options() {
    on_each_backend("histogram-options", async |backend, report| {
        let mut random = Random(17);
        let dtypes: Vec<DType> = DType::ALL.iter().copied().filter(|&dtype| dtype != DType::Bool).collect();
        for round in 0..CALLS {
            let dtype = dtypes[random.below(dtypes.len())];
            let call = match round % 3 {
                0 => random_call(&mut random, Kind::Histogram(false), dtype, 1),
                1 => {
                    let columns = random.below(3) + 1;
                    random_call(&mut random, Kind::Histogramdd, dtype, columns)
                }
                _ => integers(&mut random),
            };
            let call = with_options(&mut random, call);
            let place = backend.places()[round % backend.places().len()];
            report.row(&format!("round {round} {place:?}: {call:?}"), counted(&call, backend, place).await);
        }
    })
    .await;
}

/// A random `bincount`.
fn integers(random: &mut Random) -> Counting {
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

one_thread!(statistics);
/// Random statistics, with a mask and several rows of values.
async fn statistics() {
    on_each_backend("binned", async |backend, report| {
        let mut random = Random(19);
        let dtypes: Vec<DType> = DType::ALL.iter().copied().filter(|&dtype| dtype != DType::Bool).collect();
        for round in 0..CALLS / 2 {
            let (dtype, columns) = (dtypes[random.below(dtypes.len())], random.below(3) + 1);
            let call = random_call(&mut random, Kind::Histogramdd, dtype, columns);
            let statistic = Statistic::ALL[random.below(5)];
            let samples = call.x.dims[0];
            let of = match statistic {
                Statistic::Count | Statistic::Sum => DType::ALL[random.below(DType::ALL.len())],
                _ => [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64][random.below(4)],
            };
            let dims = [vec![samples], vec![1, samples], vec![3, samples], vec![0, samples]];
            let dims = &dims[random.below(4)];
            let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, 1e30, -1e30, 1e-40];
            // Values that are far apart do not fit one float: sums need accumulators, often more than they began with.
            let apart = if is_float(of) && random.below(4) == 0 { 160 } else { 0 };
            let mut value = || match random.below(12) {
                0 if is_float(of) => special[random.below(8)],
                _ => {
                    let scale = 2f64.powi(random.below(apart + 1) as i32 - apart as i32 / 2);
                    scale * (random.next() * 6.0 - if is_float(of) { 3.0 } else { 0.0 })
                }
            };
            let bits = (0..dims.iter().product()).map(|_: usize| Scalar::Float(value()).cast(of));
            let values = Data::from_bits(of, dims, bits.collect::<Vec<_>>());
            let mut call = Counting { kind: Kind::Binned(statistic), weights: Some(values), ..call };
            if statistic == Statistic::Count && random.below(2) == 0 {
                call.weights = None;
            }
            if random.below(2) == 0 {
                let mask: Vec<u64> = (0..samples).map(|_| random.below(3) as u64 & 1).collect();
                call.mask = Some(Data::from_bits(DType::Bool, &[samples], mask));
            }
            let place = backend.places()[round % backend.places().len()];
            report.row(&format!("round {round} {place:?}: {call:?}"), counted(&call, backend, place).await);
        }
    })
    .await;
}

/// Whether a call has the result of the definition. A random call is skipped if its range is refused: the values may have no
/// range, for example because of NaN, or the range may hold fewer numbers than edges.
async fn counted(call: &Counting, backend: &Backend, place: Place) -> Row {
    let got = match outputs(call, backend, place).await {
        Err(Fault::Wrong(text)) if text.contains("range") || text.contains("wider") => {
            return Err(Fault::Skipped("has no range".into()));
        }
        other => other?,
    };
    same("result", difference(&call.expected(), &got))
}

/// A random call whose ranges follow from its values: some ranges are wide, some have few numbers, some values are NaN or infinite.
fn call_without_ranges(random: &mut Random, dtype: DType) -> Counting {
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

one_thread!(ranges_of_values);
/// Calls whose ranges follow from the values, some of them densities: every backend has the results and the errors of the CPU.
async fn ranges_of_values() {
    on_each_backend("histogram-ranges", async |backend, report| {
        let mut random = Random(11);
        let dtypes: Vec<DType> = DType::ALL.iter().copied().filter(|&dtype| dtype != DType::Bool).collect();
        let (mut made, mut refused) = (0, 0);
        for round in 0..CALLS {
            let dtype = match round % 2 {
                0 => dtypes[random.below(dtypes.len())],
                _ => [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64][random.below(4)],
            };
            let call = call_without_ranges(&mut random, dtype);
            let on_cpu = outcome(&call, &Backend::Cpu, Place::Host).await;
            let here = outcome(&call, backend, backend.places()[round % backend.places().len()]).await;
            let row = match (on_cpu, here) {
                (Ok(expected), Ok(got)) => {
                    made += 1;
                    same("result", difference(&expected, &got))
                }
                (Err(expected), Err(got)) => {
                    refused += 1;
                    equal("error", (got.class(), got.to_string()), (expected.class(), expected.to_string()))
                }
                (Ok(_), Err(error)) => Err(Fault::Wrong(format!("unexpected error: {error}"))),
                (Err(error), Ok(_)) => Err(Fault::Wrong(format!("no error: {error}"))),
            };
            report.row(&format!("round {round}: {call:?}"), row);
        }
        // The random calls are of both kinds.
        assert!(made > CALLS / 3 && refused > CALLS / 12, "{made} made, {refused} refused");
    })
    .await;
}

one_thread!(integers_of_every_dtype);
/// `bincount` of every integer dtype, with weights of every dtype and without.
async fn integers_of_every_dtype() {
    on_each_backend("bincount", async |backend, report| {
        let mut random = Random(3);
        let integers = DType::ALL.iter().copied().filter(|&dtype| !is_float(dtype) && dtype != DType::Bool);
        for dtype in integers {
            for rows in [0, 1, 255, 256, 257, 1000] {
                for weights in [None].into_iter().chain(DType::ALL.iter().copied().map(Some)) {
                    if cfg!(target_arch = "wasm32") && random.below(4) > 0 {
                        continue; // a page waits for the GPU after each call
                    }
                    let x = (0..rows).map(|_| random.below(100) as u64).collect::<Vec<_>>();
                    let x = Data::from_bits(dtype, &[rows], x);
                    let minlength = [0, 7, 150][random.below(3)];
                    let mut call = Counting::new(Kind::Bincount(minlength.into()), x, Vec::new());
                    call.weights = weights.map(|dtype| {
                        let numbers = (0..rows).map(|_| Scalar::Float(random.next() * 3.0).cast(dtype));
                        Data::from_bits(dtype, &[rows], numbers.collect::<Vec<_>>())
                    });
                    let places = backend.places();
                    let row = counted(&call, backend, places[rows % places.len()]).await;
                    report.row(&format!("{dtype} {rows} {weights:?}"), row);
                }
            }
        }
    })
    .await;
}

one_thread!(a_minlength_of_all_values_needs_no_read);
/// `bincount` of a dtype whose values all have a place has a known length, wherever x is: sizes around a quad, with weights and without. A
/// negative value gives the CPU's error, on a GPU at the next read.
async fn a_minlength_of_all_values_needs_no_read() {
    on_each_backend("bincount-narrow", async |backend, report| {
        let mut random = Random(13);
        for dtype in [DType::Int8, DType::Uint8, DType::Int16, DType::Uint16] {
            let places = dtype.int_range().unwrap().1 as usize + 1;
            for rows in [0, 1, 3, 4, 5, 1000] {
                for negative in [None, Some(rows / 2), Some(0)] {
                    let is_signed = dtype.int_range().unwrap().0 < 0;
                    let negative = negative.filter(|_| is_signed && rows > 0);
                    let mut values: Vec<f64> = (0..rows).map(|_| random.below(places) as f64).collect();
                    // The first is the least: of an upload, only the least is known.
                    for (count, at) in negative.into_iter().flat_map(|at| at..rows).enumerate() {
                        values[at] = -100.0 + (count % 100) as f64;
                    }
                    let x =
                        Data::from_bits(dtype, &[rows], values.iter().map(|&v| Scalar::Float(v).cast(dtype)));
                    let weights = (0..rows).map(|_| Scalar::Float(random.next()).cast(DType::Float32));
                    let weights = Data::from_bits(DType::Float32, &[rows], weights.collect::<Vec<_>>());
                    for weights in [None, Some(weights)] {
                        let call =
                            Counting::new(Kind::Bincount((places as i64).into()), x.clone(), Vec::new());
                        let call = Counting { weights, ..call };
                        for &place in backend.places() {
                            let row = match negative {
                                None => same_as_defined(&call, backend, place).await,
                                Some(_) => same_error(&call, backend, place).await,
                            };
                            report.row(&format!("{dtype} {rows} {negative:?} {place:?}"), row);
                        }
                    }
                }
            }
        }
    })
    .await;
}

/// Whether a call, which may not be refused, has the result of the definition.
async fn same_as_defined(call: &Counting, backend: &Backend, place: Place) -> Row {
    same("result", difference(&call.expected(), &outcome(call, backend, place).await?))
}

/// Whether a call fails as on the CPU, with all facts.
async fn same_error(call: &Counting, backend: &Backend, place: Place) -> Row {
    let facts = |error: Error| (error.to_string(), error.position_fact().map(<[usize]>::to_vec));
    let expected = outcome(call, &Backend::Cpu, Place::Host).await.map(drop).map_err(facts);
    equal("error", outcome(call, backend, place).await.map(drop).map_err(facts), expected)
}
