//! One file per promise.

mod aliases;
#[cfg(not(target_arch = "wasm32"))]
mod arrows;
mod conformance;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod count_faults;
mod dims;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod dims_faults;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod dispatches;
#[cfg(feature = "webgpu")]
mod engine;
mod errors;
mod exact;
mod exact_calls;
mod exact_devices;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod exact_faults;
mod exact_vectors;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod faulty_adapters;
mod fractions;
mod given;
mod gradients;
mod groups;
mod histogram;
mod ignored;
mod limits;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod lists;
#[cfg(feature = "webgpu")]
mod lost_work;
mod masks;
#[cfg(feature = "webgpu")]
mod memory;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod multiply_pass;
mod numerics;
mod options;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod order_free;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod passes;
mod paths;
mod plans;
mod properties;
mod ranges;
#[cfg(all(feature = "webgpu", target_os = "linux"))]
mod rounding_times;
#[cfg(feature = "webgpu")]
mod shaders;
mod slices;
mod softmax;
mod softmax_calls;
mod sort;
mod spmm;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod stopped_device;
mod storage;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod strategies;
mod winners;
#[cfg(feature = "webgpu")]
mod without_device;
