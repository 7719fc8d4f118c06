//! Stands for `transcendental.rs` in builds without the feature `activations`. The plans of these refuse every transcendental activation, so
//! nothing here is called.

use crate::engine::cpu::kernels::Span;
use crate::plan::Activation;

pub(crate) type OfNumber = fn(f64) -> f64;

pub(crate) fn of(_: Activation) -> OfNumber {
    exp
}

pub(crate) fn exp(x: f64) -> f64 {
    x
}

/// Applies an activation to float32 numbers, if that is faster in vectors than one by one. Returns whether it did.
pub(crate) fn in_vectors(_: Activation, _: Span<'_, f32>) -> bool {
    false
}
