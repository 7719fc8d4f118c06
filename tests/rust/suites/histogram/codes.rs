//! `bin_codes`: groups of its codes have the counts of `histogramdd`, with the same edges.

use scatterwise::{DType, bin_codes, group_by};

use super::random::{Random, random_call};
use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::numbers;
use crate::common::histogram::{Counting, Kind};
use crate::common::report::{Fault, Row, equal};

one_thread!(codes);
async fn codes() {
    on_each_backend("bin_codes", async |backend, report| {
        let mut random = Random(67);
        for &dtype in DType::ALL.iter().filter(|&&dtype| dtype != DType::Bool) {
            for columns in [1, 1, 2, 2, 3, 4] {
                for round in 0..8 {
                    let call = Counting {
                        weights: None,
                        ..random_call(&mut random, Kind::Histogramdd, dtype, columns)
                    };
                    report.row(&format!("{dtype} {columns} {round}"), check(&call, backend).await);
                }
            }
        }
    })
    .await;
}

async fn check(call: &Counting, backend: &Backend) -> Row {
    let expected = match super::outcome(call, backend, Place::Host).await {
        // Its error comes with any read, and it has no bins to compare.
        Err(_) => return Err(Fault::Skipped("has no bins".into())),
        Ok(expected) => expected,
    };
    let mut columns = Vec::new();
    for (bins, range) in call.bins.iter().zip(&call.ranges) {
        columns.push((bins.bins(backend, Place::Host)?, *range));
    }
    let (codes, edges, size) = bin_codes(&backend.put(&call.x)?, &columns)?;
    for (edges, expected) in edges.iter().zip(&expected[1..]) {
        equal("edges", expected.difference(&read(edges).await?), None)?;
    }
    if size == 0 {
        return equal("codes", numbers(&read(&codes).await?).iter().all(|&code| code == -1.0), true);
    }
    let groups = group_by(&codes, size, Some(-1), None)?;
    equal("counts", numbers(&read(groups.counts()).await?), numbers(&expected[0]))
}
