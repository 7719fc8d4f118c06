//! Values on, below and above edges, and edges that follow from the values.

use scatterwise::{DType, Scalar};

use crate::common::backends::{Backend, Place, on_each_backend};
use crate::common::data::Data;
use crate::common::histogram::{Counting, Division, Kind};
use crate::common::report::{Fault, equal, same};
use crate::suites::histogram::random::{Random, call_without_ranges, random_call};
use crate::suites::histogram::{CALLS, counted, difference, outcome, outputs};

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
