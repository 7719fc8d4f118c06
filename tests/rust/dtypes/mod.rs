//! Every dtype on WebGPU against the CPU, bit for bit, the conversions of the CPU against their definition, and segments against the
//! oracle.

#[cfg(feature = "webgpu")]
mod calls;
mod convert;
#[cfg(feature = "webgpu")]
mod convert_gpu;
mod definition;
#[cfg(feature = "webgpu")]
mod devices;
pub(crate) mod elements;
#[cfg(feature = "webgpu")]
mod pairs;
#[cfg(feature = "webgpu")]
mod reductions;
mod segments;
#[cfg(feature = "webgpu")]
mod strict_double;
#[cfg(feature = "webgpu")]
mod table;
