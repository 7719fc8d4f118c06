//! The statistics of groups by their names, and quantiles.

use crate::group_by::plan::{GroupStatistic, check_values};
use crate::group_by::sorted::{Distinct, SortedValues};
use crate::group_by::values::{Values, float_of, sums_widen};
use crate::group_by::{Groups, backend};
use crate::plan::{Activation, Op, Reduce, wrong_value};
use crate::{DType, FactValue, Result, Scalar, Scatter, Shape, Target, Tensor, check_whole, dispatch, fit};

/// How a statistic is computed.
#[derive(Debug, Clone, Copy, Default)]
pub struct GroupOptions {
    /// Whether NaN are left out.
    pub skip_nan: bool,
    /// What a group without values has as its smallest, largest, most frequent, first and last: NaN if left out, which integers lack.
    pub empty: Option<Scalar>,
    /// The dtype to which values are converted first. On the CPU exact sums of narrower floats need no converted copy.
    pub dtype: Option<DType>,
    /// By how many the divisor of a variance is less than the number of values: 1 if left out.
    pub ddof: Option<i64>,
}

impl Groups {
    /// A statistic of the values of each group, and of each element of a row: the result has the shape `[size, …values.shape[1:]]`.
    ///
    /// # Errors
    /// Those of the page; `ValueError` for an integer statistic of a group without rows, on a GPU at the next read.
    pub fn reduce(
        &self,
        values: &Tensor,
        statistic: GroupStatistic,
        options: &GroupOptions,
    ) -> Result<Tensor> {
        let all = self.statistics(Op::GroupReduce, values, &[statistic], options)?;
        Ok(all.into_iter().next().unwrap_or_else(|| self.counts.clone()))
    }

    /// Several statistics at once, as [`Groups::reduce`] has them.
    ///
    /// # Errors
    /// As there.
    pub fn agg(
        &self,
        values: &Tensor,
        statistics: &[GroupStatistic],
        options: &GroupOptions,
    ) -> Result<Vec<Tensor>> {
        self.statistics(Op::GroupAgg, values, statistics, options)
    }

    /// Statistics on behalf of `op`.
    pub(crate) fn statistics(
        &self,
        op: Op,
        values: &Tensor,
        statistics: &[GroupStatistic],
        options: &GroupOptions,
    ) -> Result<Vec<Tensor>> {
        let rest = check_values(op, &values.shape, self.rows())?;
        let shape = Shape::of_result(op.name(), &[&[self.size()], rest].concat())?;
        let values = dispatch::to_device_of(op.name(), "values", values, &self.groups)?;
        let dtype = options.dtype.unwrap_or(values.dtype);
        let only_sums = statistics.iter().all(|statistic| {
            matches!(statistic, GroupStatistic::Count | GroupStatistic::Sum | GroupStatistic::Mean)
        });
        let values = if only_sums && sums_widen(&values, dtype) {
            values
        } else {
            values.convert(op.name(), dtype)?
        };
        let empty = self.value_of_empty(op, statistics, (dtype, shape.size()), options.empty)?;
        let row = rest.iter().product();
        let given = Values::new(op, self, &values, row, options.skip_nan)?;
        // Made once for both.
        let has_modes =
            statistics.iter().any(|each| matches!(each, GroupStatistic::Mode | GroupStatistic::Nunique));
        let flat = || Values::flat(op, self, &values, row, options.skip_nan);
        let distinct = if has_modes { Some(Distinct::new(&flat()?)?) } else { None };
        let zeros = |dtype| given.table(Scalar::Int(0), dtype);
        let results = statistics.iter().map(|statistic| {
            let made = match statistic {
                GroupStatistic::Count => given.count(),
                GroupStatistic::Sum => given.sum(options.dtype),
                GroupStatistic::Mean => given.mean(options.dtype),
                GroupStatistic::Min => given.extreme(Reduce::Minimum, empty),
                GroupStatistic::Max => given.extreme(Reduce::Maximum, empty),
                GroupStatistic::Var => given.variance(options.ddof.unwrap_or(1), None),
                GroupStatistic::Std => given.variance(options.ddof.unwrap_or(1), Some(Activation::Sqrt)),
                GroupStatistic::Median => self
                    .sorted(op, &values, row, options.skip_nan)
                    .and_then(|sorted| sorted.quantile(0.5)?.convert(op.name(), float_of(values.dtype))),
                GroupStatistic::Mode => match &distinct {
                    Some(distinct) => distinct.most_frequent(zeros(DType::Int64)?, &values, empty),
                    None => zeros(values.dtype),
                },
                GroupStatistic::Nunique => match &distinct {
                    Some(distinct) => distinct.count(zeros(DType::Int32)?),
                    None => zeros(DType::Int32),
                },
                GroupStatistic::First => given.end(Reduce::Minimum, empty),
                GroupStatistic::Last => given.end(Reduce::Maximum, empty),
                GroupStatistic::Argmin => given.position(Reduce::Minimum),
                GroupStatistic::Argmax => given.position(Reduce::Maximum),
            };
            made?.with_shape(op.name(), shape.clone())
        });
        results.collect()
    }

    /// Quantiles of the values of each group, by linear interpolation between two neighbours: `[q.len(), size, …values.shape[1:]]`. Each q is in 0 … 1.
    ///
    /// # Errors
    /// As for [`Groups::reduce`]; `ValueError` for another q.
    pub fn quantile(&self, values: &Tensor, q: &[f64], skip_nan: bool) -> Result<Tensor> {
        let op = Op::GroupQuantile;
        if let Some((at, &wrong)) = q.iter().enumerate().find(|(_, q)| !(0.0..=1.0).contains(*q)) {
            let text = format!("q is {}; a quantile is from 0 to 1", Scalar::Float(wrong));
            return Err(wrong_value(op, "q", text).value(FactValue::Float(wrong)).position(vec![at]));
        }
        let rest = check_values(op, &values.shape, self.rows())?;
        let shape = Shape::of_result(op.name(), &[&[q.len(), self.size()], rest].concat())?;
        let values = dispatch::to_device_of(op.name(), "values", values, &self.groups)?;
        let dtype = float_of(values.dtype);
        let sorted = self.sorted(op, &values, rest.iter().product(), skip_nan)?;
        let part = shape.size() / q.len().max(1);
        let made = Tensor::filled(op.name(), "q", Shape::of_size(shape.size()), Scalar::Int(0), dtype)?;
        let mut all = dispatch::on_device_of(op.name(), &self.groups, made)?;
        for (at, &q) in q.iter().enumerate() {
            let one = sorted.quantile(q)?.convert(op.name(), dtype)?;
            let index = Tensor::arange((at * part) as f64, ((at + 1) * part) as f64, 1.0, DType::Int32)?;
            Scatter::new(Op::IndexCopy, Target::slices(0, &index), one.into(), Reduce::Replace)
                .run(&mut all)?;
        }
        all.with_shape(op.name(), shape)
    }

    fn sorted(&self, op: Op, values: &Tensor, row: usize, skip_nan: bool) -> Result<SortedValues> {
        let numbers = Values::flat(op, self, values, row, true)?;
        let counts_nan = !skip_nan && values.dtype.is_float();
        let all = if counts_nan { Some(Values::new(op, self, values, row, false)?.count()?) } else { None };
        SortedValues::new(&numbers, all.as_ref())
    }

    /// What the statistics that are values have for a group without values. Refuses such a group if there is no such value.
    fn value_of_empty(
        &self,
        op: Op,
        statistics: &[GroupStatistic],
        (dtype, elements): (DType, usize),
        empty: Option<Scalar>,
    ) -> Result<Scalar> {
        if let Some(empty) = empty {
            check_whole(op, "empty", || None, empty, dtype)?;
            fit(op.name(), "empty", empty, dtype)?;
            return Ok(empty);
        }
        if dtype.is_float() {
            return Ok(Scalar::Float(f64::NAN));
        }
        let asked = statistics.iter().find(|statistic| statistic.is_a_value());
        if let Some(statistic) = asked.filter(|_| elements > 0) {
            backend::check_full(op, statistic.name(), dtype, &self.counts)?;
        }
        Ok(Scalar::Int(0))
    }
}
