//! The rules of operations on two tensors: dtypes and ranks, and Paddle's alignment. Each function is called by the constructors of
//! [`BroadcastPlan`](crate::elementwise::plan::broadcast::BroadcastPlan).

use crate::plan::{Binary, Op, Operand, Rounding, checks, no_bool};
use crate::{Allowed, DType, Dims, Error, ErrorClass, ErrorCode, FactValue, MAX_OP_RANK, Result, list};

/// Refuses a dtype without the operation.
fn check_dtype(op: Op, binary: Binary, dtype: DType) -> Result<()> {
    let first = op.operand_names()[0];
    match (binary, dtype) {
        (Binary::Subtract, DType::Bool) => Err(no_bool(op, first, "subtraction")),
        (Binary::Divide(_), DType::Bool) => Err(no_bool(op, first, "division")),
        (Binary::Divide(None), _) if !dtype.is_float() => {
            let text = format!(
                "a quotient of {dtype} needs rounding: 'trunc' or 'floor' ({first}.astype('float32') has fractions)"
            );
            Err(Error::new(ErrorClass::Type, ErrorCode::MissingArgument, op.name(), text)
                .argument("rounding")
                .allowed(Allowed::Words(Rounding::NAMES)))
        }
        _ => Ok(()),
    }
}

/// Checks the conditions that both rules of alignment share.
pub(crate) fn check_operands(op: Op, binary: Binary, x: Operand<'_>, y: Operand<'_>) -> Result<()> {
    let [first, second] = op.operand_names();
    checks::same_dtype(op, (second, y.dtype), (first, x.dtype))?;
    check_dtype(op, binary, x.dtype)?;
    check_ranks(op, x, y)
}

/// Checks the ranks of both operands.
pub(crate) fn check_ranks(op: Op, x: Operand<'_>, y: Operand<'_>) -> Result<()> {
    let [first, second] = op.operand_names();
    [(first, x), (second, y)].iter().try_for_each(|&(name, operand)| {
        checks::rank(op, name, operand.shape, 0..=MAX_OP_RANK).map_err(|error| with_shapes(error, op, x, y))
    })
}

/// Finds the dimension of x at which y's dimensions begin by Paddle's rule. `run` is y's sizes without trailing 1s. The caller
/// checks that x has these sizes there.
pub(crate) fn start_in_x(op: Op, x: Operand<'_>, y: Operand<'_>, axis: i64, run: &[usize]) -> Result<usize> {
    let (rank, y_rank) = (x.shape.rank() as i64, y.shape.rank() as i64);
    let last = rank - 1; // -1 for a scalar: the default axis
    if !(-1..=last).contains(&axis) {
        let text = format!("axis is {axis}, but x has rank {rank}: allowed are -1 to {last}");
        return Err(shape_error(op, ErrorCode::AxisOutOfRange, text, x, y)
            .argument("axis")
            .value(FactValue::Int(axis))
            .allowed(Allowed::Range(-1, last)));
    }
    if run.is_empty() {
        return Ok(0); // one element fits every x, wherever it starts
    }
    let start = if axis == -1 { rank - y_rank } else { axis };
    usize::try_from(start).map_err(|_| {
        let way_out = numpy_hint(op, x, y, y.shape.dims()).unwrap_or_else(|| {
            "with an axis, the trailing 1s of y do not count: give axis, the dimension of x at which y begins".to_owned()
        });
        let text = format!("y {} has more dimensions than x {}: {way_out}", y.shape, x.shape);
        shape_error(op, ErrorCode::ShapeMismatch, text, x, y).argument("y")
    })
}

/// The error for a y that does not fit x at `axis`. `run` is y's sizes without trailing 1s. `start` is the dimension of x for the
/// first size of `run`. `d` numbers the first size that differs from x's. The text suggests an axis that fits, or NumPy's rule.
pub(crate) fn run_mismatch(
    op: Op,
    x: Operand<'_>,
    y: Operand<'_>,
    run: &[usize],
    start: usize,
    d: usize,
) -> Error {
    let dims = x.shape.dims();
    let found = match dims.get(start + d) {
        Some(len) => format!("x.shape[{}] is {len}", start + d),
        None => format!("x has rank {}", dims.len()),
    };
    let len = run.get(d).copied().unwrap_or(0);
    let elsewhere = dims.windows(run.len()).position(|window| window == run);
    // NumPy's rule aligns at the right. With 1s for the dimensions of x after the run, the run starts at the same dimension by both
    // rules.
    let after = dims.len().saturating_sub(start + run.len());
    let mut aligned = Dims::filled(1, run.len() + after);
    aligned.put(0, run);
    let way_out = match (elsewhere, numpy_hint(op, x, y, &aligned)) {
        (Some(at), _) => format!(". It is from axis {at} on"),
        (None, Some(hint)) => format!(": {hint}"),
        (None, None) => String::new(),
    };
    let text = format!(
        "y.shape[{d}] is {len} and {found}: y {}, without trailing 1s {}, must be a run of x {} from axis {start} \
         on{way_out}",
        y.shape,
        list(run),
        x.shape
    );
    shape_error(op, ErrorCode::ShapeMismatch, text, x, y).argument("y").dim(d as i64)
}

/// The call that combines x with y in the shape `aligned`, by NumPy's rule; `None` if `aligned` does not broadcast against x's
/// shape.
fn numpy_hint(op: Op, x: Operand<'_>, y: Operand<'_>, aligned: &[usize]) -> Option<String> {
    let mut pairs = x.shape.dims().iter().rev().zip(aligned.iter().rev());
    if !pairs.all(|(&one, &two)| one == two || one == 1 || two == 1) {
        return None;
    }
    let method = op.binary().method();
    let call = if aligned == y.shape.dims() {
        format!("x.{method}(y)")
    } else {
        format!("x.{method}(y.reshape({}))", list(aligned))
    };
    Some(format!("{call} broadcasts both sides as NumPy does"))
}

/// A `ValueError` with the shapes of both operands.
pub(crate) fn shape_error(op: Op, code: ErrorCode, text: String, x: Operand<'_>, y: Operand<'_>) -> Error {
    with_shapes(Error::new(ErrorClass::Value, code, op.name(), text), op, x, y)
}

fn with_shapes(error: Error, op: Op, x: Operand<'_>, y: Operand<'_>) -> Error {
    let [first, second] = op.operand_names();
    error.shape(first, x.shape.dims()).shape(second, y.shape.dims())
}
