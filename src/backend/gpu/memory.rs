//! Asking the platform for memory, and what happens when it has none.
//!
//! Natively the answer is there at once, and a call that needs more than there is fails before it records anything
//! of the kind. A browser answers later: the call goes on with a buffer that cannot be used, and the platform drops
//! the whole batch that tries. The refusal is reported once. Whatever was written since, by such a batch or by one that
//! goes by its results, is not what it should be: buffers know the batch that wrote to them last, reads the one that
//! they are in, and both reject from then on.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use wgpu::ErrorFilter::{OutOfMemory, Validation};

use crate::backend::gpu::Gpu;
use crate::error::{Error, ErrorClass, ErrorCode, Result};

/// Bytes from which a browser is asked whether it had them: two messages and a promise. Less is only refused when
/// nothing works any more, and then reported without its size.
const ASKED_FOR: u64 = if cfg!(target_arch = "wasm32") { 1 << 20 } else { 1 };

impl Gpu {
    /// A new buffer of `size` bytes, `len` of which were asked for; `what` for.
    ///
    /// # Errors
    /// `RuntimeError` (`out-of-memory`), where the platform answers at once.
    pub(super) fn create_buffer(
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
        let is_pretended = self.switches.refuses_next.take();
        if size < ASKED_FOR && !is_pretended {
            return Ok(create(size));
        }
        for is_last in [false, true] {
            let (filters, asked): (&[_], _) = match is_pretended {
                // Refused by every platform, and with the same consequences; but not all call it the same.
                true => (&[OutOfMemory, Validation], self.limits.max_buffer_size.saturating_mul(2)),
                false => (&[OutOfMemory], size),
            };
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
            match answer.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(None) => return Ok(buffer),
                Poll::Ready(Some(_)) if is_last => break,
                // Perhaps what is kept for later is what is missing.
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
        #[cfg(not(target_arch = "wasm32"))]
        drop(self.device.poll(wgpu::PollType::wait_indefinitely()));
    }

    /// Whether the platform had no memory for this buffer.
    pub(super) fn is_refused(&self, buffer: &wgpu::Buffer) -> bool {
        self.engine.borrow().refused.contains(buffer)
    }
}

/// What the platform had against something that was asked of it.
pub(super) struct Refusal {
    pub(super) error: Error,
    /// What cannot be used therefore.
    pub(super) buffer: Option<wgpu::Buffer>,
    /// The first batch that may use it.
    pub(super) since: u64,
}

/// The error for `len` bytes that the platform refuses. `what` they are for.
pub(super) fn refused(op: &'static str, what: &str, len: usize) -> Error {
    let text = format!(
        "the GPU has no memory for {what}, {len} bytes; dispose() of tensors that are done with, split the tensor, or keep it \
         on the CPU (device: 'cpu')"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text)
}

/// The error for a read beside the one that reports a refusal, and for what was to be written in the same batch.
pub(super) fn not_run(op: &'static str) -> Error {
    let text = "the GPU had no memory for an operand of a call in the same batch, so that the batch was not run; \
                dispose() of tensors that are done with, and make anew what was computed since the last read";
    Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text)
}
