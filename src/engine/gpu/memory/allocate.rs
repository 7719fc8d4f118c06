//! Device memory: free buffers, and the lack of memory for a new buffer.
//!
//! Natively the platform answers at once, and a call that needs too much fails before it writes to a tensor. A browser answers later:
//! the call goes on with an invalid buffer, and the platform drops every batch that uses the buffer. The library reports the refusal
//! once. Such a batch, and any later batch that reads its results, leaves wrong data. So each buffer knows the last batch that wrote to
//! it, and each read knows its own batch; both then reject.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use wgpu::ErrorFilter::{OutOfMemory, Validation};

use crate::engine::gpu::{Pool, Use, count, hook};
use crate::{Error, ErrorClass, ErrorCode, Result};

/// From this size on, in bytes, the platform is asked whether an allocation succeeded. In a browser the question costs two messages and
/// a promise. A smaller allocation fails only when almost nothing works any more; the report then lacks its size. Natively every
/// allocation is checked.
const ASKED_FOR: u64 = if cfg!(target_arch = "wasm32") { 1 << 20 } else { 1 };

/// Most bytes of free tensor memory: enough for a dozen results of a million float32. A larger buffer takes long to compute, so its
/// allocation time does not matter, and other programs need the memory.
const KEPT_FOR_TENSORS: u64 = 48 << 20;
/// Most bytes of free buffers that the host can map: a program rarely has more than one result in them.
const KEPT_FOR_READING: u64 = 16 << 20;

/// The usage of a buffer for tensors.
pub(crate) const TENSOR: wgpu::BufferUsages =
    wgpu::BufferUsages::STORAGE.union(wgpu::BufferUsages::COPY_SRC).union(wgpu::BufferUsages::COPY_DST);
const READ_BACK: wgpu::BufferUsages = wgpu::BufferUsages::MAP_READ.union(wgpu::BufferUsages::COPY_DST);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Tensor,
    /// For read-backs: the host can map it.
    ReadBack,
}

/// The late answer of a platform: whether it had the memory.
pub(crate) type Answer = Pin<Box<dyn Future<Output = bool>>>;

pub(crate) struct Memory {
    device: wgpu::Device,
    /// Bytes of the largest buffer that the device allocates.
    largest: u64,
    kept: RefCell<Kept>,
    /// Bytes of the buffers that tensors and calls hold.
    held: Cell<u64>,
}

struct Kept {
    /// Free buffers for tensors, and for read-backs.
    pools: [Pool; 2],
    /// Buffers to free, and never to reuse, once the batch is submitted.
    retired: Vec<wgpu::Buffer>,
    /// Buffers in use that the platform later refused.
    refused: Vec<wgpu::Buffer>,
}

impl Kept {
    fn pool(&mut self, purpose: Purpose) -> &mut Pool {
        let [tensors, read_backs] = &mut self.pools;
        if purpose == Purpose::Tensor { tensors } else { read_backs }
    }
}

impl Memory {
    pub(crate) fn new(device: &wgpu::Device, limits: &wgpu::Limits) -> Self {
        let kept = Kept {
            pools: [KEPT_FOR_TENSORS, KEPT_FOR_READING].map(Pool::new),
            retired: Vec::new(),
            refused: Vec::new(),
        };
        Self {
            device: device.clone(),
            largest: limits.max_buffer_size,
            kept: RefCell::new(kept),
            held: Cell::default(),
        }
    }

    /// A free buffer of exactly `class` bytes that `wanted` allows; `None` if the pool has no such buffer.
    pub(crate) fn take(&self, purpose: Purpose, class: u64, wanted: Use) -> Option<wgpu::Buffer> {
        self.kept.borrow_mut().pool(purpose).take(class, wanted)
    }

    /// A new buffer of `size` bytes, whose first `len` bytes are for `what`. If the platform answers late, also the answer to await.
    pub(crate) fn create(
        &self,
        op: &'static str,
        what: &'static str,
        len: usize,
        size: u64,
        purpose: Purpose,
    ) -> Result<(wgpu::Buffer, Option<Answer>)> {
        count(|counts| counts.buffers += 1);
        let usage = if purpose == Purpose::Tensor { TENSOR } else { READ_BACK };
        let create = |size| {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(op),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        // For a test that plants a refusal, ask for a buffer that no device can allocate. Platforms differ in the kind of the error.
        let is_pretended = hook(|hooks| std::mem::take(&mut hooks.refuses_next)) == Some(true);
        let (size, filters): (_, &[_]) = match is_pretended {
            true => (self.largest.saturating_mul(2), &[OutOfMemory, Validation]),
            false => (size, &[OutOfMemory]),
        };
        if size < ASKED_FOR {
            return Ok((create(size), None));
        }
        for is_last_try in [false, true] {
            // A platform reports errors of the calls within an error scope. The innermost scope ends first.
            let scopes: Vec<_> = filters.iter().map(|&filter| self.device.push_error_scope(filter)).collect();
            let buffer = create(size);
            let answers: Vec<_> = scopes.into_iter().rev().map(wgpu::ErrorScopeGuard::pop).collect();
            let mut answer: Answer = Box::pin(async {
                let mut is_there = true;
                for answer in answers {
                    is_there &= answer.await.is_none();
                }
                is_there
            });
            // One poll without a wait: natively the answer is there, in a browser it is not.
            match answer.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(true) => return Ok((buffer, None)),
                Poll::Ready(false) if is_last_try => break,
                // Tries again without the pool's free buffers.
                Poll::Ready(false) => self.free(),
                Poll::Pending => return Ok((buffer, Some(answer))),
            }
        }
        Err(refused(op, what, len))
    }

    /// Takes a buffer back for reuse. If code outside the library may hold it (`is_shared`), the buffer is freed instead: then its use
    /// is an error and does not show another tensor's data. `is_busy`: the current batch may use the buffer.
    pub(crate) fn put(&self, purpose: Purpose, buffer: &wgpu::Buffer, is_shared: bool, is_busy: bool) {
        // A drop must not panic: if the memory is borrowed, free the buffer instead of keeping it.
        let Ok(mut kept) = self.kept.try_borrow_mut() else { return buffer.destroy() };
        // A refused buffer has no memory to keep or to free.
        if let Some(at) = kept.refused.iter().position(|refused| refused == buffer) {
            kept.refused.swap_remove(at);
            return;
        }
        match (is_shared, is_busy) {
            (false, _) => kept.pool(purpose).put(buffer.clone(), is_busy),
            (true, true) => kept.retired.push(buffer.clone()),
            (true, false) => buffer.destroy(),
        }
    }

    /// Notes that the current batch was submitted. The buffers that were freed while the batch used them now fit every use.
    pub(crate) fn submitted(&self) {
        let kept = &mut *self.kept.borrow_mut();
        kept.pools.iter_mut().for_each(Pool::submitted);
        for buffer in kept.retired.drain(..) {
            buffer.destroy();
        }
    }

    /// Frees the buffers that no tensor and no batch uses.
    pub(crate) fn free(&self) {
        self.kept.borrow_mut().pools.iter_mut().for_each(Pool::clear);
        // Native wgpu frees the memory in a poll, once the device no longer uses it.
        #[cfg(not(target_arch = "wasm32"))]
        drop(self.device.poll(wgpu::PollType::wait_indefinitely()));
    }

    pub(crate) fn refuse(&self, buffer: wgpu::Buffer) {
        let kept = &mut *self.kept.borrow_mut();
        // The buffer is in a pool if its owner was dropped meanwhile.
        if !kept.pools.iter_mut().any(|pool| pool.remove(&buffer)) {
            kept.refused.push(buffer);
        }
    }

    pub(crate) fn is_refused(&self, buffer: &wgpu::Buffer) -> bool {
        self.kept.borrow().refused.contains(buffer)
    }

    /// Counts the bytes that a tensor or a call begins or ceases to hold.
    pub(crate) fn hold(&self, bytes: i64) {
        self.held.set(self.held.get().saturating_add_signed(bytes));
    }

    pub(crate) fn held(&self) -> u64 {
        self.held.get()
    }

    pub(crate) fn pooled(&self) -> u64 {
        self.kept.borrow().pools.iter().map(Pool::bytes).sum()
    }
}

pub(crate) fn refused(op: &'static str, what: &str, len: usize) -> Error {
    let text = format!(
        "the GPU has no memory for {what}, {len} bytes; dispose() of tensors that you no longer need, split the tensor, or keep \
         it on the CPU (device: 'cpu')"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::OutOfMemory, op, text)
}
