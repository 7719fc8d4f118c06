//! Rust twins of the GPU's code: the same functions and passes, line by line, so that a shader can be compared with what
//! it is meant to do, and millions of pairs can be tried without a GPU. A change in a shader is a change in its twin.

#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
pub(crate) mod multiply;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
pub(crate) mod passes;
#[cfg(feature = "webgpu")]
pub(crate) mod strict_double;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
pub(crate) mod strict_float;
