//! Records dispatches and submits them together.

use std::rc::Rc;

use crate::backend::gpu::params::{PARAMS_STRIDE, Params, WORKGROUP};
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
    /// Buffers that were let go while the batch may still use them.
    retired: Vec<wgpu::Buffer>,
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
            retired: Vec::new(),
        }
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
                self.params.clear();
            }
            queue.submit([encoder.finish()]);
        }
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
        let pass = engine.pass(&self.device);
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[offset]);
        pass.dispatch_workgroups(width, groups.div_ceil(width), 1);
    }

    /// Records a copy of `size` bytes.
    pub(super) fn copy(&self, from: &wgpu::Buffer, to: &wgpu::Buffer, size: u64) {
        let engine = &mut *self.engine.borrow_mut();
        engine.encoder(&self.device).copy_buffer_to_buffer(from, 0, to, 0, size);
    }

    /// Submits what was recorded, with the status of its operations at the end.
    pub(super) fn flush(&self) {
        let engine = &mut *self.engine.borrow_mut();
        let mut status = self.status.borrow_mut();
        let copy = status.is_used().then(|| status.record_copy(&self.device, engine.encoder(&self.device)));
        engine.submit(&self.queue);
        if let Some(copy) = copy {
            status.submitted(copy);
        }
    }

    /// Frees a buffer as soon as the batch no longer needs it. Waiting for the garbage collector of a page
    /// would keep GPU memory for as long as host memory is plentiful.
    pub(super) fn retire(&self, buffer: &wgpu::Buffer) {
        match self.engine.try_borrow_mut() {
            Ok(mut engine) if engine.encoder.is_some() => engine.retired.push(buffer.clone()),
            _ => buffer.destroy(),
        }
    }
}
