//! Every part of the shaders that a call can ask for: natively it compiles on the adapter of this machine, and in a browser the browser's
//! compiler accepts it. That every whole shader is valid is a test beside `ShaderKey`.

use crate::common::backends::on_webgpu;
use crate::common::report::{Fault, say};
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::Hooks as _;

one_thread!(every_shader_compiles);
/// A later `sync` reports each shader that the driver refuses, one error each time, so `sync` is called as often as there are
/// shaders. In a browser the shaders are only checked, not compiled: its driver also runs natively, and compiling would take a
/// third of the time of all tests.
async fn every_shader_compiles() {
    on_webgpu("shaders", async |gpu, report| {
        let count = gpu.compile_all(cfg!(target_arch = "wasm32"));
        say(&format!("{count} shaders"));
        for _ in 0..count {
            report.row("compile", gpu.sync().await.map_err(Fault::from));
        }
    })
    .await;
}
