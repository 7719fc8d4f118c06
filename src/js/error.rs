//! Errors on their way to JavaScript, and the errors that only exist there.

use serde::Serialize;
use serde_wasm_bindgen::to_value;
use wasm_bindgen::JsValue;

use crate::error::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::js::snippets::{describe, make_error};

/// What serde sends is arrays, which `objects.js` names: objects with names would bring a cache of names, and a table for it.
#[derive(Serialize)]
#[serde(untagged)]
enum Fact<'a> {
    Number(f64),
    Text(&'a str),
}

#[derive(Serialize)]
#[serde(untagged)]
enum Bounds {
    Range([f64; 2]),
    Words(&'static [&'static str]),
}

/// The largest integer up to which every one is a JavaScript number.
const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        let large;
        let value = match error.value_fact() {
            Some(FactValue::Int(value)) if value.abs() <= MAX_SAFE_INTEGER => {
                Some(Fact::Number(*value as f64))
            }
            Some(FactValue::Int(value)) => {
                large = value.to_string();
                Some(Fact::Text(&large))
            }
            Some(FactValue::Float(value)) => Some(Fact::Number(*value)),
            Some(FactValue::Text(text)) => Some(Fact::Text(text)),
            None => None,
        };
        let allowed = error.allowed_fact().map(|allowed| match *allowed {
            Allowed::Range(min, max) => Bounds::Range([min as f64, max as f64]),
            Allowed::Words(words) => Bounds::Words(words),
        });
        let shapes: Vec<_> = error.shapes().iter().map(|(name, shape)| (*name, shape.dims())).collect();
        // In the order of `errorFacts` in objects.js.
        let facts = (
            error.code().as_str(),
            error.op(),
            error.argument_name(),
            error.dim_fact(),
            error.position_fact(),
            value,
            allowed,
            (!shapes.is_empty()).then_some(shapes),
        );
        let facts = to_value(&facts).unwrap_or_default();
        make_error(error.class().name(), &error.to_string(), &facts)
    }
}

/// What came of reading an object of the caller's, whose getters may throw.
pub(super) fn readable<T>(
    op: &'static str,
    argument: &'static str,
    result: std::result::Result<T, JsValue>,
) -> Result<T> {
    result.map_err(|thrown| {
        let text = format!("{argument} cannot be read: {}", describe(&thrown));
        Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, op, text).argument(argument)
    })
}

/// The error for an argument of a wrong kind; `wanted` says what it must be.
#[cold]
#[inline(never)]
pub(super) fn wrong_kind(op: &'static str, argument: &'static str, wanted: &str, got: &JsValue) -> Error {
    if got.is_undefined() {
        let text = format!("{argument} is missing; it must be {wanted}");
        return Error::new(ErrorClass::Type, ErrorCode::MissingArgument, op, text).argument(argument);
    }
    let got = describe(got);
    let text = format!("{argument} must be {wanted}, not {got}");
    Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, op, text)
        .argument(argument)
        .value(FactValue::Text(got))
}
