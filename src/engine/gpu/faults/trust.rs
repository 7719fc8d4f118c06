//! Which pipelines may compute with the adapter's floats.

use std::cell::RefCell;

use crate::engine::gpu::shaders::kernel::ShaderKey;
use crate::engine::gpu::shaders::pass::Pass;

/// The result of a pipeline's trial: none yet, right, or wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    Awaited,
    Given,
    Demoted,
}

/// The pipelines that have a trial.
#[derive(Default)]
pub(crate) struct Trusted(RefCell<Vec<(ShaderKey, Trust)>>);

impl Trusted {
    /// The trust in a pipeline; `None` before its trial.
    pub(crate) fn of(&self, key: ShaderKey) -> Option<Trust> {
        self.0.borrow().iter().find(|(known, _)| *known == key).map(|&(_, trust)| trust)
    }

    /// Sets the trust in a pipeline. After `None`, its next use records a trial.
    pub(crate) fn set(&self, key: ShaderKey, trust: Option<Trust>) {
        let mut known = self.0.borrow_mut();
        known.retain(|(known, _)| *known != key);
        known.extend(trust.map(|trust| (key, trust)));
    }

    pub(crate) fn with(&self, trust: Trust) -> Vec<ShaderKey> {
        self.0.borrow().iter().filter(|(_, known)| *known == trust).map(|&(key, _)| key).collect()
    }

    /// The names of the demoted pipelines, as `backend()` gives them.
    pub(crate) fn demoted(&self) -> Vec<String> {
        let name = |key: ShaderKey| match key.pass {
            Pass::MultiplyNative(Some(act), _) => ["multiply elementwise", act.name()].join(" "),
            Pass::SparseRows(_) => "multiply sparse".into(),
            _ => "multiply elementwise".into(),
        };
        self.with(Trust::Demoted).into_iter().map(name).collect()
    }
}
