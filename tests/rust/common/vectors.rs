//! The conformance vectors. Their format is described in `tests/vectors/README.md`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scatterwise::{DType, Op, Reduce, Scalar};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::common::call::{Call, Method, Update};
use crate::common::data::Data;

/// A file of recorded cases. `name` is the one in the lines of output.
pub(crate) struct File {
    pub(crate) name: &'static str,
    text: &'static str,
}

/// The files of calls that succeed, with their results.
pub(crate) const RESULTS: [File; 6] = [
    File { name: "scatter_", text: include_str!("../../vectors/scatter_.json") },
    File { name: "scatter_duplicates", text: include_str!("../../vectors/scatter_duplicates.json") },
    File { name: "scatter_add_axis", text: include_str!("../../vectors/scatter_add_axis.json") },
    File { name: "gather", text: include_str!("../../vectors/gather.json") },
    File { name: "scatter_add_nd", text: include_str!("../../vectors/scatter_add_nd.json") },
    File { name: "scatter_mul", text: include_str!("../../vectors/scatter_mul.json") },
];
/// The file of calls that must fail.
pub(crate) const ERRORS: File = File { name: "errors", text: include_str!("../../vectors/errors.json") };

/// One recorded call, as the file has it.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    op: String,
    /// Whether a test fails where the case does; else it is recorded for information.
    pub(crate) required: bool,
    #[serde(rename = "self")]
    table: Value,
    args: Map<String, Value>,
    kwargs: Map<String, Value>,
    expect: Value,
    #[serde(default)]
    also_accept: Vec<Value>,
    #[serde(default)]
    inplace: bool,
    compare: Option<Value>,
}

impl File {
    /// All cases of the file, which says how many these are.
    pub(crate) fn cases(&self) -> Vec<Case> {
        #[derive(Deserialize)]
        struct Cases {
            count: usize,
            cases: Vec<Case>,
        }
        let file: Cases = serde_json::from_str(self.text).unwrap();
        assert_eq!(file.cases.len(), file.count, "{}", self.name);
        file.cases
    }
}

/// Why a case is not a call of this library's Rust face.
pub(crate) enum Unfit {
    /// An operator with a suite of its own, or one that this library does not have.
    Operator,
    /// An argument of a kind that only JavaScript can pass.
    Argument,
    /// The name of the reduction was refused, as it has to be.
    Reduce(scatterwise::Error),
}

impl Case {
    /// The recorded call as one of the crate, or why it is none.
    pub(crate) fn call(&self) -> Result<Call, Unfit> {
        let reduce = match (self.op.as_str(), self.kwargs.get("reduce")) {
            ("scatter_", Some(Value::String(name))) => {
                Reduce::from_name(Op::ScatterInPlace, name).map_err(Unfit::Reduce)?
            }
            ("scatter_", Some(_)) => return Err(Unfit::Argument),
            // By default `scatter_` replaces; the other operators take no word.
            _ => Reduce::Replace,
        };
        let method = match self.op.as_str() {
            "scatter_" => Method::ScatterInPlace(reduce),
            "scatter_add_axis" => Method::ScatterAdd,
            "gather" => Method::Gather,
            "scatter_add_nd" => Method::ScatterAddNd,
            "scatter_mul" => Method::ScatterMul,
            _ => return Err(Unfit::Operator),
        };
        // The argument that has one of these names: the operators name theirs differently.
        let argument =
            |names: &[&str]| names.iter().find_map(|&name| self.args.get(name)).ok_or(Unfit::Argument);
        let dim = match method {
            Method::ScatterAddNd | Method::ScatterMul => 0,
            _ => argument(&["dim"])?.as_i64().ok_or(Unfit::Argument)?,
        };
        let update = match method {
            Method::Gather => Update::Scalar(Scalar::Int(0)), // ignored
            _ => update(argument(&["src", "value", "updates"])?).ok_or(Unfit::Argument)?,
        };
        let index = tensor(argument(&["index", "indices"])?).ok_or(Unfit::Argument)?;
        let table = tensor(&self.table).ok_or(Unfit::Argument)?;
        Ok(Call::new(method, table, dim, index, update))
    }

    /// The results that pass, the recorded one first. This crate's tests compare bits, and know from `op` which calls are in place:
    /// a case that says otherwise fails here.
    pub(crate) fn accepted(&self) -> Vec<Data> {
        assert_eq!(self.compare.as_ref().and_then(Value::as_str), Some("exact"), "{}", self.id);
        assert_eq!(self.inplace, ["scatter_", "scatter_mul"].contains(&self.op.as_str()), "{}", self.id);
        [&self.expect].into_iter().chain(&self.also_accept).map(|value| tensor(value).unwrap()).collect()
    }

    /// The classes of error that pass.
    pub(crate) fn accepted_errors(&self) -> Vec<&str> {
        accepted_errors(&self.expect).unwrap()
    }
}

/// The classes of error that pass where a case expects a refusal; `None` where it expects a result.
pub(crate) fn accepted_errors(expect: &Value) -> Option<Vec<&str>> {
    Some(expect["accept"].as_array()?.iter().map(|class| class.as_str().unwrap()).collect())
}

/// A recorded tensor or number; `None` of any other value.
fn update(value: &Value) -> Option<Update> {
    tensor(value).map(Update::from).or_else(|| scalar(value).map(Update::from))
}

/// A recorded tensor; `None` of any other value.
pub(crate) fn tensor(value: &Value) -> Option<Data> {
    let dtype = DType::from_name(value.get("dtype")?.as_str()?)?;
    let dims = value["shape"].as_array()?.iter().map(|len| len.as_u64().map(|len| len as usize));
    Some(Data {
        dtype,
        dims: dims.collect::<Option<_>>()?,
        bytes: STANDARD.decode(value["data"].as_str()?).ok()?,
    })
}

/// A recorded number; `None` of any other value. Integers beyond 2^53, NaN and the infinities are recorded as strings.
pub(crate) fn scalar(value: &Value) -> Option<Scalar> {
    let (kind, value) = (value.get("scalar")?.as_str()?, &value["value"]);
    Some(match kind {
        "bool" => Scalar::Bool(value.as_bool()?),
        "int" => Scalar::Int(match value.as_str() {
            Some(text) => text.parse().ok()?,
            None => value.as_i64()?.into(),
        }),
        _ => Scalar::Float(match value.as_str() {
            Some(text) => text.parse().ok()?,
            None => value.as_f64()?,
        }),
    })
}
