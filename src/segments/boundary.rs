//! Reductions of segments, on handles. `boundary/operators.rs` says what the parameters are.

use wasm_bindgen::prelude::*;

use crate::boundary::facts::attempt;
use crate::boundary::operators::reduction_by;
use crate::boundary::table;
use crate::boundary::tensors::scalar;
use crate::boundary::wire;
use crate::plan::reduce::Reduction;
use crate::segments::Segments;
use crate::tensor::Tensor;

/// Reduces segments of `data`. The tensor `segments` has their offsets or their lengths. If `has_initial`, each segment begins with
/// the scalar, `kind` and `initial`. `exact` makes sums of floats exact. Returns the handle of the result.
#[wasm_bindgen]
pub fn segment_reduce(
    data: u32,
    reduction: u32,
    are_offsets: bool,
    segments: u32,
    has_initial: bool,
    kind: u32,
    initial: f64,
    exact: bool,
) -> u32 {
    let initial = has_initial.then(|| scalar(kind, initial));
    attempt(|| {
        let (data, segments) = (table::tensor(data)?, table::tensor(segments)?);
        let (reduction, segments) = segments_of(reduction, are_offsets, &segments);
        table::keep(crate::segments::segment_reduce(&data, reduction, wire::sum(exact), segments, initial)?)
    })
}

/// The reduction of a number, and the segments of a tensor.
pub(crate) fn segments_of(reduction: u32, are_offsets: bool, segments: &Tensor) -> (Reduction, Segments<'_>) {
    let segments = if are_offsets { Segments::Offsets(segments) } else { Segments::Lengths(segments) };
    (reduction_by(reduction), segments)
}
