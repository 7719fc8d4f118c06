//! The scatters. `boundary/operators.rs` says what the parameters are.

use wasm_bindgen::prelude::*;

use crate::boundary::wire::SCALAR;
use crate::boundary::{Arguments, Table, attempt, facts, operator, scalar, table, wire};
use crate::plan::{Factor, Op};
use crate::{Result, Scalar, Scatter, Source, Tensor, load};

/// A scatter into `target`. The source is the tensor `src` times the scalar, or the scalar alone if `src` is 0. `update` says how
/// each value combines with the value in `target`. Returns whether it succeeded.
#[wasm_bindgen]
pub fn scatter(
    op: u32,
    update: u32,
    target: u32,
    form: u32,
    dim: f64,
    index: u32,
    mode: u32,
    src: u32,
    kind: u32,
    value: f64,
) -> bool {
    attempt(|| {
        let op = operator(op)?;
        table::with(|table| {
            // Borrowed, not moved: a move of this size calls `memory.copy`.
            let call = scatter_of(table, (op, update), (form, dim, index, mode), src, (kind, value));
            let Ok(call) = &call else { return call.map(|_| false) };
            call.run(table.written(op.name(), target, [index, src])?).map(|()| true)
        })
    })
}

#[inline(always)]
fn scatter_of(
    table: &Table,
    (op, update): (Op, u32),
    (form, dim, index, mode): (u32, f64, u32, u32),
    src: u32,
    (kind, value): (u32, f64),
) -> Result<Scatter> {
    let (mode, target) = (facts::mode(mode), table.target((form, dim), index)?);
    if update & SCALAR != 0 {
        let (alpha, src) = (scalar(kind, value), Source::Scalar(scalar_of(table.tensor(src)?)));
        let update = wire::update(update).0;
        return Ok(Scatter { op, target, src, factor: Factor::alpha(alpha), update, mode });
    }
    let ((update, factor), number) = (wire::update(update), scalar(kind, value));
    // Only index_add multiplies a tensor by a scalar, its alpha, and the factor of its update is 1. For all other operators the
    // scalar is 1.
    let (src, factor) = match (src, Factor::alpha(number)) {
        (0, _) => (Source::Scalar(number), factor),
        (src, Factor::One) => (table.tensor(src)?.into(), factor),
        (src, alpha) => (table.tensor(src)?.into(), alpha),
    };
    Ok(Scatter { op, target, src, factor, update, mode })
}

/// The parameters of [`scatter`] as arguments, for the verbs of gradients, traces and winners.
pub(crate) struct ScatterCall {
    pub(crate) call: Scatter,
    /// The handles of the tensor that is written to, and of the index and the source.
    pub(crate) target: u32,
    pub(crate) operands: [u32; 2],
}

impl ScatterCall {
    pub(crate) fn read(table: &Table, op: Op, arguments: &mut Arguments) -> Result<Self> {
        let (target, update) = (arguments.word(), arguments.word());
        let place = (arguments.word(), arguments.number(), arguments.word(), arguments.word());
        let (src, number) = (arguments.word(), (arguments.word(), arguments.number()));
        let call = scatter_of(table, (op, update), place, src, number)?;
        Ok(Self { call, target, operands: [place.2, src] })
    }
}

/// The number in a tensor of one element in host memory; 0 for any other tensor, which JavaScript does not send.
#[inline(never)]
fn scalar_of(tensor: &Tensor) -> Scalar {
    tensor.bytes().map_or(Scalar::Int(0), |bytes| Scalar::load(load(bytes), tensor.dtype()))
}

/// For timings of the strategies. Every scatter uses the strategy of this number in [`Strategy::ALL`], wherever it applies.
/// Any other number leaves the choice to the library. Returns how many scatters have used the forced way so far.
#[cfg(all(feature = "testing", feature = "webgpu"))]
#[wasm_bindgen]
pub fn gpu_force_way(way: u32) -> u32 {
    use crate::engine::gpu::current_gpu;
    use crate::scatter::gpu::strategy::Strategy;
    use crate::testing::hooks::Hooks;
    let Some(gpu) = current_gpu() else { return 0 };
    let way = way as usize;
    gpu.force_strategy(Strategy::ALL.get(way).copied());
    gpu.strategies_run().get(way).copied().unwrap_or_default()
}
