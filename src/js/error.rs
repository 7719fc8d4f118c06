//! Errors on their way to JavaScript, and the errors that only exist there.

use wasm_bindgen::JsValue;

use crate::error::{Allowed, Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::js::convert::{coordinates, list};
use crate::js::snippets::{describe, make_error};

/// The largest integer up to which every one is a JavaScript number.
const MAX_SAFE_INTEGER: i64 = (1 << 53) - 1;

/// What is sent is arrays, which `objects.js` names.
impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        let value = error.value_fact().map(|value| match value {
            FactValue::Int(value) if value.abs() <= MAX_SAFE_INTEGER => Self::from(*value as f64),
            FactValue::Int(value) => Self::from_str(&value.to_string()),
            FactValue::Float(value) => Self::from(*value),
            FactValue::Text(text) => Self::from_str(text),
        });
        let allowed = error.allowed_fact().map(|allowed| match *allowed {
            Allowed::Range(min, max) => list(&[(min as f64).into(), (max as f64).into()]),
            Allowed::Words(words) => list(&words.iter().map(|&word| word.into()).collect::<Vec<_>>()),
        });
        let shapes = error.shapes().iter();
        let shapes: Vec<Self> =
            shapes.map(|(name, shape)| list(&[Self::from_str(name), coordinates(shape).into()])).collect();
        // In the order of `errorFacts` in objects.js.
        let facts = list(&[
            error.code().as_str().into(),
            error.op().into(),
            error.argument_name().into(),
            error.dim_fact().map(|dim| dim as f64).into(),
            error.position_fact().map(coordinates).into(),
            value.into(),
            allowed.into(),
            (!shapes.is_empty()).then(|| list(&shapes)).into(),
        ]);
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
    Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, op, text).word(argument, &got)
}
