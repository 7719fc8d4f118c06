//! Options objects: which names they may have, and their values, still to be looked at.

use wasm_bindgen::{JsCast, JsValue};

use crate::dtype::DType;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::js::convert::dtype;
use crate::js::error::{readable, wrong_kind};
use crate::js::snippets::{option_values, tensor_options};

/// Names of options.
pub(super) struct Names {
    pub(super) list: &'static [&'static str],
    /// The same with commas, as JavaScript and messages have them: joined by the compiler, not in every call.
    pub(super) text: &'static str,
}

/// [`Names`] of literals.
macro_rules! names {
    ($first:literal $(, $name:literal)*) => {
        $crate::js::options::Names { list: &[$first $(, $name)*], text: concat!($first $(, ", ", $name)*) }
    };
}
pub(super) use names;

/// The values of options, still to be looked at, in the order of their names; none where no object was given.
pub(super) struct OptionValues(Option<js_sys::Array>);

impl OptionValues {
    /// Undefined where the option was not given.
    pub(super) fn get(&self, at: u32) -> JsValue {
        self.0.as_ref().map_or(JsValue::UNDEFINED, |values| values.get(at))
    }
}

/// The values of the known options. Refuses what is no options object, and options that are not known: a misspelt one must not
/// be ignored.
pub(super) fn read_options(
    op: &'static str,
    options: &JsValue,
    known: &'static Names,
) -> Result<OptionValues> {
    if options.is_undefined() {
        return Ok(OptionValues(None));
    }
    if !options.is_object() || js_sys::Array::is_array(options) || options.is_function() {
        return Err(wrong_kind(op, "options", "an object", options));
    }
    let values = readable(op, "options", option_values(options, known.text))?;
    match values.as_string() {
        None => Ok(OptionValues(Some(values.unchecked_into()))),
        Some(name) => {
            let text = format!("there is no option '{name}'; there is {}", known.text);
            Err(Error::new(ErrorClass::Type, ErrorCode::UnknownOption, op, text)
                .not_among("options", &name, known.list))
        }
    }
}

/// `TensorOptions` of `types.d.ts`.
pub(super) struct TensorOptions(OptionValues);

impl TensorOptions {
    pub(super) fn parse(op: &'static str, options: &JsValue) -> Result<Self> {
        Self::parse_among(op, options, &names!("dtype", "shape", "device", "name", "lod"))
    }

    /// [`TensorOptions::parse`] where there are more options than these, behind them.
    pub(super) fn parse_among(op: &'static str, options: &JsValue, known: &'static Names) -> Result<Self> {
        if options.is_undefined() {
            return Ok(Self(OptionValues(None)));
        }
        let read = tensor_options(options);
        let values = match read.is_undefined() {
            true => read_options(op, options, known)?,
            false => OptionValues(Some(read.unchecked_into())),
        };
        Ok(Self(values))
    }

    /// The dtype, where one is asked for.
    pub(super) fn dtype(&self, op: &'static str) -> Result<Option<DType>> {
        let value = self.0.get(0);
        if value.is_undefined() { Ok(None) } else { dtype(op, &value).map(Some) }
    }

    pub(super) fn shape(&self) -> JsValue {
        self.0.get(1)
    }

    pub(super) fn device(&self) -> JsValue {
        self.0.get(2)
    }

    pub(super) fn name(&self) -> JsValue {
        self.0.get(3)
    }

    pub(super) fn lod(&self) -> JsValue {
        self.0.get(4)
    }

    /// The first of those behind.
    #[cfg(feature = "webgpu")]
    pub(super) fn more(&self) -> JsValue {
        self.0.get(5)
    }
}
