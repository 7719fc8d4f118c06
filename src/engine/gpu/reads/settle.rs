//! Submits the recorded work, and finds its errors.

use std::rc::Rc;

use crate::engine::gpu::faults::status::faults;
use crate::engine::gpu::{Fault, Gpu, SLOT_BYTES, Staging};
use crate::{Error, ErrorClass, ErrorCode, Result};

#[cfg(target_arch = "wasm32")]
use crate::engine::gpu::faults::verified::State;

impl Gpu {
    /// Reserves a status slot for the next operation, and returns its number, which is never 0. `to_error` makes the error for what the passes
    /// write into the slot.
    pub(crate) fn take_slot(self: &Rc<Self>, to_error: impl Fn(Fault) -> Option<Error> + 'static) -> u32 {
        if self.slots.are_full() {
            self.flush();
        }
        self.slots.take(Box::new(to_error))
    }

    /// Submits the recorded work. The batch ends with a copy of the used status slots for the next read. Then the slots are free again.
    pub(crate) fn flush(self: &Rc<Self>) {
        let recorded = self.slots.drain();
        // Slot 0, which belongs to no operation, comes first.
        let size = (recorded.len() as u64 + 1) * SLOT_BYTES;
        let mut staging = None;
        if !recorded.is_empty() {
            let status = &self.recorder.status;
            match Staging::copy_of(self, "sync", Some(status), size as usize) {
                Ok(copy) => staging = Some(copy),
                // The next read reports this error instead of the slots' faults.
                Err(error) => self.pending.keep([error]),
            }
            // Slot 0 is not cleared: it never fails, and holds the count of finished work.
            self.recorder.clear(status, SLOT_BYTES, size - SLOT_BYTES);
        }
        self.recorder.submit();
        let Some(mut staging) = staging else { return };
        let mapped = staging.map();
        self.pending.expect(async move {
            // If the batch was dropped, the copy of its slots holds an earlier batch's words. That does no harm: every use of the
            // batch's results is an error anyway.
            if !mapped.await || !staging.is_finished() {
                return Vec::new();
            }
            faults(&staging.words(), &recorded)
        });
    }

    /// Frees all memory that no tensor holds.
    pub fn free_pooled(self: &Rc<Self>) {
        // Buffers of an unsubmitted batch are kept.
        self.flush();
        self.memory.free();
    }

    /// Waits for the slots of all submitted work, for the platform's answers, and for self-tests, also those that other reads await. Returns
    /// the first error that was not reported yet; it then counts as reported.
    /// Natively no other read awaits a self-test: a wait blocks the thread.
    pub(crate) async fn settle(&self, op: &'static str) -> Result<()> {
        self.settle_once(op).await?;
        #[cfg(target_arch = "wasm32")]
        while !self.verified.with(State::Awaited).is_empty() {
            crate::engine::gpu::poll_firefox::sleep_1ms().await;
            // If the other read was given up, its self-test is in the queue again.
            self.settle_once(op).await?;
        }
        Ok(())
    }

    async fn settle_once(&self, op: &'static str) -> Result<()> {
        self.pending.wait().await;
        self.alive(op)?;
        let mut errors = self.events.take_errors();
        let is_refused = |(code, _): &(ErrorCode, String)| *code == ErrorCode::DeviceError;
        if self.dropped.explains_errors() {
            errors.retain(|error| !is_refused(error));
        } else if errors.iter().any(is_refused) {
            // The cause may be a lost device, which the device reports a little later.
            self.hear_of_loss(op).await?;
            errors.extend(self.events.take_errors());
        }
        // One fault raises several errors: its own, and those of calls on its results. Join them, so that only one call fails.
        if let Some((code, text)) = errors.first() {
            let more = match errors.len() - 1 {
                0 => String::new(),
                count => format!(" (and {count} errors that came with it)"),
            };
            let text = format!("the GPU refused submitted work: {text}{more}");
            self.pending.keep([Error::new(ErrorClass::Runtime, *code, op, text)]);
        }
        self.pending.report().map_or(Ok(()), Err)
    }
}
