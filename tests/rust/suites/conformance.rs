//! The vectors of `common/vectors.rs`, on every backend, with the index in each place that makes a difference.

use scatterwise::{DType, ErrorClass, ErrorCode, FactValue};

use crate::common::backends::{Backend, Place, join_all, on_each_backend, read};
use crate::common::call::{Call, Operand};
use crate::common::data::Data;
use crate::common::report::{Fault, Row, equal, same};
use crate::common::vectors::{Case, ERRORS, RESULTS, Unfit};
use crate::everywhere;

one_thread!(results);
/// Calls that succeed.
async fn results() {
    for file in RESULTS {
        on_each_backend(file.name, async |backend, report| {
            let (required, others): (Vec<_>, Vec<_>) =
                file.cases().into_iter().partition(|case| case.required);
            for &place in backend.places() {
                let outcomes = join_all(required.iter().map(|case| result(case, backend, place))).await;
                for (case, outcome) in required.iter().zip(outcomes) {
                    report.row(&format!("{} {place:?}", case.id), outcome);
                }
                // One at a time, because any of these may fail: an error that a GPU reports late would go to the read of another case.
                for case in &others {
                    let outcome = if_required(case, result(case, backend, place).await);
                    report.row(&format!("{} {place:?}", case.id), outcome);
                }
            }
        })
        .await;
    }
}

/// Makes the call of a case once for each result that passes, until one is right.
pub(super) async fn result(case: &Case, backend: &Backend, place: Place) -> Row {
    let call = case.call().map_err(|unfit| Fault::Wrong(refusal(&unfit)))?;
    let mut wrong = Ok(());
    for expected in case.accepted() {
        match call.check(call.make(backend, place)?, &expected).await {
            Err(Fault::Wrong(text)) => wrong = Err(Fault::Wrong(text)),
            other => return other,
        }
    }
    wrong
}

one_thread!(errors);
/// Calls that must fail.
async fn errors() {
    on_each_backend(ERRORS.name, async |backend, report| {
        for case in ERRORS.cases() {
            let call = match case.call() {
                Ok(call) => call,
                Err(Unfit::Reduce(error)) => {
                    report.row(&case.id, accepts(&case, &error));
                    continue;
                }
                Err(unfit) => {
                    report.row(&case.id, Err(Fault::Skipped(refusal(&unfit))));
                    continue;
                }
            };
            for &place in backend.places() {
                let outcome = error(&case, &call, backend, place).await;
                report.row(&format!("{} {place:?}", case.id), if_required(&case, outcome));
            }
        }
    })
    .await;
}

/// Makes a call that must fail, with its index at `place`. The error has to come from the call itself, or, if only the device can check
/// the index, from the first read.
pub(super) async fn error(case: &Case, call: &Call, backend: &Backend, place: Place) -> Row {
    let made = call.make(backend, place)?;
    let error = match made.outcome {
        Err(error) => error,
        Ok(tensor) => match read(&tensor).await {
            Err(error) if place == Place::Computed => error,
            Err(error) => return Err(Fault::Wrong(format!("reported too late: {error}"))),
            Ok(got) => return Err(Fault::Wrong(format!("no error, but {got:?}"))),
        },
    };
    accepts(case, &error)?;
    equal("operator", error.op(), call.method.name())?;
    let Operand::Data(index) = &call.index else { unreachable!("vectors have no aliases") };
    if error.class() == ErrorClass::Index {
        names_a_bad_entry(index, &error)?;
    }
    same("self afterwards", call.table.difference_of_bits(&read(&made.table).await?))
}

/// Whether an index error names the position of an entry and the value that the index has there.
fn names_a_bad_entry(index: &Data, error: &scatterwise::Error) -> Row {
    equal("code", error.code(), ErrorCode::IndexOutOfRange)?;
    let Some(position) = error.position_fact() else { return Err(Fault::Wrong("no position".into())) };
    // As a row-major position.
    let entry = index.dims.iter().zip(position).fold(0, |entry, (&len, &at)| entry * len + at);
    equal("value", error.value_fact(), Some(&FactValue::Int(index.index(entry))))
}

/// Whether the class of an error is one that passes.
fn accepts(case: &Case, error: &scatterwise::Error) -> Row {
    let classes: &[ErrorClass] = match error.class() {
        ErrorClass::Index => &[ErrorClass::Index, ErrorClass::Runtime], // IndexError is a subclass of RuntimeError
        ErrorClass::Type => &[ErrorClass::Type],
        ErrorClass::Value => &[ErrorClass::Value],
        ErrorClass::Runtime => &[ErrorClass::Runtime],
    };
    let accepted = case.accepted_errors();
    if classes.iter().any(|class| accepted.contains(&class.name())) {
        return Ok(());
    }
    Err(Fault::Wrong(format!("expected {accepted:?}, got {}: {error}", error.class().name())))
}

/// The row of a case. One that is only recorded for information (not required) counts as skipped where it did not pass.
pub(super) fn if_required(case: &Case, outcome: Row) -> Row {
    match outcome {
        Err(Fault::Wrong(_)) if !case.required => Err(Fault::Skipped(format!("{} is not required", case.id))),
        other => other,
    }
}

/// Why a case is skipped, for the report.
fn refusal(unfit: &Unfit) -> String {
    match unfit {
        Unfit::Operator => "operators of other suites, or not offered".into(),
        Unfit::Argument => "arguments of the JavaScript face only".into(),
        Unfit::Reduce(error) => error.to_string(),
    }
}

/// A table of every dtype is among the vectors. A dtype that no file has would otherwise go unnoticed.
#[everywhere::test]
fn vectors_cover_every_dtype() {
    let calls: Vec<Call> =
        RESULTS.iter().flat_map(|file| file.cases()).filter_map(|case| case.call().ok()).collect();
    for &dtype in DType::ALL {
        assert!(calls.iter().any(|call| call.table.dtype == dtype), "{dtype}");
    }
}
