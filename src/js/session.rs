//! Start-up, the choice of device, and what the library tells of itself.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use crate::context::Device;
use crate::error::{Allowed, Error, ErrorClass, ErrorCode, Result};
use crate::host::host_bytes;
use crate::js::convert::list;
use crate::js::error::wrong_kind;
use crate::js::options::{names, read_options};
use crate::js::promise::promise;
use crate::js::snippets::{make_info, make_memory};
use crate::js::tensor::live;

thread_local! {
    static DEVICE: Cell<Device> = const { Cell::new(Device::Cpu) };
    /// Why that device, in a sentence.
    static REASON: RefCell<Cow<'static, str>> = const { RefCell::new(Cow::Borrowed("")) };
}

/// Where new tensors go.
pub(super) fn default_device() -> Device {
    DEVICE.get()
}

/// A device by name.
pub(super) fn device(op: &'static str, value: &JsValue) -> Result<Device> {
    let name = value.as_string().ok_or_else(|| wrong_kind(op, "device", "the name of a device", value))?;
    Device::from_name(op, &name)
}

/// Starts the library, once its module is loaded: `init` of the package calls this.
#[wasm_bindgen(skip_typescript)]
pub fn start(options: JsValue) -> Promise {
    promise(async move {
        const OP: &str = "init";
        let options = read_options(OP, &options, &names!("device", "wasm", "powerPreference"))?;
        let wanted = Choice::parse(OP, &options.get(0))?;
        let power = power_preference(OP, &options.get(2))?;
        choose(OP, wanted, power).await?;
        Ok(info())
    })
}

/// Starts the library on the CPU, because `init` was asked for it, or as `initSync` of the package does.
#[wasm_bindgen(skip_typescript)]
pub fn start_cpu(asked: bool) -> JsValue {
    use_cpu(if asked { CPU_ASKED } else { "the CPU: initSync() starts there" });
    info()
}

/// What runs, and why.
#[wasm_bindgen(skip_typescript)]
pub fn backend() -> JsValue {
    info()
}

/// Switches the device of new tensors.
#[wasm_bindgen(skip_typescript)]
pub fn set_device(device: JsValue) -> Promise {
    promise(async move {
        const OP: &str = "set_device";
        if device.is_undefined() {
            return Err(wrong_kind(OP, "device", "'auto', 'cpu' or 'webgpu'", &device));
        }
        choose(OP, Choice::parse(OP, &device)?, None).await?;
        Ok(info())
    })
}

/// Waits for the GPU.
#[wasm_bindgen(skip_typescript)]
pub fn sync() -> Promise {
    promise(async {
        #[cfg(feature = "webgpu")]
        if let Some(gpu) = crate::context::last_gpu() {
            gpu.sync().await?;
        }
        Ok(JsValue::UNDEFINED)
    })
}

/// What tensors hold. The module's own memory is exported as `memory` already; src/js/exports.js renames this.
#[wasm_bindgen(skip_typescript, js_name = __memory)]
pub fn memory_use() -> JsValue {
    #[cfg(feature = "webgpu")]
    let (gpu_bytes, gpu_pooled_bytes) =
        crate::context::current_gpu().map_or((0, 0), |gpu| (gpu.bytes(), gpu.pooled_bytes()));
    #[cfg(not(feature = "webgpu"))]
    let (gpu_bytes, gpu_pooled_bytes) = (0u64, 0u64);
    // In the order of `make_memory` in objects.js.
    let facts = [f64::from(live()), host_bytes() as f64, gpu_bytes as f64, gpu_pooled_bytes as f64];
    make_memory(&list(&facts.map(JsValue::from)))
}

/// What a caller asks for.
#[derive(Clone, Copy, PartialEq)]
enum Choice {
    Auto,
    Only(Device),
}

impl Choice {
    fn parse(op: &'static str, value: &JsValue) -> Result<Self> {
        const NAMES: &[&str] = &["auto", "cpu", "webgpu"];
        if value.is_undefined() {
            return Ok(Self::Auto);
        }
        let name =
            value.as_string().ok_or_else(|| wrong_kind(op, "device", "'auto', 'cpu' or 'webgpu'", value))?;
        if name == "auto" {
            return Ok(Self::Auto);
        }
        Device::named(&name).map(Self::Only).ok_or_else(|| {
            let text = format!("device is '{name}'; it must be 'auto', 'cpu' or 'webgpu'");
            Error::new(ErrorClass::Value, ErrorCode::UnknownDevice, op, text)
                .not_among("device", &name, NAMES)
        })
    }
}

fn power_preference(op: &'static str, value: &JsValue) -> Result<Option<String>> {
    const NAMES: &[&str] = &["low-power", "high-performance"];
    if value.is_undefined() {
        return Ok(None);
    }
    let name = value.as_string().unwrap_or_default();
    if NAMES.contains(&name.as_str()) {
        return Ok(Some(name));
    }
    Err(wrong_kind(op, "powerPreference", "'low-power' or 'high-performance'", value)
        .allowed(Allowed::Words(NAMES)))
}

/// Why it is the CPU that runs where that was wanted.
const CPU_ASKED: &str =
    if cfg!(feature = "webgpu") { "the CPU was asked for" } else { "the CPU: this build has no GPU code" };

fn use_cpu(reason: impl Into<Cow<'static, str>>) {
    DEVICE.set(Device::Cpu);
    REASON.set(reason.into());
}

#[cfg(feature = "webgpu")]
async fn choose(op: &'static str, wanted: Choice, power: Option<String>) -> Result<()> {
    if wanted == Choice::Only(Device::Cpu) {
        use_cpu(CPU_ASKED);
        // The device stays, for the tensors on it and the way back; what no tensor holds does not.
        if let Some(gpu) = crate::context::current_gpu() {
            gpu.free_pooled();
        }
        return Ok(());
    }
    match start_gpu(op, wanted != Choice::Auto, power).await {
        Ok(software) => {
            DEVICE.set(Device::WebGpu);
            let adapter = if software { "a software adapter" } else { "a hardware adapter" };
            let why = if wanted == Choice::Auto { "answered" } else { "was asked for and answered" };
            REASON.set(format!("WebGPU: {adapter} {why}").into());
            Ok(())
        }
        Err(error) if wanted == Choice::Auto => {
            let text = error.to_string();
            let cause = text.strip_prefix(op).and_then(|cause| cause.strip_prefix(": ")).unwrap_or(&text);
            use_cpu(format!("the CPU: {cause}"));
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Starts a GPU device; whether it is a software one.
#[cfg(feature = "webgpu")]
async fn start_gpu(op: &'static str, software: bool, power: Option<String>) -> Result<bool> {
    use crate::backend::gpu::{AdapterFacts, DeviceOptions, PowerPreference};
    use crate::js::snippets::adapter_facts;
    use wasm_bindgen_futures::JsFuture;

    let unavailable = |text: &str| Error::new(ErrorClass::Runtime, ErrorCode::DeviceUnavailable, op, text);
    // The one that runs will do, and needs no other adapter.
    if let Some(gpu) = crate::context::current_gpu().filter(|gpu| software || !gpu.facts().software) {
        return Ok(gpu.facts().software);
    }
    let options = DeviceOptions {
        power: match power.as_deref() {
            Some("low-power") => PowerPreference::Low,
            Some(_) => PowerPreference::High,
            None => PowerPreference::None,
        },
        software,
    };
    let facts = JsFuture::from(adapter_facts(power.as_deref())).await.map_err(|error| {
        let text = error
            .as_string()
            .or_else(|| error.dyn_ref::<js_sys::Error>().map(|error| error.message().into()));
        unavailable(&text.unwrap_or_else(|| "the platform refused an adapter".to_owned()))
    })?;
    if facts.is_null() {
        return Err(unavailable("no GPU adapter answered"));
    }
    let facts: js_sys::Array = facts.unchecked_into();
    let text = |at| facts.get(at).as_string().unwrap_or_default();
    let features = facts.get(4).unchecked_into::<js_sys::Array>();
    let known = AdapterFacts {
        vendor: text(0),
        architecture: text(1),
        description: text(2),
        software: facts.get(3).is_truthy(),
        features: features.iter().filter_map(|name| name.as_string()).collect(),
    };
    Ok(crate::context::start_gpu(op, options, Some(known)).await?.facts().software)
}

#[cfg(not(feature = "webgpu"))]
async fn choose(op: &'static str, wanted: Choice, _power: Option<String>) -> Result<()> {
    if wanted == Choice::Only(Device::WebGpu) {
        return Err(Error::new(
            ErrorClass::Runtime,
            ErrorCode::DeviceUnavailable,
            op,
            crate::context::NO_GPU_CODE,
        ));
    }
    use_cpu(CPU_ASKED);
    Ok(())
}

/// `BackendInfo` of `types.d.ts`.
fn info() -> JsValue {
    let [webgpu, numerics] = gpu_info();
    let reason = REASON.with_borrow(|reason| JsValue::from_str(reason));
    // In the order of `make_info` in objects.js.
    make_info(&list(&[
        default_device().name().into(),
        webgpu,
        cfg!(target_feature = "simd128").into(),
        numerics,
        reason,
        env!("CARGO_PKG_VERSION").into(),
    ]))
}

/// An adapter, its limits among its facts, and the numerics, in the order of `make_info` too.
#[cfg(feature = "webgpu")]
fn gpu_info() -> [JsValue; 2] {
    use serde_wasm_bindgen::to_value;

    use crate::backend::gpu::Arithmetic;
    let Some(gpu) = crate::context::current_gpu() else { return [JsValue::UNDEFINED; 2] };
    let (facts, limits, numerics) = (gpu.facts(), gpu.limits(), gpu.numerics());
    let limits = [
        limits.max_buffer_size as f64,
        limits.max_storage_buffer_binding_size as f64,
        limits.max_storage_buffers_per_shader_stage.into(),
        limits.max_compute_workgroups_per_dimension.into(),
        limits.max_compute_invocations_per_workgroup.into(),
        limits.max_compute_workgroup_storage_size.into(),
    ];
    let adapter =
        (&facts.vendor, &facts.architecture, &facts.description, facts.software, limits, &facts.features);
    let pick = |yes, yes_text: &'static str, no_text| if yes { yes_text } else { no_text };
    let probe = [
        pick(numerics.float32 == Arithmetic::Native, "native", "strict"),
        pick(numerics.keeps_subnormals, "kept", "flushed"),
        pick(numerics.keeps_nan, "kept", "lost"),
    ];
    [to_value(&adapter).unwrap_or_default(), to_value(&probe).unwrap_or_default()]
}

#[cfg(not(feature = "webgpu"))]
fn gpu_info() -> [JsValue; 2] {
    [JsValue::UNDEFINED; 2]
}
