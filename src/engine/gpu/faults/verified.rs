//! Which pipelines may compute with the adapter's floats.

use std::cell::RefCell;

use crate::engine::gpu::{Pass, ShaderKey};

/// The result of a pipeline's self-test: none yet, right, or wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Awaited,
    Verified,
    Demoted,
}

/// The pipelines that have a self-test.
#[derive(Default)]
pub(crate) struct Verified(RefCell<Vec<(ShaderKey, State)>>);

impl Verified {
    /// The state of a pipeline; `None` before its self-test.
    pub(crate) fn of(&self, key: ShaderKey) -> Option<State> {
        self.0.borrow().iter().find(|(known, _)| *known == key).map(|&(_, state)| state)
    }

    /// Sets the state of a pipeline. After `None`, its next use records a self-test.
    pub(crate) fn set(&self, key: ShaderKey, state: Option<State>) {
        let mut known = self.0.borrow_mut();
        known.retain(|(known, _)| *known != key);
        known.extend(state.map(|state| (key, state)));
    }

    pub(crate) fn with(&self, state: State) -> Vec<ShaderKey> {
        self.0.borrow().iter().filter(|(_, known)| *known == state).map(|&(key, _)| key).collect()
    }

    /// The names of the demoted pipelines, as `backend()` gives them.
    pub(crate) fn demoted(&self) -> Vec<String> {
        let name = |key: ShaderKey| match key.pass {
            Pass::Native(_, Some(act), _) => [key.file(), "elementwise", act.name()].join(" "),
            Pass::SparseRows(_) => "multiply sparse".into(),
            _ => [key.file(), "elementwise"].join(" "),
        };
        self.with(State::Demoted).into_iter().map(name).collect()
    }
}
