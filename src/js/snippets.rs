//! The JavaScript that Rust calls: what is faster or smaller there, and what only exists there.
//!
//! What can throw, because it reads objects of the caller's or allocates, is caught: an exception that passed
//! through Rust would leave the stack as it was.

use std::mem::MaybeUninit;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/js/objects.js")]
extern "C" {
    pub(super) fn make_error(name: &str, message: &str, facts: &JsValue) -> JsValue;

    #[wasm_bindgen(reexport = "__ValueError", extends = js_sys::Error, extends = js_sys::Object)]
    pub(super) type ValueError;
    #[wasm_bindgen(constructor)]
    fn new(message: &str) -> ValueError;

    #[wasm_bindgen(reexport = "__RuntimeError", extends = js_sys::Error, extends = js_sys::Object)]
    pub(super) type RuntimeError;
    #[wasm_bindgen(constructor)]
    fn new(message: &str) -> RuntimeError;

    #[wasm_bindgen(reexport = "__IndexError", extends = js_sys::Error, extends = js_sys::Object)]
    pub(super) type IndexError;
    #[wasm_bindgen(constructor)]
    fn new(message: &str) -> IndexError;
}

#[wasm_bindgen(module = "/src/js/objects.js")]
extern "C" {
    pub(super) fn tensor_pointer(value: &JsValue) -> f64;
    pub(super) fn plan_pointer(value: &JsValue) -> f64;
}

#[wasm_bindgen(module = "/src/js/values.js")]
extern "C" {
    pub(super) fn typed_dtype(value: &JsValue) -> i32;
    #[wasm_bindgen(catch)]
    pub(super) fn is_raw(value: &JsValue) -> Result<bool, JsValue>;
    pub(super) fn bytes_of(array: &JsValue) -> js_sys::Uint8Array;
    pub(super) fn copy_out(options: &JsValue, dtype: u32, bytes: &[u8]) -> JsValue;
    pub(super) fn plain_array(data: &JsValue, options: &JsValue, facts: &mut [u32]) -> i32;
    pub(super) fn copy_in(data: &JsValue, dtype: u32, bytes: &mut [MaybeUninit<u8>]) -> bool;
    #[wasm_bindgen(catch)]
    pub(super) fn new_array(bytes: &[u8], dtype: u32) -> Result<JsValue, JsValue>;
    #[cfg(feature = "webgpu")]
    #[wasm_bindgen(catch, js_name = new_array)]
    pub(super) fn new_array_of(bytes: &js_sys::Uint8Array, dtype: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub(super) fn flatten(data: &JsValue) -> Result<JsValue, JsValue>;
    pub(super) fn nest(values: &JsValue, shape: &[u32], is_bool: bool) -> JsValue;
    pub(super) fn describe(value: &JsValue) -> String;
    pub(super) fn tensor_options(options: &JsValue) -> JsValue;
    #[wasm_bindgen(catch)]
    pub(super) fn option_values(options: &JsValue, known: &str) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen(module = "/src/js/values.js")]
extern "C" {
    pub(super) fn format_values(
        values: &JsValue,
        shape: &[u32],
        kind: &str,
        digits: i32,
        lowest: i32,
    ) -> JsValue;
}

#[wasm_bindgen(module = "/src/js/objects.js")]
extern "C" {
    pub(super) fn make_info(facts: &JsValue) -> JsValue;
    pub(super) fn make_memory(facts: &JsValue) -> JsValue;
    pub(super) fn make_trace(rows: &js_sys::Array, result: JsValue) -> JsValue;
}

#[cfg(feature = "webgpu")]
#[wasm_bindgen(module = "/src/js/objects.js")]
extern "C" {
    pub(super) fn adapter_facts(power_preference: Option<&str>) -> js_sys::Promise;

    pub(super) fn is_gpu_buffer(value: &JsValue) -> bool;

    /// A `GPUBuffer`.
    pub(super) type ForeignBuffer;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn size(this: &ForeignBuffer) -> f64;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn usage(this: &ForeignBuffer) -> u32;
    #[wasm_bindgen(method, getter, structural, js_name = mapState)]
    pub(super) fn map_state(this: &ForeignBuffer) -> JsValue;
}
