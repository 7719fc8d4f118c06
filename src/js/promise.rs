//! Promises of what a future comes to.

use std::future::Future;
#[cfg(feature = "webgpu")]
use std::pin::Pin;

use js_sys::Promise;
use wasm_bindgen::JsValue;

use crate::error::Result;

type Outcome = Result<JsValue>;

/// A promise of the future's outcome. What it takes to run a future is compiled once, not once for each.
#[cfg(feature = "webgpu")]
pub(super) fn promise(future: impl Future<Output = Outcome> + 'static) -> Promise {
    fn run(future: Pin<Box<dyn Future<Output = Outcome>>>) -> Promise {
        wasm_bindgen_futures::future_to_promise(async move { Ok(future.await?) })
    }
    run(Box::pin(future))
}

/// Without a GPU there is nothing to wait for, and no need of an executor: a future is a function that is called here.
#[cfg(not(feature = "webgpu"))]
pub(super) fn promise(future: impl Future<Output = Outcome>) -> Promise {
    use std::task::{Context, Poll, Waker};
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => settled(outcome),
        Poll::Pending => Promise::reject(&js_sys::Error::new("a future waits for a GPU that is not there")),
    }
}

/// A promise of what is known already.
pub(super) fn settled(outcome: Outcome) -> Promise {
    match outcome {
        Ok(value) => Promise::resolve(&value),
        Err(error) => Promise::reject(&error.into()),
    }
}
