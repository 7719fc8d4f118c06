//! Lengths, offsets and edges wherever they are: the results and the errors are the CPU's. A GPU's errors come with the next read.

use scatterwise::{DType, Error, Reduction, Segments, Sum, segment_reduce};

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::histogram::{Counting, Division, Kind};
use crate::common::pairs::Numbers;
use crate::common::report::{Row, equal};

/// What a call gives: the bits of its result, or the text and the position of its error.
pub(super) type Outcome = Result<Vec<u64>, (String, Option<Vec<usize>>)>;

/// What a call gave.
pub(super) fn outcome(result: scatterwise::Result<Data>) -> Outcome {
    let facts = |error: Error| (error.to_string(), error.position_fact().map(<[usize]>::to_vec));
    result.map(|data| (0..data.len()).map(|at| data.bits(at)).collect()).map_err(facts)
}

/// Sums of rows by these lengths or offsets.
#[derive(Debug)]
struct Sums {
    rows: usize,
    are_offsets: bool,
    values: Data,
}

impl Sums {
    async fn run(&self, backend: &Backend, place: Place) -> Outcome {
        let call = async || {
            let data: Vec<i32> = (0..self.rows as i32).collect();
            let data = backend.put(&Data::new(&[self.rows], &data))?;
            let values = backend.put_at(place, &self.values)?;
            let segments =
                if self.are_offsets { Segments::Offsets(&values) } else { Segments::Lengths(&values) };
            read(&segment_reduce(&data, Reduction::Sum, Sum::Ordered, segments, None)?).await
        };
        outcome(call().await)
    }

    async fn check(&self, backend: &Backend, place: Place) -> Row {
        let expected = self.run(&Backend::Cpu, Place::Host).await;
        equal("outcome", self.run(backend, place).await, expected)
    }
}

/// Lengths of `segments` segments, or their offsets, right at first. Then some are spoiled.
fn random_values(
    numbers: &mut Numbers,
    segments: usize,
    are_offsets: bool,
    faults: usize,
) -> (usize, Vec<i64>) {
    let lengths: Vec<i64> = (0..segments).map(|_| [0, 0, 1, 2, 30][numbers.below(5) as usize]).collect();
    let rows = lengths.iter().sum::<i64>() as usize;
    let mut values = lengths.clone();
    if are_offsets {
        values = vec![0];
        values.extend(lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        }));
    }
    for _ in 0..faults.min(values.len()) {
        let at = numbers.below(values.len() as u64) as usize;
        let wrong = [-1, 1, rows as i64, rows as i64 + 1, 1 << 30, i64::from(i32::MAX), i64::from(i32::MIN)];
        values[at] = wrong[numbers.below(7) as usize];
    }
    (rows, values)
}

one_thread!(segments);
/// Random lengths and offsets, half of them wrong, of int32 and int64; some with numbers beyond 32 bits.
async fn segments() {
    on_each_backend("given-segments", async |backend, report| {
        let mut numbers = Numbers(17);
        let mut calls = Vec::new();
        for segments in [0, 1, 2, 15, 16, 17, 256, 257, 5000] {
            for are_offsets in [false, true] {
                for faults in [0, 1, 3] {
                    let (rows, values) = random_values(&mut numbers, segments, are_offsets, faults);
                    let narrow: Vec<i32> = values.iter().map(|&value| value as i32).collect();
                    calls.push(Sums { rows, are_offsets, values: Data::new(&[values.len()], &narrow) });
                    let mut wide = values;
                    if faults == 3 && !wide.is_empty() {
                        let at = numbers.below(wide.len() as u64) as usize;
                        let wrong = [1 << 32, (1 << 32) + 1, -(1 << 32), i64::MAX, i64::MIN];
                        wide[at] = wrong[numbers.below(5) as usize];
                    }
                    calls.push(Sums { rows, are_offsets, values: Data::new(&[wide.len()], &wide) });
                }
            }
        }
        // No offsets; a first offset that is not 0; too few rows; lengths whose sum has more than 32 bits.
        for (rows, are_offsets, values) in [
            (3, true, vec![]),
            (3, true, vec![1, 3]),
            (3, true, vec![0]),
            (0, true, vec![0]),
            (0, true, vec![5]),
            (3, false, vec![]),
            (0, false, vec![]),
            (4, false, vec![3]),
            (4, false, vec![i32::MAX; 3]),
            (4, false, [vec![0; 300], vec![4]].concat()),
        ] {
            calls.push(Sums { rows, are_offsets, values: Data::new(&[values.len()], &values) });
        }
        for call in &calls {
            for &place in backend.places() {
                report.row(&format!("{call:?} {place:?}"), call.check(backend, place).await);
            }
        }
    })
    .await;
}

one_thread!(wrong_edges);
/// Given edges that are wrong, in one column and in two, where an earlier column may be right.
async fn wrong_edges() {
    let float = |edges: &[f64]| Division::Edges(Data::new(&[edges.len()], edges));
    let whole = |edges: &[i64]| Division::Edges(Data::new(&[edges.len()], edges));
    let big = 1i64 << 53;
    let columns = [
        vec![float(&[0.0, 1.0, f64::NAN, 0.0])],
        vec![float(&[f64::NAN])],
        vec![float(&[0.0, 2.0, 1.0, f64::NAN])],
        vec![float(&[f64::NEG_INFINITY, 0.0, -0.0, f64::INFINITY])],
        vec![whole(&[-big, 0, 1])],
        vec![whole(&[0, big - 1, big])],
        vec![whole(&[3, -big])],
        vec![float(&[0.0, 1.0]), float(&[1.0, 0.5])],
        vec![float(&[1.0, f64::NAN]), Division::Count(2)],
        vec![whole(&[0, 1, 1, 2]), float(&[0.0, 0.0, 4.0])],
    ];
    on_each_backend("given-edges", async |backend, report| {
        for bins in &columns {
            for dtype in [DType::Int64, DType::Float32, DType::Uint8] {
                let kind = if bins.len() == 1 { Kind::Histogram(false) } else { Kind::Histogramdd };
                let dims = if bins.len() == 1 { vec![4] } else { vec![4 / bins.len(), bins.len()] };
                let bits = [0.0, 1.0, 1.0, 3.0].map(|number| scatterwise::Scalar::Float(number).cast(dtype));
                let call = Counting::new(kind, Data::from_bits(dtype, &dims, bits), bins.clone());
                for &place in backend.places() {
                    let run = async |backend: &Backend, place| {
                        let counted = async || read(&call.run(backend, place)?[0]).await;
                        outcome(counted().await)
                    };
                    let expected = run(&Backend::Cpu, Place::Host).await;
                    let row = equal("outcome", run(backend, place).await, expected);
                    report.row(&format!("{call:?} {place:?}"), row);
                }
            }
        }
    })
    .await;
}
