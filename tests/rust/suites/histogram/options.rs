//! Masks, dtypes of the result and dimensions.

use scatterwise::DType;

use crate::common::backends::on_each_backend;
use crate::common::histogram::Kind;
use crate::suites::histogram::random::{Random, integers, random_call, with_options};
use crate::suites::histogram::{CALLS, counted};

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
