//! Deferred errors: each operation of which only the GPU can check the values (of an index, divisors, the range of a histogram) has
//! a status slot, a few words of a buffer. Its passes write there what is wrong; zeros mean that nothing is wrong.

use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::Gpu;
use crate::backend::gpu::faults::dropped::Cause;
use crate::backend::gpu::memory::allocate::Refusal;
use crate::backend::gpu::reads::staging::{DATA, Staging};
use crate::backend::gpu::record::engine::ARRIVALS;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::plan::{Addressing, HistogramPlan, NoEdges};
use crate::shape::Shape;

/// Slots for the operations between two flushes, which may be several batches, and slot 0, which never fails.
const STATUS_SLOTS: u32 = 1024;
/// Words of a slot: `failed` in `shaders/lib/frame.wgsl` says what they are.
const SLOT_WORDS: usize = 4;

/// The slots of operations since the last flush, those of earlier ones that are being read back, and errors that were found and not
/// reported yet.
pub(crate) struct Status {
    pub(crate) buffer: wgpu::Buffer,
    /// The operations since the last flush that have a slot, one for each from slot 1 on.
    recorded: Vec<Recorded>,
    /// In the order of the calls.
    pending: VecDeque<Pending>,
    found: Vec<Error>,
    /// For how many more calls of `settle` an error may be a consequence of a refusal that is reported already.
    aftermath: u32,
}

/// What is needed to say what was wrong with an operation.
#[expect(clippy::large_enum_variant, reason = "nearly all are the large one")]
pub(crate) enum Recorded {
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

/// The slots that the last batch before a flush has copied, and whose they are.
struct Submitted {
    /// An operation for each slot from slot 1 on.
    recorded: Vec<Recorded>,
    /// Where the slots are copied to.
    staging: Staging,
    /// Gets whether they can be read.
    mapped: oneshot::Receiver<bool>,
}

impl Submitted {
    /// Bytes of this number of slots and of slot 0, which no operation has.
    fn size(slots: usize) -> u64 {
        (slots as u64 + 1) * SLOT_WORDS as u64 * 4
    }
}

impl Status {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("status"),
            size: u64::from(STATUS_SLOTS) * SLOT_WORDS as u64 * 4,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, recorded: Vec::new(), pending: VecDeque::new(), found: Vec::new(), aftermath: 0 }
    }

    /// Sets the count of what has run to `arrivals`, and clears the slots, when all batches that are submitted have run.
    pub(crate) fn restart(&self, queue: &wgpu::Queue, arrivals: u32) {
        let mut words = vec![0; STATUS_SLOTS as usize * SLOT_WORDS];
        if let Some(word) = words.get_mut(ARRIVALS as usize / 4) {
            *word = arrivals;
        }
        queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(&words));
    }

    /// Notes that a batch was submitted which ends with a copy of its slots to `staging`.
    pub(crate) fn submitted(&mut self, mut staging: Staging) {
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
    /// Waits, and returns the errors that came of it; `None` if there was nothing to wait for.
    async fn errors(mut self) -> Option<Vec<Error>> {
        let errors = match self.pending.as_mut()? {
            Pending::Batch(batch) => match self.gpu.wait(&mut batch.mapped).await {
                // If the batch was dropped, the copy of its slots holds what an earlier batch left there. Whoever uses what the batch
                // was to write gets an error anyway.
                Some(true) if batch.staging.is_finished() => faults_of(batch),
                _ => Vec::new(),
            },
            Pending::Answer(answer) => {
                answer.await.map(|refusal| self.gpu.note(refusal)).into_iter().collect()
            }
        };
        // Nothing is left for `drop` to put back.
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
    /// Reserves a slot for an operation whose passes are recorded next, and returns its number, which is never 0.
    pub(crate) fn take_slot(self: &Rc<Self>, operation: Recorded) -> u32 {
        if self.status.borrow().recorded.len() as u32 + 1 >= STATUS_SLOTS {
            self.flush();
        }
        let recorded = &mut self.status.borrow_mut().recorded;
        recorded.push(operation);
        recorded.len() as u32
    }

    /// Records a copy of the slots that are in use, and clears them for later operations. The caller submits the batch next. `None` if no
    /// slot is in use, or if there is no memory for the copy.
    pub(crate) fn record_status(self: &Rc<Self>) -> Option<Staging> {
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
            // The next read reports this instead of what the slots say.
            Err(error) => {
                let status = &mut *self.status.borrow_mut();
                status.recorded.clear();
                status.found.push(error);
                None
            }
        };
        // Slot 0 is not cleared: it never fails, and has the count of what has run.
        let slot = SLOT_WORDS as u64 * 4;
        self.clear(&buffer, slot, size - slot);
        staging
    }

    /// Queues an answer; the next read or `sync()` waits for it and reports it.
    pub(crate) fn expect(&self, answer: impl Future<Output = Option<Refusal>> + 'static) {
        self.status.borrow_mut().pending.push_back(Pending::Answer(Box::pin(answer)));
    }

    /// Notes what follows from a refusal, and returns the error to report.
    fn note(&self, Refusal { error, buffer, since }: Refusal) -> Error {
        if let Some(buffer) = buffer {
            self.drop_batches(since, Cause::NoMemory);
            let engine = &mut *self.engine.borrow_mut();
            // It is in the pool if its tensor was dropped meanwhile.
            if !engine.pool.remove(&buffer) {
                engine.refused.push(buffer);
            }
            let status = &mut *self.status.borrow_mut();
            // The batch that was being recorded was submitted just now, and its error may arrive after this call, or the next,
            // has finished waiting: errors of three calls may be consequences.
            status.aftermath = 3;
        }
        error
    }

    /// Waits for the slots of everything submitted and for the platform's answers.
    ///
    /// # Errors
    /// `device-lost`, or the first error that was not reported yet; it counts as reported then.
    pub(crate) async fn settle(self: &Rc<Self>, op: &'static str) -> Result<()> {
        loop {
            // The borrow ends before the wait, because other calls run meanwhile.
            let pending = self.status.borrow_mut().pending.pop_front();
            let Some(errors) = (Awaited { gpu: self, pending }).errors().await else { break };
            self.status.borrow_mut().found.extend(errors);
        }
        self.alive(op)?;
        let aftermath = self.status.borrow().aftermath;
        self.status.borrow_mut().aftermath = aftermath.saturating_sub(1);
        if aftermath == 0 && self.events.is_work_refused() {
            // The reason may be that the device is lost, which is reported a little later.
            self.hear_of_loss().await;
            self.alive(op)?;
        }
        let errors = self.events.take_errors();
        // Errors about a refused buffer and the batches that use it are consequences of the refusal, which is reported
        // already.
        let mut errors =
            errors.into_iter().filter(|(code, _)| aftermath == 0 || *code != ErrorCode::DeviceError);
        // One fault has several errors: of what is invalid, and of all that uses it. They become one, so that not each fails another call.
        if let Some((code, text)) = errors.next() {
            let more = match errors.count() {
                0 => String::new(),
                count => format!(" (and {count} errors that came with it)"),
            };
            let text = format!("the GPU refused submitted work: {text}{more}");
            self.status.borrow_mut().found.push(Error::new(ErrorClass::Runtime, code, op, text));
        }
        let found = &mut self.status.borrow_mut().found;
        if found.is_empty() { Ok(()) } else { Err(found.remove(0)) }
    }
}

/// The errors that the slots of a batch tell of. The slots must be mapped.
fn faults_of(batch: &Submitted) -> Vec<Error> {
    let Some(view) = batch.staging.view(Submitted::size(batch.recorded.len())) else { return Vec::new() };
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&view);
    // Before slot 1 are the bytes up to `DATA`, which hold the count of what has run, and slot 0.
    let slots = words.chunks_exact(SLOT_WORDS).skip(DATA as usize / 4 / SLOT_WORDS + 1);
    let mut faults = Vec::new();
    for (slot, recorded) in slots.zip(&batch.recorded) {
        faults.extend(recorded.fault(slot));
    }
    faults
}

impl Recorded {
    /// The error that the words of its slot tell of; `None` where they say that nothing is wrong.
    fn fault(&self, slot: &[u32]) -> Option<Error> {
        let &[first, low, high, last] = slot else { return None };
        let value = u64::from(high) << 32 | u64::from(low);
        match self {
            // As `shaders/index/validate.wgsl`, `report.wgsl` and `divisors.wgsl` write them: places as complements, so that zeros mean
            // none. As on the CPU, divisors are looked at first.
            Self::Index(plan, divisors) if last != 0 => {
                let place = divisors.as_ref().map(|shape| (shape, !last as usize));
                Some(plan.divisor_error(place))
            }
            Self::Index(plan, _) if first != 0 => Some(plan.index_error(!first as usize, value as i64)),
            // As `shaders/histogram/edges.wgsl` writes them: the last word is the number of the column plus one.
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
