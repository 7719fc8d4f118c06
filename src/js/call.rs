//! The arguments of a scatter, parsed: the same for running and for tracing it.

use wasm_bindgen::JsValue;

use crate::dtype::DType;
use crate::error::Result;
use crate::js::convert::{self, Wanted, operand_from};
use crate::js::error::wrong_kind;
use crate::js::options::{names, read_options};
use crate::js::plan::planned;
use crate::ops::{Gather, Scatter, Source, Target};
use crate::plan::{Op, Reduce};
use crate::tensor::Tensor;

/// A scatter, from its arguments.
pub(super) struct Call;

impl Call {
    /// `scatter_` and `scatter`: dim, index, src, options or plan, src, options.
    pub(super) fn scatter(op: Op, dtype: DType, [one, two, three, four]: [&JsValue; 4]) -> Result<Scatter> {
        if let Some(plan) = planned(op, one)? {
            let source = source(op, "src", two, dtype)?;
            return Ok(Scatter {
                op,
                target: Target::Planned(plan),
                src: source,
                reduce: reduce(op, three)?,
            });
        }
        let dim = convert::integer(op.name(), "dim", one)?;
        let index = index_operand(op, "index", two)?;
        let source = source(op, "src", three, dtype)?;
        Ok(Scatter { op, target: Target::Along { dim, index }, src: source, reduce: reduce(op, four)? })
    }

    /// `scatter_add` and `scatter_add_`: dim, index, src or indices, updates or plan, src.
    pub(super) fn scatter_add(op: Op, dtype: DType, [one, two, three]: [&JsValue; 3]) -> Result<Scatter> {
        if let Some(plan) = planned(op, one)? {
            let source = source(op, "src", two, dtype)?;
            return Ok(Scatter { op, target: Target::Planned(plan), src: source, reduce: Reduce::Add });
        }
        if three.is_undefined() && one.as_f64().is_none() {
            let indices = index_operand(op, "indices", one)?;
            let src = source(op, "updates", two, dtype)?;
            return Ok(Scatter { op, target: Target::Tuples { indices }, src, reduce: Reduce::Add });
        }
        let dim = convert::integer(op.name(), "dim", one)?;
        let index = index_operand(op, "index", two)?;
        let source = source(op, "src", three, dtype)?;
        Ok(Scatter { op, target: Target::Along { dim, index }, src: source, reduce: Reduce::Add })
    }

    /// `scatter_mul`: indices or a plan, updates.
    pub(super) fn scatter_mul(dtype: DType, [indices, updates]: [&JsValue; 2]) -> Result<Scatter> {
        let op = Op::ScatterMul;
        let target = match planned(op, indices)? {
            Some(plan) => Target::Planned(plan),
            None => Target::Tuples { indices: index_operand(op, "indices", indices)? },
        };
        let src = source(op, "updates", updates, dtype)?;
        Ok(Scatter { op, target, src, reduce: Reduce::Multiply })
    }
}

/// A gather, from its arguments.
pub(super) struct GatherCall;

impl GatherCall {
    /// dim and index, indices, or a plan.
    pub(super) fn parse(op: Op, one: &JsValue, two: &JsValue) -> Result<Gather> {
        if let Some(plan) = planned(op, one)? {
            return Ok(Gather { op, target: Target::Planned(plan) });
        }
        if op != Op::Gather {
            let target = Target::Tuples { indices: index_operand(op, "indices", one)? };
            return Ok(Gather { op, target });
        }
        let dim = convert::integer(op.name(), "dim", one)?;
        let target = Target::Along { dim, index: index_operand(op, "index", two)? };
        Ok(Gather { op, target })
    }
}

/// An index: arrays become int32.
pub(super) fn index_operand(op: Op, argument: &'static str, value: &JsValue) -> Result<Tensor> {
    operand_from(op.name(), argument, value, Wanted::Index)
}

/// A source: arrays take self's dtype, a number stays one.
fn source(op: Op, argument: &'static str, value: &JsValue, dtype: DType) -> Result<Source> {
    if let Some(value) = convert::scalar(value) {
        return Ok(Source::Scalar(value));
    }
    operand_from(op.name(), argument, value, Wanted::DType(dtype)).map(Source::Tensor)
}

fn reduce(op: Op, options: &JsValue) -> Result<Reduce> {
    let reduce = read_options(op.name(), options, &names!("reduce"))?.get(0);
    if reduce.is_undefined() {
        return Ok(Reduce::Replace);
    }
    let name = reduce.as_string().ok_or_else(|| wrong_kind(op.name(), "reduce", "a string", &reduce))?;
    Reduce::from_name(op, &name)
}
