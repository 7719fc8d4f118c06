//! The JavaScript face: parses arguments, calls the operators, converts results and errors. No rules and
//! no loops of its own. The types are in `types.d.ts`, the entries of the package beside this file.

#![allow(
    unreachable_pub,
    reason = "wasm-bindgen exports public items only, and Rust users have no use for these"
)]

mod call;
mod convert;
mod error;
mod interop;
mod multiply;
mod options;
mod plain;
mod plan;
mod promise;
mod readback;
mod session;
mod snippets;
mod tensor;
mod trace;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// The standard library's own is 2.7 KB of the download larger.
#[cfg(all(feature = "allocator", not(target_feature = "atomics")))]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
