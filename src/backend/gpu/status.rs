//! Deferred errors: each operation whose index values only the GPU can check has a status slot.

use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::Gpu;
use crate::backend::gpu::dropped::Cause;
use crate::backend::gpu::engine::ARRIVALS;
use crate::backend::gpu::memory::Refusal;
use crate::backend::gpu::staging::{DATA, Staging};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::{Addressing, HistogramPlan, NoEdges};
use crate::shape::Shape;

/// Slots per batch, including the one that never fails.
const STATUS_SLOTS: u32 = 1024;
const SLOT_WORDS: usize = 4;

/// The slots of the batch being recorded, those of submitted batches that are being read back, and errors that were
/// found and not reported yet.
pub(super) struct Status {
    pub(super) buffer: wgpu::Buffer,
    recorded: Vec<Recorded>,
    /// In the order of the calls.
    pending: VecDeque<Pending>,
    found: Vec<Error>,
    /// For how many more calls of `settle` an error may be a consequence of a refusal.
    aftermath: u32,
}

/// What is needed to say what was wrong with an operation.
#[expect(clippy::large_enum_variant, reason = "nearly all are the large one")]
pub(super) enum Recorded {
    /// Index values, and the shape of the source if integers are divided by it.
    Index(Addressing, Option<Shape>),
    /// Edges that follow from the values.
    Edges(HistogramPlan),
}

/// What may turn out to be an error.
enum Pending {
    /// The slots of a batch, once they are read back.
    Batch(Submitted),
    /// An answer that the platform gives later, for example whether it had memory for a buffer.
    Answer(Answer),
}

type Answer = Pin<Box<dyn Future<Output = Option<Refusal>>>>;

struct Submitted {
    recorded: Vec<Recorded>,
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
            size: u64::from(STATUS_SLOTS) * SLOT_WORDS as u64 * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, recorded: Vec::new(), pending: VecDeque::new(), found: Vec::new(), aftermath: 0 }
    }

    /// Sets the count of what has run, and clears the slots. Batches that are submitted already come before.
    pub(super) fn restart(&self, queue: &wgpu::Queue, counted: u32) {
        let mut words = vec![0; STATUS_SLOTS as usize * SLOT_WORDS];
        if let Some(word) = words.get_mut(ARRIVALS as usize / 4) {
            *word = counted;
        }
        queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(&words));
    }

    /// Notes that a batch was submitted, with the copy of its slots at the end.
    pub(super) fn submitted(&mut self, mut staging: Staging) {
        let recorded = std::mem::take(&mut self.recorded);
        let mapped = staging.map(Submitted::size(recorded.len()));
        self.pending.push_back(Pending::Batch(Submitted { recorded, staging, mapped }));
    }
}

/// Something that a caller waits for. If the caller's future is dropped, it goes back into the queue for the next
/// caller.
struct Awaited<'a> {
    gpu: &'a Gpu,
    pending: Option<Pending>,
}

impl Awaited<'_> {
    /// The errors that came of it; `None` if there was nothing to wait for.
    async fn errors(mut self) -> Option<Vec<Error>> {
        let errors = match self.pending.as_mut()? {
            Pending::Batch(batch) => match self.gpu.wait(&mut batch.mapped).await {
                // The slots of a dropped batch hold what an earlier batch left there. Reads of what
                // that batch was to write get the error.
                Some(true) if batch.staging.is_finished() => decode(batch),
                _ => Vec::new(),
            },
            Pending::Answer(answer) => {
                answer.await.map(|refusal| self.gpu.note(refusal)).into_iter().collect()
            }
        };
        self.pending = None;
        Some(errors)
    }
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.gpu.status.borrow_mut().pending.push_front(pending);
        }
    }
}

impl Gpu {
    /// Reserves a slot of the batch for an operation whose passes are recorded next.
    pub(super) fn take_slot(self: &Rc<Self>, operation: Recorded) -> u32 {
        if self.status.borrow().recorded.len() as u32 + 1 >= STATUS_SLOTS {
            self.flush();
        }
        let recorded = &mut self.status.borrow_mut().recorded;
        recorded.push(operation);
        recorded.len() as u32
    }

    /// Records a copy of the batch's slots at its end, and clears them for the next batch. The caller submits the batch
    /// next.
    pub(super) fn record_status(self: &Rc<Self>) -> Option<Staging> {
        let slots = self.status.borrow().recorded.len();
        if slots == 0 {
            return None;
        }
        let size = Submitted::size(slots);
        let buffer = self.status.borrow().buffer.clone();
        let staging = match Staging::new(self, "sync", size as usize) {
            Ok(staging) => {
                self.copy(&buffer, staging.raw(), DATA, size);
                Some(staging)
            }
            // There is no memory to read them back, which is reported instead.
            Err(error) => {
                let status = &mut *self.status.borrow_mut();
                status.recorded.clear();
                status.found.push(error);
                None
            }
        };
        // All but the first slot, which never fails and has the count of what has run.
        let slot = SLOT_WORDS as u64 * 4;
        self.clear(&buffer, slot, size - slot);
        staging
    }

    /// Queues an answer; the next read or `sync()` waits for it and reports it.
    pub(super) fn expect(&self, answer: impl Future<Output = Option<Refusal>> + 'static) {
        self.status.borrow_mut().pending.push_back(Pending::Answer(Box::pin(answer)));
    }

    fn note(&self, Refusal { error, buffer, since }: Refusal) -> Error {
        if let Some(buffer) = buffer {
            self.drop_batches(since, Cause::NoMemory);
            let engine = &mut *self.engine.borrow_mut();
            if !engine.pool.remove(&buffer) {
                engine.refused.push(buffer);
            }
            let status = &mut *self.status.borrow_mut();
            // The batch that was being recorded is submitted by the next call, and its error may arrive after that call
            // has finished waiting: errors of three calls may be consequences.
            status.aftermath = 3;
        }
        error
    }

    /// Waits for the status of everything submitted.
    ///
    /// # Errors
    /// The first error that was not reported yet; it counts as reported then.
    pub(super) async fn settle(self: &Rc<Self>, op: &'static str) -> Result<()> {
        loop {
            // The borrow ends before the wait, because other calls run meanwhile.
            let pending = self.status.borrow_mut().pending.pop_front();
            let Some(errors) = (Awaited { gpu: self, pending }).errors().await else { break };
            self.status.borrow_mut().found.extend(errors);
        }
        self.alive(op)?;
        let follows = std::mem::replace(&mut self.status.borrow_mut().aftermath, 0);
        self.status.borrow_mut().aftermath = follows.saturating_sub(1);
        if follows == 0 && self.events.is_work_refused() {
            self.hear_of_loss().await;
            self.alive(op)?;
        }
        let errors = self.events.take_errors();
        // Errors about a refused buffer and the batches that use it are consequences of the refusal, which is reported
        // already.
        for (code, text) in errors {
            if follows == 0 || code != ErrorCode::DeviceError {
                let text = format!("the GPU refused submitted work: {text}");
                self.status.borrow_mut().found.push(Error::new(ErrorClass::Runtime, code, op, text));
            }
        }
        let found = &mut self.status.borrow_mut().found;
        if found.is_empty() { Ok(()) } else { Err(found.remove(0)) }
    }
}

fn decode(batch: &Submitted) -> Vec<Error> {
    let Some(view) = batch.staging.view(Submitted::size(batch.recorded.len())) else { return Vec::new() };
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&view);
    // Behind the count of what has run, and the slot that never fails.
    let slots = words.chunks_exact(SLOT_WORDS).skip(DATA as usize / 4 / SLOT_WORDS + 1);
    let mut faults = Vec::new();
    for (slot, recorded) in slots.zip(&batch.recorded) {
        faults.extend(recorded.fault(slot));
    }
    faults
}

impl Recorded {
    /// What the words of its slot say.
    fn fault(&self, slot: &[u32]) -> Option<Error> {
        let &[first, low, high, last] = slot else { return None };
        let value = u64::from(high) << 32 | u64::from(low);
        match self {
            // As on the CPU, divisors are looked at first.
            Self::Index(plan, divisors) if last != 0 => {
                let place = divisors.as_ref().map(|shape| (shape, !last as usize));
                Some(plan.divisor_error(place))
            }
            Self::Index(plan, _) if first != 0 => Some(plan.index_error(!first as usize, value as i64)),
            // As `shaders/histogram/edges.wgsl` writes them.
            Self::Edges(plan) if last != 0 => {
                let why = match first {
                    1 => NoEdges::NotFinite(f64::from_bits(value)),
                    2 => NoEdges::TooWide,
                    _ => NoEdges::TooMany,
                };
                Some(plan.no_edges_of_extent(last as usize - 1, why))
            }
            Self::Index(..) | Self::Edges(_) => None,
        }
    }
}
