//! The same tables with each GPU strategy forced in turn: all of them give the CPU's bits, and refuse alike.

use std::rc::Rc;

use scatterwise::DType;
use scatterwise::backend::gpu::{Gpu, Strategy};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::common::backends::{Backend, ForcedStrategy, Place, join_all, on_webgpu};
use crate::common::call::{Call, Method};
use crate::common::random::{calls, for_random};
use crate::common::report::{Report, say};
use crate::common::vectors::{ERRORS, RESULTS};
use crate::suites::{conformance, properties};

/// Every strategy, forced while `rows` runs; says how often each way was really gone.
async fn with_each_strategy(suite: &str, rows: impl AsyncFn(&Backend, &str, &mut Report)) {
    on_webgpu(suite, async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());
        for &strategy in Strategy::ALL {
            let before = gpu.strategies_run();
            {
                let _forced = ForcedStrategy::new(gpu, strategy);
                rows(&backend, &format!("{strategy:?}"), report).await;
            }
            say(&format!("{suite} with {strategy:?} forced: {}", ways(gpu, before)));
        }
    })
    .await;
}

fn ways(gpu: &Rc<Gpu>, before: [u32; Strategy::ALL.len()]) -> String {
    let counts = gpu.strategies_run().into_iter().zip(before).map(|(after, before)| after - before);
    let ways = Strategy::ALL.iter().zip(counts).filter(|&(_, count)| count > 0);
    ways.map(|(way, count)| format!("{way:?} {count}")).collect::<Vec<_>>().join(", ")
}

/// In one test, because compiling the shaders takes longer than running them.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn every_table_by_strategy() {
    with_each_strategy("by-strategy", async |backend, name, report| {
        vectors(backend, name, report).await;
        errors(backend, name, report).await;
        random_calls(backend, name, report).await;
    })
    .await;
}

/// With an index that only the device can check, because it goes through every pass.
async fn vectors(backend: &Backend, name: &str, report: &mut Report) {
    for file in RESULTS {
        let required: Vec<_> = file.cases().into_iter().filter(|case| case.required).collect();
        let rows = required.iter().map(|case| conformance::result(case, backend, Place::Computed));
        for (case, outcome) in required.iter().zip(join_all(rows).await) {
            report.row(&format!("{name} {}", case.id), outcome);
        }
    }
}

async fn errors(backend: &Backend, name: &str, report: &mut Report) {
    for case in ERRORS.cases() {
        let Ok(call) = case.call() else { continue };
        let outcome = conformance::error(&case, &call, backend, Place::Computed).await;
        report.row(&format!("{name} {}", case.id), conformance::if_required(&case, outcome));
    }
}

async fn random_calls(backend: &Backend, name: &str, report: &mut Report) {
    /// Those that scatter.
    const ALONG: &[Method] = &{
        let [one, two, three, four, five, six, seven, eight, _] = Method::ALONG;
        [one, two, three, four, five, six, seven, eight]
    };
    const TUPLES: &[Method] = &{
        let [one, two, _, four] = Method::TUPLES;
        [one, two, four]
    };
    let check = async |calls: &[Call]| properties::equal_the_oracle(backend, calls).await;
    for_random(report, &format!("{name} along"), 200, calls(ALONG, DType::ALL), check).await;
    for_random(report, &format!("{name} tuples"), 100, calls(TUPLES, DType::ALL), check).await;
}
