//! Records dispatches and submits them together, as a batch. Batches are numbered from 1 on, and run in order.
//!
//! Every dispatch adds to a count on the device, and the last one of a batch, its *seal*, does nothing else: see `dropped.rs`.

use std::cell::Cell;
use std::rc::Rc;

use crate::backend::gpu::faults::dropped::Dropped;
use crate::backend::gpu::memory::pool::{KEPT_FOR_READING, KEPT_FOR_TENSORS, Pool};
use crate::backend::gpu::record::counts::Counts;
use crate::backend::gpu::record::pace::Pace;
use crate::backend::gpu::record::uploads::{MOST_GATHERED, Uploads};
use crate::backend::gpu::shaders::params::{BLOCK_BYTES, Block, Head, WORKGROUP};
use crate::backend::gpu::shaders::pass::Pass;
use crate::backend::gpu::shaders::pipelines::Pipelines;
use crate::backend::gpu::testing::Loss;
use crate::backend::gpu::{DeviceBuffer, Gpu, ShaderKey};

/// The batch being recorded.
pub(crate) struct Engine {
    encoder: Option<wgpu::CommandEncoder>,
    pass: Option<wgpu::ComputePass<'static>>,
    uploads: Uploads,
    /// Placeholders for bindings that a pass does not use: one for reading, one for writing.
    unused: [wgpu::Buffer; 2],
    /// Free buffers for tensors.
    pub(crate) pool: Pool,
    /// Free buffers that the host can map.
    pub(crate) staging: Pool,
    /// Buffers to be freed, and never reused, once the batch is submitted.
    retired: Vec<wgpu::Buffer>,
    /// Buffers in use for which the platform turned out to have no memory.
    pub(crate) refused: Vec<wgpu::Buffer>,
    /// The number of the batch being recorded.
    pub(crate) batch: u64,
    /// Those whose work cannot be relied on.
    pub(crate) dropped: Vec<Dropped>,
    /// The last batch that is known to have run to its end.
    pub(crate) finished: u64,
    /// What the device has counted when everything recorded so far has run: see `dropped.rs`.
    pub(crate) arrivals: u32,
    /// Who reads that count at the end of the batch, and what it has to be then.
    receipts: Vec<(wgpu::Buffer, Rc<Cell<Option<u32>>>)>,
    seal: Seal,
    /// How much work a batch has, and how much it may have.
    pub(crate) pace: Pace,
    /// What is to be lost, in tests.
    pub(crate) loses: Option<Loss>,
    pub(crate) counts: Counts,
}

/// The dispatch at the end of each batch. Its shader does not use the parameters, so that any block may be bound.
struct Seal {
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    status: wgpu::Buffer,
}

/// The buffers of one dispatch, by the names that shaders have for them; a multiply has y in the place of `index`, and x in that of `src`.
/// `None` where the pass does not use one.
#[derive(Default)]
pub(crate) struct Bindings<'a> {
    pub(crate) index: Option<&'a DeviceBuffer>,
    pub(crate) dst: Option<&'a DeviceBuffer>,
    pub(crate) src: Option<&'a DeviceBuffer>,
}

impl Engine {
    pub(crate) fn new(device: &wgpu::Device, pipelines: &Pipelines, status: &wgpu::Buffer) -> Self {
        let placeholder = |label| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                // One vec4<u32>: what is bound has to hold at least one element of the array that the shader declares.
                size: 16,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            })
        };
        let uploads = Uploads::new(device);
        let unused = ["unused for reading", "unused for writing"].map(placeholder);
        let seal = Seal {
            pipeline: pipelines.get(device, ShaderKey::words(Pass::Seal)).0,
            bindings: bind(device, pipelines, uploads.buffer(), status, &unused, &Bindings::default()),
            status: status.clone(),
        };
        Self {
            encoder: None,
            pass: None,
            uploads,
            unused,
            pool: Pool::new(KEPT_FOR_TENSORS),
            staging: Pool::new(KEPT_FOR_READING),
            retired: Vec::new(),
            refused: Vec::new(),
            batch: 1,
            dropped: Vec::new(),
            finished: 0,
            arrivals: 0,
            receipts: Vec::new(),
            seal,
            pace: Pace::new(),
            loses: None,
            counts: Counts::default(),
        }
    }

    /// Whether anything was recorded since the last submission.
    pub(crate) fn is_recording(&self) -> bool {
        self.encoder.is_some() || !self.uploads.is_empty() || !self.receipts.is_empty()
    }

    /// Has the count of what has run copied to the first word of a buffer when the batch ends. The cell gets what that word has to be
    /// as soon as the end of the batch is recorded; it is `None` before.
    pub(crate) fn ask_for_receipt(&mut self, buffer: &wgpu::Buffer) -> Rc<Cell<Option<u32>>> {
        let expected = Rc::default();
        self.receipts.push((buffer.clone(), Rc::clone(&expected)));
        expected
    }

    /// Records the end of the batch: the seal, and a copy of the count for everyone who has asked for it.
    fn seal(&mut self, device: &wgpu::Device) {
        let (pipeline, bindings) = (self.seal.pipeline.clone(), self.seal.bindings.clone());
        let pass = self.pass(device);
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bindings, &[0]);
        pass.dispatch_workgroups(1, 1, 1);
        // Each thread of the first workgroup of a dispatch counts itself; the seal has no other workgroup.
        self.arrivals = self.arrivals.wrapping_add(WORKGROUP);
        let status = self.seal.status.clone();
        for (buffer, expected) in std::mem::take(&mut self.receipts) {
            expected.set(Some(self.arrivals));
            self.encoder(device).copy_buffer_to_buffer(&status, ARRIVALS, &buffer, 0, 4);
        }
    }

    /// The encoder, for copies: the open compute pass ends.
    fn encoder(&mut self, device: &wgpu::Device) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        self.encoder.get_or_insert_with(|| encoder(device))
    }

    /// The open compute pass. Dispatches share one until a copy comes between them.
    fn pass(&mut self, device: &wgpu::Device) -> &mut wgpu::ComputePass<'static> {
        self.pass.get_or_insert_with(|| {
            let encoder = self.encoder.get_or_insert_with(|| encoder(device));
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime()
        })
    }

    /// Submits the batch, if anything was recorded, and begins the next one. What was freed while the batch used it is free for every use
    /// then. The status slots stay as they are: only [`Gpu::flush`] reads and clears them.
    pub(crate) fn submit(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) {
        if self.is_recording() {
            self.seal(device);
            self.pass = None;
            let uploads = self.uploads.write(device, queue, &mut self.counts);
            let batch = self.encoder.take().map(wgpu::CommandEncoder::finish);
            // Unless a test wants this submission to be lost.
            if self.loses.take_if(|loss| *loss == Loss::Submission).is_none() {
                queue.submit(uploads.into_iter().chain(batch));
            }
            self.pace.submitted(queue);
            self.counts.submissions += 1;
            self.batch += 1;
        }
        self.pool.submitted();
        self.staging.submitted();
        for buffer in &self.retired {
            buffer.destroy();
        }
        self.retired.clear();
    }
}

fn encoder(device: &wgpu::Device) -> wgpu::CommandEncoder {
    device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("batch") })
}

/// The byte of the status buffer where the count of what has run is: the second word, as in `shaders/lib/frame.wgsl`.
pub(crate) const ARRIVALS: u64 = 4;

/// Binds the buffers of a dispatch in the layout that all passes share. Every binding needs a buffer: placeholders stand in for those
/// that the pass does not use. Which parameter block is bound is said later, by an offset into `uploads`.
fn bind(
    device: &wgpu::Device,
    pipelines: &Pipelines,
    uploads: &wgpu::Buffer,
    status: &wgpu::Buffer,
    [unused_read, unused_written]: &[wgpu::Buffer; 2],
    bindings: &Bindings<'_>,
) -> wgpu::BindGroup {
    let uniforms = wgpu::BufferBinding {
        buffer: uploads,
        offset: 0,
        size: std::num::NonZeroU64::new(BLOCK_BYTES as u64),
    };
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipelines.bindings,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(uniforms) },
            whole(1, status),
            whole(2, bindings.index.map_or(unused_read, DeviceBuffer::raw)),
            whole(3, bindings.dst.map_or(unused_written, DeviceBuffer::raw)),
            whole(4, bindings.src.map_or(unused_read, DeviceBuffer::raw)),
        ],
    })
}

/// A binding of all bytes of a buffer.
fn whole(binding: u32, buffer: &wgpu::Buffer) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }
}

impl Gpu {
    /// Records a pass with as many threads as the head of its parameters says.
    pub(crate) fn dispatch<B: Block>(self: &Rc<Self>, key: ShaderKey, params: B, bindings: &Bindings<'_>) {
        self.dispatch_rounds(key, params, 1, bindings);
    }

    /// Records a pass whose threads each run `rounds` rounds of a loop, on average: in one dispatch, or in several if it is more work
    /// than a submission may have.
    pub(crate) fn dispatch_rounds<B: Block>(
        self: &Rc<Self>,
        key: ShaderKey,
        mut params: B,
        rounds: usize,
        bindings: &Bindings<'_>,
    ) {
        debug_assert_eq!(key.pass.row().params, B::MEMBERS, "{key:?} has other parameters");
        self.dispatch_block(key, bytemuck::bytes_of_mut(&mut params), rounds as u64, bindings);
    }

    /// [`Gpu::dispatch_rounds`] for the bytes of a parameter block, whose head it completes. The workgroups make a grid of rows, because
    /// a dispatch has a limit in each dimension; each dispatch has some rows of the grid.
    fn dispatch_block(
        self: &Rc<Self>,
        key: ShaderKey,
        params: &mut [u8],
        rounds: u64,
        bindings: &Bindings<'_>,
    ) {
        // At least one workgroup, which counts the dispatch as run.
        let groups = Head::of(params).threads.div_ceil(key.pass.workgroup()).max(1);
        let group_rounds = u64::from(key.pass.workgroup()) * rounds;
        // Workgroups that one submission may have.
        let groups_at_once =
            (self.engine.borrow().pace.most() / group_rounds).clamp(1, u32::MAX.into()) as u32;
        let widest = self.limits.max_compute_workgroups_per_dimension.min(groups_at_once);
        // As many rows as the widest grid would have, but only as wide as they have to be. So fewer workgroups are idle than a row has, and
        // than a column has. In the widest grid the last row might be nearly empty, and up to half of the workgroups idle.
        let width = groups.div_ceil(groups.div_ceil(widest));
        let height = groups.div_ceil(width);
        Head::of(params).grid_width = width;
        let rows_at_once = (groups_at_once / width).max(1);
        for first in (0..height).step_by(rows_at_once as usize) {
            Head::of(params).first_row = first;
            let rows = rows_at_once.min(height - first);
            let all_rounds = u64::from(width) * u64::from(rows) * group_rounds;
            self.record(key, params, [width, rows], all_rounds, bindings);
        }
        // For a test that watches.
        self.switches.wrote(key.pass, bindings.dst);
    }

    /// Records one dispatch of `width` × `rows` workgroups, whose threads together run `all_rounds` rounds of loops. The batch is
    /// submitted before if there is no room in it.
    fn record(
        self: &Rc<Self>,
        key: ShaderKey,
        params: &[u8],
        [width, rows]: [u32; 2],
        all_rounds: u64,
        bindings: &Bindings<'_>,
    ) {
        let (pipeline, is_new) = self.pipelines.get(&self.device, key);
        let engine = &mut *self.engine.borrow_mut();
        if engine.uploads.lacks_room_for_block() || engine.pace.is_full(all_rounds) {
            // Not by `flush`, which would clear the status slots: this dispatch may look at a slot that an earlier one has set.
            engine.submit(&self.device, &self.queue);
        }
        engine.pace.record(all_rounds, is_new);
        if let Some(dst) = bindings.dst {
            dst.written_in(engine.batch);
        }
        let offset = engine.uploads.push_params(params);

        let status = self.status.borrow();
        let group = bind(
            &self.device,
            &self.pipelines,
            engine.uploads.buffer(),
            &status.buffer,
            &engine.unused,
            bindings,
        );
        let bound = [bindings.index, bindings.dst, bindings.src].into_iter().flatten();
        engine.counts.bound += bound.map(|buffer| buffer.len() as u64).sum::<u64>();
        engine.counts.dispatches += 1;
        // What the dispatch adds to the count: the threads of its first workgroup.
        engine.arrivals = engine.arrivals.wrapping_add(key.pass.workgroup());
        let is_lost = Loss::takes_dispatch(&mut engine.loses);
        let pass = engine.pass(&self.device);
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[offset]);
        if !is_lost {
            pass.dispatch_workgroups(width, rows, 1);
        }
    }

    /// Writes bytes to the start of a buffer before the current batch runs; that batch must not have used the buffer yet. Few bytes are
    /// gathered with other uploads of the batch, more are written at once. Returns the number of the batch that carries them.
    pub(crate) fn write(&self, buffer: &wgpu::Buffer, bytes: &[u8]) -> u64 {
        let engine = &mut *self.engine.borrow_mut();
        // The queue writes whole words. Up to three bytes behind them are gathered too, because they are padded to a word there.
        let direct_len = if bytes.len() > MOST_GATHERED { bytes.len() / 4 * 4 } else { 0 };
        let (direct, gathered) = bytes.split_at(direct_len);
        if !direct.is_empty() {
            self.queue.write_buffer(buffer, 0, direct);
            engine.counts.writes += 1;
            engine.counts.written += direct.len() as u64;
        }
        if gathered.is_empty() {
            return engine.batch;
        }
        if engine.uploads.lacks_room_for(gathered.len()) {
            engine.submit(&self.device, &self.queue);
        }
        engine.uploads.push_operand(gathered, buffer, direct.len() as u64);
        engine.batch
    }

    /// Records a copy of the first `size` bytes of a buffer to byte `at` of another one; `size` and `at` are multiples of 4.
    pub(crate) fn copy(&self, from: &wgpu::Buffer, to: &wgpu::Buffer, at: u64, size: u64) {
        let engine = &mut *self.engine.borrow_mut();
        engine.counts.copies += 1;
        // Each byte is read and written.
        engine.counts.copied += 2 * size;
        engine.encoder(&self.device).copy_buffer_to_buffer(from, 0, to, at, size);
    }

    /// Submits what was recorded. A copy of the status slots in use ends the batch, for the next read to look at, and they are free again.
    pub(crate) fn flush(self: &Rc<Self>) {
        let status = self.record_status();
        self.engine.borrow_mut().submit(&self.device, &self.queue);
        if let Some(status) = status {
            self.status.borrow_mut().submitted(status);
        }
    }

    /// Records that `size` bytes of a buffer, from byte `at` on, become zeros.
    pub(crate) fn clear(&self, buffer: &wgpu::Buffer, at: u64, size: u64) {
        let engine = &mut *self.engine.borrow_mut();
        engine.counts.copies += 1;
        engine.counts.copied += size;
        engine.encoder(&self.device).clear_buffer(buffer, at, Some(size));
    }

    /// Takes back the memory of a tensor. A buffer that code outside the library may hold (`shared_out`) is freed and not
    /// reused: using it is an error then, and does not show another tensor's data.
    pub(crate) fn retire(&self, buffer: &wgpu::Buffer, shared_out: bool) {
        // A drop must not panic: where the engine is in use, the buffer is freed and not kept.
        let Ok(mut engine) = self.engine.try_borrow_mut() else { return buffer.destroy() };
        let busy = engine.is_recording();
        // A buffer that the platform has refused has no memory to keep or to free.
        if let Some(at) = engine.refused.iter().position(|refused| refused == buffer) {
            engine.refused.swap_remove(at);
            return;
        }
        match (shared_out, busy) {
            (false, _) => engine.pool.put(buffer.clone(), busy),
            (true, true) => engine.retired.push(buffer.clone()),
            (true, false) => buffer.destroy(),
        }
    }

    /// Bytes in free buffers that are kept for reuse.
    pub fn pooled_bytes(&self) -> u64 {
        let engine = self.engine.borrow();
        engine.pool.bytes() + engine.staging.bytes()
    }

    /// Frees all memory that no tensor holds.
    pub fn free_pooled(self: &Rc<Self>) {
        // The pools keep what an unsubmitted batch uses.
        self.flush();
        let engine = &mut *self.engine.borrow_mut();
        engine.pool.clear();
        engine.staging.clear();
    }
}
