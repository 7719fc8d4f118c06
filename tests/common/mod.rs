//! What the suites share.

pub(crate) mod backends;
pub(crate) mod call;
pub(crate) mod data;
pub(crate) mod histogram;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
pub(crate) mod multiply_twins;
pub(crate) mod oracle;
pub(crate) mod pairs;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
pub(crate) mod passes;
pub(crate) mod random;
pub(crate) mod report;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod thread;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
pub(crate) mod twins;
pub(crate) mod vectors;
