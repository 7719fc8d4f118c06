//! Statistics of values in bins.

use scatterwise::{DType, Scalar, Statistic};

use crate::common::backends::on_each_backend;
use crate::common::data::{Data, is_float};
use crate::common::histogram::{Counting, Kind};
use crate::suites::histogram::random::{Random, random_call};
use crate::suites::histogram::{CALLS, counted};

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
