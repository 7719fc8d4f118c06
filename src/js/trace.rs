//! `trace`: what a scatter did, write by write.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::dtype::{DType, Scalar};
use crate::error::{Allowed, Error, ErrorClass, ErrorCode, FactValue};
use crate::js::call::Call;
use crate::js::error::wrong_kind;
use crate::js::snippets::{make_step, make_trace};
use crate::js::tensor::{Tensor, operand};
use crate::plan::Op;

const OP: &str = "trace";
const NAMES: &[&str] = &["scatter_", "scatter_add", "scatter_mul"];

/// The named operator on a copy of `tensor`, with its steps.
#[wasm_bindgen(skip_typescript)]
pub fn trace(
    op: &JsValue,
    tensor: &JsValue,
    one: &JsValue,
    two: &JsValue,
    three: &JsValue,
    four: &JsValue,
) -> Result<JsValue, JsValue> {
    let table = operand(OP, tensor)?.ok_or_else(|| wrong_kind(OP, "self", "a Tensor", tensor))?;
    let dtype = table.dtype();
    let name = op.as_string().ok_or_else(|| wrong_kind(OP, "op", "the name of an operator", op))?;
    let call = match name.as_str() {
        "scatter_" => Call::scatter(Op::ScatterInPlace, dtype, [one, two, three, four])?,
        "scatter_add" => Call::scatter_add(Op::ScatterAdd, dtype, [one, two, three])?,
        "scatter_mul" => Call::scatter_mul(dtype, [one, two])?,
        _ => {
            let text = format!("op is '{name}'; it must be one of {}", NAMES.join(", "));
            return Err(Error::new(ErrorClass::Value, ErrorCode::InvalidArgument, OP, text)
                .argument("op")
                .value(FactValue::Text(name))
                .allowed(Allowed::Words(NAMES))
                .into());
        }
    };
    let (steps, result) = call.get().trace(&table)?;
    let list = Array::new();
    for (k, step) in (0..).zip(steps) {
        let source = step.source.map_or(JsValue::NULL, |source| coordinates(&source));
        let [before, operand, after] =
            [step.before, step.operand, step.after].map(|value| number(value, dtype));
        let places = [coordinates(&step.index), source, coordinates(&step.destination)];
        let [index, source, destination] = &places;
        list.push(&make_step(k, index, source, destination, &before, &operand, &after));
    }
    Ok(make_trace(&list, Tensor::wrap(result).into()))
}

fn coordinates(position: &[usize]) -> JsValue {
    position.iter().map(|&at| JsValue::from(at as f64)).collect::<Array>().into()
}

/// A value as `item()` gives it.
fn number(value: Scalar, dtype: DType) -> JsValue {
    match (value, dtype) {
        (Scalar::Bool(value), _) => value.into(),
        (Scalar::Int(value), DType::Int64) => (value as i64).into(),
        (Scalar::Int(value), DType::Uint64) => (value as u64).into(),
        (value, _) => value.as_f64().into(),
    }
}
