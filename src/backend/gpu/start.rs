//! Starting a device.

use std::rc::Rc;

use crate::backend::gpu::device::{AdapterFacts, Gpu};
use crate::backend::gpu::trials::probe;
use crate::error::{Error, ErrorClass, ErrorCode, Result};

/// Which GPU to prefer where there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PowerPreference {
    /// Whatever the system prefers.
    #[default]
    None,
    /// The one that saves power.
    Low,
    /// The fast one.
    High,
}

/// What to ask for.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeviceOptions {
    /// Which GPU to prefer.
    pub power: PowerPreference,
    /// Whether an adapter that computes on the CPU will do.
    pub software: bool,
}

/// The message when no adapter answers. A browser gives no reason; natively the error names the backends.
fn no_adapter(error: &wgpu::RequestAdapterError) -> String {
    if cfg!(target_arch = "wasm32") {
        "no WebGPU adapter answers".into()
    } else {
        format!("no WebGPU adapter answers ({error})")
    }
}

impl Gpu {
    /// Starts a device and probes its arithmetic. `known` is what the platform has told of the adapter already.
    ///
    /// # Errors
    /// `RuntimeError`: `device-unavailable` when no adapter answers, when only a software adapter does and `software` is false, when the
    /// device is refused, or when the probe finds it unusable; `out-of-memory`, `device-lost` or `device-error` where that happens to
    /// the probe.
    pub async fn start(
        op: &'static str,
        options: DeviceOptions,
        known: Option<AdapterFacts>,
    ) -> Result<Rc<Self>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: match options.power {
                    PowerPreference::None => wgpu::PowerPreference::None,
                    PowerPreference::Low => wgpu::PowerPreference::LowPower,
                    PowerPreference::High => wgpu::PowerPreference::HighPerformance,
                },
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
                // All that the adapter allows: a device with the default limits binds 128 MiB at most.
                required_limits: adapter.limits(),
                ..Default::default()
            })
            .await
            .map_err(|error| unavailable(op, &format!("the adapter refused a device ({error})")))?;
        let gpu = Rc::new(Self::new(device, queue, facts));
        // The probe records and reads as every call does, so the device has to be complete.
        gpu.set_numerics(probe::run(&gpu, op).await?);
        Ok(gpu)
    }
}

/// The facts of an adapter: `known`, or what wgpu knows if the platform has told nothing. It is software if one of the facts says so: the
/// platform's own word, wgpu's type of device, or a name.
fn adapter_facts(info: &wgpu::AdapterInfo, known: Option<AdapterFacts>) -> AdapterFacts {
    let is_software_name = |name: &str| {
        // Not `contains`: the standard library's search would add a kilobyte to the download.
        ["swiftshader", "llvmpipe", "lavapipe", "basic render"].iter().any(|software| {
            name.as_bytes().windows(software.len()).any(|part| part.eq_ignore_ascii_case(software.as_bytes()))
        })
    };
    let known = known.unwrap_or_else(|| AdapterFacts {
        // Natively the vendor is a PCI number, and the driver says most about the architecture.
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
