//! `group_by` and the statistics of groups: the recorded vectors, on every backend.

use scatterwise::{DType, GroupOptions, GroupStatistic, Groups, Result, Tensor, group_by};
use serde_json::Value;

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::recorded::data;
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::common::vectors::{accepted_errors, scalar};

const VECTORS: &str = include_str!("../../vectors/groups.json");

/// The results of a call, by the names in the vectors. A result alone has no name.
type Results = Vec<(String, Tensor)>;

fn statistic(word: &Value) -> Option<GroupStatistic> {
    let at = GroupStatistic::NAMES.iter().position(|name| Some(*name) == word.as_str())?;
    Some(GroupStatistic::ALL[at])
}

/// Makes the groups of a case.
fn groups(case: &Value, backend: &Backend, place: Place) -> Option<Result<Groups>> {
    let (args, kwargs) = (&case["args"], &case["kwargs"]);
    let put = |value: &Value| backend.put_at(place, &data(value).unwrap());
    data(&case["self"])?;
    let codes = match put(&case["self"]) {
        Ok(codes) => codes,
        Err(error) => return Some(Err(error)),
    };
    let mask = kwargs.get("mask").map(|mask| put(mask).unwrap());
    let ignored = match kwargs.get("ignore_index") {
        None => None,
        Some(value) => Some(value.as_i64()?),
    };
    Some(group_by(&codes, args["size"].as_u64()? as usize, ignored, mask.as_ref()))
}

/// Makes a recorded call; `None` if only JavaScript can make it.
fn run(case: &Value, backend: &Backend, place: Place) -> Option<Result<Results>> {
    let (args, kwargs) = (&case["args"], &case["kwargs"]);
    let groups = match groups(case, backend, place)? {
        Ok(groups) => groups,
        Err(error) => return Some(Err(error)),
    };
    let options = GroupOptions {
        skip_nan: kwargs.get("skip_nan").is_some_and(|flag| flag == true),
        empty: match kwargs.get("empty") {
            None => None,
            Some(value) => Some(scalar(value)?),
        },
        ddof: kwargs.get("ddof").and_then(Value::as_i64),
        dtype: kwargs.get("dtype").and_then(|name| scatterwise::DType::from_name(name.as_str()?)),
    };
    let values = args.get("values").and_then(data).map(|values| backend.put_at(place, &values).unwrap());
    let is_odd = args.get("values").is_some() && values.is_none();
    let is_odd = is_odd || kwargs.get("ddof").is_some_and(|ddof| !ddof.is_i64());
    let is_odd = is_odd || kwargs.get("dtype").is_some() != options.dtype.is_some();
    if is_odd || args.get("group").is_some_and(|group| !group.is_i64()) {
        return None;
    }
    Some((|| {
        let alone = |tensor: Tensor| vec![(String::new(), tensor)];
        Ok(match args["result"].as_str().unwrap() {
            "layout" => vec![
                ("counts".into(), groups.counts().clone()),
                ("offsets".into(), groups.offsets().clone()),
                ("order".into(), groups.order()?.clone()),
                ("cumcount".into(), groups.cumcount()?),
            ],
            "counts" | "count" => alone(groups.counts().clone()),
            "offsets" => alone(groups.offsets().clone()),
            "order" => alone(groups.order()?.clone()),
            "cumcount" => alone(groups.cumcount()?),
            "members" => {
                let rows = groups.members(args["group"].as_i64().unwrap_or(-1))?;
                alone(Tensor::from_elements(&[rows.len()], rows)?)
            }
            "reduce" => alone(groups.reduce(&values.unwrap(), statistic(&args["how"]).unwrap(), &options)?),
            "quantile" => {
                let (q, values, skip_nan) = (&args["q"], values.unwrap(), options.skip_nan);
                if let Some(q) = q.as_f64() {
                    let made = groups.quantile(&values, &[q], skip_nan)?;
                    alone(made.reshape(&made.shape().dims()[1..])?)
                } else {
                    let q: Vec<f64> = q.as_array().unwrap().iter().map(|q| q.as_f64().unwrap()).collect();
                    alone(groups.quantile(&values, &q, skip_nan)?)
                }
            }
            "agg" => {
                let words = args["how"].as_array().unwrap();
                let known: Vec<&Value> = words.iter().filter(|word| statistic(word).is_some()).collect();
                let statistics: Vec<_> = known.iter().map(|word| statistic(word).unwrap()).collect();
                let all = groups.agg(&values.unwrap(), &statistics, &options)?;
                known.into_iter().zip(all).map(|(word, each)| (word.as_str().unwrap().into(), each)).collect()
            }
            other => panic!("{other}"),
        })
    })())
}

/// Reads results from their device, all before the first is compared.
async fn read_all(results: Result<Results>) -> Result<Vec<(String, Data)>> {
    let mut all = vec![];
    for (name, result) in results? {
        all.push((name, read(&result).await?));
    }
    Ok(all)
}

/// Whether the Rust face has the call of a case.
fn is_here(case: &Value) -> bool {
    let result = case["args"]["result"].as_str().unwrap_or("");
    let how = &case["args"]["how"];
    case["op"] == "group_by"
        && case["args"]["size"].is_u64()
        && has_numbers(&case["args"])
        && (result != "reduce" || statistic(how).is_some())
        && how.as_array().is_none_or(|words| words.iter().all(|word| word != "product"))
}

/// Whether q, if there is one, is a number or a list of them.
fn has_numbers(args: &Value) -> bool {
    let is_list = |q: &Value| q.as_array().is_some_and(|all| all.iter().all(Value::is_number));
    args.get("q").is_none_or(|q| q.is_number() || is_list(q))
}

async fn vector(case: &Value, backend: &Backend, place: Place) -> Row {
    let Some(results) = is_here(case).then(|| run(case, backend, place)).flatten() else {
        return Err(Fault::Skipped("arguments of the JavaScript face only".into()));
    };
    if case["args"]["result"] == "members" && !matches!(backend, Backend::Cpu) {
        let error = error_of(results)?;
        return equal("class", error.class().name(), "RuntimeError");
    }
    let results = read_all(results).await;
    if let Some(accepted) = accepted_errors(&case["expect"]) {
        let error = error_of(results)?;
        if !accepted.contains(&error.class().name()) {
            return Err(Fault::Wrong(error.to_string()));
        }
        if let Some(position) = case["expect"].get("position") {
            let position: Vec<usize> =
                position.as_array().unwrap().iter().map(|at| at.as_u64().unwrap() as usize).collect();
            equal("position", error.position_fact(), Some(&position[..]))?;
        }
        return Ok(());
    }
    for (name, got) in results? {
        let pick = |expect: &Value| data(if name.is_empty() { expect } else { &expect["outputs"][&name] });
        let others = case.get("also_accept").and_then(Value::as_array).cloned().unwrap_or_default();
        let accepted = [&case["expect"]].into_iter().chain(&others).filter_map(pick);
        // The rows with tolerances, which are 0, leave the sign of a zero open.
        let by_value = case["compare"].is_object();
        let compare = if by_value { Data::difference_of_values } else { Data::difference };
        let differences: Vec<_> = accepted.map(|expected| compare(&expected, &got)).collect();
        if differences.iter().all(Option::is_some) {
            same(&name, differences.into_iter().next().flatten())?;
        }
    }
    Ok(())
}

/// Where operands are. With codes on the CPU, a call runs there.
fn places(backend: &Backend) -> &'static [Place] {
    match backend {
        Backend::Cpu => &[Place::Host],
        #[cfg(feature = "webgpu")]
        Backend::WebGpu(_) => &[Place::Uploaded, Place::Computed],
    }
}

one_thread!(vectors);
async fn vectors() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    on_each_backend("groups", async |backend, report| {
        for case in file["cases"].as_array().unwrap() {
            let required = case["required"] == true;
            for &place in places(backend) {
                let outcome = match vector(case, backend, place).await {
                    Err(Fault::Wrong(_)) if !required => Err(Fault::Skipped("not required".into())),
                    outcome => outcome,
                };
                report.row(&format!("{} {place:?}", case["id"].as_str().unwrap()), outcome);
            }
        }
    })
    .await;
}

one_thread!(large_codes);
/// Of uint64 a code beyond int64 is left out by its bits.
async fn large_codes() {
    on_each_backend("large codes", async |backend, report| {
        for &place in places(backend) {
            let codes = backend.put_at(place, &Data::new(&[4], &[u64::MAX, 1, 0, 1])).unwrap();
            let groups = group_by(&codes, 2, Some(-1), None).unwrap();
            let counts = read(groups.counts()).await.unwrap();
            report.row(&format!("{place:?}"), same("counts", Data::new(&[2], &[1, 2]).difference(&counts)));
        }
    })
    .await;
}

one_thread!(sums_in_a_wider_dtype);
/// The CPU adds floats without converting them: the sums and means are those of the converted values.
async fn sums_in_a_wider_dtype() {
    // The terms of a group are far apart, so that its sum needs an accumulator.
    let kinds = [1e38, 1.0, -1e38, 1e-45, 3.0, 1e-20, -0.0, 0.1];
    let rows = 4_097;
    let values: Vec<f32> = (0..rows).map(|row| kinds[row % 8] / (1 + row % 7) as f32).collect();
    // Groups 0 to 2: without rows, of −0 alone, with numbers that are not finite.
    let codes: Vec<i32> = (0..rows as i32).map(|row| 3 + row * row % 61).chain([1, 1, 2, 2]).collect();
    let values = [values, vec![-0.0, -0.0, f32::NAN, f32::INFINITY]].concat();
    let dtypes = [
        (DType::Float32, DType::Float64),
        (DType::Float16, DType::Float32),
        (DType::Bfloat16, DType::Float32),
        (DType::Float16, DType::Float64),
    ];
    // Two lists: of sums alone, and with a statistic for which the values are converted first.
    let with_sums = [GroupStatistic::Sum, GroupStatistic::Mean, GroupStatistic::Count];
    let lists = [with_sums, [GroupStatistic::Sum, GroupStatistic::Mean, GroupStatistic::Max]];
    on_each_backend("sums of groups in a wider dtype", async |backend, report| {
        for &place in places(backend) {
            let put = |data: Data| backend.put_at(place, &data).unwrap();
            let values = put(Data::new(&[codes.len()], &values));
            for ((narrow, wide), row) in dtypes.into_iter().flat_map(|pair| [(pair, 1), (pair, 3)]) {
                let codes = &codes[codes.len() - codes.len() / row..];
                let groups = group_by(&put(Data::new(&[codes.len()], codes)), 64, None, None).unwrap();
                let own = values.astype(narrow).unwrap().reshape(&[codes.len(), row]).unwrap();
                for (skip_nan, list) in [(false, 0), (true, 0), (true, 1)] {
                    let options = GroupOptions { skip_nan, ..GroupOptions::default() };
                    let expected = groups.agg(&own.astype(wide).unwrap(), &with_sums, &options).unwrap();
                    let options = GroupOptions { dtype: Some(wide), ..options };
                    let made = groups.agg(&own, &lists[list], &options).unwrap();
                    for at in 0..2 {
                        let (expected, made) =
                            (read(&expected[at]).await.unwrap(), read(&made[at]).await.unwrap());
                        let name = format!(
                            "{narrow} as {wide}, rows of {row}, {place:?}, {skip_nan}, list {list}, {at}"
                        );
                        report.row(&name, same("values", expected.difference(&made)));
                    }
                }
            }
        }
    })
    .await;
}
