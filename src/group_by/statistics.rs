//! The statistics of groups, made of scatters and gathers by the index of the groups.

use crate::elementwise::combined;
use crate::engine::Value;
use crate::exact::backend::ExactParts;
use crate::group_by::plan::{GroupStatistic, check_values};
use crate::group_by::{Groups, backend, index_of, number};
use crate::index::Index;
use crate::plan::{
    Addressed, Addressing, Arguments, Binary, IndexMode, Mean, Op, Operand, Reduce, Rounding, Sum, Update,
};
use crate::{
    DType, Gather, Result, Scalar, Scatter, Shape, Source, Target, Tensor, check_whole, dispatch, fit,
};

/// How a statistic is computed.
#[derive(Debug, Clone, Copy, Default)]
pub struct GroupOptions {
    /// Whether NaN are left out.
    pub skip_nan: bool,
    /// What a group without values has as its smallest, largest, first and last: NaN if left out, which integers lack.
    pub empty: Option<Scalar>,
    /// The dtype to which values are converted first.
    pub dtype: Option<DType>,
}

/// The values of a call, in slots: one for each group and each element of a row.
struct Values<'a> {
    op: Op,
    groups: &'a Groups,
    /// The values as `[entries, row]`.
    values: Tensor,
    /// The slots as `[slots, row]`.
    slots: usize,
    row: usize,
    /// The slot row of each entry.
    index: Index,
    /// How many entries a row of the caller's values has: 1, or its elements if each is an entry.
    entries_per_row: usize,
    /// Whether entries may be left out of a slot that has rows.
    skips: bool,
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
        let values = match options.dtype {
            Some(dtype) => values.convert(op.name(), dtype)?,
            None => values,
        };
        let empty = self.value_of_empty(op, statistics, (values.dtype, shape.size()), options.empty)?;
        let given = Values::new(op, self, &values, rest.iter().product(), options.skip_nan)?;
        let results = statistics.iter().map(|statistic| {
            let made = match statistic {
                GroupStatistic::Count => given.count(),
                GroupStatistic::Sum => given.sum(options.dtype),
                GroupStatistic::Mean => given.mean(),
                GroupStatistic::Min => given.extreme(Reduce::Minimum, empty),
                GroupStatistic::Max => given.extreme(Reduce::Maximum, empty),
                GroupStatistic::First => given.end(Reduce::Minimum, empty),
                GroupStatistic::Last => given.end(Reduce::Maximum, empty),
                GroupStatistic::Argmin => given.position(Reduce::Minimum),
                GroupStatistic::Argmax => given.position(Reduce::Maximum),
            };
            made?.with_shape(op.name(), shape.clone())
        });
        results.collect()
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

    /// The index for tables with rows of `row` elements.
    fn index_for(&self, row: usize) -> Result<Index> {
        if let Some((of, index)) = &*self.index.borrow()
            && *of == row
        {
            return Ok(index.clone());
        }
        let index = index_of(&self.plan, &self.groups, self.drops, row)?;
        self.index.replace(Some((row, index.clone())));
        Ok(index)
    }
}

impl<'a> Values<'a> {
    fn new(op: Op, groups: &'a Groups, values: &Tensor, row: usize, skip_nan: bool) -> Result<Self> {
        let entries = groups.rows();
        let skips = skip_nan && values.dtype.is_float();
        if !skips {
            let values = values.reshape(&[entries, row])?;
            let index = groups.index_for(row)?;
            let slots = groups.size();
            return Ok(Self { op, groups, values, slots, row, index, entries_per_row: 1, skips });
        }
        let values = values.reshape(&[entries * row])?;
        let slots = groups.size() * row;
        let places = slots_without_nan(op, &groups.groups, &values, row)?;
        let plan = crate::group_by::plan::places(op, [slots, 1], entries * row)?;
        // SAFETY: each place is the number of a slot, or −1.
        let index = unsafe { Index::of_positions(plan, &places.storage, true) };
        let values = values.reshape(&[entries * row, 1])?;
        Ok(Self { op, groups, values, slots, row: 1, index, entries_per_row: row, skips })
    }

    fn target(&self) -> Target {
        Target { form: Addressed::Slices(0), index: self.index.clone() }
    }

    /// A table of the slots on the device of the groups.
    fn table(&self, value: Scalar, dtype: DType) -> Result<Tensor> {
        self.table_of([self.slots, self.row], value, dtype)
    }

    fn table_of(&self, dims: [usize; 2], value: Scalar, dtype: DType) -> Result<Tensor> {
        let shape = Shape::of_result(self.op.name(), &dims)?;
        let made = Tensor::filled(self.op.name(), "empty", shape, value, dtype)?;
        dispatch::on_device_of(self.op.name(), &self.values, made)
    }

    /// A scatter into a table. Slots that no entry names keep the value that the table begins with.
    fn scatter(&self, mut table: Tensor, source: impl Into<Source>, update: Update) -> Result<Tensor> {
        Scatter::new(self.op, self.target(), source.into(), update).run(&mut table)?;
        Ok(table)
    }

    fn count(&self) -> Result<Tensor> {
        let zeros = self.table(Scalar::Int(0), DType::Int32)?;
        if self.skips {
            return self.scatter(zeros, 1, Reduce::Add.into());
        }
        let counts = self.groups.counts.reshape(&[self.slots, 1])?;
        combined(self.op, Binary::Add, &zeros, &counts)
    }

    fn sum(&self, dtype: Option<DType>) -> Result<Tensor> {
        let dtype = dtype.unwrap_or(self.values.dtype.of_sum());
        let values = self.values.convert(self.op.name(), dtype)?;
        self.scatter(self.table(Scalar::Int(0), dtype)?, &values, sum_of(dtype))
    }

    fn mean(&self) -> Result<Tensor> {
        let dtype = self.values.dtype;
        if dtype.size() == 8 && !dtype.is_float() {
            return self.mean_of_wide();
        }
        let dtype = if dtype.is_float() { dtype } else { DType::Float64 };
        let values = self.values.convert(self.op.name(), dtype)?;
        let update = Update { mean: Mean::OfUpdates, ..sum_of(dtype) };
        self.scatter(self.table(Scalar::Float(f64::NAN), dtype)?, &values, update)
    }

    /// The mean of 64-bit integers, which float64 does not hold: of their upper and lower halves, each term doubled, because there are two
    /// of each integer.
    fn mean_of_wide(&self) -> Result<Tensor> {
        let (op, dtype) = (self.op, self.values.dtype);
        let upper = self.values.div_floor(op, &number(op, 1 << 32, dtype)?)?;
        let whole = combined(op, Binary::Multiply, &upper, &number(op, 1 << 32, dtype)?)?;
        let lower = combined(op, Binary::Subtract, &self.values, &whole)?;
        let shape = Shape::of_result(op.name(), &[self.slots, self.row])?;
        let mut sums = ExactParts::new(op.name(), shape.size(), DType::Float64, self.values.device())?;
        for (half, factor) in [(upper, 1 << 33), (lower, 2)] {
            let half = half.convert(op.name(), DType::Float64)?;
            let half = combined(op, Binary::Multiply, &half, &number(op, factor, DType::Float64)?)?;
            let plan = Addressing::scatter(&Arguments {
                op,
                form: Addressed::Slices(0),
                table: Operand { shape: &shape, dtype: DType::Float64 },
                index: self.index.operand(),
                src: Some(half.operand()),
            })?;
            if plan.index_entries() > 0 {
                sums.add(&plan, &self.index, Value::Buffer(&half))?;
            }
        }
        Ok(Tensor::from_storage(shape, DType::Float64, sums.rounded(op.name(), true)?))
    }

    fn extreme(&self, reduce: Reduce, empty: Scalar) -> Result<Tensor> {
        self.scatter(self.table(empty, self.values.dtype)?, &self.values, first_replaces(reduce))
    }

    /// The first or the last value: that of the least or the largest entry.
    fn end(&self, reduce: Reduce, empty: Scalar) -> Result<Tensor> {
        let entries = self.values.shape.dims().first().copied().unwrap_or(0);
        let all = Tensor::arange(0.0, entries as f64, 1.0, DType::Int32)?.reshape(&[entries, 1])?;
        let all = dispatch::on_device_of(self.op.name(), &self.values, all)?;
        let mut ends = self.table_of([self.slots, 1], Scalar::Int(-1), DType::Int32)?;
        let index = if self.skips { self.index.clone() } else { self.groups.index_for(1)? };
        let target = Target { form: Addressed::Slices(0), index };
        Scatter::new(self.op, target, all.into(), first_replaces(reduce)).run(&mut ends)?;
        let mode = IndexMode { ignored: Some(-1), ..IndexMode::default() };
        let gather = Gather::new(self.op, Target::slices(0, &ends.reshape(&[self.slots])?));
        Gather { mode, fill_value: empty, ..gather }.run(&self.values)
    }

    /// The row of the first value that is equal to the extreme, −1 for none. Both zeros are equal, other than for the extreme itself.
    fn position(&self, reduce: Reduce) -> Result<Tensor> {
        let (op, dtype) = (self.op, self.values.dtype);
        let values = match dtype.is_float() {
            // −0 + 0 is +0.
            true => &combined(op, Binary::Add, &self.values, &number(op, 0, dtype)?)?,
            false => &self.values,
        };
        let mut table = self.table(Scalar::Int(0), dtype)?;
        let call = Scatter::new(op, self.target(), values.into(), first_replaces(reduce));
        let entries = call.run_for_winners(&mut table)?.convert(op.name(), DType::Int32)?;
        match self.entries_per_row {
            0 | 1 => Ok(entries),
            row => entries.div_floor(op, &number(op, row as i64, DType::Int32)?),
        }
    }
}

impl Tensor {
    /// Integers divided by a number, rounded down.
    fn div_floor(&self, op: Op, by: &Self) -> Result<Self> {
        combined(op, Binary::Divide(Some(Rounding::Floor)), self, by)
    }
}

/// The update of a sum: exact for floats, and of nothing but the values, so that −0 alone stays −0.
fn sum_of(dtype: DType) -> Update {
    let sum = if dtype.is_float() { Sum::Exact } else { Sum::Ordered };
    Update { sum, ..first_replaces(Reduce::Add) }
}

/// The update whose first value replaces what is there.
fn first_replaces(reduce: Reduce) -> Update {
    Update { include_self: false, ..reduce.into() }
}

/// The slot of each value, −1 for NaN and in rows that are left out: int32, or their bits.
fn slots_without_nan(op: Op, groups: &Tensor, values: &Tensor, row: usize) -> Result<Tensor> {
    let rows = groups.size();
    let [_, bits] = crate::elementwise::integers_of(values.dtype);
    // Twice the bits of a NaN are more than those of infinity, whatever the sign is.
    let infinity = Scalar::load(Scalar::Float(f64::INFINITY).cast(values.dtype), bits);
    let infinity = Tensor::filled(op.name(), "values", Shape::scalar(), infinity, bits)?;
    let twice = |tensor: &Tensor| combined(op, Binary::Multiply, tensor, &number(op, 2, bits)?);
    let (limit, doubled) = (twice(&infinity)?, twice(&dispatch::reinterpret(values, bits))?);
    let beyond = combined(op, Binary::Subtract, &combined(op, Binary::Maximum, &doubled, &limit)?, &limit)?;
    let is_nan =
        beyond.convert(op.name(), DType::Bool)?.convert(op.name(), DType::Int32)?.reshape(&[rows, row])?;
    let one = number(op, 1, DType::Int32)?;
    let is_number = combined(op, Binary::Subtract, &one, &is_nan)?;
    let groups = groups.reshape(&[rows, 1])?;
    let is_grouped = combined(op, Binary::Minimum, &groups, &number(op, 0, DType::Int32)?)?;
    let is_kept = combined(op, Binary::Multiply, &is_number, &combined(op, Binary::Add, &is_grouped, &one)?)?;
    // One more than the slot, times 0 or 1, less one.
    let columns = Tensor::arange(1.0, row as f64 + 1.0, 1.0, DType::Int32)?.reshape(&[1, row])?;
    let columns = dispatch::on_device_of(op.name(), &groups, columns)?;
    let begins = combined(op, Binary::Multiply, &groups, &number(op, row as i64, DType::Int32)?)?;
    let slots = combined(op, Binary::Add, &begins, &columns)?;
    let kept = combined(op, Binary::Multiply, &slots, &is_kept)?;
    combined(op, Binary::Subtract, &kept, &one)?.reshape(&[rows * row])
}
