//! Waiting for a GPU in a browser that has to be asked.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/js/platform.js")]
extern "C" {
    /// Whether waiting goes faster with empty submissions.
    pub(super) fn needs_nudging() -> bool;

    fn nap() -> js_sys::Promise;
}

/// About a millisecond, or four.
pub(super) async fn pause() {
    // A platform without timers is not nudged any slower.
    drop(JsFuture::from(nap()).await);
}
