//! Scatterwise against its specification, on every backend of the machine: natively by `cargo test`, in
//! browsers by `wasm-pack test --headless`. One binary, because each costs a link, a browser's start and
//! the shaders of another GPU device.
//!
//! `common` has what the suites share: the oracle, the vectors, random calls, and how rows are counted.
//! Every row of a suite runs before the suite fails.
//!
//! A build without every family of operators has `core` alone.

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

/// `one_thread!(name);` makes a test of `async fn name()`, which may use a GPU device: natively such tests run one after the other on the
/// thread that has the device, in browsers by wasm-bindgen. The test is called `name::test`.
#[cfg(feature = "families")]
macro_rules! one_thread {
    ($(#[$attribute:meta])* $name:ident) => {
        mod $name {
            $(#[$attribute])*
            #[cfg(not(target_arch = "wasm32"))]
            #[test]
            fn test() {
                crate::common::thread::run(|| pollster::block_on(super::$name()));
            }

            #[cfg(target_arch = "wasm32")]
            #[wasm_bindgen_test::wasm_bindgen_test]
            async fn test() {
                super::$name().await;
            }
        }
    };
}

/// `faults! { in is_ours; name: text => fault, …; … }` declares faults, and `FAULTS` with all of them: texts of a shader for whose key
/// `is_ours` is true, and what a bad driver might make of them.
#[cfg(all(feature = "families", feature = "webgpu", not(target_arch = "wasm32")))] // browsers run no planted faults
macro_rules! faults {
    (in $is_ours:expr; $($name:ident: $($text:literal => $fault:literal),*;)*) => {
        $(fn $name(key: scatterwise::testing::gpu::testing::ShaderKey, text: &str) -> Option<String> {
            let is_ours: fn(scatterwise::testing::gpu::testing::ShaderKey) -> bool = $is_ours;
            let after = is_ours(key).then(|| text.to_owned()$(.replace($text, $fault))*)?;
            crate::suites::faulty_adapters::noted(text, after)
        })*
        const FAULTS: &[(&str, scatterwise::testing::gpu::testing::Rewrite)] = &[$((stringify!($name), $name)),*];
    };
}

#[cfg(feature = "families")]
mod common;
#[cfg(not(feature = "families"))]
mod core;
#[cfg(feature = "families")]
mod dtypes;
#[cfg(all(feature = "families", not(target_arch = "wasm32")))]
mod elementwise;
#[cfg(feature = "families")]
mod suites;
#[cfg(feature = "families")]
mod twins;

/// The attribute of other tests that run natively and in browsers.
#[cfg(feature = "families")]
mod everywhere {
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) use core::prelude::v1::test;
    #[cfg(target_arch = "wasm32")]
    pub(crate) use wasm_bindgen_test::wasm_bindgen_test as test;
}

#[cfg(all(target_arch = "wasm32", feature = "families"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
