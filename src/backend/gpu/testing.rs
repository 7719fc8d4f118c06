//! What tests and benchmarks need of the GPU side and the library does not: to force a choice, and to see what was recorded
//! and what each pass wrote. It is no part of the API.

use std::cell::{Cell, RefCell};

use crate::backend::gpu::shaders::pipelines;
use crate::backend::gpu::{Arithmetic, DeviceBuffer, Gpu, Numerics};

pub use crate::backend::gpu::multiply::geometry::{Geometry, QuadAccess};
pub use crate::backend::gpu::record::counts::Counts;
pub use crate::backend::gpu::scatter::strategy::Strategy;
pub use crate::backend::gpu::shaders::act::Act;
pub use crate::backend::gpu::shaders::combine::{Combine, Functions, Kind};
pub use crate::backend::gpu::shaders::kernel::{ShaderKey, Width};
pub use crate::backend::gpu::shaders::pass::Pass;

/// What tests have set, and what they ask for.
#[derive(Default)]
pub(super) struct Switches {
    /// The strategy of every scatter to which it applies.
    pub(super) forced: Cell<Option<Strategy>>,
    /// How many scatters each strategy was taken for, in the order of [`Strategy::ALL`].
    pub(super) ran: Cell<[u32; Strategy::ALL.len()]>,
    /// Whether the next new buffer is refused.
    pub(super) refuses_next: Cell<bool>,
    /// Copies of what passes have written, while a test watches.
    watched: RefCell<Option<Vec<(Pass, DeviceBuffer)>>>,
}

/// Rewrites the text of a shader, as a driver might that compiles it wrongly; `None` where it has nothing to change.
pub type Rewrite = fn(ShaderKey, &str) -> Option<String>;

thread_local! {
    static PLANTED: Cell<Option<Rewrite>> = const { Cell::new(None) };
}

/// Has every shader rewritten that this thread compiles from now on; `None` leaves shaders as they are again.
pub fn plant(fault: Option<Rewrite>) {
    PLANTED.set(fault);
}

/// The text of a shader that a device compiles: rewritten where a test has planted a fault.
pub(super) fn planted(key: ShaderKey) -> String {
    let text = key.source();
    PLANTED.get().and_then(|rewrite| rewrite(key, &text)).unwrap_or(text)
}

/// What a device loses without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// One dispatch, after this number of others that are not lost.
    Dispatch(u32),
    /// The next submission.
    Submission,
}

impl Loss {
    /// Whether the dispatch that is being recorded is to be lost; if so, no later one is. Else one less is left before the one that is.
    pub(super) fn takes_dispatch(loss: &mut Option<Self>) -> bool {
        match loss {
            Some(Self::Dispatch(0)) => loss.take().is_some(),
            Some(Self::Dispatch(left)) => {
                *left -= 1;
                false
            }
            Some(Self::Submission) | None => false,
        }
    }
}

impl Switches {
    /// Counts a scatter by its strategy.
    pub(super) fn count(&self, strategy: Strategy) {
        let mut ran = self.ran.get();
        for (count, _) in ran.iter_mut().zip(Strategy::ALL).filter(|(_, way)| **way == strategy) {
            *count += 1;
        }
        self.ran.set(ran);
    }

    /// Keeps a copy of what a pass writes to its dst, if a test watches.
    pub(super) fn wrote(&self, pass: Pass, dst: Option<&DeviceBuffer>) {
        if let (Some(written), Some(dst)) = (&mut *self.watched.borrow_mut(), dst)
            && let Ok(copy) = dst.duplicate("watch")
        {
            written.push((pass, copy));
        }
    }
}

/// Methods of [`Gpu`] for tests and benchmarks.
pub trait Hooks {
    /// The device.
    fn gpu(&self) -> &Gpu;

    /// Overrides the probe's choice of float32 arithmetic.
    fn force_arithmetic(&self, float32: Arithmetic) {
        let numerics = &self.gpu().numerics;
        numerics.set(Numerics { float32, ..numerics.get() });
    }

    /// Takes this way for every scatter to which it applies; `None` chooses again.
    fn force_strategy(&self, strategy: Option<Strategy>) {
        self.gpu().switches.forced.set(strategy);
    }

    /// Submits after this number of rounds of loops. `None` measures again how long submissions take, and goes by that.
    fn force_pace(&self, rounds: Option<u64>) {
        self.gpu().engine.borrow_mut().pace.forced = rounds;
    }

    /// How many scatters each strategy was taken for so far, in the order of [`Strategy::ALL`].
    fn strategies_run(&self) -> [u32; Strategy::ALL.len()] {
        self.gpu().switches.ran.get()
    }

    /// How much work was recorded so far.
    fn counts(&self) -> Counts {
        self.gpu().engine.borrow().counts
    }

    /// Compiles every part of a shader that this device may run. Returns how many shaders it took.
    fn compile_all(&self) -> usize {
        let gpu = self.gpu();
        ShaderKey::each_part().inspect(|&key| drop(gpu.pipelines.get(&gpu.device, key))).count()
    }

    /// Has the device check the text of the same shaders as `compile_all`, and does not compile them. Returns how many there are.
    fn check_all(&self) -> usize {
        let gpu = self.gpu();
        ShaderKey::each_part().inspect(|&key| drop(pipelines::module(&gpu.device, key))).count()
    }

    /// Loses the device.
    fn lose_device(&self) {
        self.gpu().device.destroy();
    }

    /// Loses a dispatch or submission without an error, as a driver might that gives up work and takes it for done; `None`
    /// again loses none. Returns what was still to be lost.
    fn lose(&self, what: Option<Loss>) -> Option<Loss> {
        std::mem::replace(&mut self.gpu().engine.borrow_mut().loses, what)
    }

    /// Refuses the next new buffer, as a platform without memory would.
    fn refuse_next(&self) {
        self.gpu().switches.refuses_next.set(true);
    }

    /// Copies what each pass writes from now on, or no longer. Returns the copies that were made.
    fn watch(&self, is_watching: bool) -> Vec<(Pass, DeviceBuffer)> {
        self.gpu().switches.watched.replace(is_watching.then(Vec::new)).unwrap_or_default()
    }
}

impl Hooks for Gpu {
    fn gpu(&self) -> &Gpu {
        self
    }
}
