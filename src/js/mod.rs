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
mod plain;
mod plan;
mod promise;
mod session;
mod snippets;
mod tensor;
mod trace;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");
