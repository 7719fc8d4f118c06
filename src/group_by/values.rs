//! The values of groups in slots, and the statistics that scatters and gathers make of them.

use crate::elementwise::{activated, combined};
use crate::engine::Value;
use crate::exact::backend::ExactParts;
use crate::group_by::{Groups, float, index_of, number};
use crate::index::Index;
use crate::masks::choose;
use crate::plan::{
    Activation, Addressed, Addressing, Arguments, Binary, IndexMode, Mean, Op, Operand, Reduce, Rounding,
    Sum, Update,
};
use crate::{DType, Device, Gather, Result, Scalar, Scatter, Shape, Source, Target, Tensor, dispatch};

/// The values of a call, in slots: one for each group and each element of a row.
pub(crate) struct Values<'a> {
    pub(crate) op: Op,
    groups: &'a Groups,
    /// The values as `[entries, row]`.
    pub(crate) values: Tensor,
    /// The slots as `[slots, row]`.
    pub(crate) slots: usize,
    row: usize,
    /// The slot row of each entry.
    index: Index,
    /// How many entries a row of the caller's values has: 1, or its elements if each is an entry.
    entries_per_row: usize,
    /// The slot of each entry, int32, −1 for those that are left out, if each element is an entry. Only then a slot that has rows may lack values.
    places: Option<Tensor>,
}

impl Groups {
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
    pub(crate) fn new(
        op: Op,
        groups: &'a Groups,
        values: &Tensor,
        row: usize,
        skip_nan: bool,
    ) -> Result<Self> {
        if skip_nan && values.dtype.is_float() {
            return Self::flat(op, groups, values, row, skip_nan);
        }
        let (values, index) = (values.reshape(&[groups.rows(), row])?, groups.index_for(row)?);
        Ok(Self { op, groups, values, slots: groups.size(), row, index, entries_per_row: 1, places: None })
    }

    /// The same with each element as an entry of its own.
    pub(crate) fn flat(
        op: Op,
        groups: &'a Groups,
        values: &Tensor,
        row: usize,
        skip_nan: bool,
    ) -> Result<Self> {
        let entries = groups.rows();
        let skips = skip_nan && values.dtype.is_float();
        let values = values.reshape(&[entries * row])?;
        let slots = groups.size() * row;
        let places = slots_of(op, &groups.groups, &values, row, skips)?;
        let plan = crate::group_by::plan::places(op, [slots, 1], entries * row)?;
        // SAFETY: each place is the number of a slot, or −1.
        let index = unsafe { Index::of_positions(plan, &places.storage, true) };
        let values = values.reshape(&[entries * row, 1])?;
        let places = Some(places);
        Ok(Self { op, groups, values, slots, row: 1, index, entries_per_row: row, places })
    }

    fn target(&self) -> Target {
        Target { form: Addressed::Slices(0), index: self.index.clone() }
    }

    /// A table of the slots on the device of the groups.
    pub(crate) fn table(&self, value: Scalar, dtype: DType) -> Result<Tensor> {
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

    pub(crate) fn count(&self) -> Result<Tensor> {
        let zeros = self.table(Scalar::Int(0), DType::Int32)?;
        if self.places.is_some() {
            return self.scatter(zeros, 1, Reduce::Add.into());
        }
        let counts = self.groups.counts.reshape(&[self.slots, 1])?;
        combined(self.op, Binary::Add, &zeros, &counts)
    }

    pub(crate) fn sum(&self, dtype: Option<DType>) -> Result<Tensor> {
        let dtype = dtype.unwrap_or(self.values.dtype.of_sum());
        if sums_widen(&self.values, dtype) {
            return self.exact(&[&self.values], dtype, false);
        }
        let values = self.values.convert(self.op.name(), dtype)?;
        self.scatter(self.table(Scalar::Int(0), dtype)?, &values, sum_of(dtype))
    }

    pub(crate) fn mean(&self, dtype: Option<DType>) -> Result<Tensor> {
        if let Some(dtype) = dtype.filter(|&dtype| sums_widen(&self.values, dtype)) {
            return self.exact(&[&self.values], dtype, true);
        }
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
        let halves = [(upper, 1 << 33), (lower, 2)].map(|(half, factor)| {
            let half = half.convert(op.name(), DType::Float64)?;
            combined(op, Binary::Multiply, &half, &number(op, factor, DType::Float64)?)
        });
        let [upper, lower] = halves;
        self.exact(&[&upper?, &lower?], DType::Float64, true)
    }

    /// The exact sums or means of floats of one dtype, several for each entry, rounded once to `dtype`.
    fn exact(&self, terms: &[&Tensor], dtype: DType, means: bool) -> Result<Tensor> {
        let op = self.op;
        let shape = Shape::of_result(op.name(), &[self.slots, self.row])?;
        let own = terms.first().map_or(dtype, |terms| terms.dtype);
        let mut sums = ExactParts::new(op.name(), shape.size(), own, self.values.device())?;
        for &terms in terms {
            let plan = Addressing::scatter(&Arguments {
                op,
                form: Addressed::Slices(0),
                table: Operand { shape: &shape, dtype: own },
                index: self.index.operand(),
                src: Some(terms.operand()),
            })?;
            if plan.index_entries() > 0 {
                sums.add(&plan, &self.index, Value::Buffer(terms))?;
            }
        }
        Ok(Tensor::from_storage(shape, dtype, sums.rounded(op.name(), means, dtype)?))
    }

    /// Each deviation from the exact mean and its square is rounded to float64; their sum is exact, rounded once and divided.
    /// The activation is that of this quotient.
    pub(crate) fn variance(&self, ddof: i64, act: Option<Activation>) -> Result<Tensor> {
        let (op, dtype, wide) = (self.op, self.values.dtype, DType::Float64);
        let values = self.values.convert(op.name(), wide)?;
        let means = if dtype.size() == 8 && !dtype.is_float() {
            self.mean_of_wide()?
        } else {
            let update = Update { mean: Mean::OfUpdates, ..sum_of(wide) };
            self.scatter(self.table(Scalar::Float(f64::NAN), wide)?, &values, update)?
        };
        let means = Gather::new(op, self.target()).run(&means)?;
        let deviations = combined(op, Binary::Subtract, &values, &means)?;
        let squares = combined(op, Binary::Multiply, &deviations, &deviations)?;
        let sums = self.scatter(self.table(Scalar::Float(f64::NAN), wide)?, &squares, sum_of(wide))?;
        let counts = self.count()?.convert(op.name(), wide)?;
        let divisors = combined(op, Binary::Subtract, &counts, &number(op, ddof, wide)?)?;
        // NaN where no degree of freedom is left.
        let divisors = choose(&divisors.gt(&number(op, 0, wide)?)?, &divisors, &float(op, f64::NAN)?)?;
        activated(op, Binary::Divide(None), act, &sums, &divisors)?.convert(op.name(), float_of(dtype))
    }

    /// The slot of each entry, where each element is an entry, −1 for those that are left out: int32.
    pub(crate) fn slots_of_entries(&self) -> &Tensor {
        self.places.as_ref().unwrap_or(&self.groups.groups)
    }

    pub(crate) fn extreme(&self, reduce: Reduce, empty: Scalar) -> Result<Tensor> {
        self.scatter(self.table(empty, self.values.dtype)?, &self.values, first_replaces(reduce))
    }

    /// The first or the last value: that of the least or the largest entry.
    pub(crate) fn end(&self, reduce: Reduce, empty: Scalar) -> Result<Tensor> {
        let entries = self.values.shape.dims().first().copied().unwrap_or(0);
        let all = Tensor::arange(0.0, entries as f64, 1.0, DType::Int32)?.reshape(&[entries, 1])?;
        let all = dispatch::on_device_of(self.op.name(), &self.values, all)?;
        let mut ends = self.table_of([self.slots, 1], Scalar::Int(-1), DType::Int32)?;
        let index = if self.places.is_some() { self.index.clone() } else { self.groups.index_for(1)? };
        let target = Target { form: Addressed::Slices(0), index };
        Scatter::new(self.op, target, all.into(), first_replaces(reduce)).run(&mut ends)?;
        let mode = IndexMode { ignored: Some(-1), ..IndexMode::default() };
        let gather = Gather::new(self.op, Target::slices(0, &ends.reshape(&[self.slots])?));
        Gather { mode, fill_value: empty, ..gather }.run(&self.values)
    }

    /// The row of the first value that is equal to the extreme, −1 for none. Both zeros are equal, other than for the extreme itself.
    pub(crate) fn position(&self, reduce: Reduce) -> Result<Tensor> {
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
pub(crate) fn first_replaces(reduce: Reduce) -> Update {
    Update { include_self: false, ..reduce.into() }
}

/// Whether exact sums of floats are rounded to a wider dtype without a converted copy: on the CPU.
pub(crate) fn sums_widen(values: &Tensor, dtype: DType) -> bool {
    let are_floats = values.dtype.is_float() && dtype.is_float();
    are_floats && dtype.size() > values.dtype.size() && values.device() == Device::Cpu
}

/// The dtype of a mean of values of a dtype.
pub(crate) fn float_of(dtype: DType) -> DType {
    if dtype.is_float() { dtype } else { DType::Float64 }
}

/// The slot of each value, −1 in rows that are left out, and for NaN if `skips`: int32.
fn slots_of(op: Op, groups: &Tensor, values: &Tensor, row: usize, skips: bool) -> Result<Tensor> {
    let none = number(op, -1, DType::Int32)?;
    if row == 1 {
        return if skips { choose(&values.isnan()?, &none, groups) } else { Ok(groups.clone()) };
    }
    let rows = groups.size();
    let columns = Tensor::arange(0.0, row as f64, 1.0, DType::Int32)?.reshape(&[1, row])?;
    let columns = dispatch::on_device_of(op.name(), groups, columns)?;
    let groups = groups.reshape(&[rows, 1])?;
    let begins = combined(op, Binary::Multiply, &groups, &number(op, row as i64, DType::Int32)?)?;
    let slots = combined(op, Binary::Add, &begins, &columns)?;
    // Those of rows that are left out are −row … −1.
    let slots = combined(op, Binary::Maximum, &slots, &none)?.reshape(&[rows * row])?;
    if skips { choose(&values.isnan()?, &none, &slots) } else { Ok(slots) }
}
