//! The JavaScript that Rust calls: what is faster or smaller there, and what only exists there.
//!
//! What can throw, because it reads objects of the caller's or allocates, is caught: an exception that passed
//! through Rust would leave the stack as it was.

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
    pub(super) fn register_classes(tensor: &JsValue, plan: &JsValue);
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
    #[wasm_bindgen(catch)]
    pub(super) fn typed_array(dtype: u32, length: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub(super) fn flatten(data: &JsValue) -> Result<Flat, JsValue>;
    pub(super) fn nest(values: &JsValue, shape: &[u32], is_bool: bool) -> JsValue;
    pub(super) fn describe(value: &JsValue) -> String;
    pub(super) fn read_tensor_options(options: &JsValue) -> i32;
    pub(super) fn tensor_option(at: u32) -> JsValue;
    #[wasm_bindgen(catch)]
    pub(super) fn unknown_option(options: &JsValue, known: Vec<String>) -> Result<Option<String>, JsValue>;

    /// What `flatten` returns; see there.
    pub(super) type Flat;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn kind(this: &Flat) -> u32;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn shape(this: &Flat) -> Vec<u32>;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn values(this: &Flat) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn unsigned(this: &Flat) -> bool;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn path(this: &Flat) -> Vec<u32>;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn text(this: &Flat) -> String;
}

#[wasm_bindgen(module = "/src/js/values.js")]
extern "C" {
    pub(super) fn format_values(
        values: &JsValue,
        shape: &[u32],
        kind: &str,
        digits: i32,
        lowest: i32,
    ) -> String;
}

#[wasm_bindgen(module = "/src/js/objects.js")]
extern "C" {
    pub(super) fn make_step(
        k: u32,
        index: &JsValue,
        source: &JsValue,
        destination: &JsValue,
        before: &JsValue,
        operand: &JsValue,
        after: &JsValue,
    ) -> JsValue;
    pub(super) fn make_read(
        k: u32,
        index: &JsValue,
        source: &JsValue,
        destination: &JsValue,
        value: &JsValue,
    ) -> JsValue;
    pub(super) fn make_trace(steps: &js_sys::Array, result: JsValue) -> JsValue;
}

#[cfg(feature = "webgpu")]
#[wasm_bindgen(module = "/src/js/objects.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    pub(super) async fn adapter_facts(power_preference: Option<String>) -> Result<Option<Adapter>, JsValue>;

    pub(super) fn is_gpu_buffer(value: &JsValue) -> bool;

    /// A `GPUBuffer`.
    pub(super) type ForeignBuffer;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn size(this: &ForeignBuffer) -> f64;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn usage(this: &ForeignBuffer) -> u32;
    #[wasm_bindgen(method, getter, structural, js_name = mapState)]
    pub(super) fn map_state(this: &ForeignBuffer) -> JsValue;

    /// The options of `from_gpu_buffer`.
    pub(super) type BufferOptions;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn offset(this: &BufferOptions) -> Result<JsValue, JsValue>;

    /// What `adapter_facts` resolves to; see there.
    pub(super) type Adapter;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn vendor(this: &Adapter) -> String;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn architecture(this: &Adapter) -> String;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn description(this: &Adapter) -> String;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn software(this: &Adapter) -> bool;
    #[wasm_bindgen(method, getter, structural)]
    pub(super) fn features(this: &Adapter) -> Vec<String>;
}

#[wasm_bindgen]
extern "C" {
    /// The options of `init`.
    pub(super) type InitOptions;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn device(this: &InitOptions) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = powerPreference)]
    pub(super) fn power_preference(this: &InitOptions) -> Result<JsValue, JsValue>;

    /// The options of `scatter_`, read by property: it is a hot path.
    pub(super) type ReduceOptions;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn reduce(this: &ReduceOptions) -> Result<JsValue, JsValue>;

    /// The options of whatever makes a tensor. Deserialising them with serde would cost 14 KB of the download, most of it
    /// for the digits of floats in errors that nobody sees.
    pub(super) type TensorFields;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn dtype(this: &TensorFields) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn shape(this: &TensorFields) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn device(this: &TensorFields) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn name(this: &TensorFields) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn lod(this: &TensorFields) -> Result<JsValue, JsValue>;

    /// The options of `elementwise_mul`.
    pub(super) type MultiplyOptions;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn axis(this: &MultiplyOptions) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn act(this: &MultiplyOptions) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn name(this: &MultiplyOptions) -> Result<JsValue, JsValue>;

    /// The options of `data`.
    pub(super) type DataOptions;
    #[wasm_bindgen(method, getter, structural, catch)]
    pub(super) fn out(this: &DataOptions) -> Result<JsValue, JsValue>;
}
