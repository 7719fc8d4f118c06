//! Pipelines by key, compiled once.

use std::cell::RefCell;
use std::num::NonZeroU64;

use crate::engine::gpu::{BLOCK_BYTES, ShaderKey};

/// The layout of all passes, and the pipelines compiled so far.
pub(crate) struct Pipelines {
    bindings: wgpu::BindGroupLayout,
    layout: wgpu::PipelineLayout,
    /// Most programs have a few dozen: a linear search is as quick as a hash, with half the code.
    cache: RefCell<Vec<(ShaderKey, wgpu::ComputePipeline)>>,
}

impl Pipelines {
    /// An empty cache, and the layout with the six bindings of `shaders/lib/frame.wgsl`.
    pub(crate) fn new(device: &wgpu::Device) -> Self {
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
        Self { bindings, layout, cache: RefCell::default() }
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
        let module = module(device, key);
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
}

/// A label for GPU debuggers. A release omits it, and so every key's text.
fn label(key: ShaderKey) -> Option<String> {
    cfg!(debug_assertions).then(|| format!("{key:?}"))
}

/// The shader for a key. The device has checked its text but not compiled it.
pub(crate) fn module(device: &wgpu::Device, key: ShaderKey) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: label(key).as_deref(),
        source: wgpu::ShaderSource::Wgsl(text(key).into()),
    })
}

#[cfg(not(feature = "testing"))]
fn text(key: ShaderKey) -> String {
    key.source()
}

#[cfg(feature = "testing")]
use planted::text;
#[cfg(feature = "testing")]
pub use planted::{Rewrite, plant};

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
    pub(crate) fn text(key: ShaderKey) -> String {
        let text = key.source();
        PLANTED.get().and_then(|rewrite| rewrite(key, &text)).unwrap_or(text)
    }
}
