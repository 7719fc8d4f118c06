//! Starts a device.

pub(crate) mod probe;

use std::rc::Rc;

use crate::engine::gpu::{AdapterFacts, Gpu, current_gpu, set_gpu};
use crate::{Error, ErrorClass, ErrorCode, Result};

pub use wgpu::PowerPreference;

/// The options of a start.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeviceOptions {
    /// Which GPU to prefer if the system has several.
    pub power: PowerPreference,
    /// Whether a software adapter, which computes on the CPU, is allowed.
    pub software: bool,
}

/// The message if no adapter answers. A browser gives no reason; natively the error names the backends.
fn no_adapter(error: &wgpu::RequestAdapterError) -> String {
    if cfg!(target_arch = "wasm32") {
        "no WebGPU adapter answers".into()
    } else {
        format!("no WebGPU adapter answers ({error})")
    }
}

/// Why a device is not used that allows less than WebGPU's compatibility mode promises. Only a native driver may.
const TOO_SMALL: &str = "its workgroups have fewer threads, buffers or bytes than WebGPU promises";

/// The limits to ask for: all the adapter's, because a device with the default limits binds at most 128 MiB.
fn limits(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let limits = adapter.limits();
    #[cfg(feature = "testing")]
    let limits = within_compatibility(limits);
    limits
}

/// With `SCATTERWISE_COMPATIBILITY=1`, for tests, the limits that WebGPU's compatibility mode promises for a pass.
#[cfg(feature = "testing")]
fn within_compatibility(limits: wgpu::Limits) -> wgpu::Limits {
    if std::env::var("SCATTERWISE_COMPATIBILITY").is_ok_and(|value| value == "1") {
        return wgpu::Limits {
            max_compute_invocations_per_workgroup: 128,
            max_compute_workgroup_size_x: 128,
            max_compute_workgroup_size_y: 128,
            max_compute_workgroup_storage_size: 16 << 10,
            max_storage_buffers_per_shader_stage: 8,
            max_uniform_buffer_binding_size: 16 << 10,
            ..limits
        };
    }
    limits
}

impl Gpu {
    /// Starts a device and probes its arithmetic. `known` holds the platform's facts about the adapter, if it gave any.
    ///
    /// # Errors
    /// `RuntimeError`: `device-unavailable` if no adapter answers, if only a software adapter answers and `software` is false, if the
    /// device is refused, or if the probe fails; `out-of-memory`, `device-lost` or `device-error` if the probe meets that error.
    pub async fn start(
        op: &'static str,
        options: DeviceOptions,
        known: Option<AdapterFacts>,
    ) -> Result<Rc<Self>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: options.power,
                ..Default::default()
            })
            .await
            .map_err(|error| unavailable(op, &no_adapter(&error)))?;
        let facts = adapter_facts(&adapter.get_info(), known);
        if facts.software && !options.software {
            return Err(unavailable(
                op,
                "only a software adapter answers, which is slower than the CPU path",
            ));
        }
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("scatterwise"),
                required_limits: limits(&adapter),
                ..Default::default()
            })
            .await
            .map_err(|error| unavailable(op, &format!("the adapter refused a device ({error})")))?;
        let gpu = Self::new(device, queue, facts).ok_or_else(|| unavailable(op, TOO_SMALL))?;
        let gpu = Rc::new(gpu);
        // The probe records and reads like every call, so the device must be complete.
        gpu.set_numerics(probe::run(&gpu, op).await?);
        Ok(gpu)
    }
}

/// Starts a GPU device, or returns the running one. A software adapter counts only if `options.software` allows one. If a software
/// adapter runs and the options forbid it, a new device replaces it.
///
/// # Errors
/// As for [`Gpu::start`].
pub async fn start_gpu(
    op: &'static str,
    options: DeviceOptions,
    known: Option<AdapterFacts>,
) -> Result<Rc<Gpu>> {
    if let Some(gpu) = current_gpu().filter(|gpu| options.software || !gpu.facts().software) {
        return Ok(gpu);
    }
    let gpu = Gpu::start(op, options, known).await?;
    set_gpu(gpu.clone());
    Ok(gpu)
}

/// The facts about an adapter: `known`, or wgpu's facts if the platform gave none. The adapter is software if one fact says so: the
/// platform's flag, wgpu's device type, or a name.
fn adapter_facts(info: &wgpu::AdapterInfo, known: Option<AdapterFacts>) -> AdapterFacts {
    let is_software_name = |name: &str| {
        // Not `contains`: the standard library's search would add a kilobyte to the download.
        ["swiftshader", "llvmpipe", "lavapipe", "basic render"].iter().any(|software| {
            name.as_bytes().windows(software.len()).any(|part| part.eq_ignore_ascii_case(software.as_bytes()))
        })
    };
    let known = known.unwrap_or_else(|| AdapterFacts {
        // Natively the vendor is a PCI number, and the driver's text comes closest to the architecture.
        vendor: format!("{:#06x}", info.vendor),
        architecture: info.driver.clone(),
        description: info.name.clone(),
        ..AdapterFacts::default()
    });
    let software = known.software
        || info.device_type == wgpu::DeviceType::Cpu
        || [&known.architecture, &known.description].into_iter().any(|name| is_software_name(name));
    AdapterFacts { software, ..known }
}

fn unavailable(op: &'static str, text: &str) -> Error {
    Error::new(ErrorClass::Runtime, ErrorCode::DeviceUnavailable, op, text)
}
