//! Stands for `transcendental.rs` in builds without the feature `activations`. The plans of these refuse every transcendental activation, so
//! nothing here is called.

use crate::engine::cpu::kernels::span::Span;
use crate::plan::activation::Activation;

#[derive(Clone, Copy)]
pub(crate) struct OfNumber;

impl OfNumber {
    pub(crate) fn apply(self, x: f64) -> f64 {
        x
    }
}

pub(crate) fn of(_: Activation) -> OfNumber {
    OfNumber
}

pub(crate) fn exp(x: f64) -> f64 {
    x
}

/// Applies an activation to float32 numbers, if that is faster in vectors than one by one. Returns whether it did.
pub(crate) fn in_vectors(_: Activation, _: Span<'_, f32>) -> bool {
    false
}
