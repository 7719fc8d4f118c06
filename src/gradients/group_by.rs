//! The gradients of statistics of groups.

use crate::gradients::elementwise::{both, combined, divided_by_counts, masked, product, same_values};
use crate::gradients::{OP, cotangent_of, filled, flat, require_float, zeros_like};
use crate::group_by::Groups;
use crate::group_by::plan::{GroupStatistic, check_values};
use crate::group_by::statistics::GroupOptions;
use crate::masks::choose;
use crate::plan::{Binary, IndexMode, NdReduce, Op, dtype_mismatch};
use crate::{
    DType, Error, ErrorClass, ErrorCode, Gather, Result, Scalar, Shape, Source, Target, Tensor, dispatch,
    elementwise,
};

/// The gradient of `sum(groups.reduce(values, statistic, options) · cotangent)` with respect to values. Rows and NaN that are left out get 0.
/// `docs/operators/vjp.md`.
///
/// # Errors
/// Those of the statistic, and of the page; `TypeError` for a statistic without a gradient.
///
/// ```
/// use scatterwise::{GroupOptions, GroupStatistic, Tensor, group_by, group_reduce_vjp};
/// let groups = group_by(&Tensor::from_elements(&[3], &[1, 0, 1])?, 2, None, None)?;
/// let values = Tensor::from_elements(&[3], &[1.0f32, 2.0, 4.0])?;
/// let cotangent = Tensor::from_elements(&[2], &[10.0f32, 100.0])?;
/// let options = GroupOptions::default();
/// let gradient = group_reduce_vjp(&groups, &values, GroupStatistic::Mean, &options, &cotangent)?;
/// assert_eq!(gradient.elements::<f32>(), Some(&[50.0, 10.0, 50.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn group_reduce_vjp(
    groups: &Groups,
    values: &Tensor,
    statistic: GroupStatistic,
    options: &GroupOptions,
    cotangent: &Tensor,
) -> Result<Tensor> {
    let op = Op::GroupReduce;
    require_float(op, "values", values)?;
    let dtype = options.dtype.unwrap_or(values.dtype);
    if !dtype.is_float() {
        let text = format!("dtype is {dtype}, and only floating-point numbers have gradients");
        return Err(dtype_mismatch(op, "dtype", dtype, text));
    }
    let rest = check_values(op, &values.shape, groups.rows())?;
    let shape = Shape::of_result(op.name(), &[&[groups.size()], rest].concat())?;
    let values = dispatch::to_device_of(op.name(), "values", values, groups.numbers())?;
    let cotangent = cotangent_of(cotangent, &values, &shape, dtype)?;
    let of = Of { groups, values: values.convert(op.name(), dtype)?, options: *options, cotangent };
    let is_empty = values.size() == 0 || groups.size() == 0;
    let gradient = match statistic {
        GroupStatistic::Count | GroupStatistic::Median | GroupStatistic::Mode | GroupStatistic::Nunique => {
            return Err(refused(statistic));
        }
        GroupStatistic::Argmin | GroupStatistic::Argmax => return Err(refused(statistic)),
        _ if is_empty => zeros_like(&values)?,
        GroupStatistic::Sum => masked(&of.taking_part()?, &of.spread(&of.cotangent)?)?,
        GroupStatistic::Mean => {
            let share = divided_by_counts(&of.cotangent, &of.counts()?, groups.rows())?;
            masked(&of.taking_part()?, &of.spread(&share)?)?
        }
        GroupStatistic::Min | GroupStatistic::Max => of.extreme(statistic)?,
        GroupStatistic::First | GroupStatistic::Last => of.end(statistic)?,
        GroupStatistic::Var | GroupStatistic::Std => of.deviation(statistic)?,
    };
    gradient.convert(OP.name(), values.dtype)
}

fn refused(statistic: GroupStatistic) -> Error {
    let text = format!(
        "how is {}, which has no gradient here: sum, mean, min, max, var, std, first and last have one",
        statistic.name()
    );
    let name = Op::GroupReduce.name();
    Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, name, text).argument("how")
}

/// A statistic of groups whose gradient is wanted.
struct Of<'a> {
    groups: &'a Groups,
    /// In the dtype in which the statistic is computed.
    values: Tensor,
    options: GroupOptions,
    cotangent: Tensor,
}

impl Of<'_> {
    /// For each element of a row the element of its group, 0 for rows that are left out.
    fn spread(&self, of_groups: &Tensor) -> Result<Tensor> {
        let mode = IndexMode { ignored: Some(-1), ..IndexMode::default() };
        let rows = Gather::new(Op::IndexSelect, Target::slices(0, self.groups.numbers()));
        Gather { mode, ..rows }.run(of_groups)
    }

    fn statistic(&self, values: &Tensor, statistic: GroupStatistic, dtype: Option<DType>) -> Result<Tensor> {
        let empty = (!values.dtype.is_float()).then_some(Scalar::Int(0));
        self.groups.reduce(values, statistic, &GroupOptions { dtype, empty, ..self.options })
    }

    /// How many values each statistic is made of, int32.
    fn counts(&self) -> Result<Tensor> {
        self.statistic(&self.values, GroupStatistic::Count, None)
    }

    /// Which elements take part in a statistic.
    fn taking_part(&self) -> Result<Tensor> {
        let all = filled(&self.values, &self.cotangent.shape, Scalar::Bool(true), DType::Bool)?;
        let part = self.spread(&all)?;
        if !self.options.skip_nan {
            return Ok(part);
        }
        let numbers = flat(&self.values)?.isnan()?.logical_not()?;
        both(&part, &numbers)
    }

    /// Ties share evenly.
    fn extreme(&self, statistic: GroupStatistic) -> Result<Tensor> {
        let best = self.spread(&self.statistic(&self.values, statistic, None)?)?;
        let is_best = both(&same_values(&self.values, &best)?, &self.taking_part()?)?;
        let ties = self.statistic(
            &is_best.convert(OP.name(), DType::Int32)?,
            GroupStatistic::Sum,
            Some(DType::Int32),
        )?;
        let share = divided_by_counts(&self.cotangent, &ties, self.groups.rows())?;
        masked(&is_best, &self.spread(&share)?)
    }

    /// The first or the last row that takes part gets all.
    fn end(&self, statistic: GroupStatistic) -> Result<Tensor> {
        let (rows, part) = (self.groups.rows(), self.taking_part()?);
        let (dims, is_first) = (self.values.shape.dims(), statistic == GroupStatistic::First);
        // What takes no part is behind the others, or before them.
        let aside = Scalar::Int(if is_first { rows as i128 } else { -1 });
        let aside = filled(&part, &Shape::scalar(), aside, DType::Int32)?;
        let numbers = Tensor::arange(0.0, rows as f64, 1.0, DType::Int32)?.reshape(&[rows, 1])?;
        let numbers = dispatch::on_device_of(OP.name(), &part, numbers)?;
        let of_rows = part.reshape(&[rows, part.size().checked_div(rows).unwrap_or(0)])?;
        let numbers = choose(&of_rows, &numbers, &aside)?.reshape(dims)?;
        let extreme = if is_first { GroupStatistic::Min } else { GroupStatistic::Max };
        let ends = self.spread(&self.statistic(&numbers, extreme, None)?)?;
        let is_end = both(&flat(&numbers)?.eq(&flat(&ends)?)?, &part)?.reshape(dims)?;
        masked(&is_end, &self.spread(&self.cotangent)?)
    }

    /// In float64, rounded once.
    fn deviation(&self, statistic: GroupStatistic) -> Result<Tensor> {
        let double = Some(DType::Float64);
        let with = |binary, one: &Tensor, two: &Tensor| elementwise::combined(OP, binary, one, two);
        let [subtract, divide] = [Binary::Subtract, Binary::Divide(None)];
        let mean = self.spread(&self.statistic(&self.values, GroupStatistic::Mean, double)?)?;
        let distance = with(subtract, &self.values.convert(OP.name(), DType::Float64)?, &mean)?;
        let ddof = Scalar::Int(self.options.ddof.unwrap_or(1).into());
        let free = self.counts()?.convert(OP.name(), DType::Float64)?;
        let free = combined(&free, NdReduce::Sub, Source::Scalar(ddof))?;
        let free = combined(&free, NdReduce::Amax, Source::Scalar(Scalar::Int(0)))?;
        let cotangent = self.cotangent.convert(OP.name(), DType::Float64)?;
        let scale = if statistic == GroupStatistic::Std {
            let std = self.statistic(&self.values, GroupStatistic::Std, double)?;
            let scale = with(divide, &cotangent, &product(&free, &std)?)?;
            // A group of equal values has the gradient 0.
            masked(&std.convert(OP.name(), DType::Bool)?, &scale)?
        } else {
            with(divide, &combined(&cotangent, NdReduce::Multiply, Source::Scalar(Scalar::Int(2)))?, &free)?
        };
        // Nothing divided by nothing is NaN.
        let scale = product(&scale, &with(divide, &free, &free)?)?;
        masked(&self.taking_part()?, &product(&distance, &self.spread(&scale)?)?)
    }
}
