//! Maxima and minima with the updates that won: the recorded vectors, and random calls against the definition, on every backend.

use scatterwise::{
    DType, ErrorCode, IndexMode, IndexPlan, Op, Reduction, Result, Scalar, Scatter, Segments, Source, Target,
    Tensor, segment_winners,
};
use serde_json::Value;

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::oracle::{combine, start_of_segment};
use crate::common::pairs::Numbers;
use crate::common::recorded::data;
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::common::vectors::{accepted_errors, scalar};
use crate::dtypes::elements::{edges, element};

const VECTORS: &str = include_str!("../../vectors/winners.json");

/// A reduction by its word.
fn reduction(case: &Value, name: &str) -> Reduction {
    let word = case[name]["reduce"].as_str().unwrap();
    let mut words = Reduction::ALL.iter().zip(Reduction::NAMES);
    words.find(|(_, name)| **name == word).map(|(reduction, _)| *reduction).unwrap()
}

/// A scatter with its operands as data.
struct Case {
    table: Data,
    dim: usize,
    index: Data,
    src: Data,
    reduction: Reduction,
    include_self: bool,
    ignored: Option<i64>,
}

impl Case {
    /// The values and the winners by the definition: nested loops that keep the bits and the position of each place.
    fn expected(&self) -> [Data; 2] {
        let (mut values, rank) = (self.table.clone(), self.index.dims.len());
        let mut winners: Vec<i64> = vec![-1; values.len()];
        let at = |dims: &[usize], coordinates: &[usize]| {
            dims.iter().zip(coordinates).fold(0, |flat, (len, coordinate)| flat * len + coordinate)
        };
        let (dtype, reduce) = (values.dtype, self.reduction.reduce());
        let is_nan = |bits| Scalar::load(bits, dtype).as_f64().is_nan();
        for entry in (0..self.index.len()).filter(|&entry| Some(self.index.index(entry)) != self.ignored) {
            let (mut coordinates, mut rest) = (vec![0; rank], entry);
            for d in (0..rank).rev() {
                coordinates[d] = rest % self.index.dims[d];
                rest /= self.index.dims[d];
            }
            let update = self.src.bits(at(&self.src.dims, &coordinates));
            let position = coordinates[self.dim] as i64;
            let size = self.table.dims[self.dim] as i64;
            coordinates[self.dim] = (self.index.index(entry) + size) as usize % size as usize;
            let place = at(&self.table.dims, &coordinates);
            let old = values.bits(place);
            let is_first = !self.include_self && winners[place] < 0;
            // Signed results come with the sign in all higher bits.
            let best = combine(reduce, dtype, old, update) & (u64::MAX >> (64 - 8 * dtype.size()));
            let is_better = best != old && !(is_nan(best) && is_nan(old));
            if is_first || is_better {
                values.set_bits(place, update);
                winners[place] = position;
            }
        }
        [values, Data::new(&self.table.dims, &winners)]
    }

    fn run(&self, backend: &Backend, place: Place, planned: bool) -> Result<[Tensor; 2]> {
        let (mut table, index) = (backend.put(&self.table)?, backend.put_at(place, &self.index)?);
        let before = table.clone();
        let dim = self.dim as i64;
        let mode = IndexMode { ignored: self.ignored, ..IndexMode::default() };
        let target = match planned {
            true => (&IndexPlan::along_with(&self.table.dims, dim, &index, mode)?).into(),
            false => Target::along(dim, &index),
        };
        let update = self.reduction.update(self.include_self);
        let call = Scatter::new(Op::ScatterReduceInPlace, target, (&backend.put(&self.src)?).into(), update);
        let winners = Scatter { mode, ..call }.run_for_winners(&mut table)?;
        drop(before);
        Ok([table, winners])
    }
}

/// Compares values and winners with those of the definition.
async fn compare(expected: &[Data; 2], got: &[Tensor; 2]) -> Row {
    for (what, (expected, got)) in ["values", "winners"].into_iter().zip(expected.iter().zip(got)) {
        same(what, expected.difference(&read(got).await?))?;
    }
    Ok(())
}

one_thread!(vectors);
async fn vectors() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    on_each_backend("winners", async |backend, report| {
        for case in file["cases"].as_array().unwrap() {
            report.row(case["id"].as_str().unwrap(), vector(case, backend).await);
        }
    })
    .await;
}

async fn vector(case: &Value, backend: &Backend) -> Row {
    let kwargs = &case["kwargs"];
    if kwargs["return_indices"] != true {
        return Err(Fault::Skipped("tests/js runs it".into()));
    }
    let outcome = if case["op"] == "segment_reduce" {
        let lengths = kwargs.get("lengths").or(kwargs.get("offsets")).and_then(data).unwrap();
        let table = backend.put(&data(&case["self"]).unwrap())?;
        let initial = kwargs.get("initial").and_then(scalar);
        let lengths = lengths.tensor();
        let segments = if kwargs.get("lengths").is_some() {
            Segments::Lengths(&lengths)
        } else {
            Segments::Offsets(&lengths)
        };
        segment_winners(&table, reduction(case, "kwargs"), segments, initial).map(<[Tensor; 2]>::from)
    } else {
        let args = &case["args"];
        let table = data(&case["self"]).unwrap();
        let dim = args["dim"].as_i64().unwrap().rem_euclid(table.dims.len().max(1) as i64) as usize;
        let (index, src) = (data(&args["index"]).unwrap(), data(&args["src"]).unwrap());
        let include_self = kwargs.get("include_self").is_none_or(|flag| flag == true);
        let ignored = kwargs.get("ignore_index").map(|value| value.as_i64().unwrap());
        let reduction = reduction(case, "kwargs");
        let call = Case { table, dim, index, src, reduction, include_self, ignored };
        let outcome = call.run(backend, Place::Host, false);
        // Of large results the file has a hash: the definition stands for them.
        if case["expect"]["outputs"]["values"].get("sha256").is_some() {
            return compare(&call.expected(), &outcome?).await;
        }
        outcome
    };
    if let Some(accepted) = accepted_errors(&case["expect"]) {
        let error = error_of(outcome)?;
        return equal("whether the class passes", accepted.contains(&error.class().name()), true);
    }
    let outputs = &case["expect"]["outputs"];
    let expected = [&outputs["values"], &outputs["indices"]].map(|value| data(value).unwrap());
    compare(&expected, &outcome?).await
}

/// Shapes of the table, dims and lengths of the index along it: rows, columns, a loop in the middle, one place, one entry, no entries.
const SHAPES: &[(&[usize], usize, usize)] = &[
    (&[7], 0, 300),
    (&[1], 0, 40),
    (&[5, 3], 0, 40),
    (&[3, 5], 1, 40),
    (&[2, 3, 4], 1, 30),
    (&[4, 2], 0, 1),
    (&[3], 0, 0),
];

one_thread!(definition);
async fn definition() {
    on_each_backend("winners of calls", async |backend, report| {
        let mut numbers = Numbers(47);
        for &dtype in DType::ALL {
            let edges = edges(dtype);
            for (at, &(dims, dim, len)) in SHAPES.iter().enumerate() {
                for reduction in [Reduction::Amax, Reduction::Amin] {
                    let include_self = numbers.below(2) == 0;
                    // Few different values, so that many are equal.
                    let few: Vec<u64> = (0..4).map(|_| element(dtype, &edges, &mut numbers)).collect();
                    let mut made = |dims: &[usize]| {
                        let values = (0..dims.iter().product()).map(|_: usize| numbers.pick(&few));
                        Data::from_bits(dtype, dims, values)
                    };
                    let mut index_dims = dims.to_vec();
                    index_dims[dim] = len;
                    let (table, src) = (made(dims), made(&index_dims));
                    let size = dims[dim] as i64;
                    let entries: Vec<i64> = (0..index_dims.iter().product())
                        .map(|_: usize| numbers.below(2 * size as u64) as i64 - size)
                        .collect();
                    let index = Data::new(&index_dims, &entries);
                    let case = Case { table, dim, index, src, reduction, include_self, ignored: None };
                    let place = backend.places()[at % backend.places().len()];
                    let planned = at % 2 == 1;
                    let name = format!("{dtype} {reduction:?} {dims:?} at {dim}, {len} entries, {place:?}");
                    let row = match case.run(backend, place, planned) {
                        Ok(got) => compare(&case.expected(), &got).await,
                        Err(error) => Err(error.into()),
                    };
                    report.row(&name, row);
                }
            }
        }
    })
    .await;
}

one_thread!(segments);
async fn segments() {
    on_each_backend("winners of segments", async |backend, report| {
        let mut numbers = Numbers(5);
        for &dtype in DType::ALL {
            let edges = edges(dtype);
            for (lengths, row) in [(&[3, 0, 2][..], 1), (&[0, 40, 1][..], 3), (&[][..], 2), (&[2, 2][..], 0)]
            {
                for initial in [None, Some(Scalar::Int(1))] {
                    let rows = lengths.iter().sum::<i32>() as usize;
                    let few: Vec<u64> = (0..4).map(|_| element(dtype, &edges, &mut numbers)).collect();
                    let values = (0..rows * row).map(|_| numbers.pick(&few));
                    let src = Data::from_bits(dtype, &[rows, row], values);
                    let named = (0..).zip(lengths).flat_map(|(at, &len)| vec![at; len as usize * row]);
                    let index = Data::new(&[rows, row], &named.collect::<Vec<i64>>());
                    let reduction = Reduction::Amax;
                    let start = initial.unwrap_or_else(|| start_of_segment(dtype, reduction, 0));
                    let starts = vec![start.cast(dtype); lengths.len() * row];
                    let table = Data::from_bits(dtype, &[lengths.len(), row], starts);
                    let include_self = initial.is_some();
                    let case = Case { table, dim: 0, index, src, reduction, include_self, ignored: None };
                    let expected = case.expected();
                    for &place in backend.places() {
                        let name = format!("{dtype} {lengths:?} of {row} from {initial:?}, {place:?}");
                        let row = segment(backend, place, lengths, &case.src, initial, &expected).await;
                        report.row(&name, row);
                    }
                }
            }
        }
    })
    .await;
}

async fn segment(
    backend: &Backend,
    place: Place,
    lengths: &[i32],
    src: &Data,
    initial: Option<Scalar>,
    expected: &[Data; 2],
) -> Row {
    let (src, lengths) = (backend.put(src)?, backend.put_at(place, &Data::new(&[lengths.len()], lengths))?);
    let got = segment_winners(&src, Reduction::Amax, Segments::Lengths(&lengths), initial)?;
    compare(expected, &got.into()).await
}

#[test]
fn a_number_is_a_source_and_a_sum_has_no_winner() {
    let index = Tensor::from_elements(&[3], &[1, 1, 0]).unwrap();
    let run = |reduction: Reduction| {
        let mut table = Tensor::from_elements(&[3], &[9i64, 1, 4]).unwrap();
        let (target, src) = (Target::along(0, &index), Source::from(5));
        let call = Scatter::new(Op::ScatterReduceInPlace, target, src, reduction.update(true));
        call.run_for_winners(&mut table).map(|winners| (table, winners))
    };
    let (table, winners) = run(Reduction::Amax).unwrap();
    assert_eq!(table.elements::<i64>(), Some(&[9, 5, 4][..]));
    assert_eq!(winners.elements::<i64>(), Some(&[-1, 0, -1][..]));
    let error = run(Reduction::Sum).map(|_| ()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
}
