//! Waiting for a GPU in Firefox, which looks for finished work only when it is given more; and a short sleep, for every browser.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/js/engine/platform.js")]
extern "C" {
    /// Whether this is Firefox, where waiting goes faster with empty submissions.
    #[wasm_bindgen(js_name = needs_nudging)]
    pub(super) fn is_polled() -> bool;

    /// A promise that is resolved by a timer of a millisecond.
    #[wasm_bindgen(js_name = nap)]
    fn sleep() -> js_sys::Promise;
}

/// Waits for a millisecond, or what the browser's timers make of it: up to four.
pub(super) async fn sleep_1ms() {
    // Where the platform has no timers this returns at once, and the caller polls as often as it can.
    drop(JsFuture::from(sleep()).await);
}
