//! `sum`, `mean`, `amax`, `amin`, `argmax` and `argmin`: the recorded vectors, and random calls against the definition, on every backend.

use scatterwise::{Along, DType, ErrorClass, ErrorCode, Tensor};
use serde_json::Value;

use crate::common::backends::{Backend, as_software_and_hardware, on_each_backend, read};
use crate::common::data::Data;
use crate::common::dims::Reduction;
use crate::common::pairs::Numbers;
use crate::common::recorded::data as tensor;
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::common::vectors::accepted_errors;
use crate::suites::exact::Terms;

const VECTORS: &str = include_str!("../../vectors/reduce_dim.json");

/// A recorded call; `None` if only JavaScript can make it.
fn recorded(case: &Value) -> Option<Reduction> {
    let op = format!("Tensor.{}", case["op"].as_str().unwrap());
    let along = *Along::ALL.iter().find(|along| along.op().name() == op).unwrap();
    let dims = match case["args"].get("dim") {
        None => None,
        Some(Value::Array(dims)) => Some(dims.iter().map(Value::as_i64).collect::<Option<Vec<_>>>()?),
        Some(dim) => Some(vec![dim.as_i64()?]),
    };
    let is_position = matches!(along, Along::Argmax | Along::Argmin);
    if is_position && dims.as_ref().is_some_and(|dims| dims.len() > 1) {
        return None;
    }
    let keepdim = case["kwargs"].get("keepdim").is_some_and(|keepdim| keepdim == true);
    Some(Reduction { along, input: tensor(&case["self"])?, dims, keepdim, dtype: None })
}

one_thread!(vectors);
async fn vectors() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    as_software_and_hardware("reduce_dim", async |backend, report| {
        for case in file["cases"].as_array().unwrap() {
            let outcome = match recorded(case) {
                _ if case["required"] == false => Err(Fault::Skipped("superseded".into())),
                Some(call) => vector(case, &call, backend).await,
                None => Err(Fault::Skipped("arguments of the JavaScript face only".into())),
            };
            report.row(case["id"].as_str().unwrap(), outcome);
        }
    })
    .await;
}

async fn vector(case: &Value, call: &Reduction, backend: &Backend) -> Row {
    let outcome = call.run(&backend.put(&call.input)?);
    match tensor(&case["expect"]) {
        Some(expected) => {
            let got = read(&outcome?).await?;
            same("the recorded result", expected.difference(&got))?;
            same("the definition", call.expected().difference(&got))
        }
        None => {
            let (error, accepted) = (error_of(outcome)?, accepted_errors(&case["expect"]).unwrap());
            let is_accepted = accepted.contains(&error.class().name());
            if is_accepted { Ok(()) } else { Err(Fault::Wrong(error.to_string())) }
        }
    }
}

/// Shapes and dims that take different ways: one long run, runs in bins, short runs, rows of few and of many columns, several loops, no elements.
const SHAPES: &[(&[usize], &[&[i64]])] = &[
    (&[], &[&[], &[0], &[-1]]),
    (&[1], &[&[0], &[]]),
    (&[700], &[&[0]]),
    (&[2, 9000], &[&[1], &[0, 1]]),
    (&[64, 2, 130], &[&[0, 2]]),
    (&[3, 131], &[&[1], &[0], &[0, 1]]),
    (&[131, 3], &[&[1], &[0]]),
    (&[90, 7], &[&[0], &[1]]),
    (&[300, 4], &[&[1]]),
    (&[300, 8], &[&[1]]),
    (&[300, 9], &[&[1]]),
    (&[5, 31, 2], &[&[1], &[0], &[2], &[0, 2], &[-3, 1]]),
    (&[2, 3, 1, 4, 5], &[&[0, 3], &[1, 4], &[2], &[0, 2, 4], &[1, 3]]),
    (&[3, 70, 4, 9], &[&[0, 2], &[1, 3], &[3]]),
    (&[4, 0, 2], &[&[0], &[1], &[2], &[0, 1, 2]]),
];

one_thread!(definition);
async fn definition() {
    as_software_and_hardware("dims", async |backend, report| {
        let mut numbers = Numbers(3);
        for &dtype in DType::ALL {
            let floats = if dtype.is_float() { Terms::ALL } else { [Terms::Uniform; 8] };
            for (at, &(shape, dims)) in SHAPES.iter().enumerate() {
                let kinds = if dtype.is_float() { 8 } else { 1 };
                for terms in floats.iter().cycle().skip(at).take(kinds) {
                    let input = data(*terms, dtype, shape, &mut numbers);
                    let tensor = backend.put(&input);
                    for call in calls(&input, dims) {
                        let id = format!("{terms:?} {:?} {dtype} {shape:?} {:?}", call.along, call.dims);
                        let outcome = tensor.clone().map_err(Fault::from);
                        let outcome = match outcome {
                            Ok(tensor) => check(&call, &tensor).await,
                            Err(fault) => Err(fault),
                        };
                        report.row(&id, outcome);
                    }
                }
            }
        }
    })
    .await;
}

one_thread!(sums_of_rows);
/// Rows of lengths around those that a workgroup of WebGPU sums in one pass.
async fn sums_of_rows() {
    as_software_and_hardware("sums-of-rows", async |backend, report| {
        let mut numbers = Numbers(8192);
        for dtype in [DType::Float32, DType::Float16, DType::Bfloat16] {
            for shape in
                [[9, 63], [9, 64], [7, 65], [3, 256], [5, 257], [2, 1000], [3, 8191], [2, 8192], [1, 8193]]
            {
                for terms in Terms::ALL {
                    let input = terms.rows(dtype, shape, &mut numbers);
                    for along in [Along::Sum, Along::Mean] {
                        let (input, dims) = (input.clone(), Some(vec![1]));
                        let call = Reduction { along, input, dims, keepdim: false, dtype: None };
                        let outcome = async { check(&call, &backend.put(&call.input)?).await };
                        report.row(&format!("{terms:?} {along:?} {dtype} {shape:?}"), outcome.await);
                    }
                }
            }
        }
    })
    .await;
}

one_thread!(many_terms);
/// So many terms that several workgroups share those of one result.
async fn many_terms() {
    as_software_and_hardware("many-terms", async |backend, report| {
        let mut numbers = Numbers(131_072);
        for dtype in [DType::Bool, DType::Int8, DType::Int64, DType::Bfloat16, DType::Float32, DType::Float64]
        {
            for (shape, dims) in [
                (&[200_003][..], &[0][..]),
                (&[5, 33_000], &[1]),
                (&[33_000, 5], &[0]),
                (&[301, 700], &[0]),
                (&[17, 3, 5000], &[0, 2]),
            ] {
                let input = data(Terms::Uniform, dtype, shape, &mut numbers);
                for along in [Along::Amax, Along::Amin, Along::Argmax, Along::Argmin, Along::Sum] {
                    let is_position = matches!(along, Along::Argmax | Along::Argmin);
                    if is_position && dims.len() > 1 || along == Along::Sum && dtype.is_float() {
                        continue;
                    }
                    let dims = Some(dims.to_vec());
                    let call = Reduction { along, input: input.clone(), dims, keepdim: false, dtype: None };
                    let outcome = async { check(&call, &backend.put(&call.input)?).await };
                    report.row(&format!("{along:?} {dtype} {shape:?}"), outcome.await);
                }
            }
        }
    })
    .await;
}

/// Every reduction of an input along each of some dims, and along all.
fn calls(input: &Data, dims: &[&[i64]]) -> Vec<Reduction> {
    let all = dims.iter().map(|dims| Some(dims.to_vec())).chain([None]);
    let mut calls = vec![];
    for (at, dims) in all.enumerate() {
        for &along in Along::ALL {
            let is_position = matches!(along, Along::Argmax | Along::Argmin);
            if is_position && dims.as_ref().is_some_and(|dims| dims.len() != 1)
                || along == Along::Mean && !input.dtype.is_float()
            {
                continue;
            }
            calls.push(Reduction {
                along,
                input: input.clone(),
                dims: dims.clone(),
                keepdim: at % 2 == 1,
                dtype: None,
            });
        }
    }
    calls
}

/// Terms of a kind; integers of any bits, small ones among them, so that there are ties.
fn data(terms: Terms, dtype: DType, shape: &[usize], numbers: &mut Numbers) -> Data {
    let len = shape.iter().product();
    let bits = match dtype {
        DType::Bool => (0..len).map(|_| numbers.below(8) / 7).collect(),
        _ if dtype.is_float() => {
            let mut bits = terms.bits(dtype, len, numbers);
            bits.truncate(len);
            bits
        }
        _ => {
            (0..len).map(|_| if numbers.below(2) == 0 { numbers.below(4) } else { numbers.next() }).collect()
        }
    };
    Data::from_bits(dtype, shape, bits)
}

/// Makes a call and compares the result with the definition, or the error where a result has no terms.
async fn check(call: &Reduction, tensor: &Tensor) -> Row {
    let outcome = call.run(tensor);
    let is_of_nothing =
        !matches!(call.along, Along::Sum | Along::Prod | Along::Mean) && call.input.len() == 0;
    match outcome {
        Err(error) if is_of_nothing => equal("class", error.class(), ErrorClass::Value),
        outcome => same("the definition", call.expected().difference(&read(&outcome?).await?)),
    }
}

one_thread!(conversions);
/// Elements are converted first: in every way of reading them, and from and to every dtype.
async fn conversions() {
    on_each_backend("dims of converted", async |backend, report| {
        let mut numbers = Numbers(4);
        for &from in DType::ALL {
            for (shape, dims) in
                [(&[300][..], &[0][..]), (&[40, 9], &[0]), (&[9, 30], &[1]), (&[4, 3, 5, 2], &[0, 2])]
            {
                let input = data(Terms::Uniform, from, shape, &mut numbers);
                let tensor = backend.put(&input);
                for &to in DType::ALL {
                    for along in [Along::Sum, Along::Prod, Along::Mean] {
                        if along == Along::Mean && !to.is_float() {
                            continue;
                        }
                        let dims = Some(dims.to_vec());
                        let call =
                            Reduction { along, input: input.clone(), dims, keepdim: false, dtype: Some(to) };
                        let outcome = match tensor.clone() {
                            Ok(tensor) => check(&call, &tensor).await,
                            Err(error) => Err(error.into()),
                        };
                        report.row(&format!("{along:?} {from} {to} {shape:?}"), outcome);
                    }
                }
            }
        }
    })
    .await;
}

#[crate::everywhere::test]
/// Sums of float64 that are infinite on the way, in one lane or when lanes are added, and infinities and NaN beside them. Sums that cancel
/// beyond two floats.
fn sums_beyond_floats() {
    let (large, infinity) = (f64::MAX, f64::INFINITY);
    let columns: [[f64; 9]; 12] = [
        [large, large, -large, 1.0, -large, 0.5, -0.0, 0.0, 0.0],
        [large, large, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [large, large, -infinity, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [large, large, infinity, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [large, large, f64::NAN, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, -infinity, infinity, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, -infinity, large, large, 0.0, 0.0, 0.0, 0.0, 0.0],
        [-0.0; 9],
        [1e300, 1e-300, 1.0, -1e300, 1e-30, -1.0, -1e-30, 0.0, 0.0],
        [1e300, 1e-300, 1.0, -1e300, 1e-30, -1.0, 0.0, 0.0, 0.0],
        [-large, -large, -large, large, large, large, 2.0, 1e-320, 0.0],
        [1.0, 1.0 / 3.0, 1e-20, 1e-40, 1e-60, 1.0, 0.1, 0.2, 0.3],
    ];
    for repeats in [1, 3, 40, 300] {
        for along in [Along::Sum, Along::Mean] {
            for dim in [0, 1] {
                let len = 9 * repeats;
                let at = |row: usize, column: usize| columns[column][row % 9].to_bits();
                let (shape, bits): (_, Vec<u64>) = if dim == 0 {
                    ([len, 12], (0..12 * len).map(|at_| at(at_ / 12, at_ % 12)).collect())
                } else {
                    ([12, len], (0..12 * len).map(|at_| at(at_ % len, at_ / len)).collect())
                };
                let input = Data::from_bits(DType::Float64, &shape, bits);
                let call = Reduction { along, input, dims: Some(vec![dim]), keepdim: false, dtype: None };
                let tensor = call.input.tensor();
                let got = Data::of(&call.run(&tensor).unwrap());
                assert_eq!(call.expected().difference(&got), None, "{along:?} {repeats} {dim}");
            }
        }
    }
}

#[crate::everywhere::test]
fn errors_name_their_facts() {
    let tensor = Tensor::zeros(&[2, 3], DType::Int32).unwrap();
    let error = tensor.sum(Some(&[-3]), false, None).err().unwrap();
    assert_eq!(
        (error.op(), error.code(), error.dim_fact()),
        ("Tensor.sum", ErrorCode::DimOutOfRange, Some(-3))
    );
    let error = tensor.amax(Some(&[1, -1]), false).err().unwrap();
    assert_eq!(
        (error.op(), error.code(), error.dim_fact()),
        ("Tensor.amax", ErrorCode::InvalidArgument, Some(-1))
    );
    let error = tensor.mean(None, false, None).err().unwrap();
    assert_eq!((error.class(), error.code()), (ErrorClass::Type, ErrorCode::UnsupportedDtype));
    assert!(error.to_string().contains("self.astype('float32')"), "{error}");
    let error = Tensor::zeros(&[2, 0], DType::Int8).unwrap().argmin(Some(1), false).err().unwrap();
    assert_eq!((error.class(), error.op()), (ErrorClass::Value, "Tensor.argmin"));
    let error = Tensor::zeros(&[1; 9], DType::Int8).unwrap().sum(None, false, None).err().unwrap();
    assert_eq!(error.code(), ErrorCode::RankLimit);
}

one_thread!(gradients);
/// Ties share evenly, NaN is the result where there is one, −0 is below 0; a mean of float16 counts beyond its largest whole number.
async fn gradients() {
    const NAN: f32 = f32::NAN;
    on_each_backend("gradients of dims", async |backend, report| {
        let float = |dims: &[usize], elements: &[f32]| Data::new(dims, elements);
        let cases = [
            (
                "ties",
                Along::Amax,
                Some(1),
                float(&[2, 3], &[1.0, 3.0, 3.0, 2.0, 2.0, 2.0]),
                vec![0.0f32, 3.0, 3.0, 2.0, 2.0, 2.0],
            ),
            (
                "NaN",
                Along::Amin,
                Some(1),
                float(&[2, 3], &[NAN, 1.0, NAN, 4.0, 1.0, 2.0]),
                vec![3.0, 0.0, 3.0, 0.0, 6.0, 0.0],
            ),
            (
                "zeros",
                Along::Amin,
                Some(1),
                float(&[2, 3], &[0.0, -0.0, 1.0, 0.0, 0.0, 1.0]),
                vec![0.0, 6.0, 0.0, 3.0, 3.0, 0.0],
            ),
            ("mean", Along::Mean, Some(1), float(&[2, 3], &[1.0; 6]), vec![2.0; 6]),
            ("nothing", Along::Sum, Some(1), float(&[2, 0], &[]), vec![]),
        ];
        for (id, along, dim, input, expected) in cases {
            let cotangent = Data::new(&[2], &[6.0f32, 6.0]);
            report.row(
                id,
                gradient(backend, along, dim, &input, &cotangent, &Data::new(&input.dims, &expected)).await,
            );
        }
        let half = |value: f64, len: usize| Data::of(&Tensor::full(&[len], value, DType::Float16).unwrap());
        let (input, cotangent) =
            (half(1.0, 4097), Data::of(&Tensor::full(&[], 4097.0, DType::Float32).unwrap()));
        let outcome = async {
            let tensor = backend.put(&input)?;
            let gradient =
                tensor.reduce_vjp(Along::Mean, None, false, Some(DType::Float32), &cotangent.tensor())?;
            same("the gradient", half(1.0, 4097).difference(&read(&gradient).await?))
        };
        report.row("a mean by way of float32", outcome.await);
        report.row("refused", refused(backend));
    })
    .await;
}

/// Compares a gradient with the expected one.
async fn gradient(
    backend: &Backend,
    along: Along,
    dim: Option<i64>,
    input: &Data,
    cotangent: &Data,
    expected: &Data,
) -> Row {
    let dims: Vec<i64> = dim.into_iter().collect();
    let tensor = backend.put(input)?;
    let gradient = tensor.reduce_vjp(along, Some(&dims), false, None, &cotangent.tensor())?;
    same("the gradient", expected.difference(&read(&gradient).await?))
}

/// Positions and integers have no gradients, and a cotangent has the shape and the dtype of the result.
fn refused(backend: &Backend) -> Row {
    let (floats, integers) = (Data::new(&[2], &[1.0f32, 2.0]), Data::new(&[2], &[1i32, 2]));
    let one = Tensor::full(&[], 1, DType::Float32)?;
    let vjp = |input: &Data, along, dtype, cotangent: &Tensor| {
        error_of(backend.put(input)?.reduce_vjp(along, None, false, dtype, cotangent))
    };
    equal("a position", vjp(&floats, Along::Argmax, None, &one)?.class(), ErrorClass::Type)?;
    equal("integers", vjp(&integers, Along::Sum, None, &one)?.class(), ErrorClass::Type)?;
    equal("to integers", vjp(&floats, Along::Sum, Some(DType::Int32), &one)?.class(), ErrorClass::Type)?;
    equal("the dtype", vjp(&floats, Along::Sum, Some(DType::Float64), &one)?.class(), ErrorClass::Type)?;
    equal("the shape", vjp(&floats, Along::Sum, None, &floats.tensor())?.class(), ErrorClass::Value)
}
