//! Records dispatches and submits them together.

use std::rc::Rc;

use crate::backend::gpu::counts::Counts;
use crate::backend::gpu::params::{BLOCK_BYTES, Block};
#[cfg(debug_assertions)]
use crate::backend::gpu::pass::BlockType;
use crate::backend::gpu::pool::{KEPT_FOR_READING, KEPT_FOR_TENSORS, Pool};
use crate::backend::gpu::uploads::{SMALL, Uploads};
use crate::backend::gpu::{DeviceBuffer, Gpu, ShaderKey};

/// The batch being recorded.
pub(super) struct Engine {
    encoder: Option<wgpu::CommandEncoder>,
    pass: Option<wgpu::ComputePass<'static>>,
    uploads: Uploads,
    /// Placeholders for bindings that a pass does not use: one for reading, one for writing.
    unused: [wgpu::Buffer; 2],
    /// Free buffers for tensors.
    pub(super) pool: Pool,
    /// Free buffers that the host can map.
    pub(super) staging: Pool,
    /// Buffers to be freed, and never reused, once the batch is submitted.
    retired: Vec<wgpu::Buffer>,
    /// Buffers in use for which the platform turned out to have no memory.
    pub(super) refused: Vec<wgpu::Buffer>,
    /// The number of the batch being recorded.
    pub(super) batch: u64,
    /// Ranges of batches, first and last, that the platform may have dropped because they use such a buffer, or that
    /// may read what a dropped batch should have written.
    dropped: Vec<(u64, u64)>,
    pub(super) counts: Counts,
}

/// The buffers of one dispatch.
pub(super) struct Bindings<'a> {
    pub(super) index: Option<&'a DeviceBuffer>,
    pub(super) dst: Option<&'a DeviceBuffer>,
    pub(super) src: Option<&'a DeviceBuffer>,
}

impl Engine {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let buffer = |label| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: 16,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            })
        };
        Self {
            encoder: None,
            pass: None,
            uploads: Uploads::new(device),
            unused: ["unused for reading", "unused for writing"].map(buffer),
            pool: Pool::new(KEPT_FOR_TENSORS),
            staging: Pool::new(KEPT_FOR_READING),
            retired: Vec::new(),
            refused: Vec::new(),
            batch: 1,
            dropped: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Whether a batch is being recorded.
    pub(super) fn is_recording(&self) -> bool {
        self.encoder.is_some() || !self.uploads.is_empty()
    }

    /// The encoder outside of a compute pass, for copies.
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

    fn submit(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) {
        self.pass = None;
        if self.is_recording() {
            let uploads = self.uploads.write(device, queue, &mut self.counts);
            let batch = self.encoder.take().map(wgpu::CommandEncoder::finish);
            queue.submit(uploads.into_iter().chain(batch));
            self.counts.submissions += 1;
            self.batch += 1;
        }
        self.pool.submitted();
        self.staging.submitted();
        for buffer in self.retired.drain(..) {
            buffer.destroy();
        }
    }
}

fn encoder(device: &wgpu::Device) -> wgpu::CommandEncoder {
    device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("batch") })
}

fn whole(binding: u32, buffer: &wgpu::Buffer) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }
}

impl Gpu {
    /// Records one dispatch with as many threads as the head of its parameters says.
    pub(super) fn dispatch<B: Block>(
        self: &Rc<Self>,
        key: ShaderKey,
        mut params: B,
        bindings: &Bindings<'_>,
    ) {
        #[cfg(debug_assertions)]
        assert_eq!(key.pass.block(), BlockType::of::<B>(), "{key:?} has other parameters");
        // At least one workgroup: its first thread reports a bad index even where no element is written.
        let groups = params.head().threads.div_ceil(key.pass.workgroup()).max(1);
        // Rows of about the same length: otherwise up to half of the threads would be idle.
        let rows = groups.div_ceil(self.limits.max_compute_workgroups_per_dimension);
        let width = groups.div_ceil(rows);
        params.head().grid_width = width;
        self.record(key, bytemuck::bytes_of(&params), [width, rows], bindings);
    }

    fn record(
        self: &Rc<Self>,
        key: ShaderKey,
        params: &[u8],
        [width, rows]: [u32; 2],
        bindings: &Bindings<'_>,
    ) {
        let pipeline = self.pipelines.get(&self.device, key);
        let engine = &mut *self.engine.borrow_mut();
        if engine.uploads.has_all_blocks() {
            // Without the status slots: the next dispatch may belong to the same operation.
            engine.submit(&self.device, &self.queue);
        }
        if let Some(dst) = bindings.dst {
            dst.written_in(engine.batch);
        }
        let offset = engine.uploads.push_params(params);

        let [unused_read, unused_written] = &engine.unused;
        let uniforms = wgpu::BufferBinding {
            buffer: engine.uploads.buffer(),
            offset: 0,
            size: std::num::NonZeroU64::new(BLOCK_BYTES as u64),
        };
        let uniforms = wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(uniforms) };
        let status = self.status.borrow();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.pipelines.bindings,
            entries: &[
                uniforms,
                whole(1, &status.buffer),
                whole(2, bindings.index.map_or(unused_read, DeviceBuffer::raw)),
                whole(3, bindings.dst.map_or(unused_written, DeviceBuffer::raw)),
                whole(4, bindings.src.map_or(unused_read, DeviceBuffer::raw)),
            ],
        });
        let bound = [bindings.index, bindings.dst, bindings.src].into_iter().flatten();
        engine.counts.bound += bound.map(|buffer| buffer.len() as u64).sum::<u64>();
        engine.counts.dispatches += 1;
        let pass = engine.pass(&self.device);
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[offset]);
        pass.dispatch_workgroups(width, rows, 1);
    }

    /// Writes bytes to the start of a buffer before the current batch runs; that batch must not have used the buffer
    /// yet. Returns the number of the batch that carries them, or 0 if they were written directly.
    pub(super) fn write(&self, buffer: &wgpu::Buffer, bytes: &[u8]) -> u64 {
        let engine = &mut *self.engine.borrow_mut();
        // The queue writes whole words.
        let direct = if bytes.len() > SMALL { bytes.len() / 4 * 4 } else { 0 };
        let (direct, gathered) = bytes.split_at(direct);
        if !direct.is_empty() {
            self.queue.write_buffer(buffer, 0, direct);
            engine.counts.writes += 1;
            engine.counts.written += direct.len() as u64;
        }
        if gathered.is_empty() {
            return 0;
        }
        if engine.uploads.is_too_full(gathered.len()) {
            engine.submit(&self.device, &self.queue);
        }
        engine.uploads.push_operand(gathered, buffer, direct.len() as u64);
        engine.batch
    }

    /// Records a copy of `size` bytes.
    pub(super) fn copy(&self, from: &wgpu::Buffer, to: &wgpu::Buffer, size: u64) {
        self.copy_to(from, to, 0, size);
    }

    /// Records a copy of `size` bytes to a place in a buffer.
    pub(super) fn copy_to(&self, from: &wgpu::Buffer, to: &wgpu::Buffer, at: u64, size: u64) {
        let engine = &mut *self.engine.borrow_mut();
        engine.counts.copies += 1;
        engine.counts.copied += 2 * size;
        engine.encoder(&self.device).copy_buffer_to_buffer(from, 0, to, at, size);
    }

    /// Notes that the platform may drop all batches from `first` on, and begins a new one.
    pub(super) fn drop_batches(&self, first: u64) {
        let engine = &mut *self.engine.borrow_mut();
        engine.dropped.push((first, engine.batch));
        engine.submit(&self.device, &self.queue);
        // `submit` does not count a batch that was empty.
        engine.batch = engine.batch.max(engine.dropped.last().map_or(0, |range| range.1) + 1);
    }

    /// Whether a batch may have been dropped.
    pub(super) fn is_dropped(&self, batch: u64) -> bool {
        self.engine.borrow().dropped.iter().any(|&(first, last)| (first..=last).contains(&batch))
    }

    /// Submits what was recorded, with the status of its operations at the end.
    pub(super) fn flush(self: &Rc<Self>) {
        let status = self.record_status();
        let batch = self.engine.borrow().batch;
        self.engine.borrow_mut().submit(&self.device, &self.queue);
        if let Some(status) = status {
            self.status.borrow_mut().submitted(batch, status);
        }
    }

    /// Records that the first `size` bytes of a buffer become zeros.
    pub(super) fn clear(&self, buffer: &wgpu::Buffer, size: u64) {
        let engine = &mut *self.engine.borrow_mut();
        engine.counts.copies += 1;
        engine.counts.copied += size;
        engine.encoder(&self.device).clear_buffer(buffer, 0, Some(size));
    }

    /// Takes back the memory of a tensor. A buffer that code outside the library may hold is freed and not reused:
    /// using it is an error then, and does not show another tensor's data.
    pub(super) fn retire(&self, buffer: &wgpu::Buffer, shared_out: bool) {
        let Ok(mut engine) = self.engine.try_borrow_mut() else { return buffer.destroy() };
        let busy = engine.is_recording();
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
        self.flush();
        let engine = &mut *self.engine.borrow_mut();
        engine.pool.clear();
        engine.staging.clear();
    }
}
