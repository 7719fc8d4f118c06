//! Which backends this machine has, and how the rows of a suite run on each of them. A row is one check, see `report.rs`.
//!
//! Natively WebGPU is the Vulkan, Metal or DirectX 12 driver that answers, also a software one. If none answers, its rows are
//! reported as skipped, unless `SCATTERWISE_REQUIRE_WEBGPU=1`. In a browser it is required.

use std::future::poll_fn;
#[cfg(feature = "webgpu")]
use std::rc::Rc;
use std::task::Poll;

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Hooks as _, Strategy};
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::{Arithmetic, DeviceOptions, Gpu};
use scatterwise::{Device, Tensor};

use crate::common::data::Data;
#[cfg(feature = "webgpu")]
use crate::common::report::Fault;
use crate::common::report::Report;

/// Where rows run.
#[derive(Clone)]
pub(crate) enum Backend {
    Cpu,
    #[cfg(feature = "webgpu")]
    WebGpu(Rc<Gpu>),
}

/// Where an operand of a call on WebGPU comes from. On the CPU there is only one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Host memory: the call brings it over, and checks index values at once.
    Host,
    /// The device, since an upload: the range of index values is known, and checked at once.
    Uploaded,
    /// The device, where it was computed: only the device can check index values.
    Computed,
}

impl Place {
    pub(crate) const ALL: [Self; 3] = [Self::Host, Self::Uploaded, Self::Computed];
}

impl Backend {
    pub(crate) fn device(&self) -> Device {
        match self {
            Self::Cpu => Device::Cpu,
            #[cfg(feature = "webgpu")]
            Self::WebGpu(_) => Device::WebGpu,
        }
    }

    /// The name of the adapter for reports; empty on the CPU.
    pub(crate) fn adapter(&self) -> String {
        match self {
            Self::Cpu => String::new(),
            #[cfg(feature = "webgpu")]
            Self::WebGpu(gpu) if gpu.facts().description.is_empty() => "not named by this browser".into(),
            #[cfg(feature = "webgpu")]
            Self::WebGpu(gpu) => gpu.facts().description.clone(),
        }
    }

    /// The places of an operand that make a difference here.
    pub(crate) fn places(&self) -> &'static [Place] {
        match self {
            Self::Cpu => &[Place::Host],
            #[cfg(feature = "webgpu")]
            Self::WebGpu(_) => &Place::ALL,
        }
    }

    /// A tensor on this backend; on a GPU it is uploaded.
    pub(crate) fn put(&self, data: &Data) -> scatterwise::Result<Tensor> {
        match self {
            Self::Cpu => Ok(data.tensor()),
            #[cfg(feature = "webgpu")]
            Self::WebGpu(_) => data.tensor().upload(),
        }
    }

    /// An operand at `place` for a call on this backend. On the CPU there is only one place, so that `place` is ignored.
    pub(crate) fn put_at(&self, place: Place, data: &Data) -> scatterwise::Result<Tensor> {
        match (self, place) {
            (Self::Cpu, _) => Ok(data.tensor()),
            #[cfg(feature = "webgpu")]
            (_, Place::Host) => Ok(data.tensor()),
            #[cfg(feature = "webgpu")]
            (_, Place::Uploaded) => self.put(data),
            #[cfg(feature = "webgpu")]
            (_, Place::Computed) => {
                // A gather of all elements in their order: then the device has computed the values.
                let all: Vec<i32> = (0..data.len() as i32).collect();
                let flat = data.tensor().reshape(&[data.len()])?.upload()?;
                flat.gather(0, &Tensor::from_elements(&[data.len()], &all)?)?.reshape(&data.dims)
            }
        }
    }
}

/// A tensor's current values, read from its device. Errors of earlier calls on a GPU are reported here.
pub(crate) async fn read(tensor: &Tensor) -> scatterwise::Result<Data> {
    Ok(Data::of(&tensor.to(Device::Cpu).await?))
}

/// Awaits all of them together and returns their outputs in the same order: reads that wait side by side take little longer
/// than one.
pub(crate) async fn join_all<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut tasks: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    poll_fn(|context| {
        for (future, output) in tasks.iter_mut().filter(|(_, output)| output.is_none()) {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                *output = Some(value);
            }
        }
        if tasks.iter().any(|(_, output)| output.is_none()) {
            return Poll::Pending;
        }
        Poll::Ready(tasks.iter_mut().filter_map(|(_, output)| output.take()).collect())
    })
    .await
}

/// Runs the rows of a suite on the CPU and then, if there is a GPU, on WebGPU. Panics if any failed, after all have run.
pub(crate) async fn on_each_backend(suite: &str, rows: impl AsyncFn(&Backend, &mut Report)) {
    let mut failures = run(suite, &Backend::Cpu, &rows).await;
    #[cfg(feature = "webgpu")]
    if let Some(gpu) = webgpu(suite).await {
        failures.extend(run(suite, &Backend::WebGpu(gpu), &rows).await);
    }
    assert_none(&failures);
}

/// Runs the rows of a suite about the CPU's own code, on the CPU only. Panics if any failed, after all have run.
pub(crate) async fn on_cpu(suite: &str, rows: impl AsyncFn(&mut Report)) {
    assert_none(
        &run(suite, &Backend::Cpu, &async |_: &Backend, report: &mut Report| rows(report).await).await,
    );
}

/// Runs the rows of a suite that has nothing to ask of the CPU, on WebGPU only, if there is a GPU. Panics if any failed, after all have
/// run.
#[cfg(feature = "webgpu")]
pub(crate) async fn on_webgpu(suite: &str, rows: impl AsyncFn(&Rc<Gpu>, &mut Report)) {
    let Some(gpu) = webgpu(suite).await else { return };
    let backend = Backend::WebGpu(gpu.clone());
    assert_none(
        &run(suite, &backend, &async |_: &Backend, report: &mut Report| rows(&gpu, report).await).await,
    );
}

/// As [`on_each_backend`], and on WebGPU once more with the constants of hardware, which choose other passes.
pub(crate) async fn as_software_and_hardware(suite: &str, rows: impl AsyncFn(&Backend, &mut Report)) {
    on_each_backend(suite, &rows).await;
    #[cfg(feature = "webgpu")]
    on_webgpu(&format!("{suite}-as-hardware"), async |gpu, report| {
        let _posing = AsHardware::new(gpu);
        rows(&Backend::WebGpu(gpu.clone()), report).await;
    })
    .await;
}

/// Runs the rows of a suite on one backend, prints their count and returns a message for each that failed. An error of the GPU that
/// no row has asked for is a failure too.
async fn run(suite: &str, backend: &Backend, rows: &impl AsyncFn(&Backend, &mut Report)) -> Vec<String> {
    let mut report = Report::new(backend, suite);
    rows(backend, &mut report).await;
    #[cfg(feature = "webgpu")]
    if let Backend::WebGpu(gpu) = backend
        && gpu.alive("").is_ok() // a lost device has no more errors
        && let Err(error) = gpu.sync().await
    {
        report.row("left over", Err(Fault::Wrong(format!("no row asked for this error: {error}"))));
    }
    report.finish()
}

/// Panics with all messages if there are any.
fn assert_none(failures: &[String]) {
    assert!(failures.is_empty(), "{} rows failed:\n{}", failures.len(), failures.join("\n"));
}

/// The GPU of this thread, started at the first call. All tests share it: see `thread`. Without a GPU it is `None` and the suite
/// is reported as skipped; if a GPU is required, it panics.
#[cfg(feature = "webgpu")]
pub(crate) async fn webgpu(suite: &str) -> Option<Rc<Gpu>> {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    match scatterwise::start_gpu("test", options, None).await {
        Ok(gpu) => Some(gpu),
        Err(error) if is_webgpu_required() => panic!("WebGPU is required here: {error}"),
        Err(error) => {
            Report::absent("webgpu", suite, &error.to_string());
            None
        }
    }
}

/// Whether a test fails without a GPU, instead of being skipped.
#[cfg(feature = "webgpu")]
fn is_webgpu_required() -> bool {
    cfg!(target_arch = "wasm32")
        || std::env::var("SCATTERWISE_REQUIRE_WEBGPU").is_ok_and(|value| value == "1")
}

/// Forces a float32 arithmetic on the GPU until dropped: other tests share the device.
#[cfg(feature = "webgpu")]
pub(crate) struct ForcedArithmetic {
    gpu: Rc<Gpu>,
    /// What it had before, and has again afterwards.
    probed: Arithmetic,
}

#[cfg(feature = "webgpu")]
impl ForcedArithmetic {
    pub(crate) fn new(gpu: &Rc<Gpu>, arithmetic: Arithmetic) -> Self {
        let probed = gpu.numerics().float32;
        gpu.force_arithmetic(arithmetic);
        Self { gpu: gpu.clone(), probed }
    }
}

#[cfg(feature = "webgpu")]
impl Drop for ForcedArithmetic {
    fn drop(&mut self) {
        self.gpu.force_arithmetic(self.probed);
    }
}

/// Forces a strategy on the GPU until dropped, for scatters that it applies to; afterwards the GPU chooses again.
#[cfg(feature = "webgpu")]
pub(crate) struct ForcedStrategy(Rc<Gpu>);

#[cfg(feature = "webgpu")]
impl ForcedStrategy {
    pub(crate) fn new(gpu: &Rc<Gpu>, strategy: Strategy) -> Self {
        gpu.force_strategy(Some(strategy));
        Self(gpu.clone())
    }
}

#[cfg(feature = "webgpu")]
impl Drop for ForcedStrategy {
    fn drop(&mut self) {
        self.0.force_strategy(None);
    }
}

/// Gives a software adapter the constants of hardware until dropped.
#[cfg(feature = "webgpu")]
pub(crate) struct AsHardware(Rc<Gpu>);

#[cfg(feature = "webgpu")]
impl AsHardware {
    pub(crate) fn new(gpu: &Rc<Gpu>) -> Self {
        gpu.pose_as_hardware(true);
        Self(gpu.clone())
    }
}

#[cfg(feature = "webgpu")]
impl Drop for AsHardware {
    fn drop(&mut self) {
        self.0.pose_as_hardware(false);
    }
}
