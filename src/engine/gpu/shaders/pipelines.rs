//! Pipelines by key, compiled once.

use std::cell::RefCell;
use std::num::NonZeroU64;

use crate::engine::gpu::{BLOCK_BYTES, SMALL_WORKGROUP, ShaderKey, WORKGROUP};

/// The buffers of a pass besides its parameters.
const STORAGE_BUFFERS: u32 = 5;
/// Bytes of memory that a workgroup has on every device of WebGPU: no pass takes more.
pub(crate) const WORKGROUP_BYTES: u32 = 16 << 10;

/// The layout of all passes, and the pipelines compiled so far.
pub(crate) struct Pipelines {
    /// Threads of a workgroup in almost all shaders.
    pub(crate) workgroup: u32,
    bindings: wgpu::BindGroupLayout,
    layout: wgpu::PipelineLayout,
    /// Most programs have a few dozen: a linear search is as quick as a hash, with half the code.
    cache: RefCell<Vec<(ShaderKey, wgpu::ComputePipeline)>>,
}

impl Pipelines {
    /// An empty cache, and the layout with the six bindings of `shaders/lib/frame.wgsl`.
    pub(crate) fn new(device: &wgpu::Device, workgroup: u32) -> Self {
        let entry = |binding, ty, min_binding_size| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty,
                // The parameter blocks of a batch share a buffer. Each dispatch has an offset into it.
                has_dynamic_offset: ty == wgpu::BufferBindingType::Uniform,
                min_binding_size,
            },
            count: None,
        };
        let storage =
            |binding, read_only| entry(binding, wgpu::BufferBindingType::Storage { read_only }, None);
        let entries = [
            // The parameters of the pass.
            entry(0, wgpu::BufferBindingType::Uniform, NonZeroU64::new(BLOCK_BYTES as u64)),
            storage(1, false), // status
            storage(2, true),  // index
            storage(3, false), // dst
            storage(4, true),  // src
            storage(5, false), // scratch
        ];
        let bindings = device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&bindings)],
            immediate_size: 0,
        });
        Self { workgroup, bindings, layout, cache: RefCell::default() }
    }

    /// The layout of the buffers of every pass.
    pub(crate) fn bindings(&self) -> &wgpu::BindGroupLayout {
        &self.bindings
    }

    /// The pipeline for a key, and whether this call compiled it.
    pub(crate) fn get(&self, device: &wgpu::Device, key: ShaderKey) -> (wgpu::ComputePipeline, bool) {
        let mut cache = self.cache.borrow_mut();
        if let Some((_, pipeline)) = cache.iter().find(|(known, _)| *known == key) {
            return (pipeline.clone(), false);
        }
        let module = self.module(device, key);
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: label(key).as_deref(),
            layout: Some(&self.layout),
            module: &module,
            entry_point: Some("main"),
            // Every shader writes workgroup memory before it reads it, so a clear would be useless stores and a barrier. A browser
            // clears it all the same.
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..wgpu::PipelineCompilationOptions::default()
            },
            cache: None,
        });
        cache.push((key, pipeline.clone()));
        (pipeline, true)
    }

    /// The shader for a key. The device has checked its text but not compiled it.
    pub(crate) fn module(&self, device: &wgpu::Device, key: ShaderKey) -> wgpu::ShaderModule {
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: label(key).as_deref(),
            source: wgpu::ShaderSource::Wgsl(text(key, self.workgroup).into()),
        })
    }
}

/// Threads of a workgroup on a device with these limits; `None` if it allows less than passes need.
pub(crate) fn workgroup(limits: &wgpu::Limits) -> Option<u32> {
    let most = limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
    let has_memory = limits.max_storage_buffers_per_shader_stage >= STORAGE_BUFFERS
        && limits.max_compute_workgroup_storage_size >= WORKGROUP_BYTES;
    [WORKGROUP, SMALL_WORKGROUP].into_iter().find(|&threads| has_memory && threads <= most)
}

/// A label for GPU debuggers. A release omits it, and so every key's text.
fn label(key: ShaderKey) -> Option<String> {
    cfg!(debug_assertions).then(|| format!("{key:?}"))
}

#[cfg(not(feature = "testing"))]
fn text(key: ShaderKey, workgroup: u32) -> String {
    key.source(workgroup)
}

#[cfg(feature = "testing")]
use planted::text;
#[cfg(feature = "testing")]
pub use planted::{Rewrite, plant};

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn workgroups_fit_the_device() {
        let limits = wgpu::Limits::default();
        assert_eq!(workgroup(&limits), Some(256));
        let along_x = |most| wgpu::Limits { max_compute_workgroup_size_x: most, ..wgpu::Limits::default() };
        assert_eq!(workgroup(&along_x(255)), Some(128));
        assert_eq!(workgroup(&along_x(127)), None);
        let all =
            |most| wgpu::Limits { max_compute_invocations_per_workgroup: most, ..wgpu::Limits::default() };
        assert_eq!(workgroup(&all(128)), Some(128));
        assert_eq!(workgroup(&all(1024)), Some(256));
        let buffers = wgpu::Limits { max_storage_buffers_per_shader_stage: 4, ..limits };
        assert_eq!(workgroup(&buffers), None);
    }
}

/// Faults for tests.
#[cfg(feature = "testing")]
mod planted {
    use std::cell::Cell;

    use super::ShaderKey;

    /// Rewrites the text of a shader, like a driver that compiles it wrongly; `None` if it changes nothing.
    pub type Rewrite = fn(ShaderKey, &str) -> Option<String>;

    thread_local! {
        static PLANTED: Cell<Option<Rewrite>> = const { Cell::new(None) };
    }

    /// From now on, rewrites every shader that this thread compiles; `None` ends that.
    pub fn plant(fault: Option<Rewrite>) {
        PLANTED.set(fault);
    }

    /// The text of a shader for the device: rewritten if a test plants a fault.
    pub(crate) fn text(key: ShaderKey, workgroup: u32) -> String {
        let text = key.source(workgroup);
        PLANTED.get().and_then(|rewrite| rewrite(key, &text)).unwrap_or(text)
    }
}
