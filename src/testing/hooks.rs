//! Extra functions of the GPU side for tests and benchmarks: they force a choice, and show the recorded work and each pass's result.
//! They are not part of the API.

#[cfg(feature = "testing")]
use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::{Gpu, Numerics};
#[cfg(feature = "testing")]
use crate::engine::gpu::dispatch::watch;
use crate::engine::gpu::hooks::hook;
use crate::engine::gpu::shaders::arithmetic::Arithmetic;

pub use crate::elementwise::gpu::geometry::Geometry;
pub use crate::engine::gpu::hooks::{Counts, ExactStrategy, Loss, Recorded};
pub use crate::engine::gpu::shaders::apply::Apply;
pub use crate::engine::gpu::shaders::combine::{Combine, Kind};
pub use crate::engine::gpu::shaders::kernel::ShaderKey;
pub use crate::engine::gpu::shaders::operands::QuadAccess;
pub use crate::engine::gpu::shaders::params::WORKGROUP;
pub use crate::engine::gpu::shaders::pass::Pass;
#[cfg(feature = "testing")]
pub use crate::engine::gpu::shaders::pipelines::{Rewrite, plant};
pub use crate::engine::gpu::shaders::width::Width;
pub use crate::scatter::gpu::strategy::Strategy;

/// Methods of [`Gpu`] for tests and benchmarks. Those without a device set and count per thread.
pub trait Hooks {
    /// The device.
    fn gpu(&self) -> &Gpu;

    /// Overrides the probe's choice of float32 arithmetic.
    fn force_arithmetic(&self, float32: Arithmetic) {
        self.gpu().set_numerics(Numerics { float32, ..self.gpu().numerics() });
    }

    /// Forces this strategy on every scatter that allows it; `None` ends that.
    fn force_strategy(&self, strategy: Option<Strategy>) {
        let at = strategy.and_then(|strategy| Strategy::ALL.iter().position(|&way| way == strategy));
        hook(|hooks| hooks.strategy = at);
    }

    /// Says how exact sums are added; the default ends that.
    fn force_exact(&self, strategy: ExactStrategy) {
        hook(|hooks| hooks.exact = strategy);
    }

    /// Submits after this number of rounds of loops. `None` returns to a limit from measured submissions.
    fn force_budget(&self, rounds: Option<u64>) {
        hook(|hooks| hooks.budget = rounds);
    }

    /// Runs at most this many rounds of loops in a dispatch; `None` as the probe found.
    fn force_rounds(&self, rounds: Option<usize>) {
        hook(|hooks| hooks.rounds = rounds);
    }

    /// Submits a batch after the first number of dispatches if no submission is in flight, after the second if one is; `None` ends that.
    fn force_due(&self, dispatches: Option<[u32; 2]>) {
        hook(|hooks| hooks.due = dispatches);
    }

    /// Gives each thread of a guarded operation so many quads, 1 to 32; `None` ends that.
    fn force_quads(&self, quads: Option<usize>) {
        hook(|hooks| hooks.quads = quads);
    }

    /// Takes the constants of hardware on a software adapter, or ends that.
    fn pose_as_hardware(&self, is_posing: bool) {
        hook(|hooks| hooks.poses_as_hardware = is_posing);
    }

    /// How often each strategy was taken, in the order of [`Strategy::ALL`].
    fn strategies_run(&self) -> [u32; Strategy::ALL.len()] {
        hook(|hooks| hooks.scatters).unwrap_or_default()
    }

    /// The work that was recorded since the last call.
    fn take_counts(&self) -> Counts {
        hook(|hooks| std::mem::take(&mut hooks.counts)).unwrap_or_default()
    }

    /// Starts or stops to list what is recorded. Returns the list so far.
    fn list_recorded(&self, is_listing: bool) -> Vec<Recorded> {
        hook(|hooks| std::mem::replace(&mut hooks.recorded, is_listing.then(Vec::new)))
            .flatten()
            .unwrap_or_default()
    }

    /// Compiles every part of a shader that this device may run, or has the device only check the text. Returns the number of shaders.
    fn compile_all(&self, checks_only: bool) -> usize {
        ShaderKey::each_part().inspect(|&key| self.gpu().recorder.compile(key, checks_only)).count()
    }

    /// Loses the device.
    fn lose_device(&self) {
        self.gpu().device.destroy();
    }

    /// Loses a dispatch or submission without an error, like a driver that gives up work but signals its end; `None` cancels that.
    /// Returns the loss that was still pending.
    fn lose(&self, what: Option<Loss>) -> Option<Loss> {
        hook(|hooks| std::mem::replace(&mut hooks.loss, what)).flatten()
    }

    /// Refuses the next new buffer, like a platform without memory.
    fn refuse_next(&self) {
        hook(|hooks| hooks.refuses_next = true);
    }

    /// Keeps the old bytes of recycled buffers where zeros were asked for, like a driver that does not clear.
    fn keep_old_bytes(&self, is_kept: bool) {
        hook(|hooks| hooks.keeps_old_bytes = is_kept);
    }

    /// Starts or stops to copy the results of each pass. Returns the copies made so far.
    #[cfg(feature = "testing")]
    fn watch(&self, is_watching: bool) -> Vec<(Pass, DeviceBuffer)> {
        watch::watch(is_watching)
    }
}

impl Hooks for Gpu {
    fn gpu(&self) -> &Gpu {
        self
    }
}
