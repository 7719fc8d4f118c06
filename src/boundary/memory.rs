//! How much memory tensors and plans hold.

use wasm_bindgen::prelude::*;

/// The bytes of host memory that tensors and plans hold, in whole words.
#[wasm_bindgen]
pub fn host_bytes() -> f64 {
    crate::host::host_bytes() as f64
}

/// The bytes that tensors and plans hold, in host memory and on the GPU.
#[wasm_bindgen]
pub fn held_bytes() -> f64 {
    #[cfg(feature = "webgpu")]
    let gpu = crate::boundary::gpu::gpu_bytes();
    #[cfg(not(feature = "webgpu"))]
    let gpu = 0.0;
    host_bytes() + gpu
}
