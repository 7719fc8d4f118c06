//! The recorded calls with an ignored index value and with batches of tuples, on every backend, with the index in each place. Those of counts
//! and histograms are in `histogram`.

use scatterwise::{
    Factor, Gather, IndexMode, NdReduce, Op, OutOfRange, Reduce, Reduction, Result, Scalar, Scatter, Source,
    Sum, Target, Tensor, Update,
};
use serde_json::Value;

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::common::vectors::{accepted_errors, scalar, tensor};

const VECTORS: &str = include_str!("../../vectors/options.json");

one_thread!(vectors);
async fn vectors() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    let cases = file["cases"].as_array().unwrap();
    let is_counted = |case: &&Value| !["bincount", "histogram", "histogramdd"].contains(&word(&case["op"]));
    let cases: Vec<&Value> = cases.iter().filter(is_counted).collect();
    on_each_backend("options", async |backend, report| {
        for case in &cases {
            for &place in backend.places() {
                report.row(&format!("{} {place:?}", word(&case["id"])), vector(case, backend, place).await);
            }
        }
    })
    .await;
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// How a case reads its index. A value that is no integer is one that only JavaScript can pass.
fn mode(options: &Value) -> std::result::Result<IndexMode, Fault> {
    let named = OutOfRange::ALL.iter().zip(OutOfRange::NAMES);
    let out_of_range =
        named.filter(|(_, name)| **name == word(&options["mode"])).map(|(&mode, _)| mode).next();
    let ignored = match &options["ignore_index"] {
        Value::Null => None,
        value => {
            let number = value.as_i64().map(Scalar::from).or_else(|| scalar(value));
            let Some(Scalar::Int(ignored)) = number else {
                return Err(Fault::Skipped("arguments of the JavaScript face only".into()));
            };
            Some(i64::try_from(ignored).unwrap())
        }
    };
    Ok(IndexMode { out_of_range: out_of_range.unwrap_or_default(), ignored })
}

/// The operator of a case.
fn operator(name: &str) -> Op {
    match name {
        "scatter_" => Op::ScatterInPlace,
        "scatter_add_axis" | "scatter_add_nd" => Op::ScatterAdd,
        "scatter_nd" => Op::ScatterNd,
        "scatter_reduce" => Op::ScatterReduce,
        "index_add" => Op::IndexAdd,
        "index_copy" => Op::IndexCopy,
        "index_fill" => Op::IndexFill,
        "gather" => Op::Gather,
        "gather_nd" => Op::GatherNd,
        "index_select" => Op::IndexSelect,
        name => panic!("no operator: {name}"),
    }
}

/// How the updates of a case are combined with the table, and what they are multiplied by.
fn update(op: Op, options: &Value) -> (Update, Factor) {
    let reduce = word(&options["reduce"]);
    let sum = if word(&options["sum"]) == "exact" { Sum::Exact } else { Sum::Ordered };
    let (update, factor): (Update, Factor) = match op {
        Op::ScatterReduce => {
            let mut words = Reduction::ALL.iter().zip(Reduction::NAMES);
            let reduction = words.find(|(_, name)| **name == reduce).unwrap().0;
            (reduction.update(options["include_self"].as_bool().unwrap_or(true)), Factor::One)
        }
        Op::ScatterAdd | Op::IndexAdd => {
            (Reduce::Add.into(), scalar(&options["alpha"]).map_or(Factor::One, Factor::alpha))
        }
        _ => {
            let word = if reduce.is_empty() { "replace" } else { reduce };
            let mut words = NdReduce::ALL.iter().zip(NdReduce::NAMES);
            let (reduce, factor) = words.find(|(_, name)| **name == word).unwrap().0.parts();
            (reduce.into(), factor)
        }
    };
    (Update { sum, ..update }, factor)
}

/// Makes the call of a case, and returns its result.
fn run(case: &Value, mode: IndexMode, table: &Tensor, index: &Tensor, backend: &Backend) -> Result<Tensor> {
    let (op, args, options) = (operator(word(&case["op"])), &case["args"], &case["kwargs"]);
    let dim = args["dim"].as_i64().unwrap_or_default();
    let batches = options["batch_dims"].as_u64().unwrap_or_default() as usize;
    let target = match op {
        Op::IndexAdd | Op::IndexCopy | Op::IndexFill | Op::IndexSelect => Target::slices(dim, index),
        _ if args["indices"].is_object() => Target::batched(index, batches),
        _ => Target::along(dim, index),
    };
    if matches!(op, Op::Gather | Op::GatherNd | Op::IndexSelect) {
        let fill_value = scalar(&options["fill_value"]).unwrap_or(Scalar::Int(0));
        return Gather { mode, fill_value, ..Gather::new(op, target) }.run(table);
    }
    let given =
        ["src", "updates", "value"].into_iter().map(|name| &args[name]).find(|value| !value.is_null());
    let src = match given.and_then(tensor) {
        Some(data) => Source::Tensor(backend.put(&data)?),
        None => Source::Scalar(given.and_then(scalar).unwrap()),
    };
    let (update, factor) = update(op, options);
    let mut out = table.clone();
    Scatter { mode, factor, ..Scatter::new(op, target, src, update) }.run(&mut out)?;
    Ok(out)
}

async fn vector(case: &Value, backend: &Backend, place: Place) -> Row {
    let mode = mode(&case["kwargs"])?;
    if case["kwargs"]["batch_dims"].as_i64() == Some(-1) {
        return Err(Fault::Skipped("arguments of the JavaScript face only".into()));
    }
    let index = ["index", "indices"].into_iter().find_map(|name| tensor(&case["args"][name])).unwrap();
    let table = tensor(&case["self"]).unwrap();
    let (own, index) = (backend.put(&table)?, backend.put_at(place, &index)?);
    let outcome = match run(case, mode, &own, &index, backend) {
        Ok(tensor) => read(&tensor).await,
        Err(error) => Err(error),
    };
    if let Some(accepted) = accepted_errors(&case["expect"]) {
        let name = error_of(outcome)?.class().name();
        equal("whether the class passes", accepted.contains(&name), true)?;
    } else {
        let (got, expected) = (
            outcome?,
            std::iter::once(&case["expect"]).chain(case["also_accept"].as_array().into_iter().flatten()),
        );
        let differences: Vec<Option<String>> =
            expected.map(|value| tensor(value).unwrap().difference(&got)).collect();
        if case["required"] == false && differences.iter().all(Option::is_some) {
            return Err(Fault::Skipped("not required".into()));
        }
        same("result", differences.into_iter().min().flatten())?;
    }
    same("self", table.difference(&read(&own).await?))
}
