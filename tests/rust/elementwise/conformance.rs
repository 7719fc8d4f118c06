//! The recorded results and errors of the real systems.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scatterwise::{
    Activation, Binary, DType, Error, ErrorClass, Op, Result, Rounding, Scalar, Tensor, activate,
    elementwise_add, elementwise_div, elementwise_max, elementwise_min, elementwise_mul, elementwise_sub,
};
use serde_json::Value;

use crate::common::report::say;
use crate::common::vectors::accepted_errors;
use crate::elementwise::operations::{call as method, call_in_place};
use crate::elementwise::{Place, bits, elements, places, run, value};

/// The calls of a file of recorded calls.
fn all_cases(text: &str) -> Vec<Value> {
    let mut file: Value = serde_json::from_str(text).unwrap();
    let cases = file["cases"].take();
    assert_eq!(cases.as_array().unwrap().len() as u64, file["count"]);
    cases.as_array().unwrap().clone()
}

/// The calls of `elementwise_mul` in a file of recorded calls.
fn cases(text: &str) -> Vec<Value> {
    all_cases(text).into_iter().filter(|case| case["op"] == "elementwise_mul").collect()
}

/// The tensor of a recorded value, whose data is base64; `None` for a value that is no tensor, or of a dtype that the library does not
/// have.
fn operand(value: &Value) -> Option<Tensor> {
    let dtype = DType::from_name(value.get("dtype")?.as_str()?)?;
    let dims: Vec<usize> =
        value["shape"].as_array()?.iter().map(|len| len.as_u64().unwrap() as usize).collect();
    Some(Tensor::from_bytes(dtype, &dims, &STANDARD.decode(value["data"].as_str()?).unwrap()).unwrap())
}

/// x, y, axis, and the activation, or the error for its name.
type Call = (Tensor, Tensor, i64, Result<Option<Activation>>);

/// The call of a case; `None` where its arguments are of kinds that only JavaScript can pass.
fn call(case: &Value) -> Option<Call> {
    let kwargs = case["kwargs"].as_object()?;
    let axis = kwargs.get("axis").map_or(Some(-1), Value::as_i64)?;
    let act = match kwargs.get("act") {
        None => Ok(None),
        Some(act) => Activation::from_name(Op::ElementwiseMul, act.as_str()?).map(Some),
    };
    if kwargs.get("name").is_some_and(|name| !name.is_string()) {
        return None;
    }
    Some((operand(&case["self"])?, operand(&case["args"]["y"])?, axis, act))
}

/// What is wrong with the result of a case, if anything. A case without tolerances is compared bit for bit; any NaN is equal to any NaN.
fn difference(case: &Value, got: &Tensor) -> Option<String> {
    let expected = operand(&case["expect"]).unwrap();
    if got.shape() != expected.shape() || got.dtype() != expected.dtype() {
        return Some(format!("expected {}, got {}", expected.shape(), got.shape()));
    }
    let compare = &case["compare"];
    let (rtol, atol) = (compare["rtol"].as_f64(), compare["atol"].as_f64());
    let dtype = got.dtype();
    elements(got).into_iter().zip(elements(&expected)).enumerate().find_map(|(k, (got, expected))| {
        let (a, b) = (value(dtype, got), value(dtype, expected));
        let is_nan = dtype.is_float() && a.is_nan() && b.is_nan();
        let same = match (rtol, atol) {
            (Some(rtol), Some(atol)) => a == b || (a - b).abs() <= atol + rtol * b.abs(),
            _ => got == expected,
        };
        (!same && !is_nan).then(|| format!("element {k}: expected {b:e}, got {a:e}"))
    })
}

one_thread!(recorded_results);
/// Each recorded result on each backend. A case that is not required, because Paddle's document does not promise it, may differ.
async fn recorded_results() {
    let cases = cases(include_str!("../../vectors/elementwise_mul.json"));
    let mut failures = Vec::new();
    for place in places() {
        let (mut passed, mut unsupported, mut not_required) = (0, 0, 0);
        for case in &cases {
            let id = &case["id"];
            let required = case["required"].as_bool().unwrap();
            let outcome: Result<Option<Tensor>> = match call(case) {
                Some((x, y, axis, Ok(act))) => run(place, &x, &y, |x, y| elementwise_mul(x, y, axis, act)),
                Some((.., Err(error))) => Err(error),
                None => panic!("{id} is no call"),
            };
            match outcome {
                Ok(None) => unsupported += 1,
                Ok(Some(got)) => match difference(case, &got) {
                    None => passed += 1,
                    Some(_) if !required => not_required += 1,
                    Some(text) => failures.push(format!("{place:?} {id}: {text}")),
                },
                Err(_) if !required => not_required += 1,
                Err(error) => failures.push(format!("{place:?} {id}: {error}")),
            }
        }
        say(&format!(
            "elementwise_mul {place:?}: passed {passed}, dtype not on WebGPU {unsupported}, not required and \
             different {not_required}"
        ));
        // So that a file that was cut short is noticed. Required are 289 cases, 41 of them activations of float64: not on WebGPU.
        assert!(passed > if place == Place::Cpu { 280 } else { 240 });
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Each recorded refusal, by an error of one of the classes that the case accepts.
#[test]
fn recorded_errors() {
    let (mut passed, mut other_kinds, mut wider) = (0, 0, 0);
    for case in cases(include_str!("../../vectors/errors.json")) {
        let Some((x, y, axis, act)) = call(&case) else {
            other_kinds += 1;
            continue;
        };
        let error = match act.and_then(|act| elementwise_mul(&x, &y, axis, act)) {
            Err(error) => error,
            // The documents' list of dtypes is shorter than the library's.
            Ok(_) if !case["required"].as_bool().unwrap() => {
                wider += 1;
                continue;
            }
            Ok(_) => panic!("{} was not refused", case["id"]),
        };
        let accepted = accepted_errors(&case["expect"]).unwrap();
        assert!(accepted.contains(&error.class().name()), "{}: {error}", case["id"]);
        assert!(error.to_string().starts_with("elementwise_mul: "), "{error}");
        assert_ne!(error.class(), ErrorClass::Index);
        passed += 1;
    }
    say(&format!(
        "errors: passed {passed}, of JavaScript's kinds {other_kinds}, wider than the document {wider}"
    ));
    assert!(passed >= 20, "{passed}");
}

/// The second operand of a case of the siblings: a tensor, or a number, which takes the dtype of the first; `None` for the kinds that only
/// JavaScript can pass, such as arrays and fractions for integers.
fn second(case: &Value, name: &str, dtype: DType) -> Option<Result<Tensor>> {
    let value = &case["args"][name];
    if value.get("scalar").is_none() {
        return operand(value).map(Ok);
    }
    // A number that JSON does not have is text.
    let text = value["value"].as_str().map_or_else(|| value["value"].to_string(), str::to_owned);
    let number = match (text.parse::<i128>(), text.as_str()) {
        (Ok(number), _) => Scalar::Int(number),
        (_, "true" | "false") => Scalar::Bool(text == "true"),
        _ => Scalar::Float(text.replace("Infinity", "inf").parse().ok()?),
    };
    let is_fraction = matches!(number, Scalar::Float(number) if !number.is_finite() || number.fract() != 0.0);
    (dtype.is_float() || !is_fraction).then(|| Tensor::full(&[], number, dtype))
}

/// Makes the call of a case of `mul`'s or `elementwise_mul`'s siblings at a place; the outer `None` for calls that only JavaScript can make,
/// the inner one where WebGPU does not do the activation.
fn sibling(case: &Value, place: Place) -> Option<Result<Option<Tensor>>> {
    let op = case["op"].as_str()?;
    let x = operand(&case["self"])?;
    let kwargs = &case["kwargs"];
    let act = match kwargs.get("act").or(case["args"].get("act")) {
        Some(act) => match Activation::from_name(Op::Activate, act.as_str()?) {
            Ok(act) => Some(act),
            Err(error) => return Some(Err(error)),
        },
        None => None,
    };
    if op == "activate" {
        return Some(run(place, &x, &x, |x, _| activate(x, act.unwrap())));
    }
    let is_function = op.starts_with("elementwise_");
    let y = match second(case, if is_function { "y" } else { "other" }, x.dtype())? {
        Ok(y) => y,
        Err(error) => return Some(Err(error)),
    };
    if is_function {
        let axis = kwargs.get("axis").map_or(-1, |axis| axis.as_i64().unwrap());
        let function = match op {
            "elementwise_add" => elementwise_add,
            "elementwise_sub" => elementwise_sub,
            "elementwise_div" => elementwise_div,
            "elementwise_max" => elementwise_max,
            "elementwise_min" => elementwise_min,
            _ => panic!("{op}"),
        };
        return Some(run(place, &x, &y, |x, y| function(x, y, axis, act)));
    }
    let rounding = match kwargs.get("rounding").map(|word| word.as_str().unwrap()) {
        Some("trunc") => Some(Rounding::Trunc),
        Some("floor") => Some(Rounding::Floor),
        Some(_) => return None,
        None => None,
    };
    let binary = match op.trim_end_matches('_') {
        "add" => Binary::Add,
        "sub" => Binary::Subtract,
        "mul" => Binary::Multiply,
        "div" => Binary::Divide(rounding),
        "maximum" => Binary::Maximum,
        "minimum" => Binary::Minimum,
        _ => panic!("{op}"),
    };
    Some(run(place, &x, &y, |x, y| {
        if !op.ends_with('_') {
            return method(binary, x, y);
        }
        let mut x = x.clone();
        call_in_place(binary, &mut x, y).map(|()| x)
    }))
}

/// The flat position that an error about a divisor names in the second operand of a case.
fn position(case: &Value, error: &Error) -> Option<u64> {
    let sizes = ["y", "other"].iter().find_map(|name| case["args"].get(*name))?["shape"].as_array()?.clone();
    let sizes = sizes.iter().map(|size| size.as_u64().unwrap());
    Some(error.position_fact()?.iter().zip(sizes).fold(0, |flat, (&at, size)| flat * size + at as u64))
}

one_thread!(recorded_siblings);
/// Every recorded call of the siblings of `mul` and `elementwise_mul`, results and refusals, on each backend.
async fn recorded_siblings() {
    let cases = all_cases(include_str!("../../vectors/elementwise.json"));
    let mut failures = Vec::new();
    for place in places() {
        let (mut passed, mut refused, mut unsupported, mut other_kinds) = (0, 0, 0, 0);
        for case in &cases {
            let id = &case["id"];
            match (sibling(case, place), accepted_errors(&case["expect"])) {
                (None, Some(_)) => other_kinds += 1,
                (None, None) if case["args"]["other"].is_array() => other_kinds += 1,
                (None, None) => failures.push(format!("{place:?} {id} is no call")),
                (Some(Ok(None)), _) => unsupported += 1,
                (Some(Ok(Some(got))), None) => match difference(case, &got) {
                    None => passed += 1,
                    Some(text) => failures.push(format!("{place:?} {id}: {text}")),
                },
                (Some(Err(error)), Some(accepted)) => {
                    let is_accepted = accepted.contains(&error.class().name());
                    let zero_at = case.get("zero_at").map(|at| at.as_u64());
                    if is_accepted && zero_at.is_none_or(|at| at == position(case, &error)) {
                        refused += 1;
                    } else {
                        failures.push(format!("{place:?} {id}: {error}"));
                    }
                }
                (Some(Ok(Some(_))), Some(_)) => failures.push(format!("{place:?} {id} was not refused")),
                (Some(Err(error)), None) => failures.push(format!("{place:?} {id}: {error}")),
            }
        }
        say(&format!(
            "siblings {place:?}: passed {passed}, refused {refused}, activations not on WebGPU {unsupported}, \
             calls of JavaScript alone {other_kinds}"
        ));
        assert!(passed + unsupported >= 205 && refused >= 35, "{passed} {refused}");
        assert!(unsupported == 0 || place != Place::Cpu);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Recorded data is little-endian, and so does `bits` read it.
#[test]
fn bits_are_little_endian() {
    assert_eq!(bits(&[1, 2]), 0x0201);
}
