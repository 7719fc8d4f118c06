//! The recorded calls.

use crate::common::backends::{Backend, Place, join_all, on_each_backend};
use crate::common::data::Data;
use crate::common::histogram::Counting;
use crate::common::histogram::vectors::{Case, cases};
use crate::common::report::{Fault, Row, same};
use crate::suites::histogram::{difference, has_unknown_length, outcome, outputs};

const RESULTS: &str = include_str!("../../../vectors/histogram.json");
const BINNED: &str = include_str!("../../../vectors/binned.json");
const OPTIONS: &str = include_str!("../../../vectors/options.json");
const ERRORS: &str = include_str!("../../../vectors/errors_more.json");

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
