//! Scatterwise against its specification, on every backend of the machine: natively by `cargo test`, in
//! browsers by `wasm-pack test --headless`. One binary, because each costs a link, a browser's start and
//! the shaders of another GPU device.
//!
//! `common` has what the suites share: the oracle, the vectors, random calls, and how rows are counted.
//! Every row of a suite runs before the suite fails.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics says what it has to say; clippy knows #[test] functions, not their helpers"
)]
#![cfg_attr(
    not(feature = "webgpu"),
    allow(
        unused_imports,
        unused_mut,
        dead_code,
        reason = "the tests that need a GPU are left out, not what they share"
    )
)]

mod common;
mod dtypes;
#[cfg(not(target_arch = "wasm32"))]
mod multiply;
mod suites;
mod twins;

/// The attributes of tests that run natively and in browsers, where there is one thread anyway.
mod everywhere {
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) use core::prelude::v1::test;
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) use one_thread::test as one_thread;
    #[cfg(target_arch = "wasm32")]
    pub(crate) use wasm_bindgen_test::{wasm_bindgen_test as one_thread, wasm_bindgen_test as test};
}

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
