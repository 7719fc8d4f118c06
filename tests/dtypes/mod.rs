//! Every dtype on WebGPU against the CPU, bit for bit.

#[cfg(feature = "webgpu")]
mod calls;
#[cfg(feature = "webgpu")]
mod convert;
#[cfg(feature = "webgpu")]
mod definition;
#[cfg(feature = "webgpu")]
mod devices;
mod elements;
#[cfg(feature = "webgpu")]
mod pairs;
#[cfg(feature = "webgpu")]
mod table;
mod twin;
