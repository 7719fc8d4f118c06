//! Records dispatches and submits them together as a batch. Batches have the numbers 1, 2, … and run in order.
//!
//! Every dispatch adds to a count on the device. The last dispatch of a batch, its end-of-batch marker, does only that: see `faults/dropped.rs`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::engine::gpu::{
    BLOCK_BYTES, Budget, Head, Loss, MOST_GATHERED, Memory, Pass, Pipelines, Recorded, ShaderKey, Uploads,
    count, hook, list,
};

/// Where the status buffer holds the count of finished work, in bytes: its second word, as in `shaders/lib/frame.wgsl`.
const COMPLETED: u64 = 4;

/// Bytes before the data in a staging buffer. They hold the count of finished work at the end of the batch.
pub(crate) const DATA: u64 = 16;

/// The count when a batch and all earlier batches have run; `None` until the end of the batch is recorded.
pub(crate) type ExpectedCount = Rc<Cell<Option<u32>>>;

pub(crate) struct Recorder {
    device: wgpu::Device,
    queue: wgpu::Queue,
    memory: Rc<Memory>,
    pipelines: Pipelines,
    /// The most workgroups of a dispatch in one dimension.
    widest: u32,
    /// The status slots, bound by every dispatch, and the count of finished work.
    pub(crate) status: wgpu::Buffer,
    /// Placeholders for the bindings that a pass does not use: one to read, and one for each that may be written.
    unused: [wgpu::Buffer; 3],
    batch: RefCell<Batch>,
}

struct Batch {
    number: u64,
    encoder: Option<wgpu::CommandEncoder>,
    pass: Option<wgpu::ComputePass<'static>>,
    uploads: Uploads,
    groups: Groups,
    /// The bind group of the marker at the end of each batch: it has no tensor's buffer.
    marker: Option<wgpu::BindGroup>,
    /// Its work, and the limit.
    budget: Budget,
    /// The device's count when everything recorded so far has run.
    expected_count: u32,
    /// The readers of the count at the end of the batch, each with a cell for the expected count.
    readers: Vec<(wgpu::Buffer, ExpectedCount)>,
}

/// The buffers of a dispatch, by their names in shaders; `None` if the pass does not use one.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bound<'a> {
    pub(crate) index: Option<&'a wgpu::Buffer>,
    pub(crate) dst: Option<&'a wgpu::Buffer>,
    pub(crate) src: Option<&'a wgpu::Buffer>,
    pub(crate) scratch: Option<&'a wgpu::Buffer>,
    /// Bytes of data in them, to count them.
    pub(crate) bytes: u64,
}

/// The bind groups of a batch, by the buffers of their dispatches: a sort and a loop bind the same few again. They end with the batch, because a
/// bind group keeps its buffers alive.
type Groups = Vec<([Option<wgpu::Buffer>; 4], wgpu::BindGroup)>;

/// The last bind groups that a search visits.
const SEARCHED: usize = 16;

impl Batch {
    fn encoder(&mut self, device: &wgpu::Device) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        self.encoder.get_or_insert_with(|| encoder(device))
    }

    /// The open compute pass. Dispatches share it until a copy comes between them.
    fn pass(&mut self, device: &wgpu::Device) -> &mut wgpu::ComputePass<'static> {
        self.pass.get_or_insert_with(|| {
            let encoder = self.encoder.get_or_insert_with(|| encoder(device));
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime()
        })
    }

    fn is_recording(&self) -> bool {
        self.encoder.is_some() || !self.uploads.is_empty() || !self.readers.is_empty()
    }
}

fn encoder(device: &wgpu::Device) -> wgpu::CommandEncoder {
    device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("batch") })
}

fn whole(binding: u32, buffer: &wgpu::Buffer) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }
}

impl Recorder {
    pub(crate) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        memory: &Rc<Memory>,
        limits: &wgpu::Limits,
        workgroup: u32,
        (status_size, overlaps): (u64, bool),
    ) -> Self {
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let storage = wgpu::BufferUsages::STORAGE;
        let copied = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let batch = Batch {
            number: 1,
            encoder: None,
            pass: None,
            uploads: Uploads::new(device),
            groups: Groups::new(),
            marker: None,
            budget: Budget::new(overlaps),
            expected_count: 0,
            readers: Vec::new(),
        };
        Self {
            device: device.clone(),
            queue: queue.clone(),
            memory: Rc::clone(memory),
            pipelines: Pipelines::new(device, workgroup),
            widest: limits.max_compute_workgroups_per_dimension,
            status: buffer("status", status_size, storage | copied),
            // One vec4<u32>: a binding has to hold at least one element of the shader's array.
            // No two writable bindings may share a buffer.
            unused: ["unused for reading", "unused dst", "unused scratch"]
                .map(|label| buffer(label, 16, storage)),
            batch: RefCell::new(batch),
        }
    }

    pub(crate) fn batch(&self) -> u64 {
        self.batch.borrow().number
    }

    /// Threads of a workgroup in almost all passes.
    pub(crate) fn workgroup(&self) -> u32 {
        self.pipelines.workgroup
    }

    /// Whether anything was recorded since the last submission. Also true during a call of the recorder, because that call may drop a
    /// buffer.
    pub(crate) fn is_recording(&self) -> bool {
        !self.batch.try_borrow().is_ok_and(|batch| !batch.is_recording())
    }

    /// Records a pass. Each thread runs `rounds` rounds of a loop on average. A pass that exceeds the work of one submission
    /// takes several dispatches. Completes the head of its block. The workgroups form a grid of rows, because a dispatch has a
    /// limit in each dimension; each dispatch has some rows of the grid. Returns the batch number of the last dispatch.
    pub(crate) fn dispatch(
        &self,
        key: ShaderKey,
        mut head: Head,
        params: &[u8],
        rounds: u64,
        bound: Bound<'_>,
    ) -> u64 {
        // At least one workgroup, which counts the dispatch as run.
        let workgroup = key.pass.workgroup(self.workgroup());
        let groups = head.threads.div_ceil(workgroup).max(1);
        let group_rounds = u64::from(workgroup) * rounds;
        // The most workgroups of one submission.
        let most = self.batch.borrow().budget.most();
        let groups_at_once = (most / group_rounds).clamp(1, u32::MAX.into()) as u32;
        let widest = self.widest.min(groups_at_once);
        // As many rows as the widest grid would have, but each row only as wide as necessary. So the idle workgroups are fewer than a
        // row, and fewer than a column. In the widest grid the last row could be almost empty, and up to half of the workgroups idle.
        let width = groups.div_ceil(groups.div_ceil(widest));
        let height = groups.div_ceil(width);
        head.grid_width = width;
        let rows_at_once = (groups_at_once / width).max(1);
        for first in (0..height).step_by(rows_at_once as usize) {
            head.first_row = first;
            let rows = rows_at_once.min(height - first);
            let all_rounds = u64::from(width) * u64::from(rows) * group_rounds;
            self.record(key, [bytemuck::bytes_of(&head), params], [width, rows], all_rounds, bound);
            list(|| {
                let threads = u64::from(width) * u64::from(rows) * u64::from(workgroup);
                Recorded::Dispatch { key, threads: threads.min(head.threads.into()), rounds }
            });
        }
        self.batch()
    }

    /// Records one dispatch of `width` × `rows` workgroups. All threads together run `all_rounds` rounds of loops. If the batch has
    /// no room for the dispatch, the batch is submitted first.
    fn record(
        &self,
        key: ShaderKey,
        block: [&[u8]; 2],
        [width, rows]: [u32; 2],
        all_rounds: u64,
        bound: Bound<'_>,
    ) {
        let (pipeline, is_new) = self.pipelines.get(&self.device, key);
        let batch = &mut *self.batch.borrow_mut();
        if batch.uploads.lacks_room_for_block() || batch.budget.is_full(all_rounds) || batch.budget.is_due() {
            // The status slots are not cleared: this dispatch may read a slot that an earlier dispatch set.
            self.submit_batch(batch);
        }
        batch.budget.record(all_rounds, is_new);
        let offset = batch.uploads.push_block(block);
        let group = self.bind(&mut batch.groups, &batch.uploads.buffer, bound);
        count(|counts| {
            counts.bound += bound.bytes;
            counts.dispatches += 1;
        });
        // The dispatch adds the threads of its first workgroup to the count.
        batch.expected_count = batch.expected_count.wrapping_add(key.pass.workgroup(self.workgroup()));
        let pass = batch.pass(&self.device);
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[offset]);
        if !loses_dispatch() {
            pass.dispatch_workgroups(width, rows, 1);
        }
    }

    /// Binds the buffers of a dispatch in the layout of all passes, or takes the bind group of an earlier dispatch with the same ones. Placeholders fill the
    /// bindings that the pass does not use. An offset into `uploads`, which all batches share, selects the parameter block later.
    fn bind(&self, groups: &mut Groups, uploads: &wgpu::Buffer, bound: Bound<'_>) -> wgpu::BindGroup {
        let buffers = [bound.index, bound.dst, bound.src, bound.scratch];
        let is_same = |kept: &[Option<wgpu::Buffer>; 4]| kept.each_ref().map(Option::as_ref) == buffers;
        if let Some((_, group)) = groups.iter().rev().take(SEARCHED).find(|(kept, _)| is_same(kept)) {
            return group.clone();
        }
        count(|counts| counts.groups += 1);
        let [unused_read, unused_dst, unused_scratch] = &self.unused;
        let size = std::num::NonZeroU64::new(BLOCK_BYTES as u64);
        let uniforms = wgpu::BufferBinding { buffer: uploads, offset: 0, size };
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: self.pipelines.bindings(),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(uniforms) },
                whole(1, &self.status),
                whole(2, bound.index.unwrap_or(unused_read)),
                whole(3, bound.dst.unwrap_or(unused_dst)),
                whole(4, bound.src.unwrap_or(unused_read)),
                whole(5, bound.scratch.unwrap_or(unused_scratch)),
            ],
        });
        groups.push((buffers.map(Option::<&_>::cloned), group.clone()));
        group
    }

    /// Writes bytes to the start of a buffer before the current batch runs. The batch must not have used the buffer yet. Small operands
    /// join the batch's other uploads; larger ones are written at once. Returns the number of the batch that carries the bytes.
    pub(crate) fn write(&self, buffer: &wgpu::Buffer, bytes: &[u8]) -> u64 {
        let batch = &mut *self.batch.borrow_mut();
        // The queue writes whole words. An operand is padded to a word, so up to three more bytes are gathered too.
        let direct_len = if bytes.len() > MOST_GATHERED { bytes.len() / 4 * 4 } else { 0 };
        let (direct, gathered) = bytes.split_at(direct_len);
        if !direct.is_empty() {
            self.queue.write_buffer(buffer, 0, direct);
            count(|counts| {
                counts.writes += 1;
                counts.written += direct.len() as u64;
            });
        }
        if !gathered.is_empty() {
            if batch.uploads.lacks_room_for(gathered.len()) {
                self.submit_batch(batch);
            }
            batch.uploads.push_operand(gathered, buffer, direct.len() as u64);
        }
        batch.number
    }

    /// Records a copy of the first `size` bytes of a buffer to byte `at` of another one; `size` and `at` are multiples of 4.
    pub(crate) fn copy(&self, from: &wgpu::Buffer, to: &wgpu::Buffer, at: u64, size: u64) {
        count(|counts| {
            counts.copies += 1;
            // Each byte is read and written.
            counts.copied += 2 * size;
        });
        self.batch.borrow_mut().encoder(&self.device).copy_buffer_to_buffer(from, 0, to, at, size);
    }

    /// Records a clear of `size` bytes of a buffer, from byte `at` on, to zeros.
    pub(crate) fn clear(&self, buffer: &wgpu::Buffer, at: u64, size: u64) {
        count(|counts| {
            counts.copies += 1;
            counts.copied += size;
        });
        self.batch.borrow_mut().encoder(&self.device).clear_buffer(buffer, at, Some(size));
    }

    /// Copies the count of finished work to the first word of a buffer at the end of the batch. The cell gets the expected count when the
    /// end of the batch is recorded.
    pub(crate) fn expect_count(&self, buffer: &wgpu::Buffer) -> ExpectedCount {
        let expected = ExpectedCount::default();
        self.batch.borrow_mut().readers.push((buffer.clone(), Rc::clone(&expected)));
        expected
    }

    /// Submits the batch, if it is not empty, and begins the next one. The buffers that were freed while the batch used them then fit
    /// every use. The status slots do not change.
    pub(crate) fn submit(&self) {
        self.submit_batch(&mut self.batch.borrow_mut());
    }

    fn submit_batch(&self, batch: &mut Batch) {
        if batch.is_recording() {
            self.end(batch);
            batch.pass = None;
            batch.groups.clear();
            let uploads = batch.uploads.write(&self.device, &self.queue);
            let commands = batch.encoder.take().map(wgpu::CommandEncoder::finish);
            // A test may want to lose this submission.
            if hook(|hooks| hooks.loss.take_if(|loss| *loss == Loss::Submission)).flatten().is_none() {
                self.queue.submit(uploads.into_iter().chain(commands));
            }
            batch.budget.submitted(&self.queue);
            count(|counts| counts.submissions += 1);
            list(|| Recorded::Submission);
            batch.number += 1;
        }
        self.memory.submitted();
    }

    fn end(&self, batch: &mut Batch) {
        let key = ShaderKey::words(Pass::EndOfBatch);
        let (pipeline, _) = self.pipelines.get(&self.device, key);
        // Its shader does not use the parameters, so any block may be bound.
        let bind = || self.bind(&mut Groups::new(), &batch.uploads.buffer, Bound::default());
        let group = batch.marker.get_or_insert_with(bind).clone();
        let pass = batch.pass(&self.device);
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[0]);
        pass.dispatch_workgroups(1, 1, 1);
        // Each thread of a dispatch's first workgroup counts itself. The marker has only one workgroup.
        batch.expected_count = batch.expected_count.wrapping_add(self.workgroup());
        for (buffer, expected) in std::mem::take(&mut batch.readers) {
            expected.set(Some(batch.expected_count));
            batch.encoder(&self.device).copy_buffer_to_buffer(&self.status, COMPLETED, &buffer, 0, 4);
        }
    }

    /// Submits the batch and begins a new one. In the new batch the device's count restarts from the expected value, and all status
    /// slots are zero. Returns the number of the last batch before.
    pub(crate) fn restart(&self) -> u64 {
        let batch = &mut *self.batch.borrow_mut();
        let last = batch.number;
        self.submit_batch(batch);
        // `submit_batch` does not advance the number of an empty batch.
        batch.number = batch.number.max(last + 1);
        let mut words = vec![0; self.status.size() as usize / 4];
        if let Some(word) = words.get_mut(COMPLETED as usize / 4) {
            *word = batch.expected_count;
        }
        self.queue.write_buffer(&self.status, 0, bytemuck::cast_slice(&words));
        last
    }

    pub(crate) fn compile(&self, key: ShaderKey, checks_only: bool) {
        match checks_only {
            true => drop(self.pipelines.module(&self.device, key)),
            false => drop(self.pipelines.get(&self.device, key)),
        }
    }
}

/// Whether a test wants to lose the current dispatch. If so, later dispatches are not lost.
fn loses_dispatch() -> bool {
    let is_lost = hook(|hooks| match &mut hooks.loss {
        Some(Loss::Dispatch(0)) => hooks.loss.take().is_some(),
        Some(Loss::Dispatch(left)) => {
            // One dispatch fewer comes before the lost one.
            *left -= 1;
            false
        }
        Some(Loss::Submission) | None => false,
    });
    is_lost == Some(true)
}
