//! Waits for a GPU in Firefox, which looks for finished work only at a submission. Also a short sleep for every browser.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen(module = "/src/js/engine/platform.js")]
extern "C" {
    /// Whether this is Firefox. There, empty submissions make a wait faster.
    #[wasm_bindgen(js_name = needs_nudging)]
    pub(crate) fn is_polled() -> bool;

    /// A promise that a timer resolves after a millisecond.
    #[wasm_bindgen(js_name = nap)]
    fn sleep() -> js_sys::Promise;
}

/// Waits for a millisecond; a browser's timer may take up to four.
pub(crate) async fn sleep_1ms() {
    // Without timers this returns at once, and the caller polls without a pause.
    drop(JsFuture::from(sleep()).await);
}
