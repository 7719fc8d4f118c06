//! Deferred errors: a status slot per operation whose index values only the GPU has seen.

use std::collections::VecDeque;
use std::rc::Rc;

use futures_channel::oneshot;

use crate::backend::gpu::Gpu;
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
    staging: wgpu::Buffer,
    mapped: oneshot::Receiver<bool>,
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

    /// Whether an operation of the batch has a slot.
    pub(super) fn is_used(&self) -> bool {
        !self.recorded.is_empty()
    }

    /// A slot for an operation.
    pub(super) fn take_slot(&mut self, plan: &IndexPlan) -> u32 {
        self.recorded.push(plan.clone());
        self.recorded.len() as u32
    }

    /// Puts the copy of the batch's slots at its end, and makes them fresh for the next one. To be followed
    /// by `submitted`.
    pub(super) fn record_copy(&self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder) -> Copy {
        let size = (self.recorded.len() + 1) as u64 * SLOT_WORDS as u64 * 4;
        let staging = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("status read-back"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        encoder.copy_buffer_to_buffer(&self.buffer, 0, &staging, 0, size);
        encoder.clear_buffer(&self.buffer, 0, Some(size));
        Copy(staging)
    }

    /// The batch with that copy is on its way.
    pub(super) fn submitted(&mut self, Copy(staging): Copy) {
        let (sender, mapped) = oneshot::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |result| _ = sender.send(result.is_ok()));
        let plans = std::mem::take(&mut self.recorded);
        self.submitted.push_back(Submitted { plans, staging, mapped });
    }

    /// An error that came from elsewhere, to be reported like the others.
    fn push(&mut self, error: Error) {
        self.found.push_back(error);
    }
}

/// The batch's slots on their way to the host.
pub(super) struct Copy(wgpu::Buffer);

impl Gpu {
    /// Waits for the status of everything submitted.
    ///
    /// # Errors
    /// The first error that was not reported yet; it counts as reported then.
    pub(super) async fn settle(self: &Rc<Self>, op: &'static str) -> Result<()> {
        loop {
            // The borrow must end before the wait: other calls go on meanwhile.
            let next = self.status.borrow_mut().submitted.pop_front();
            let Some(Submitted { plans, staging, mapped }) = next else { break };
            if self.wait(mapped).await == Some(true) {
                let errors = decode(&plans, &staging);
                self.status.borrow_mut().found.extend(errors);
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

fn decode(plans: &[IndexPlan], staging: &wgpu::Buffer) -> Vec<Error> {
    let Ok(view) = staging.get_mapped_range(..) else { return Vec::new() };
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&view);
    drop(view);
    staging.destroy();
    let slots = words.chunks_exact(SLOT_WORDS).skip(1);
    slots
        .zip(plans)
        .filter_map(|(slot, plan)| match *slot {
            [complement, low, high, _] if complement != 0 => {
                let value = (u64::from(high) << 32 | u64::from(low)) as i64;
                Some(plan.index_error(!complement as usize, value))
            }
            _ => None,
        })
        .collect()
}
