//! The conformance vectors of the four operators.

use scatterwise::{DType, Statistic, Sum};
use serde_json::{Map, Value};

use crate::common::data::Data;
use crate::common::histogram::{Counting, Division, Kind};
use crate::common::recorded::data;
use crate::common::vectors::{accepted_errors, scalar};

/// A case of a file of vectors.
pub(crate) struct Case {
    value: Value,
}

/// The four functions.
const OPS: [&str; 4] = ["bincount", "histogram", "histogramdd", "binned_statistic"];

/// The cases of the four functions in a file, which may have others.
pub(crate) fn cases(text: &str) -> Vec<Case> {
    let file: Value = serde_json::from_str(text).unwrap();
    let cases = file["cases"].as_array().unwrap().iter();
    let ours = cases.filter(|case| OPS.contains(&case["op"].as_str().unwrap()));
    ours.map(|value| Case { value: value.clone() }).collect()
}

impl Case {
    pub(crate) fn id(&self) -> &str {
        self.value["id"].as_str().unwrap()
    }

    /// Whether a test fails where the case does; else it is recorded for information.
    pub(crate) fn required(&self) -> bool {
        self.value["required"].as_bool().unwrap()
    }

    /// The call; `None` where an argument is of a kind that only JavaScript can pass.
    pub(crate) fn call(&self) -> Option<Counting> {
        let options: &Map<String, Value> = self.value["kwargs"].as_object().unwrap();
        let get = |name: &str| options.get(name);
        let x = data(&self.value["self"])?;
        let division =
            |value: &Value| data(value).map(Division::Edges).or(value.as_i64().map(Division::Count));
        let columns = x.dims.get(1).copied().unwrap_or(1);
        let kind = match self.value["op"].as_str().unwrap() {
            "bincount" => Kind::Bincount(get("minlength").map_or(Some(0), Value::as_i64)?.into()),
            "histogram" => Kind::Histogram(get("density").map_or(Some(false), Value::as_bool)?),
            "binned_statistic" => {
                let word = get("statistic").and_then(Value::as_str)?;
                Kind::Binned(Statistic::ALL[Statistic::NAMES.iter().position(|&name| name == word)?])
            }
            _ => Kind::Histogramdd,
        };
        // One division, or no range, stands for every column. A list gives the number of columns, else x does.
        let len = |name| get(name).and_then(Value::as_array).map(Vec::len);
        let count = if kind.has_rows() { len("bins").or(len("range")).unwrap_or(columns) } else { 1 };
        let bins = match get("bins") {
            None => vec![Division::Count(10); count], // the default of NumPy
            Some(Value::Array(list)) => list.iter().map(division).collect::<Option<_>>()?,
            Some(one) => vec![division(one)?; count],
        };
        let ranges = match get("range") {
            None => vec![None; count],
            Some(list) if kind.has_rows() => list.as_array()?.iter().map(ends).collect::<Option<_>>()?,
            Some(one) => vec![ends(one)?],
        };
        let named = |value: Option<&Value>| match value {
            None => Some(None),
            Some(value) => data(value).map(Some),
        };
        let weights = named(get("weights").or(self.value["args"].get("values").filter(|v| !v.is_null())))?;
        let mask = named(get("mask"))?;
        let dtype = match get("dtype").and_then(Value::as_str) {
            None => None,
            Some(name) => Some(DType::from_name(name)?),
        };
        let dim = get("dim").and_then(Value::as_i64);
        let sum = get("sum").map_or(Some("ordered"), Value::as_str)?;
        let sum = Sum::NAMES.iter().position(|&name| name == sum).map(|at| Sum::ALL[at])?;
        Some(Counting { kind, x, bins, ranges, weights, sum, mask, dim, dtype })
    }

    /// Whether the call must fail.
    pub(crate) fn must_fail(&self) -> bool {
        self.value["expect"].get("accept").is_some()
    }

    /// The results that pass, each as counts and edges. For a large result this is the definition's: recorded are only its hash and
    /// its first and last elements, which are compared here.
    pub(crate) fn accepted(&self, call: &Counting) -> Vec<Vec<Data>> {
        let none = Vec::new();
        let others = self.value.get("also_accept").map_or(&none, |others| others.as_array().unwrap());
        // Other results that are recorded only as a hash are left out: the definition gives only the first result.
        let others = others.iter().filter(|other| other.get("sha256").is_none());
        [&self.value["expect"]].into_iter().chain(others).map(|one| outputs(one, call)).collect()
    }

    /// The classes of error that pass, for a case of `errors_more.json`.
    pub(crate) fn accepted_errors(&self) -> Vec<&str> {
        accepted_errors(&self.value["expect"]).unwrap()
    }
}

/// A recorded result of a call: the counts, and the edges if the function returns them.
fn outputs(value: &Value, call: &Counting) -> Vec<Data> {
    let Some(outputs) = value.get("outputs") else { return vec![recorded_counts(value, call)] };
    let edges = match &outputs["edges"] {
        Value::Array(list) => list.iter().map(|edges| data(edges).unwrap()).collect(),
        one => vec![data(one).unwrap()],
    };
    [vec![recorded_counts(outputs.get("hist").unwrap_or(&outputs["statistic"]), call)], edges].concat()
}

/// Recorded counts. Of large ones only the first and the last elements are in the file (`head` and `tail`): then those of the
/// definition, which must begin and end like them.
fn recorded_counts(value: &Value, call: &Counting) -> Data {
    if value.get("sha256").is_none() {
        return data(value).unwrap();
    }
    let expected = call.expected().swap_remove(0);
    let [head, tail] = ["head", "tail"].map(|end| data(&value[end]).unwrap().bytes);
    assert!(expected.bytes.starts_with(&head) && expected.bytes.ends_with(&tail), "the definition as loops");
    expected
}

/// A recorded range: `Some(None)` for null, which means the range of the values; `None` if it is no range.
fn ends(value: &Value) -> Option<Option<[f64; 2]>> {
    if value.is_null() {
        return Some(None);
    }
    let [low, high] = value.as_array()?.as_slice() else { return None };
    Some(Some([scalar(low)?.as_f64(), scalar(high)?.as_f64()]))
}
