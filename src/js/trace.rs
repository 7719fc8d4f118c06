//! `trace`: what a scatter did, write by write, and a gather, read by read.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::dtype::{DType, Scalar};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::call::{Call, GatherCall};
use crate::js::convert::coordinates;
use crate::js::error::wrong_kind;
use crate::js::snippets::make_trace;
use crate::js::tensor::{Tensor, operand};
use crate::plan::Op;
use crate::tensor::Tensor as Data;

const OP: &str = "trace";
const NAMES: &[&str] = &["scatter_", "scatter_add", "scatter_mul", "gather", "gather_nd"];

/// The named operator on a copy of `tensor`, with its steps.
#[wasm_bindgen(skip_typescript)]
pub fn trace(
    op: &JsValue,
    tensor: &JsValue,
    one: &JsValue,
    two: &JsValue,
    three: &JsValue,
    four: &JsValue,
) -> Result<JsValue> {
    let table = operand(OP, tensor)?.ok_or_else(|| wrong_kind(OP, "self", "a Tensor", tensor))?;
    let dtype = table.dtype();
    let name = op.as_string().ok_or_else(|| wrong_kind(OP, "op", "the name of an operator", op))?;
    let call = match name.as_str() {
        "scatter_" => Call::scatter(Op::ScatterInPlace, dtype, [one, two, three, four])?,
        "scatter_add" => Call::scatter_add(Op::ScatterAdd, dtype, [one, two, three])?,
        "scatter_mul" => Call::scatter_mul(dtype, [one, two])?,
        "gather" => return trace_gather(&table, Op::Gather, one, two),
        "gather_nd" => return trace_gather(&table, Op::GatherNd, one, two),
        _ => {
            let text = format!("op is '{name}'; it must be one of {}", NAMES.join(", "));
            return Err(Error::new(ErrorClass::Value, ErrorCode::InvalidArgument, OP, text)
                .not_among("op", &name, NAMES));
        }
    };
    let (steps, result) = call.trace(&table)?;
    let rows = Array::new();
    for step in steps {
        let places = [Some(&step.index), step.source.as_ref(), Some(&step.destination)];
        rows.push(&row(places, &[step.before, step.operand, step.after], dtype));
    }
    Ok(make_trace(&rows, Tensor::wrap(result).into()))
}

/// A gather of `table`.
fn trace_gather(table: &Data, op: Op, one: &JsValue, two: &JsValue) -> Result<JsValue> {
    let (reads, result) = GatherCall::parse(op, one, two)?.trace(table)?;
    let rows = Array::new();
    for read in reads {
        let places = [Some(&read.index), Some(&read.source), Some(&read.destination)];
        rows.push(&row(places, &[read.value], table.dtype()));
    }
    Ok(make_trace(&rows, Tensor::wrap(result).into()))
}

/// Coordinates, or null, and values: `make_trace` in objects.js names them.
fn row(places: [Option<&Vec<usize>>; 3], values: &[Scalar], dtype: DType) -> Array {
    let row = Array::new();
    for place in places {
        row.push(&place.map_or(JsValue::NULL, |place| coordinates(place).into()));
    }
    for value in values {
        row.push(&number(*value, dtype));
    }
    row
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
