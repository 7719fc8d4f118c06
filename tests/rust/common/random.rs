//! Random calls. tests/js/calls/random.js draws them, and `node tools/calls.mjs` records them in calls.json, simple calls first.

use scatterwise::{DType, Reduce, Scalar};
use serde_json::Value;

use crate::common::call::{Call, Method, Operand, Update};
use crate::common::data::Data;
use crate::common::report::{Fault, Report, Row};
use crate::common::vectors::{scalar, tensor};

/// So many that none is left out.
pub(crate) const ALL: usize = usize::MAX;

/// The recorded calls of these methods on tables of these dtypes: all of them, or `most` that are spread evenly among them.
pub(crate) fn calls(methods: &[Method], dtypes: &[DType], most: usize) -> Vec<Call> {
    let recorded: Vec<Value> = serde_json::from_str(include_str!("calls.json")).unwrap();
    let fits = |call: &Call| methods.contains(&call.method) && dtypes.contains(&call.table.dtype);
    let fitting: Vec<Call> = recorded.iter().map(call).filter(fits).collect();
    // A browser gets a quarter, because tests/js/web makes ten thousand calls there.
    let most = most.min(fitting.len()) / if cfg!(target_arch = "wasm32") { 4 } else { 1 };
    (0..most).map(|k| fitting[k * fitting.len() / most].clone()).collect()
}

/// One call of the file.
fn call(value: &Value) -> Call {
    let reduce = || *Reduce::ALL.iter().find(|reduce| reduce.name() == value["how"]).unwrap();
    let method = match (value["op"].as_str().unwrap(), value["form"].as_str().unwrap()) {
        ("Tensor.scatter_", _) => Method::ScatterInPlace(reduce()),
        ("Tensor.scatter", _) => Method::Scatter(reduce()),
        ("Tensor.scatter_add_", "nd") => Method::ScatterAddNdInPlace,
        ("Tensor.scatter_add_", _) => Method::ScatterAddInPlace,
        ("Tensor.scatter_add", "nd") => Method::ScatterAddNd,
        ("Tensor.scatter_add", _) => Method::ScatterAdd,
        ("Tensor.gather", _) => Method::Gather,
        ("Tensor.gather_nd", _) => Method::GatherNd,
        ("scatter_mul", _) => Method::ScatterMul,
        other => panic!("{other:?}"),
    };
    let index = if value["index"] == "self" { Operand::Table } else { index(&value["index"]).into() };
    let update = match &value["src"] {
        Value::Null => Scalar::Int(0).into(), // a gather ignores it
        Value::String(_) => Update::Operand(Operand::Table),
        src => scalar(src).map(Update::from).or_else(|| tensor(src).map(Update::from)).unwrap(),
    };
    let dim = value["dim"].as_i64().unwrap_or(0);
    Call { method, table: tensor(&value["self"]).unwrap(), dim, index, update }
}

/// An index, recorded as a list of its values.
fn index(value: &Value) -> Data {
    let list = |name: &str| value[name].as_array().unwrap().iter().map(|number| number.as_i64().unwrap());
    let dims: Vec<usize> = list("shape").map(|size| size as usize).collect();
    let dtype = DType::from_name(value["dtype"].as_str().unwrap()).unwrap();
    Data::from_bits(dtype, &dims, list("data").map(|value| value as u64))
}

/// Checks random calls, fifty of them at a time, and counts a row for each, `name` and its number. `check` returns a row for each
/// given call, in order.
pub(crate) async fn for_random(
    report: &mut Report,
    name: &str,
    calls: &[Call],
    check: impl AsyncFn(&[Call]) -> Vec<Row>,
) {
    const TOGETHER: usize = 50;
    for (part, calls) in calls.chunks(TOGETHER).enumerate() {
        for (k, (call, row)) in calls.iter().zip(check(calls).await).enumerate() {
            let outcome = row.map_err(|fault| match fault {
                Fault::Wrong(text) => Fault::Wrong(format!("{text}\n    in {call:?}")),
                skipped => skipped,
            });
            report.row(&format!("{name} {}", part * TOGETHER + k), outcome);
        }
    }
}
