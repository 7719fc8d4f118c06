//! Allocating GPU memory, and what happens when there is none.
//!
//! Natively the platform answers at once, and a call that needs too much fails before it writes to a tensor. A browser
//! answers later: the call goes on with an invalid buffer, and the platform drops every batch that uses it. The refusal is
//! reported once. Whatever was written since, by such a batch or by a later one that reads its results, is wrong. So each
//! buffer knows the batch that wrote to it last, and each read knows its own batch; both reject from then on.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use wgpu::ErrorFilter::{OutOfMemory, Validation};

use crate::backend::gpu::Gpu;
use crate::error::{Error, ErrorClass, ErrorCode, Result};

/// Bytes from which the platform is asked whether an allocation succeeded. In a browser that costs two messages and a promise; smaller
/// allocations are refused only when hardly anything works any more, and are then reported without their size. Natively every
/// allocation is asked about.
const ASKED_FOR: u64 = if cfg!(target_arch = "wasm32") { 1 << 20 } else { 1 };

impl Gpu {
    /// A new buffer of `size` bytes, of which `len` are needed for `what`. A browser may turn out later to have refused it: the next read
    /// or `sync()` reports that.
    ///
    /// # Errors
    /// `RuntimeError` (`out-of-memory`), where the platform answers at once.
    pub(crate) fn create_buffer(
        &self,
        op: &'static str,
        what: &'static str,
        len: usize,
        size: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer> {
        self.engine.borrow_mut().counts.buffers += 1;
        let create = |size| {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(op),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        // A test wants this buffer to be refused: one is asked for that no device has memory for.
        let is_pretended = self.switches.refuses_next.take();
        if size < ASKED_FOR && !is_pretended {
            return Ok(create(size));
        }
        for is_last_try in [false, true] {
            let (filters, asked): (&[_], _) = match is_pretended {
                // Every platform refuses this with the same consequences, but they differ in the kind of error.
                true => (&[OutOfMemory, Validation], self.limits.max_buffer_size.saturating_mul(2)),
                false => (&[OutOfMemory], size),
            };
            // An error scope is the platform's way to say whether the calls within it went wrong. The last one ends first.
            let scopes: Vec<_> = filters.iter().map(|&filter| self.device.push_error_scope(filter)).collect();
            let buffer = create(asked);
            let answers: Vec<_> = scopes.into_iter().rev().map(wgpu::ErrorScopeGuard::pop).collect();
            let mut answer: Pin<Box<dyn Future<Output = Option<wgpu::Error>>>> = Box::pin(async {
                let mut refusal = None;
                for answer in answers {
                    refusal = answer.await.or(refusal);
                }
                refusal
            });
            // One poll without waiting: natively the answer is there, in a browser it is not.
            match answer.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(None) => return Ok(buffer),
                Poll::Ready(Some(_)) if is_last_try => break,
                // Tries again without the free buffers that are kept.
                Poll::Ready(Some(_)) => self.free_unused(),
                Poll::Pending => {
                    let raw = buffer.clone();
                    let since = self.engine.borrow().batch;
                    self.expect(async move {
                        answer.await.map(|_| Refusal {
                            error: refused(op, what, len),
                            buffer: Some(raw),
                            since,
                        })
                    });
                    return Ok(buffer);
                }
            }
        }
        Err(refused(op, what, len))
    }

    /// Frees the buffers that no tensor and no batch uses.
    fn free_unused(&self) {
        let engine = &mut *self.engine.borrow_mut();
        engine.pool.clear();
        engine.staging.clear();
        // Natively wgpu gives the memory back when it is polled and the device is done with it.
        #[cfg(not(target_arch = "wasm32"))]
        drop(self.device.poll(wgpu::PollType::wait_indefinitely()));
    }

    /// Whether the platform had no memory for this buffer.
    pub(crate) fn is_refused(&self, buffer: &wgpu::Buffer) -> bool {
        self.engine.borrow().refused.contains(buffer)
    }
}

/// What the platform turned out to have refused, or a canary that has failed.
pub(crate) struct Refusal {
    /// What is reported.
    pub(crate) error: Error,
    /// The buffer that is invalid therefore, where it was memory that was refused.
    pub(crate) buffer: Option<wgpu::Buffer>,
    /// The first batch that may use this buffer; without one it means nothing.
    pub(crate) since: u64,
}

/// The error where the platform has no memory for `what`, of `len` bytes.
pub(crate) fn refused(op: &'static str, what: &str, len: usize) -> Error {
    let text = format!(
        "the GPU has no memory for {what}, {len} bytes; dispose() of tensors that are done with, split the tensor, or keep it \
         on the CPU (device: 'cpu')"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text)
}
