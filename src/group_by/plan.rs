//! The rules of `group_by` and of the statistics of groups.

use crate::plan::{Addressed, Addressing, Arguments, Op, Operand, value_error, wrong_dtype, wrong_value};
use crate::words::words;
use crate::{DType, Error, ErrorCode, FactValue, Result, Shape, list};

words! {
    /// A statistic of the values in a group.
    GroupStatistic
    /// How many there are, int32.
    Count = "count";
    /// The sum, with the dtype of [`Tensor::sum`](crate::Tensor::sum): exact and rounded once, integers wrap.
    Sum = "sum";
    /// The exact sum divided by the count, rounded once; float64 for integers and bool.
    Mean = "mean";
    /// The smallest. NaN wins, and −0 < +0.
    Min = "min";
    /// The largest, as `Min`.
    Max = "max";
    /// The variance, for [`GroupOptions::ddof`](crate::GroupOptions) degrees of freedom fewer than values; float64 for integers and bool.
    Var = "var";
    /// The standard deviation: the root of the variance in float64, rounded once.
    Std = "std";
    /// Quantile 0.5; float64 for integers and bool.
    Median = "median";
    /// The most frequent value, the smallest of several. −0 is 0, and NaN one value, the largest.
    Mode = "mode";
    /// How many distinct values there are, NaN one of them: int32.
    Nunique = "nunique";
    /// The value of the first row.
    First = "first";
    /// The value of the last row.
    Last = "last";
    /// The row of the first value that equals the smallest, or of the first NaN, int32.
    Argmin = "argmin";
    /// The same of the largest.
    Argmax = "argmax";
}

impl GroupStatistic {
    /// Whether a group without values has no result of an integer dtype.
    pub(crate) const fn is_a_value(self) -> bool {
        matches!(self, Self::Min | Self::Max | Self::Mode | Self::First | Self::Last)
    }
}

/// The checked shape of a call of `group_by`. The values of the codes are still unchecked.
#[derive(Debug, Clone)]
pub(crate) struct GroupsPlan {
    /// The scatter of a row without further dimensions into its group.
    pub(crate) places: Addressing,
    pub(crate) size: usize,
    pub(crate) rows: usize,
}

/// Numbers of rows are int32.
const MOST_ROWS: usize = i32::MAX as usize;

impl GroupsPlan {
    pub(crate) const OP: Op = Op::GroupBy;

    pub(crate) fn new(codes: Operand<'_>, size: usize, mask: Option<Operand<'_>>) -> Result<Self> {
        let op = Self::OP;
        if codes.dtype.is_float() || codes.dtype == DType::Bool {
            let text = format!(
                "codes has dtype {}; it must be one of the integers (codes.astype('int32'))",
                codes.dtype
            );
            return Err(wrong_dtype(op, "codes", codes.dtype, text));
        }
        let &[rows] = codes.shape.dims() else {
            let text = format!(
                "codes has rank {} (shape {}); it needs rank 1, a code for each row (codes.reshape([-1]))",
                codes.shape.rank(),
                codes.shape
            );
            let error = value_error(op, ErrorCode::RankMismatch, "codes", text);
            return Err(error.shape("codes", codes.shape.dims()));
        };
        if let Some(mask) = mask {
            check_mask(mask, codes.shape)?;
        }
        if size > MOST_ROWS - 1 || rows > MOST_ROWS {
            let (argument, count) = if rows > MOST_ROWS { ("codes", rows) } else { ("size", size) };
            let text = format!("{argument} has {count} places; at most {} are supported", MOST_ROWS - 1);
            return Err(wrong_value(op, argument, text).value(FactValue::Int(count as i64)));
        }
        Ok(Self { places: places(op, [size, 1], rows)?, size, rows })
    }
}

/// The scatter of rows of `table[1]` elements into a table.
pub(crate) fn places(op: Op, table: [usize; 2], rows: usize) -> Result<Addressing> {
    let (table, index) = (Shape::of_result(op.name(), &table)?, Shape::new(op.name(), &[rows])?);
    let table = Operand { shape: &table, dtype: DType::Bool };
    let index = Operand { shape: &index, dtype: DType::Int32 };
    Addressing::scatter(&Arguments { op, form: Addressed::Slices(0), table, index, src: None })
}

fn check_mask(mask: Operand<'_>, codes: &Shape) -> Result<()> {
    let op = GroupsPlan::OP;
    if mask.dtype != DType::Bool {
        let text = format!("mask has dtype {}; it must be bool (mask.astype('bool'))", mask.dtype);
        return Err(wrong_dtype(op, "mask", mask.dtype, text));
    }
    if mask.shape != codes {
        let text = format!("mask has shape {} and codes {codes}; they must be equal", mask.shape);
        let error = value_error(op, ErrorCode::ShapeMismatch, "mask", text);
        return Err(error.shape("codes", codes.dims()).shape("mask", mask.shape.dims()));
    }
    Ok(())
}

/// The dimensions of a row of values. Refuses values that have not one row for each code.
pub(crate) fn check_values(op: Op, values: &Shape, rows: usize) -> Result<&[usize]> {
    match values.dims() {
        [first, rest @ ..] if *first == rows => Ok(rest),
        dims => {
            let text = format!(
                "values has shape {}; it needs {rows} rows, one for each code ([{rows}, …])",
                list(dims)
            );
            Err(value_error(op, ErrorCode::ShapeMismatch, "values", text).shape("values", dims))
        }
    }
}

/// The error for a group without rows. An integer statistic has no value for it.
pub(crate) fn empty_group(op: Op, statistic: &str, dtype: DType, group: usize) -> Error {
    let text = format!(
        "group {group} has no rows, so it has no {statistic}, and {dtype} has no NaN: say what stands there \
         ({{ empty: 0 }}), or convert (values.astype('float64'))"
    );
    wrong_value(op, "values", text).position(vec![group]).value(FactValue::Int(group as i64))
}
