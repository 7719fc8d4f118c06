//! Deferred errors: a status slot per operation whose index values only the GPU has seen.

use std::collections::VecDeque;
use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::Gpu;
use crate::backend::gpu::readback::Staging;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::IndexPlan;

/// The slot of operations whose index is known to be right. It stays zero.
pub(super) const NEVER_FAILS: u32 = 0;
/// Slots per batch, that one included.
const SLOTS: u32 = 1024;
const SLOT_WORDS: usize = 4;

/// The slots of the batch being recorded, those of submitted batches on their way back, and the errors
/// that were found and not yet reported.
pub(super) struct Status {
    pub(super) buffer: wgpu::Buffer,
    recorded: Vec<IndexPlan>,
    submitted: VecDeque<Submitted>,
    found: VecDeque<Error>,
}

struct Submitted {
    plans: Vec<IndexPlan>,
    staging: Staging,
    mapped: oneshot::Receiver<bool>,
}

impl Submitted {
    fn size(slots: usize) -> u64 {
        (slots as u64 + 1) * SLOT_WORDS as u64 * 4
    }
}

impl Status {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("status"),
            size: u64::from(SLOTS) * SLOT_WORDS as u64 * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, recorded: Vec::new(), submitted: VecDeque::new(), found: VecDeque::new() }
    }

    /// Whether the batch has no slot left.
    pub(super) fn is_full(&self) -> bool {
        self.recorded.len() as u32 + 1 >= SLOTS
    }

    /// A slot for an operation.
    pub(super) fn take_slot(&mut self, plan: &IndexPlan) -> u32 {
        self.recorded.push(plan.clone());
        self.recorded.len() as u32
    }

    /// The batch with that copy is on its way.
    pub(super) fn submitted(&mut self, mut staging: Staging) {
        let plans = std::mem::take(&mut self.recorded);
        let mapped = staging.map(Submitted::size(plans.len()));
        self.submitted.push_back(Submitted { plans, staging, mapped });
    }

    /// An error that came from elsewhere, to be reported like the others.
    fn push(&mut self, error: Error) {
        self.found.push_back(error);
    }
}

/// A batch's slots while somebody waits for them. Whoever stops waiting leaves them to the next.
struct Awaited<'a> {
    gpu: &'a Gpu,
    batch: Option<Submitted>,
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        if let Some(batch) = self.batch.take() {
            self.gpu.status.borrow_mut().submitted.push_front(batch);
        }
    }
}

impl Gpu {
    /// Puts the copy of the batch's slots at its end, and makes them fresh for the next one. To be followed
    /// by the submission.
    pub(super) fn record_status(self: &Rc<Self>) -> Option<Staging> {
        let slots = self.status.borrow().recorded.len();
        if slots == 0 {
            return None;
        }
        let size = Submitted::size(slots);
        let staging = Staging::new(self, size);
        let buffer = self.status.borrow().buffer.clone();
        self.copy(&buffer, staging.raw(), size);
        self.clear(&buffer, size);
        Some(staging)
    }

    /// Waits for the status of everything submitted.
    ///
    /// # Errors
    /// The first error that was not reported yet; it counts as reported then.
    pub(super) async fn settle(self: &Rc<Self>, op: &'static str) -> Result<()> {
        loop {
            // The borrow must end before the wait: other calls go on meanwhile.
            let batch = self.status.borrow_mut().submitted.pop_front();
            let mut awaited = Awaited { gpu: self, batch };
            let Some(batch) = &mut awaited.batch else { break };
            let mapped = self.wait(&mut batch.mapped).await;
            if let Some(batch) = awaited.batch.take().filter(|_| mapped == Some(true)) {
                self.status.borrow_mut().found.extend(decode(&batch));
            }
        }
        self.alive(op)?;
        for text in self.events.take_errors() {
            let text = format!("the GPU refused submitted work: {text}");
            self.status.borrow_mut().push(Error::new(ErrorClass::Runtime, ErrorCode::DeviceError, op, text));
        }
        match self.status.borrow_mut().found.pop_front() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

fn decode(batch: &Submitted) -> Vec<Error> {
    let Some(view) = batch.staging.view(Submitted::size(batch.plans.len())) else { return Vec::new() };
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&view);
    let slots = words.chunks_exact(SLOT_WORDS).skip(1);
    slots
        .zip(&batch.plans)
        .filter_map(|(slot, plan)| match *slot {
            [complement, low, high, _] if complement != 0 => {
                let value = (u64::from(high) << 32 | u64::from(low)) as i64;
                Some(plan.index_error(!complement as usize, value))
            }
            _ => None,
        })
        .collect()
}
