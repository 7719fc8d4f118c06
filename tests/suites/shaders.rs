//! Every part of the shaders that a call can ask for compiles on the adapter of this machine, natively, and is accepted by the
//! compiler of each browser. That all of them are valid is a test beside `ShaderKey`.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::common::backends::on_webgpu;
use crate::common::report::{Fault, say};
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::Hooks as _;

/// What a driver refuses arrives outside of every call: it is kept and reported by the next `sync`. In a browser the driver is one that
/// runs natively too, and compiling for it would take a third of all tests' time: there only what the browser itself reads is tried.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn every_shader_compiles() {
    on_webgpu("shaders", async |gpu, report| {
        let count = if cfg!(target_arch = "wasm32") { gpu.check_all() } else { gpu.compile_all() };
        say(&format!("{count} shaders"));
        for _ in 0..count {
            report.row("compile", gpu.sync().await.map_err(Fault::from));
        }
    })
    .await;
}
