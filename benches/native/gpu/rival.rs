//! Plain wgpu on a device of its own: the adapter's copy rates, and the compare-exchange kernel.

use scatterwise::Reduce;
use scatterwise_bench::workload::{Inputs, Kind, Workload};

/// A second device on the library's adapter, which is the default one too: nothing here is the library's.
pub struct Device {
    device: wgpu::Device,
    queue: wgpu::Queue,
    shader: wgpu::ShaderModule,
}

/// A dispatch that is ready to run.
pub struct Job {
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    /// Width and height of the grid, in workgroups.
    groups: (u32, u32),
}

/// A dispatch and its table: a copy of another one, made before each run.
pub struct Combination {
    job: Job,
    from: wgpu::Buffer,
    table: wgpu::Buffer,
}

impl Device {
    /// A device with the limits of its adapter.
    ///
    /// # Errors
    /// Where there is no adapter, or it gives no device.
    pub async fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions::default()).await?;
        let descriptor = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
        let (device, queue) = adapter.request_device(&descriptor).await?;
        let shader = device.create_shader_module(wgpu::include_wgsl!("cas.wgsl"));
        Ok(Self { device, queue, shader })
    }

    /// A buffer of that usage with these bytes, a multiple of 4, and zeros behind them up to a multiple of 16: the copy kernel moves
    /// 16 bytes at a time.
    fn buffer(&self, bytes: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let size = (bytes.len() as u64).next_multiple_of(16).max(16);
        let usage = usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let buffer = self.device.create_buffer(&descriptor);
        if !bytes.is_empty() {
            self.queue.write_buffer(&buffer, 0, bytes);
        }
        buffer
    }

    /// A dispatch of the function `entry` of cas.wgsl with a thread for each of `threads` elements. `params` are the row and the flag
    /// `is_scalar` of its `Params`; `buffers` are bound by these numbers.
    fn job(&self, entry: &str, threads: usize, params: [u32; 2], buffers: &[(u32, &wgpu::Buffer)]) -> Job {
        // Workgroups of 256 threads, in rows of a grid, because one dimension of a dispatch has a limit.
        let groups = threads.div_ceil(256) as u32;
        let width = groups.min(self.device.limits().max_compute_workgroups_per_dimension);
        // In the order of `Params`.
        let params = [threads as u32, params[0], width, params[1]];
        let params = self.buffer(bytemuck::cast_slice(&params), wgpu::BufferUsages::UNIFORM);
        self.bound(&self.shader, entry, (width, groups.div_ceil(width)), &params, buffers)
    }

    /// A dispatch of a function of a shader. `params` is binding 3; `buffers` are bound by these numbers.
    fn bound(
        &self,
        module: &wgpu::ShaderModule,
        entry: &str,
        groups: (u32, u32),
        params: &wgpu::Buffer,
        buffers: &[(u32, &wgpu::Buffer)],
    ) -> Job {
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: None, // derived from the bindings that the function uses
            module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let all = buffers.iter().copied().chain([(3, params)]);
        let entries: Vec<_> = all
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let layout = &pipeline.get_bind_group_layout(0);
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
        let bindings = self.device.create_bind_group(&descriptor);
        Job { pipeline, bindings, groups }
    }

    /// A scatter with a thread for each entry, whose `update` is WGSL with these names: `k`, the number of the entry; `at`, the element that
    /// it names; `value`, the word number k of src; `table`, atomic words, with `words` at first.
    pub fn combine(&self, update: &str, words: &[u32], index: &[u32], src: &[u32]) -> Combination {
        let code = format!(
            "struct Params {{ updates: u32, width: u32, }}
@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> index: array<u32>;
@group(0) @binding(2) var<storage, read> src: array<u32>;
@group(0) @binding(3) var<uniform> params: Params;
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {{
let k = (group.y * params.width + group.x) * 256u + lane;
if (k >= params.updates) {{ return; }}
let at = index[k];
let value = src[k];
{update}
}}"
        );
        let source = wgpu::ShaderSource::Wgsl(code.into());
        let descriptor = wgpu::ShaderModuleDescriptor { label: None, source };
        let module = self.device.create_shader_module(descriptor);
        let storage = wgpu::BufferUsages::STORAGE;
        let [from, table, src] =
            [words, words, src].map(|words| self.buffer(bytemuck::cast_slice(words), storage));
        let entries = self.buffer(bytemuck::cast_slice(index), storage);
        let groups = index.len().div_ceil(256) as u32;
        let width = groups.min(self.device.limits().max_compute_workgroups_per_dimension);
        let params = [index.len() as u32, width, 0, 0];
        let params = self.buffer(bytemuck::cast_slice(&params), wgpu::BufferUsages::UNIFORM);
        let grid = (width, groups.div_ceil(width));
        let job = self.bound(&module, "main", grid, &params, &[(0, &table), (1, &entries), (2, &src)]);
        Combination { job, from, table }
    }

    /// Makes a combination `calls` times, each from the first table, and waits until the GPU has finished.
    pub fn run_from(&self, Combination { job, from, table }: &Combination, calls: usize) {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for _ in 0..calls {
            encoder.copy_buffer_to_buffer(from, 0, table, 0, table.size());
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&job.pipeline);
            pass.set_bind_group(0, &job.bindings, &[]);
            pass.dispatch_workgroups(job.groups.0, job.groups.1, 1);
        }
        self.finish(encoder);
    }

    /// The compare-exchange kernel for a workload that adds; `None` for others. The kernel takes row numbers: pairs are folded to them
    /// here, and an index along a dimension holds them, because the tables of the workloads that add along one have no other.
    pub fn scatter_add(&self, workload: &Workload, inputs: &Inputs<f32>) -> Option<Job> {
        if workload.reduce() != Some(Reduce::Add) {
            return None;
        }
        let index: Vec<u32> = match workload.kind {
            Kind::Rows { depth: 2, .. } => {
                let second = workload.shape[1] as u32;
                inputs.index.chunks_exact(2).map(|pair| pair[0] as u32 * second + pair[1] as u32).collect()
            }
            _ => inputs.index.iter().map(|&row| row as u32).collect(),
        };
        let params = [workload.row_len() as u32, workload.is_scalar().into()];
        Some(self.adding(&inputs.table, &index, &inputs.source, params))
    }

    /// The compare-exchange kernel for rows of a table. `params` are the row and the flag `is_scalar` of its `Params`.
    pub fn adding(&self, table: &[f32], rows: &[u32], source: &[f32], params: [u32; 2]) -> Job {
        let storage = wgpu::BufferUsages::STORAGE;
        let dst = self.buffer(bytemuck::cast_slice(table), storage);
        let index = self.buffer(bytemuck::cast_slice(rows), storage);
        let src = self.buffer(bytemuck::cast_slice(source), storage);
        self.job("add", rows.len() * params[0] as usize, params, &[(0, &dst), (1, &index), (2, &src)])
    }

    /// Runs a job `calls` times in one submission, and waits until the GPU has finished.
    pub fn run(&self, job: &Job, calls: usize) {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&job.pipeline);
        pass.set_bind_group(0, &job.bindings, &[]);
        for _ in 0..calls {
            pass.dispatch_workgroups(job.groups.0, job.groups.1, 1);
        }
        drop(pass);
        self.finish(encoder);
    }

    /// Submits the commands, and waits until the GPU has finished.
    fn finish(&self, encoder: wgpu::CommandEncoder) {
        self.queue.submit([encoder.finish()]);
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the GPU finishes");
    }

    /// Two contestants of `race` that copy `bytes` bytes, a multiple of 16, in each call: by command, and by a kernel whose threads copy 16
    /// bytes each.
    pub fn copies(&self, bytes: usize) -> [Box<dyn FnMut(usize) + '_>; 2] {
        let [from, to] = [(); 2].map(|()| self.buffer(&vec![7; bytes], wgpu::BufferUsages::STORAGE));
        let job = self.job("copy", bytes / 16, [0, 0], &[(4, &to), (5, &from)]);
        let by_command = move |calls: usize| {
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            for _ in 0..calls {
                encoder.copy_buffer_to_buffer(&from, 0, &to, 0, bytes as u64);
            }
            self.finish(encoder);
        };
        [Box::new(by_command), Box::new(move |calls| self.run(&job, calls))]
    }
}
