//! The arguments of a scatter, parsed: the same for running and for tracing it.

use wasm_bindgen::JsValue;

use crate::dtype::{DType, Scalar};
use crate::error::Result;
use crate::js::convert::{self, Wanted, operand_from};
use crate::js::error::wrong_kind;
use crate::js::options::{names, read_options};
use crate::js::plan::planned;
use crate::ops::{Gather, IndexPlan as PreparedIndex, Scatter, Source};
use crate::plan::{Op, Reduce};
use crate::tensor::Tensor;

/// A call with operands of its own. A tensor among them is shared, not borrowed, which makes
/// `t.scatter_(0, index, t)` right: the write finds the data shared and leaves it to the operand.
pub(super) struct Call {
    form: Form,
    source: OwnedSource,
}

/// Where the call writes, and how.
enum Form {
    Along { op: Op, dim: i64, index: Tensor, reduce: Reduce },
    Tuples { op: Op, indices: Tensor },
    Rows { indices: Tensor },
    Planned { op: Op, plan: PreparedIndex, reduce: Reduce },
}

enum OwnedSource {
    Tensor(Tensor),
    Scalar(Scalar),
}

impl Call {
    /// `scatter_` and `scatter`: dim, index, src, options or plan, src, options.
    pub(super) fn scatter(op: Op, dtype: DType, [one, two, three, four]: [&JsValue; 4]) -> Result<Self> {
        if let Some(plan) = planned(op, one)? {
            let source = source(op, "src", two, dtype)?;
            return Ok(Self { form: Form::Planned { op, plan, reduce: reduce(op, three)? }, source });
        }
        let dim = convert::integer(op.name(), "dim", one)?;
        let index = index_operand(op, "index", two)?;
        let source = source(op, "src", three, dtype)?;
        Ok(Self { form: Form::Along { op, dim, index, reduce: reduce(op, four)? }, source })
    }

    /// `scatter_add` and `scatter_add_`: dim, index, src or indices, updates or plan, src.
    pub(super) fn scatter_add(op: Op, dtype: DType, [one, two, three]: [&JsValue; 3]) -> Result<Self> {
        if let Some(plan) = planned(op, one)? {
            let source = source(op, "src", two, dtype)?;
            return Ok(Self { form: Form::Planned { op, plan, reduce: Reduce::Add }, source });
        }
        if three.is_undefined() && one.as_f64().is_none() {
            let indices = index_operand(op, "indices", one)?;
            return Ok(Self {
                form: Form::Tuples { op, indices },
                source: source(op, "updates", two, dtype)?,
            });
        }
        let dim = convert::integer(op.name(), "dim", one)?;
        let index = index_operand(op, "index", two)?;
        let source = source(op, "src", three, dtype)?;
        Ok(Self { form: Form::Along { op, dim, index, reduce: Reduce::Add }, source })
    }

    /// `scatter_mul`: indices or a plan, updates.
    pub(super) fn scatter_mul(dtype: DType, [indices, updates]: [&JsValue; 2]) -> Result<Self> {
        let op = Op::ScatterMul;
        let form = match planned(op, indices)? {
            Some(plan) => Form::Planned { op, plan, reduce: Reduce::Multiply },
            None => Form::Rows { indices: index_operand(op, "indices", indices)? },
        };
        Ok(Self { form, source: source(op, "updates", updates, dtype)? })
    }

    /// The call as the core takes it.
    pub(super) fn get(&self) -> Scatter<'_> {
        let src = match &self.source {
            OwnedSource::Tensor(tensor) => Source::Tensor(tensor),
            OwnedSource::Scalar(value) => Source::Scalar(*value),
        };
        match self.form {
            Form::Along { op, dim, ref index, reduce } => Scatter::Along { op, dim, index, src, reduce },
            Form::Tuples { op, ref indices } => Scatter::Tuples { op, indices, updates: src },
            Form::Rows { ref indices } => Scatter::Rows { indices, updates: src },
            Form::Planned { op, ref plan, reduce } => Scatter::Planned { op, plan, src, reduce },
        }
    }
}

/// A gather with operands of its own.
pub(super) enum GatherCall {
    Along { dim: i64, index: Tensor },
    Tuples { indices: Tensor },
    Planned { op: Op, plan: PreparedIndex },
}

impl GatherCall {
    /// dim and index, indices, or a plan.
    pub(super) fn parse(op: Op, one: &JsValue, two: &JsValue) -> Result<Self> {
        if let Some(plan) = planned(op, one)? {
            return Ok(Self::Planned { op, plan });
        }
        if op != Op::Gather {
            return Ok(Self::Tuples { indices: index_operand(op, "indices", one)? });
        }
        let dim = convert::integer(op.name(), "dim", one)?;
        Ok(Self::Along { dim, index: index_operand(op, "index", two)? })
    }

    /// The call as the core takes it.
    pub(super) fn get(&self) -> Gather<'_> {
        match *self {
            Self::Along { dim, ref index } => Gather::Along { dim, index },
            Self::Tuples { ref indices } => Gather::Tuples { indices },
            Self::Planned { op, ref plan } => Gather::Planned { op, plan },
        }
    }
}

/// An index: arrays become int32.
pub(super) fn index_operand(op: Op, argument: &'static str, value: &JsValue) -> Result<Tensor> {
    operand_from(op.name(), argument, value, Wanted::Index)
}

/// A source: arrays take self's dtype, a number stays one.
fn source(op: Op, argument: &'static str, value: &JsValue, dtype: DType) -> Result<OwnedSource> {
    if let Some(value) = convert::scalar(value) {
        return Ok(OwnedSource::Scalar(value));
    }
    operand_from(op.name(), argument, value, Wanted::DType(dtype)).map(OwnedSource::Tensor)
}

fn reduce(op: Op, options: &JsValue) -> Result<Reduce> {
    let reduce = read_options(op.name(), options, &names!("reduce"))?.get(0);
    if reduce.is_undefined() {
        return Ok(Reduce::Replace);
    }
    let name = reduce.as_string().ok_or_else(|| wrong_kind(op.name(), "reduce", "a string", &reduce))?;
    Reduce::from_name(op, &name)
}
