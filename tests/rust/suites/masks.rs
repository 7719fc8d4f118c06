//! Masks: the recorded vectors, and random calls against the definition, on every backend.

use std::cmp::Ordering;

use scatterwise::{
    DType, ErrorClass, ErrorCode, Op, Positions, Result, Scalar, Tensor, choose, compress, flatnonzero,
};
use serde_json::Value;

use crate::common::backends::{Backend, on_each_backend, read};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::recorded::data as tensor;
use crate::common::report::{Fault, Row, equal, error_of, same};
use crate::common::sort::order;
use crate::common::vectors::accepted_errors;

const VECTORS: &str = include_str!("../../vectors/masks.json");

type Method = fn(&Tensor, &Tensor) -> Result<Tensor>;

/// The comparisons: name, method, and which orders of two numbers pass, where no number is NaN.
const COMPARISONS: [(&str, Method, [Ordering; 2]); 6] = [
    ("lt", Tensor::lt, [Ordering::Less, Ordering::Less]),
    ("le", Tensor::le, [Ordering::Less, Ordering::Equal]),
    ("gt", Tensor::gt, [Ordering::Greater, Ordering::Greater]),
    ("ge", Tensor::ge, [Ordering::Greater, Ordering::Equal]),
    ("eq", Tensor::eq, [Ordering::Equal, Ordering::Equal]),
    ("ne", Tensor::ne, [Ordering::Less, Ordering::Greater]),
];

/// Makes a recorded call; `None` if only JavaScript can make it, or if another suite does.
async fn run(case: &Value, backend: &Backend) -> Option<Result<Tensor>> {
    let op = case["op"].as_str().unwrap();
    let input = || backend.put(&tensor(&case["self"])?).ok();
    let other = || backend.put(&tensor(case["args"].get("other")?)?).ok();
    if let Some((_, method, _)) = COMPARISONS.iter().find(|(name, ..)| *name == op) {
        return Some(method(&input()?, &other()?));
    }
    if op == "where" {
        let argument = |name: &str| backend.put(&tensor(&case["args"][name])?).ok();
        return Some(choose(&input()?, &argument("x")?, &argument("y")?));
    }
    let number = |name: &str| case["kwargs"][name].as_i64();
    match op {
        "flatnonzero" if !matches!(case["kwargs"]["size"].as_f64(), Some(..0.0)) => {
            let size = match &case["kwargs"]["size"] {
                Value::Null => None,
                size => Some((size.as_u64()? as usize, number("fill").unwrap_or(-1).into())),
            };
            let is_fitting = matches!(case["kwargs"]["fill"], Value::Null) || number("fill").is_some();
            let is_short = match case["kwargs"]["dtype"].as_str() {
                None | Some("int64") => false,
                Some("int32") => true,
                Some(_) => return None,
            };
            if !is_fitting {
                return None;
            }
            Some(all_positions(flatnonzero(&input()?, size, is_short)).await)
        }
        "compress" => {
            if case["args"]["x"].is_array() || case["kwargs"]["dim"].is_f64() {
                return None;
            }
            let (mask, x) = (input()?, backend.put(&tensor(&case["args"]["x"])?).ok()?);
            let dim = number("dim").unwrap_or(0);
            Some(match all_positions(flatnonzero(&mask, None, true)).await {
                Ok(positions) => compress(&mask, &positions, &x, dim),
                Err(error) => Err(error),
            })
        }
        "isnan" => Some(input()?.isnan()),
        "logical_not" => Some(input()?.logical_not()),
        "logical_and" => Some(input()?.logical_and(&other()?)),
        "logical_or" => Some(input()?.logical_or(&other()?)),
        _ => None,
    }
}

/// Positions, once their number was read.
async fn all_positions(found: Result<Positions>) -> Result<Tensor> {
    let Positions { positions, count } = found?;
    match count {
        None => Ok(positions),
        Some(count) => {
            let count = read(&count).await?.bits(0) as usize;
            positions.first(Op::Flatnonzero, count)
        }
    }
}

one_thread!(vectors);
async fn vectors() {
    let file: Value = serde_json::from_str(VECTORS).unwrap();
    on_each_backend("masks vectors", async |backend, report| {
        for case in file["cases"].as_array().unwrap() {
            let outcome = match run(case, backend).await {
                Some(result) => vector(case, result).await,
                None => Err(Fault::Skipped("of another suite, or of the JavaScript face only".into())),
            };
            report.row(case["id"].as_str().unwrap(), outcome);
        }
    })
    .await;
}

async fn vector(case: &Value, result: Result<Tensor>) -> Row {
    let expect = &case["expect"];
    if let Some(accepted) = accepted_errors(expect) {
        let error = error_of(result)?;
        let is_accepted = accepted.contains(&error.class().name());
        return if is_accepted { Ok(()) } else { Err(Fault::Wrong(error.to_string())) };
    }
    match tensor(expect) {
        Some(expected) => same("", expected.difference_of_bits(&read(&result?).await?)),
        None => Err(Fault::Skipped("only the digest of the result is recorded".into())),
    }
}

/// Shapes of two operands: equal, one element, rows, columns, both sides, runs longer than a block, nothing.
const SHAPES: &[(&[usize], &[usize])] = &[
    (&[], &[]),
    (&[517], &[517]),
    (&[300], &[]),
    (&[1], &[45]),
    (&[7, 30], &[30]),
    (&[30], &[7, 30]),
    (&[7, 19], &[7, 1]),
    (&[4, 1, 3], &[5, 1]),
    (&[2, 1, 3, 1], &[1, 4, 1, 5]),
    (&[3, 0], &[1, 1]),
];

/// Numbers that are equal in many dtypes or nearly so, NaN and the infinities, and any bits.
fn elements(dtype: DType, shape: &[usize], numbers: &mut Numbers) -> Data {
    let special =
        [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0, 2.5, 255.0, 9007199254740992.0];
    let mask = u64::MAX >> (64 - 8 * dtype.size());
    let bits = (0..shape.iter().product()).map(|_| match numbers.below(4) {
        _ if dtype == DType::Bool => numbers.below(2),
        0 => numbers.next() & mask,
        1 => Scalar::Float(special[numbers.below(10) as usize]).cast(dtype) & mask,
        2 => Scalar::Int(9007199254740991 + i128::from(numbers.below(4))).cast(dtype) & mask,
        _ => Scalar::Float(numbers.below(5) as f64 - 2.0).cast(dtype) & mask,
    });
    Data::from_bits(dtype, shape, bits.collect::<Vec<u64>>())
}

/// For each element of the broadcast shape the positions of both operands.
fn pairs(one: &[usize], two: &[usize]) -> (Vec<usize>, Vec<[usize; 2]>) {
    let rank = one.len().max(two.len());
    let size = |dims: &[usize], d: usize| if d + dims.len() < rank { 1 } else { dims[d + dims.len() - rank] };
    let shape: Vec<usize> =
        (0..rank).map(|d| if size(one, d) == 1 { size(two, d) } else { size(one, d) }).collect();
    let count: usize = shape.iter().product();
    let place = |dims: &[usize], at: usize| {
        let (mut rest, mut stride, mut place) = (at, 1, 0);
        for d in (0..rank).rev() {
            let len = size(dims, d);
            place += if len == 1 { 0 } else { rest % shape[d] * stride };
            (rest, stride) = (rest / shape[d], stride * len);
        }
        place
    };
    let places = (0..count).map(|at| [place(one, at), place(two, at)]).collect();
    (shape, places)
}

fn is_nan(number: Scalar) -> bool {
    matches!(number, Scalar::Float(value) if value.is_nan())
}

one_thread!(comparisons);
/// Every pair of dtypes, by every comparison.
async fn comparisons() {
    on_each_backend("masks", async |backend, report| {
        let mut numbers = Numbers(53);
        for &one in DType::ALL {
            for &two in DType::ALL {
                let (first, second) = SHAPES[numbers.below(SHAPES.len() as u64) as usize];
                let all = if one == two { SHAPES } else { &[(first, second)] };
                for (first, second) in all {
                    let (x, y) = (elements(one, first, &mut numbers), elements(two, second, &mut numbers));
                    for comparison in COMPARISONS {
                        let id = format!("{} {one} {two} {first:?} {second:?}", comparison.0);
                        report.row(&id, check(comparison, &x, &y, backend).await);
                    }
                }
            }
        }
    })
    .await;
}

async fn check(
    (name, method, passing): (&str, Method, [Ordering; 2]),
    x: &Data,
    y: &Data,
    backend: &Backend,
) -> Row {
    let (shape, places) = pairs(&x.dims, &y.dims);
    let bits = places.iter().map(|&[one, two]| {
        let (one, two) = (Scalar::load(x.bits(one), x.dtype), Scalar::load(y.bits(two), y.dtype));
        let passes =
            if is_nan(one) || is_nan(two) { name == "ne" } else { passing.contains(&order(one, two)) };
        u64::from(passes)
    });
    let expected = Data::from_bits(DType::Bool, &shape, bits.collect::<Vec<u64>>());
    let got = read(&method(&backend.put(x)?, &backend.put(y)?)?).await?;
    same(name, expected.difference_of_bits(&got))
}

one_thread!(refusals);
async fn refusals() {
    on_each_backend("masks refused", async |backend, report| {
        let integers = Data::from_bits(DType::Int32, &[2], [1, 0]);
        let truth = Data::from_bits(DType::Bool, &[2], [1, 0]);
        let outcome = async {
            let (integers, truth) = (backend.put(&integers)?, backend.put(&truth)?);
            for result in [integers.logical_and(&truth), truth.logical_or(&integers), integers.logical_not()]
            {
                let error = error_of(result)?;
                equal("class", error.class(), ErrorClass::Type)?;
                equal("code", error.code(), ErrorCode::UnsupportedDtype)?;
                equal("way out", error.to_string().contains(".ne(0)"), true)?;
            }
            Ok(())
        };
        report.row("truth values", outcome.await);
    })
    .await;
}

one_thread!(choices);
/// Every dtype, with each operand broadcast.
async fn choices() {
    on_each_backend("where", async |backend, report| {
        let mut numbers = Numbers(59);
        for &dtype in DType::ALL {
            for (first, second) in SHAPES {
                let (shape, _) = pairs(first, second);
                for mask in [&shape[..], first, second, &[]] {
                    let mask = elements(DType::Bool, mask, &mut numbers);
                    let (x, y) =
                        (elements(dtype, first, &mut numbers), elements(dtype, second, &mut numbers));
                    let id = format!("{dtype} {:?} {first:?} {second:?}", mask.dims);
                    report.row(&id, check_choice(&mask, &x, &y, backend).await);
                }
            }
        }
    })
    .await;
}

async fn check_choice(mask: &Data, x: &Data, y: &Data, backend: &Backend) -> Row {
    let (shape, places) = pairs(&x.dims, &y.dims);
    let (_, masks) = pairs(&mask.dims, &shape);
    let bits = masks.iter().map(|&[truth, at]| {
        let [one, two] = places[at];
        if mask.bits(truth) == 1 { x.bits(one) } else { y.bits(two) }
    });
    let expected = Data::from_bits(x.dtype, &shape, bits.collect::<Vec<u64>>());
    let got = read(&choose(&backend.put(mask)?, &backend.put(x)?, &backend.put(y)?)?).await?;
    same("where", expected.difference_of_bits(&got))
}

one_thread!(positions);
/// Every dtype, with lengths about those of a tile and with every size.
async fn positions() {
    on_each_backend("flatnonzero", async |backend, report| {
        let mut numbers = Numbers(61);
        for &dtype in DType::ALL {
            for len in [0, 1, 15, 17, 4095, 4096, 4097, 9000] {
                let x = elements(dtype, &[len], &mut numbers);
                for size in [None, Some(0), Some(5), Some(len), Some(len + 4100)] {
                    for is_short in [false, true] {
                        let id = format!("{dtype} {len} {size:?} {is_short}");
                        report.row(&id, check_positions(&x, size, is_short, backend).await);
                    }
                }
            }
        }
    })
    .await;
}

async fn check_positions(x: &Data, size: Option<usize>, is_short: bool, backend: &Backend) -> Row {
    let is_zero = |at: usize| match Scalar::load(x.bits(at), x.dtype) {
        Scalar::Bool(value) => !value,
        Scalar::Int(value) => value == 0,
        Scalar::Float(value) => value == 0.0,
    };
    let mut expected: Vec<u64> = (0..x.dims[0]).filter(|&at| !is_zero(at)).map(|at| at as u64).collect();
    let (dtype, fill) = if is_short { (DType::Int32, 0xffff_fffd) } else { (DType::Int64, u64::MAX - 2) };
    expected.resize(size.unwrap_or(expected.len()), fill);
    let found = flatnonzero(&backend.put(x)?, size.map(|size| (size, (-3).into())), is_short);
    let got = read(&all_positions(found).await?).await?;
    same("positions", Data::from_bits(dtype, &[expected.len()], expected).difference_of_bits(&got))
}
