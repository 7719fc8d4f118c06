//! Promises of what a future comes to.

use std::future::Future;
use std::pin::Pin;

use js_sys::Promise;
use wasm_bindgen::JsValue;

use crate::error::Result;

type Outcome = Result<JsValue>;

/// A promise of the future's outcome. What it takes to run a future is compiled once, not once for each.
pub(super) fn promise(future: impl Future<Output = Outcome> + 'static) -> Promise {
    run(Box::pin(future))
}

/// A promise of what is known already.
pub(super) fn settled(outcome: Outcome) -> Promise {
    match outcome {
        Ok(value) => Promise::resolve(&value),
        Err(error) => Promise::reject(&error.into()),
    }
}

#[cfg(feature = "webgpu")]
fn run(future: Pin<Box<dyn Future<Output = Outcome>>>) -> Promise {
    wasm_bindgen_futures::future_to_promise(async move { Ok(future.await?) })
}

/// Without a GPU there is nothing to wait for, and no need of an executor.
#[cfg(not(feature = "webgpu"))]
fn run(mut future: Pin<Box<dyn Future<Output = Outcome>>>) -> Promise {
    use std::task::{Context, Poll, Waker};
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => settled(outcome),
        Poll::Pending => Promise::reject(&js_sys::Error::new("a future waits for a GPU that is not there")),
    }
}
