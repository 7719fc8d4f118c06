//! The rules that several families share, and the errors of broken ones. Other rules have their errors beside them.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::plan::{Op, Page, Rule};
use crate::{Allowed, DType, Error, ErrorClass, ErrorCode, FactValue, Result, Scalar, Shape};

/// The advice for an index of bools.
pub(crate) const MASK: &str = "a mask is not an index: give the places where it is true, or multiply by it";

impl Op {
    /// An error for a broken `rule`, of the class on the operator's page.
    pub(crate) fn error(
        self,
        rule: Rule,
        code: ErrorCode,
        argument: &'static str,
        text: impl Display,
    ) -> Error {
        Error::new(self.error_class(rule), code, self.name(), text).argument(argument)
    }
}

/// A `ValueError` about an argument, without further facts.
pub(crate) fn value_error(op: Op, code: ErrorCode, argument: &'static str, text: impl Display) -> Error {
    Error::new(ErrorClass::Value, code, op.name(), text).argument(argument)
}

/// The `ValueError` (`invalid-argument`) for an argument with an invalid value.
pub(crate) fn wrong_value(op: Op, argument: &'static str, text: impl Display) -> Error {
    value_error(op, ErrorCode::InvalidArgument, argument, text)
}

/// The `TypeError` for an argument whose dtype the operator does not take.
pub(crate) fn wrong_dtype(op: Op, argument: &'static str, dtype: DType, text: impl Display) -> Error {
    Error::new(ErrorClass::Type, ErrorCode::UnsupportedDtype, op.name(), text).word(argument, dtype.name())
}

/// The `TypeError` for an argument whose dtype does not fit the call.
pub(crate) fn dtype_mismatch(op: Op, argument: &'static str, dtype: DType, text: impl Display) -> Error {
    Error::new(ErrorClass::Type, ErrorCode::DtypeMismatch, op.name(), text).word(argument, dtype.name())
}

/// The fact that an error gives of a number: text for an integer beyond 64 bits with a sign.
pub(crate) fn fact(value: Scalar) -> FactValue {
    match value {
        Scalar::Int(number) => {
            i64::try_from(number).map_or(FactValue::Text(value.to_string()), FactValue::Int)
        }
        _ => FactValue::Float(value.as_f64()),
    }
}

/// `dim` of operand `name` counted from the front. A scalar counts as one element along one dimension, but has nothing to count along it.
pub(crate) fn axis(op: Op, name: &'static str, shape: &Shape, dim: i64) -> Result<usize> {
    let least_rank = usize::from(op.page() != Page::Histogram);
    let rank = shape.rank().max(least_rank) as i64;
    let at = if dim < 0 { dim.saturating_add(rank) } else { dim };
    if (0..rank).contains(&at) {
        return Ok(at as usize);
    }
    let what = match op.page() {
        Page::Dims | Page::Sort | Page::Histogram => format!(" {shape} has rank {}", shape.rank()),
        _ if shape.rank() == 0 => " is a scalar".to_owned(),
        _ => format!(" has rank {rank}"),
    };
    let text = format!("dim is {dim}, but {name}{what}: allowed are {} to {}", -rank, rank - 1);
    Err(op
        .error(Rule::Dim, ErrorCode::DimOutOfRange, "dim", text)
        .dim(dim)
        .value(FactValue::Int(dim))
        .allowed(Allowed::Range(-rank, rank - 1))
        .shape(name, shape.dims()))
}

/// Checks the number of dimensions of operand `name`. The least that is `allowed` is 0 or 1.
pub(crate) fn rank(op: Op, name: &'static str, shape: &Shape, allowed: RangeInclusive<usize>) -> Result<()> {
    let (rank, most) = (shape.rank(), allowed.end());
    let (code, text) = if rank < *allowed.start() {
        let way_out = if op.takes_a_shape() { "" } else { &format!(" ({name}.reshape([1]))") };
        let text = format!("{name} is a scalar; it needs at least one dimension{way_out}");
        (ErrorCode::RankMismatch, text)
    } else if rank > *most {
        let way_out = if op.page() == Page::Dims { " (merge some by self.reshape)" } else { "" };
        let text = format!("{name} has {rank} dimensions; at most {most} are supported{way_out}");
        (ErrorCode::RankLimit, text)
    } else {
        return Ok(());
    };
    Err(op.error(Rule::Rank, code, name, text))
}

pub(crate) fn index_dtype(op: Op, name: &'static str, dtype: DType) -> Result<()> {
    if dtype.is_index() {
        return Ok(());
    }
    let way_out = match op.page() {
        Page::Groups | Page::Segments => &format!("{name}.astype('int32')"),
        _ if dtype == DType::Bool => MASK,
        _ => &format!("{name}.astype('int32')"),
    };
    let text = format!("{name} has dtype {dtype}; it must be int32 or int64 ({way_out})");
    let error = op.error(Rule::IndexDtype, ErrorCode::IndexDtype, name, text);
    Err(error.not_among(name, dtype.name(), &["int32", "int64"]))
}

/// Checks that operand `name` has the dtype of the operand `other`. The advice converts the one that loses nothing by it.
pub(crate) fn same_dtype(
    op: Op,
    (name, dtype): (&'static str, DType),
    (other, own): (&str, DType),
) -> Result<()> {
    if dtype == own {
        return Ok(());
    }
    let is_narrower = match dtype.is_float() == own.is_float() {
        true => own == DType::Bool || own.size() < dtype.size(),
        false => dtype.is_float(),
    };
    let way_out = match op {
        Op::ExactSum if is_narrower && own.is_float() == dtype.is_float() => {
            format!("{name}.astype('{own}'), or exact sums with {{ dtype: '{dtype}' }}")
        }
        Op::ExactSum => format!("{name}.astype('{own}')"),
        _ if is_narrower => format!("{other}.astype('{dtype}')"),
        _ => format!("{name}.astype('{own}')"),
    };
    let text = format!("{name} has dtype {dtype} and {other} {own}; they must be equal ({way_out})");
    Err(op.error(Rule::SrcDtype, ErrorCode::DtypeMismatch, name, text).word(name, dtype.name()))
}
