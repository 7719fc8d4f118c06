//! Every dtype on WebGPU against the CPU, bit for bit.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics says what it has to say; clippy knows #[test] functions, not their helpers"
)]

mod calls;
mod convert;
mod definition;
mod devices;
mod elements;
mod pairs;
mod table;
mod twin;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
