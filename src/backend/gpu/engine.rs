//! Records dispatches and submits them together.

use std::rc::Rc;

use crate::backend::gpu::counts::Counts;
use crate::backend::gpu::params::{PARAMS_STRIDE, Params, WORKGROUP};
use crate::backend::gpu::pool::{KEPT_FOR_READING, KEPT_FOR_TENSORS, Pool};
use crate::backend::gpu::{DeviceBuffer, Gpu, ShaderKey};

/// Parameter blocks, and so dispatches, in one submission.
const BATCH: usize = 1024;

/// The batch being recorded.
pub(super) struct Engine {
    encoder: Option<wgpu::CommandEncoder>,
    pass: Option<wgpu::ComputePass<'static>>,
    /// Uploaded by one write at submission; the buffer must not change under a batch in the making.
    params: Vec<u8>,
    uniforms: wgpu::Buffer,
    /// Bound where a pass has no use for a binding: one for reading, one for writing.
    unused: [wgpu::Buffer; 2],
    /// Tensor memory that nobody uses.
    pub(super) pool: Pool,
    /// And memory that the host can look into.
    pub(super) staging: Pool,
    /// Buffers to be freed, and not to be used again, once the batch no longer needs them.
    retired: Vec<wgpu::Buffer>,
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
        let buffer = |label, size, usage| {
            let descriptor =
                wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
            device.create_buffer(&descriptor)
        };
        let uniform = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        Self {
            encoder: None,
            pass: None,
            params: Vec::new(),
            uniforms: buffer("parameters", BATCH as u64 * PARAMS_STRIDE, uniform),
            unused: ["unused for reading", "unused for writing"]
                .map(|label| buffer(label, 16, wgpu::BufferUsages::STORAGE)),
            pool: Pool::new(KEPT_FOR_TENSORS),
            staging: Pool::new(KEPT_FOR_READING),
            retired: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Whether there is a batch in the making.
    pub(super) fn is_recording(&self) -> bool {
        self.encoder.is_some()
    }

    /// The encoder between compute passes, for copies.
    fn encoder(&mut self, device: &wgpu::Device) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        self.encoder.get_or_insert_with(|| encoder(device))
    }

    /// The open compute pass: dispatches share one for as long as no copy comes between them.
    fn pass(&mut self, device: &wgpu::Device) -> &mut wgpu::ComputePass<'static> {
        self.pass.get_or_insert_with(|| {
            let encoder = self.encoder.get_or_insert_with(|| encoder(device));
            encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()).forget_lifetime()
        })
    }

    fn submit(&mut self, queue: &wgpu::Queue) {
        self.pass = None;
        if let Some(encoder) = self.encoder.take() {
            if !self.params.is_empty() {
                queue.write_buffer(&self.uniforms, 0, &self.params);
                self.counts.writes += 1;
                self.counts.written += self.params.len() as u64;
                self.params.clear();
            }
            queue.submit([encoder.finish()]);
            self.counts.submissions += 1;
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

impl Gpu {
    /// Records one dispatch with `params.threads` threads.
    pub(super) fn dispatch(self: &Rc<Self>, key: ShaderKey, mut params: Params, bindings: &Bindings<'_>) {
        let pipeline = self.pipelines.get(&self.device, key);
        // At least one, whose first thread reports a bad index also where no element is to be written.
        let groups = params.threads.div_ceil(WORKGROUP).max(1);
        let width = groups.min(self.limits.max_compute_workgroups_per_dimension);
        params.grid_width = width;

        let engine = &mut *self.engine.borrow_mut();
        if engine.params.len() as u64 >= BATCH as u64 * PARAMS_STRIDE {
            // Status slots are left as they are: what follows may be more of the same operation.
            engine.submit(&self.queue);
        }
        let offset = engine.params.len() as u32;
        engine.params.extend_from_slice(bytemuck::bytes_of(&params));
        engine.params.resize((u64::from(offset) + PARAMS_STRIDE) as usize, 0);

        let [unused_read, unused_written] = &engine.unused;
        let raw = |buffer: Option<&DeviceBuffer>, unused: &wgpu::Buffer| {
            buffer.map_or_else(|| unused.clone(), |buffer| buffer.raw().clone())
        };
        let uniforms = wgpu::BufferBinding {
            buffer: &engine.uniforms,
            offset: 0,
            size: std::num::NonZeroU64::new(size_of::<Params>() as u64),
        };
        let status = self.status.borrow();
        let buffers = [
            raw(bindings.index, unused_read),
            raw(bindings.dst, unused_written),
            raw(bindings.src, unused_read),
        ];
        let resources = [wgpu::BindingResource::Buffer(uniforms), status.buffer.as_entire_binding()]
            .into_iter()
            .chain(buffers.iter().map(wgpu::Buffer::as_entire_binding));
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.pipelines.bindings,
            entries: &entries,
        });
        let bound = [bindings.index, bindings.dst, bindings.src].into_iter().flatten();
        engine.counts.bound += bound.map(|buffer| buffer.len() as u64).sum::<u64>();
        engine.counts.dispatches += 1;
        let pass = engine.pass(&self.device);
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[offset]);
        pass.dispatch_workgroups(width, groups.div_ceil(width), 1);
    }

    /// Records a copy of `size` bytes.
    pub(super) fn copy(&self, from: &wgpu::Buffer, to: &wgpu::Buffer, size: u64) {
        let engine = &mut *self.engine.borrow_mut();
        engine.counts.copies += 1;
        engine.counts.copied += 2 * size;
        engine.encoder(&self.device).copy_buffer_to_buffer(from, 0, to, 0, size);
    }

    /// Submits what was recorded, with the status of its operations at the end.
    pub(super) fn flush(self: &Rc<Self>) {
        let status = self.record_status();
        self.engine.borrow_mut().submit(&self.queue);
        if let Some(status) = status {
            self.status.borrow_mut().submitted(status);
        }
    }

    /// Records that the first `size` bytes of a buffer become zeros.
    pub(super) fn clear(&self, buffer: &wgpu::Buffer, size: u64) {
        let engine = &mut *self.engine.borrow_mut();
        engine.counts.copies += 1;
        engine.counts.copied += size;
        engine.encoder(&self.device).clear_buffer(buffer, 0, Some(size));
    }

    /// How much work was recorded so far, for benchmarks and tests.
    #[doc(hidden)]
    pub fn counts(&self) -> Counts {
        self.engine.borrow().counts
    }

    /// Takes back the memory of a tensor. Where somebody outside the library may hold the buffer it is freed
    /// instead of being used again: a use of it is an error then, not another tensor's data.
    pub(super) fn retire(&self, buffer: &wgpu::Buffer, shared_out: bool) {
        let Ok(mut engine) = self.engine.try_borrow_mut() else { return buffer.destroy() };
        let busy = engine.is_recording();
        match (shared_out, busy) {
            (false, _) => engine.pool.put(buffer.clone(), busy),
            (true, true) => engine.retired.push(buffer.clone()),
            (true, false) => buffer.destroy(),
        }
    }

    /// Bytes in buffers that wait for their next use.
    pub fn pooled_bytes(&self) -> u64 {
        let engine = self.engine.borrow();
        engine.pool.bytes() + engine.staging.bytes()
    }

    /// Frees what no tensor holds.
    pub fn free_pooled(self: &Rc<Self>) {
        self.flush();
        let engine = &mut *self.engine.borrow_mut();
        engine.pool.clear();
        engine.staging.clear();
    }
}
