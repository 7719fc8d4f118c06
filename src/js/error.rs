//! Errors on their way to JavaScript, and the errors that only exist there.

use serde::{Serialize, Serializer};
use wasm_bindgen::JsValue;

use crate::error::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::js::snippets::{describe, make_error};

/// `ErrorFacts` of `types.d.ts`.
#[derive(Serialize)]
struct Facts<'a> {
    code: &'a str,
    op: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dim: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'a [usize]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shapes: Option<Record<&'a str, &'a [usize]>>,
}

/// Pairs that become an object. A map of the standard library would sort them, at several kilobytes.
pub(super) struct Record<K, V>(pub(super) Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Record<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Fact {
    Number(f64),
    Text(String),
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
        let facts = Facts {
            code: error.code().as_str(),
            op: error.op(),
            argument: error.argument_name(),
            dim: error.dim_fact(),
            position: error.position_fact(),
            value: error.value_fact().map(|value| match value {
                FactValue::Int(value) if value.abs() <= MAX_SAFE_INTEGER => Fact::Number(*value as f64),
                FactValue::Int(value) => Fact::Text(value.to_string()),
                FactValue::Float(value) => Fact::Number(*value),
                FactValue::Text(text) => Fact::Text(text.clone()),
            }),
            allowed: error.allowed_fact().map(|allowed| match *allowed {
                Allowed::Range(min, max) => Bounds::Range([min as f64, max as f64]),
                Allowed::Words(words) => Bounds::Words(words),
            }),
            shapes: (!error.shapes().is_empty())
                .then(|| Record(error.shapes().iter().map(|(name, shape)| (*name, shape.dims())).collect())),
        };
        let serializer = serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true);
        let facts = facts.serialize(&serializer).unwrap_or(JsValue::UNDEFINED);
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
