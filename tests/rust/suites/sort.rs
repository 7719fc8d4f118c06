//! `argsort`, `sort`, `unique` and `searchsorted`: the recorded vectors, and random calls against the definition, on every backend.

use scatterwise::{DType, ErrorClass, ErrorCode, Op, Scalar, Tensor, searchsorted, unique};
use serde_json::Value;

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::recorded::data as tensor;
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::common::sort::{distinct, found, sorted};
use crate::common::vectors::accepted_errors;

const VECTORS: &str = include_str!("../../vectors/sort.json");

/// The results of a call, by the names in the vectors. A result alone has no name.
type Results = Vec<(&'static str, Data)>;

/// Makes a recorded call; `None` if only JavaScript can make it.
async fn run(case: &Value, backend: &Backend) -> Option<scatterwise::Result<Results>> {
    let input = backend.put(&tensor(&case["self"])?).ok()?;
    let dim = case["args"].get("dim").map_or(Some(-1), Value::as_i64)?;
    let option = |name: &str| case["kwargs"].get(name).is_some_and(|value| value == true);
    let is_descending = option("descending");
    Some(match case["op"].as_str().unwrap() {
        "argsort" => read_all([("", input.argsort(dim, is_descending))]).await,
        "sort" => sort(&input, dim, is_descending).await,
        "unique" => groups(&input).await,
        _ => {
            let x = backend.put(&tensor(&case["args"]["x"])?).ok()?;
            read_all([("", searchsorted(&input, &x, option("right")))]).await
        }
    })
}

async fn read_all<const N: usize>(
    results: [(&'static str, scatterwise::Result<Tensor>); N],
) -> scatterwise::Result<Results> {
    let mut all = vec![];
    for (name, result) in results {
        all.push((name, read(&result?).await?));
    }
    Ok(all)
}

async fn sort(input: &Tensor, dim: i64, is_descending: bool) -> scatterwise::Result<Results> {
    let sorted = input.sort(dim, is_descending)?;
    read_all([("values", Ok(sorted.values)), ("indices", Ok(sorted.indices))]).await
}

/// `unique`, whose results on a GPU are shortened once their number was read.
async fn groups(input: &Tensor) -> scatterwise::Result<Results> {
    let mut all = unique(input)?;
    if let Some(count) = &all.count {
        let count = read(count).await?.bits(0) as usize;
        for list in [&mut all.values, &mut all.index, &mut all.counts] {
            *list = list.first(Op::Unique, count)?;
        }
    }
    let [values, index, inverse, counts] = [all.values, all.index, all.inverse, all.counts].map(Ok);
    read_all([("values", values), ("index", index), ("inverse", inverse), ("counts", counts)]).await
}

one_thread!(vectors);
async fn vectors() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    on_each_backend("sort vectors", async |backend, report| {
        for case in file["cases"].as_array().unwrap() {
            let outcome = match run(case, backend).await {
                Some(results) => vector(case, results),
                None => Err(Fault::Skipped("arguments of the JavaScript face only".into())),
            };
            report.row(case["id"].as_str().unwrap(), outcome);
        }
    })
    .await;
}

fn vector(case: &Value, results: scatterwise::Result<Results>) -> Row {
    let expect = &case["expect"];
    if let Some(accepted) = accepted_errors(expect) {
        let error = error_of(results)?;
        let is_accepted = accepted.contains(&error.class().name());
        return if is_accepted { Ok(()) } else { Err(Fault::Wrong(error.to_string())) };
    }
    for (name, got) in results? {
        let expected = if name.is_empty() { expect } else { &expect["outputs"][name] };
        let expected = match expected.get("sha256") {
            None => tensor(expected).unwrap(),
            // Of a large result the first and the last elements are recorded. The definition has the others.
            Some(_) => {
                let [head, tail] = ["head", "tail"].map(|end| tensor(&expected[end]).unwrap().bytes);
                equal("the ends", got.bytes.starts_with(&head) && got.bytes.ends_with(&tail), true)?;
                let is_descending = case["kwargs"].get("descending").is_some_and(|value| value == true);
                let [_, indices] = sorted(&tensor(&case["self"]).unwrap(), 0, is_descending);
                indices
            }
        };
        same(name, expected.difference(&got))?;
    }
    Ok(())
}

/// Shapes and dims: no elements, one, rows that are sorted by insertion, by short digits and by long ones, strided rows, many rows.
const SHAPES: &[(&[usize], &[i64])] = &[
    (&[], &[0, -1]),
    (&[0], &[0]),
    (&[1], &[-1]),
    (&[32], &[0]),
    (&[33], &[0]),
    (&[300], &[0]),
    (&[4099], &[0]),
    (&[8500], &[0]),
    (&[5, 70], &[0, 1]),
    (&[70, 5], &[0, 1]),
    (&[3, 0, 2], &[0, 1, 2]),
    (&[2, 41, 3], &[0, -2, 2]),
    (&[1, 2, 1, 3, 1, 2, 1, 2, 3], &[1, 3, -1]),
];

/// Elements of a kind: any bits, few values with many ties, or special values.
fn elements(dtype: DType, shape: &[usize], numbers: &mut Numbers) -> Data {
    let special = [0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0];
    let kind = numbers.below(3);
    let bits = (0..shape.iter().product()).map(|_| match (dtype, kind) {
        (DType::Bool, _) => numbers.below(2),
        (_, 0) => numbers.next(),
        (_, 1) => Scalar::Float(numbers.below(9) as f64 - 4.0).cast(dtype),
        _ if dtype.is_float() => {
            let value = Scalar::Float(special[numbers.below(8) as usize]).cast(dtype);
            // NaN with any sign and payload.
            if numbers.below(20) == 0 { value | 1 << (8 * dtype.size() - 1) } else { value }
        }
        _ => numbers.next() & 0xff00,
    });
    let mask = u64::MAX >> (64 - 8 * dtype.size());
    let bits: Vec<u64> = bits.map(|bits| bits & mask).collect();
    Data::from_bits(dtype, shape, bits)
}

one_thread!(definition);
async fn definition() {
    on_each_backend("sort", async |backend, report| {
        let mut numbers = Numbers(47);
        for &dtype in DType::ALL {
            for &(shape, dims) in SHAPES {
                for (at, &dim) in dims.iter().enumerate() {
                    let input = elements(dtype, shape, &mut numbers);
                    let is_descending = at % 2 == usize::from(dtype.size() < 4);
                    let id = format!("{dtype} {shape:?} {dim} {is_descending}");
                    report.row(&id, check_sort(&input, dim, is_descending, backend).await);
                }
                let input = elements(dtype, shape, &mut numbers);
                report.row(&format!("unique {dtype} {shape:?}"), check_unique(&input, backend).await);
            }
        }
    })
    .await;
}

one_thread!(in_order);
/// Elements that ascend or descend already, with equal ones among them, zeros of both signs and NaN; and the same but for one at an end.
async fn in_order() {
    on_each_backend("sorted before", async |backend, report| {
        let mut numbers = Numbers(49);
        for &dtype in DType::ALL {
            for shape in [&[33][..], &[300], &[5, 70], &[70, 5]] {
                let any = elements(dtype, shape, &mut numbers);
                let len = any.len();
                let [ascending, _] = sorted(&Data { dims: vec![len], ..any }, 0, false);
                let bits: Vec<u64> = (0..len).map(|at| ascending.bits(at)).collect();
                let mut inputs = vec![bits.clone(), bits.iter().rev().copied().collect()];
                for at in [0, len - 1] {
                    let mut swapped = bits.clone();
                    swapped.swap(at, len / 2);
                    inputs.push(swapped);
                }
                for (at, bits) in inputs.into_iter().enumerate() {
                    let input = Data::from_bits(dtype, shape, bits);
                    let id = format!("{dtype} {shape:?} {at}");
                    for is_descending in [false, true] {
                        report.row(&id, check_sort(&input, 0, is_descending, backend).await);
                    }
                    report.row(&format!("unique {id}"), check_unique(&input, backend).await);
                }
            }
        }
    })
    .await;
}

async fn check_sort(input: &Data, dim: i64, is_descending: bool, backend: &Backend) -> Row {
    let rank = input.dims.len().max(1) as i64;
    let expected = sorted(input, dim.rem_euclid(rank) as usize, is_descending);
    let tensor = backend.put(input)?;
    for ((name, got), expected) in sort(&tensor, dim, is_descending).await?.iter().zip(&expected) {
        same(name, expected.difference_of_bits(got))?;
    }
    let [_, indices] = expected;
    same("argsort", indices.difference(&read(&tensor.argsort(dim, is_descending)?).await?))
}

async fn check_unique(input: &Data, backend: &Backend) -> Row {
    for ((name, got), expected) in groups(&backend.put(input)?).await?.iter().zip(distinct(input)) {
        same(name, expected.difference_of_bits(got))?;
    }
    Ok(())
}

one_thread!(searches);
/// Every pair of dtypes, with the operands on either device. A GPU makes keys of edges unless they are more than eight for each element.
async fn searches() {
    on_each_backend("searchsorted", async |backend, report| {
        let mut numbers = Numbers(48);
        for &edges_dtype in DType::ALL {
            for &dtype in DType::ALL {
                for (at, count) in [0, 1, 2, 13, 64, 300].into_iter().enumerate() {
                    let unsorted = elements(edges_dtype, &[count], &mut numbers);
                    let [edges, _] = sorted(&unsorted, 0, false);
                    let x = elements(dtype, &[7, 5], &mut numbers);
                    let places = backend.places();
                    let place = places[at % places.len()];
                    let id = format!("{edges_dtype} {dtype} {count} {place:?}");
                    report.row(&id, check_search(&edges, &x, at % 2 == 0, place, backend).await);
                    if dtype == edges_dtype {
                        report.row(&id, check_search(&edges, &x, at % 2 == 1, place, backend).await);
                    }
                }
            }
        }
        let (floats, integers) =
            (Data::new(&[3], &[0.5f64, 1e300, f64::INFINITY]), Data::new(&[2], &[i64::MAX, 1]));
        let outcome = check_search(&floats, &integers, false, Place::Host, backend).await;
        report.row("integers among floats", outcome);
        let (wide, floats) = (
            Data::new(&[3], &[(1i64 << 53), (1 << 53) + 1, (1 << 53) + 2]),
            Data::new(&[1], &[9007199254740992.0f64]),
        );
        report.row("beyond 2^53", check_search(&wide, &floats, true, Place::Host, backend).await);
    })
    .await;
}

async fn check_search(edges: &Data, x: &Data, is_right: bool, place: Place, backend: &Backend) -> Row {
    let (edges_there, x_there) = (backend.put_at(place, edges)?, backend.put(x)?);
    let got = read(&searchsorted(&edges_there, &x_there, is_right)?).await?;
    same("the definition", found(edges, x, is_right).difference(&got))
}

one_thread!(unsorted_edges);
/// Edges that descend are refused with their place: at once in host memory, and on a GPU at the next read.
async fn unsorted_edges() {
    on_each_backend("unsorted edges", async |backend, report| {
        for &dtype in DType::ALL.iter().filter(|dtype| **dtype != DType::Bool) {
            let numbers = [1, 2, 4, 3, 2].map(|value| Scalar::Int(value).cast(dtype));
            report.row(dtype.name(), refused(&Data::from_bits(dtype, &[5], numbers), 3, backend).await);
        }
        let behind_nan = Data::new(&[3], &[1.0f32, f32::NAN, 2.0]);
        report.row("behind NaN", refused(&behind_nan, 2, backend).await);
        let bools = Data::from_bits(DType::Bool, &[2], [1, 0]);
        report.row("bool", refused(&bools, 1, backend).await);
    })
    .await;
}

async fn refused(edges: &Data, at: usize, backend: &Backend) -> Row {
    for &place in backend.places() {
        let x = backend.put(&Data::new(&[2], &[1.0f32, 2.0]))?;
        let outcome = match searchsorted(&backend.put_at(place, edges)?, &x, false) {
            Ok(result) => read(&result).await.map(|_| ()),
            Err(error) => Err(error),
        };
        let error = error_of(outcome)?;
        equal("class", error.class(), ErrorClass::Value)?;
        equal("code", error.code(), ErrorCode::InvalidArgument)?;
        equal("operator", error.op(), "searchsorted")?;
        equal("position", error.position_fact(), Some(&[at][..]))?;
    }
    Ok(())
}

#[crate::everywhere::test]
fn errors_name_their_facts() {
    let tensor = Tensor::zeros(&[2, 3], DType::Int32).unwrap();
    let error = tensor.argsort(-3, false).err().unwrap();
    let facts = (error.op(), error.class(), error.code(), error.dim_fact());
    assert_eq!(facts, ("Tensor.argsort", ErrorClass::Value, ErrorCode::DimOutOfRange, Some(-3)));
    assert!(error.to_string().contains("allowed are -2 to 1"), "{error}");
    assert_eq!(tensor.sort(2, true).err().unwrap().op(), "Tensor.sort");
    let error = searchsorted(&tensor, &tensor, false).err().unwrap();
    assert_eq!((error.class(), error.code()), (ErrorClass::Value, ErrorCode::RankMismatch));
    let edges = Tensor::from_elements(&[2], &[2.5f32, 1.5]).unwrap();
    let error = searchsorted(&edges, &tensor, false).err().unwrap();
    assert!(error.to_string().contains("edges[1] is 1.5, less than the edge before it"), "{error}");
}
