//! Which pipelines may compute with the adapter's floats.

use std::cell::RefCell;

use crate::backend::gpu::shaders::act::Act;
use crate::backend::gpu::shaders::kernel::ShaderKey;
use crate::backend::gpu::shaders::pass::Pass;

/// What the trial of a pipeline has said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nothing yet.
    Awaited,
    /// It was right.
    Given,
    /// It was wrong.
    Demoted,
}

/// The pipelines that were tried.
#[derive(Default)]
pub(crate) struct Trusted(RefCell<Vec<(ShaderKey, Trust)>>);

impl Trusted {
    /// What is known of a pipeline; `None` if it was not tried.
    pub(crate) fn of(&self, key: ShaderKey) -> Option<Trust> {
        self.0.borrow().iter().find(|(known, _)| *known == key).map(|&(_, trust)| trust)
    }

    /// Sets what is known of a pipeline; `None` has its next use try it.
    pub(crate) fn set(&self, key: ShaderKey, trust: Option<Trust>) {
        let mut known = self.0.borrow_mut();
        known.retain(|(known, _)| *known != key);
        known.extend(trust.map(|trust| (key, trust)));
    }

    /// Whether the result of any trial is not known yet.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn are_awaited(&self) -> bool {
        self.0.borrow().iter().any(|(_, trust)| *trust == Trust::Awaited)
    }

    /// The names of the demoted pipelines, as `backend()` gives them.
    pub(crate) fn demoted(&self) -> Vec<String> {
        let known = self.0.borrow();
        let demoted = known.iter().filter(|(_, trust)| *trust == Trust::Demoted);
        demoted
            .map(|(key, _)| {
                let act = match key.pass {
                    Pass::MultiplyNative(Act::Float(act), _) => act.name(),
                    _ => "",
                };
                ["multiply elementwise", act].join(" ").trim_end().to_owned()
            })
            .collect()
    }
}
