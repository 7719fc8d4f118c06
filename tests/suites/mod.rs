//! One file per promise.

mod aliases;
mod conformance;
mod engine;
mod errors;
mod limits;
mod memory;
#[cfg(not(target_arch = "wasm32"))]
mod multiply_pass;
mod numerics;
#[cfg(not(target_arch = "wasm32"))]
mod passes;
mod paths;
mod plans;
mod properties;
mod ranges;
mod shaders;
mod storage;
#[cfg(not(target_arch = "wasm32"))]
mod strategies;
#[cfg(not(target_arch = "wasm32"))]
mod strategy_times;
mod without_device;
